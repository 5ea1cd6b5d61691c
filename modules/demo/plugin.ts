import { definePlugin } from '@keelson/core';
import commands from './commands.ts';
import { DemoMade } from './settings.ts';

export default definePlugin({
  id: 'demo',
  title: 'Demo data',
<<<<<<< HEAD
  requires: ['accounts', 'crm', 'directory', 'discovery', 'kb', 'monitoring', 'outages', 'tickets'],
=======
  requires: ['accounts', 'crm', 'directory', 'inventory', 'kb', 'outages', 'tickets'],
>>>>>>> main
  settings: [DemoMade],
  commands,
});
