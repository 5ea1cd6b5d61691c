import { definePlugin } from '@keelson/core';
import consolePages from './console/pages.ts';
import entities from './entities.ts';
import events from './events.ts';
import fills from './fills.ts';
import jobs from './jobs.ts';
import { mailStop } from './judge/undeliverable.ts';
import live from './live.ts';
import mailTemplates from './mail-templates.ts';
import { mailSender } from './mailboxes/senders.ts';
import { addMetrics } from './metrics.ts';
import adminRoutes from './routes/admin.ts';
import pageRoutes from './routes/pages.ts';
import subscribers from './subscribers.ts';

export default definePlugin({
  id: 'mailbox',
  title: 'Incoming mail',
  description: 'Mailboxes that turn mails into tickets.',
  requires: ['accounts', 'directory', 'system', 'tickets'],
  entities,
  events,
  fills,
  routes: [...adminRoutes, ...pageRoutes],
  console: consolePages,
  subscribers,
  mailTemplates,
  mailSender,
  mailStop,
  jobs,
  live,
  start: (app) => Promise.resolve(addMetrics(app)),
});
