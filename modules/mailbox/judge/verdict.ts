// The verdict of our own mail server on the sender of a mail (RFC 8601). A technician's reply and a rule for new contacts
// depend on it, so anything unexpected counts as unverified.
import { domainToASCII } from 'node:url';
import type { Email } from 'postal-mime';
import type { Mailbox } from '../entities.ts';

/** The mailbox settings that say which server to believe. */
export type Believing = Pick<Mailbox, 'address' | 'authserv_id' | 'sign_in'>;

/** Google's servers name themselves so; Microsoft's leave out their name, and rename the headers of other servers. */
const GOOGLE = 'mx.google.com';

/** Returns true if our own mail server confirms that a mail comes from the domain of its only sender (DMARC). */
export function isVerified(mail: Email, sender: string, mailbox: Believing): boolean {
  const domain = domainOf(sender);
  if (domain === '') return false;
  if (isInternal(mail, domain, mailbox)) return true;
  const results = resultsOf(mail, mailbox).flatMap((value) => partsOf(value) ?? [UNREADABLE]);
  const judged = results.filter((each) => /^dmarc\b/i.test(each));
  return judged.length > 0 && judged.every((each) => isPass(each, domain));
}

/**
 * Returns the headers with the verdict of our own mail server; usually one. No other server is trusted: any sender can
 * add this header.
 */
export function resultsOf({ headers }: Email, { authserv_id, sign_in }: Believing): string[] {
  const server = (authserv_id || (sign_in === 'google' ? GOOGLE : '')).toLowerCase();
  if (server === '' && sign_in !== 'microsoft') return [];
  return headers
    .filter(({ key }) => key === 'authentication-results')
    .map(({ value }) => value)
    .filter((value) => {
      const first = value.split(';')[0]?.trim() ?? '';
      return server === '' ? /^[a-z]+=/i.test(first) : first.split(/\s/)[0]?.toLowerCase() === server;
    });
}

/** Stands for a header that cannot be read. */
const UNREADABLE = 'dmarc=fail';

/** Returns true for one result of DMARC that passed, for the domain if it names one. */
function isPass(result: string, domain: string): boolean {
  if (!/^dmarc(?:\s*\/\s*\d+)?\s*=\s*pass(?:\s|$)/i.test(result)) return false;
  const [, from = domain] = /\sheader\s*\.\s*from\s*=\s*(\S*)/i.exec(result) ?? [];
  return domainOf(`@${from}`) === domain;
}

/** Returns true for a mail within the organisation, which Microsoft does not judge by DMARC. Its servers remove the header from all other mails. */
function isInternal(mail: Email, domain: string, { address, sign_in }: Believing): boolean {
  if (sign_in !== 'microsoft' || domain !== domainOf(address)) return false;
  const as = mail.headers.filter(({ key }) => key === 'x-ms-exchange-organization-authas');
  return as.length > 0 && as.every(({ value }) => value.trim().toLowerCase() === 'internal');
}

const domainOf = (address: string): string =>
  domainToASCII(
    address
      .slice(address.lastIndexOf('@') + 1)
      .trim()
      .replace(/\.$/, ''),
  );

/**
 * Splits a header at its semicolons, without comments and with quoted strings replaced by `""`: senders choose what is in
 * both. Returns undefined if one of them does not end.
 */
function partsOf(value: string): string[] | undefined {
  const parts: string[] = [];
  let part = '';
  let depth = 0;
  let quoted = false;
  for (let at = 0; at < value.length; at++) {
    const char = value[at];
    if (char === '\\') at++;
    else if (quoted) quoted = char !== '"';
    else if (char === '(') depth++;
    else if (depth > 0) {
      if (char === ')') depth--;
      if (depth === 0) part += ' ';
    } else if (char === '"') {
      quoted = true;
      part += '""';
    } else if (char === ';') {
      parts.push(part.trim());
      part = '';
    } else part += char;
  }
  return quoted || depth > 0 ? undefined : [...parts, part.trim()];
}
