import { definePlugin } from '@keelson/core';
import consolePages from './console/pages.ts';
import { Alert } from './entities.ts';
import { AlertAcknowledged, AlertCreated, AlertResolved } from './events.ts';
import jobs from './jobs.ts';
import live from './live.ts';
import { TroubleMail } from './mail-templates.ts';
import reports from './reports.ts';
import adminRoutes from './routes/admin.ts';
import search from './search.ts';
import subscribers from './subscribers.ts';

export default definePlugin({
  id: 'monitoring',
  title: 'Monitoring',
  description: 'The installation’s health, its jobs, and alerts.',
  requires: ['directory', 'webhooks', 'assets', 'inventory', 'discovery'],
  entities: [Alert],
  events: [AlertCreated, AlertAcknowledged, AlertResolved],
  console: consolePages,
  routes: adminRoutes,
  subscribers,
  jobs,
  mailTemplates: [TroubleMail],
  search,
  reports,
  live,
});
