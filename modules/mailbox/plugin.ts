import { definePlugin } from '@keelson/core';
import consolePages from './console/pages.ts';
import {
  Mailbox,
  MailboxConsent,
  MailboxMessage,
  MailboxRaw,
  MailboxState,
  MailboxTemplate,
  MailboxThread,
  MailboxTicket,
  MailboxToken,
  UndeliverableAddress,
} from './entities.ts';
import events from './events.ts';
import fills from './fills.ts';
import jobs from './jobs.ts';
import live from './live.ts';
import routes from './routes/admin.ts';
import { mailSender } from './senders.ts';
import subscribers from './subscribers.ts';
import { mailStop } from './undeliverable.ts';

export default definePlugin({
  id: 'mailbox',
  title: 'Incoming mail',
  requires: ['accounts', 'directory', 'system', 'tickets'],
  entities: [
    Mailbox,
    MailboxState,
    MailboxMessage,
    MailboxRaw,
    MailboxThread,
    MailboxTemplate,
    MailboxTicket,
    MailboxToken,
    MailboxConsent,
    UndeliverableAddress,
  ],
  events,
  fills,
  routes,
  console: consolePages,
  subscribers,
  mailSender,
  mailStop,
  jobs,
  live,
});
