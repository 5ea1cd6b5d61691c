export { Mailbox, MailboxMessage } from './entities.ts';
export { Mailboxes } from './mailboxes.ts';
export { storeMail, type NewMail } from './receive.ts';
