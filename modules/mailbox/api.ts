export { Mailbox, MailboxMessage } from './entities.ts';
export { MailHeld } from './events.ts';
export { addMailbox } from './mailboxes/mailboxes.ts';
export { createRule } from './judge/sender-rules.ts';
export { storeMail, type NewMail } from './servers/receive.ts';
export { findHeld } from './messages/waiting.ts';
