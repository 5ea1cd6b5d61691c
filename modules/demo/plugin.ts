import { definePlugin } from '@keelson/core';
import commands from './commands.ts';
import consolePages from './console/pages.ts';
import { DemoMade } from './settings.ts';

export default definePlugin({
  id: 'demo',
  title: 'Demo data',
  requires: [
    'accounts',
    'assets',
    'backup',
    'billing',
    'chat',
    'crm',
    'directory',
    'discovery',
    'dispatch',
    'inventory',
    'kb',
    'levels',
    'teams',
    'mailbox',
    'monitoring',
    'outages',
    'planned',
    'projects',
    'reports',
    'search',
    'system',
    'tickets',
    'workflows',
  ],
  settings: [DemoMade],
  commands,
  console: consolePages,
});
