import { administrators, liveRecord } from '@keelson/core';
import { ReadSettings } from '@keelson/modules/system';
import { ReadTickets } from '@keelson/modules/tickets';
import { Mailbox, MailboxMessage, MailboxRule } from './entities.ts';

const admin = administrators(ReadSettings);

export default [
  liveRecord(Mailbox, { admin }),
  liveRecord(MailboxRule, { admin }),
  // Only which mails wait for a decision.
  liveRecord(MailboxMessage, { admin: ReadTickets }),
];
