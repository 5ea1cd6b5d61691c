// `@keelson/core/mail`: letters with attachments.

// Attachments of mails: kept until the mail is sent.
export { storeAttachment } from './mail.ts';
