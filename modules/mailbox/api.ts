export { Mailbox, MailboxMessage } from './entities.ts';
export { MailHeld } from './events.ts';
export { addMailbox } from './mailboxes.ts';
export { createRule } from './sender-rules.ts';
export { storeMail, type NewMail } from './receive.ts';
export { findHeld } from './waiting.ts';
