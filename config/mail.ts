// Settings of outgoing mail.
import { matching, url } from './kinds.ts';
import { optional } from './setting.ts';

/** `support@acme.example`, or `Acme IT <support@acme.example>`. */
const MAILBOX =
  /^(?:[^<>"\p{Cc}]{1,120}\s)?<[^\s<>@,;:"()]{1,64}@[^\s<>@,;:"()]{1,180}>$|^[^\s<>@,;:"()]{1,64}@[^\s<>@,;:"()]{1,180}$/u;

export const mailSettings = {
  smtpUrl: optional(
    'SMTP_URL',
    null,
    url(
      ['smtp:', 'smtps:'],
      'must be a URL such as smtp://user:password@mail.example.com:587, or smtps: with port 465',
      (at) => (at.pathname === '' || at.pathname === '/') && !at.search && !at.hash && isDecodable(at),
    ),
    'The mail server; needs MAIL_FROM. A password is only sent over TLS. Without it mails go over the server that an administrator sets in the console, or are written down and wait.',
  ),
  mailFrom: optional(
    'MAIL_FROM',
    null,
    matching(MAILBOX, 'must be an address such as support@example.com, or Example IT <support@example.com>'),
    'The sender of all mails. Without a name before the address it is the provider’s.',
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
