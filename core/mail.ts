// `@keelson/core/mail`: mails with attachments, and the mail server.

// Mails, and how they continue a conversation.
export type { Letter } from '@keelson/mail/mail.ts';
export type { MailTemplate } from '@keelson/mail/mail-template.ts';

// A preview of a mail.
export { previewMail } from '@keelson/mail/preview.ts';

// Attachments of mails: stored until the mail is sent.
export { storeAttachment } from '@keelson/mail/mail.ts';

// The mail server, which a plugin may provide (`mailServer`), and test mails.
export type { MailServer } from '@keelson/mail/mail-context.ts';

// Additional senders, which a plugin may provide (`mailSender`).
export { smtpWay } from '@keelson/mail/post.ts';
export type { MailSender, MailWay } from '@keelson/mail/mail-context.ts';
export { signatureVariables } from '@keelson/mail/compose.ts';
export { commonVariables } from '@keelson/mail/mail-template.ts';
export { sendProbe, sendTestMail } from '@keelson/mail/mail-delivery.ts';
export { MailRefused, ServerAway } from '@keelson/mail/smtp.ts';
