// `@keelson/core/mail`: letters with attachments, and the mail server.

// What a letter is, and how it continues a conversation.
export type { Letter } from './mail.ts';
export type { MailTemplate } from './mail-template.ts';

// Attachments of mails: kept until the mail is sent.
export { storeAttachment } from './mail.ts';

// The server, which a plugin may know (`mailServer`), and whether mail goes out.
export type { MailServer } from './post.ts';
export { sendTestMail } from './mail-delivery.ts';
export { MailRefused, ServerAway } from './smtp.ts';
