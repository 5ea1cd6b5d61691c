export { Mailbox, MailboxMessage } from './entities.ts';
