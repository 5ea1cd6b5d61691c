// Settings of outgoing mail.
import { matching, url } from './kinds.ts';
import { optional, setting } from './setting.ts';

/** `support@acme.example`, or `Acme IT <support@acme.example>`. */
const MAILBOX =
  /^(?:[^<>"\p{Cc}]{1,120}\s)?<[^\s<>@,;:"()]{1,64}@[^\s<>@,;:"()]{1,180}>$|^[^\s<>@,;:"()]{1,64}@[^\s<>@,;:"()]{1,180}$/u;

const service = () =>
  url(['http:', 'https:'], 'must be a URL such as https://login.microsoftonline.us', (at) => !at.search && !at.hash);

export const mailSettings = {
  mailMicrosoftLoginUrl: setting(
    'MAIL_MICROSOFT_LOGIN_URL',
    'https://login.microsoftonline.com',
    service(),
    'Where people sign in to mailboxes of Microsoft 365; national clouds have their own.',
  ),
  mailMicrosoftGraphUrl: setting(
    'MAIL_MICROSOFT_GRAPH_URL',
    'https://graph.microsoft.com',
    service(),
    'Where mailboxes of Microsoft 365 are read; national clouds have their own.',
  ),
  mailGoogleLoginUrl: setting(
    'MAIL_GOOGLE_LOGIN_URL',
    'https://accounts.google.com',
    service(),
    'Where people sign in to mailboxes of Google.',
  ),
  mailGoogleTokenUrl: setting(
    'MAIL_GOOGLE_TOKEN_URL',
    'https://oauth2.googleapis.com',
    service(),
    'Where Google issues tokens for mailboxes.',
  ),
  mailGmailUrl: setting(
    'MAIL_GMAIL_URL',
    'https://gmail.googleapis.com',
    service(),
    'Where mailboxes of Google are read.',
  ),
  smtpUrl: optional(
    'SMTP_URL',
    null,
    url(
      ['smtp:', 'smtps:'],
      'must be a URL such as smtp://user:password@mail.example.com:587, or smtps: with port 465',
      (at) => (at.pathname === '' || at.pathname === '/') && !at.search && !at.hash && isDecodable(at),
    ),
    'The mail server; requires MAIL_FROM. A password is only sent over TLS. If unset, mail is sent through the server set in the console, or queued until there is one.',
  ),
  mailFrom: optional(
    'MAIL_FROM',
    null,
    matching(MAILBOX, 'must be an address such as support@example.com, or Example IT <support@example.com>'),
    'The sender of all mails. The sender name defaults to the provider’s.',
  ),
};

function isDecodable({ username, password }: URL): boolean {
  try {
    return decodeURIComponent(username + password).length < 1000;
  } catch (error) {
    if (error instanceof URIError) return false;
    throw error;
  }
}
