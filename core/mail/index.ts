// `@keelson/core/mail`: letters with attachments, and the mail server.

// Letters, and how they continue a conversation.
export type { Letter } from './mail.ts';
export type { MailTemplate } from './mail-template.ts';

// A mail as its recipient would get it.
export { previewMail } from './preview.ts';

// Attachments of mails: stored until the mail is sent.
export { storeAttachment } from './mail.ts';

// The server, which a plugin may provide (`mailServer`), and a test mail.
export type { MailServer } from './post.ts';

// Senders besides the installation's, which a plugin may provide (`mailSender`).
export { smtpWay, type MailSender, type MailWay } from './post.ts';
export { signatureVariables } from './compose.ts';
export { commonVariables } from './mail-template.ts';
export { sendProbe, sendTestMail } from './mail-delivery.ts';
export { MailRefused, ServerAway } from './smtp.ts';
