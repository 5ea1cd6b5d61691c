import { definePlugin } from '@keelson/core';
import consolePages from './console/pages.ts';
import { Mailbox, MailboxMessage, MailboxRaw, MailboxState, MailboxThread } from './entities.ts';
import events from './events.ts';
import fills from './fills.ts';
import jobs from './jobs.ts';
import live from './live.ts';
import routes from './routes/admin.ts';
import subscribers from './subscribers.ts';

export default definePlugin({
  id: 'mailbox',
  title: 'Mail in',
  requires: ['accounts', 'directory', 'system', 'tickets'],
  entities: [Mailbox, MailboxState, MailboxMessage, MailboxRaw, MailboxThread],
  events,
  fills,
  routes,
  console: consolePages,
  subscribers,
  jobs,
  live,
});
