// `@keelson/core/mail`: mails with attachments, and the mail server.

// Mails, and how they continue a conversation.
export type { Letter } from './mail.ts';
export type { MailTemplate } from './mail-template.ts';

// A preview of a mail.
export { previewMail } from './preview.ts';

// Attachments of mails: stored until the mail is sent.
export { storeAttachment } from './mail.ts';

// The mail server, which a plugin may provide (`mailServer`), and test mails.
export type { MailServer } from './mail-context.ts';

// Additional senders, which a plugin may provide (`mailSender`).
export { smtpWay } from './post.ts';
export type { MailSender, MailWay } from './mail-context.ts';
export { signatureVariables } from './compose.ts';
export { commonVariables } from './mail-template.ts';
export { sendProbe, sendTestMail } from './mail-delivery.ts';
export { MailRefused, ServerAway } from './smtp.ts';
