// Parses a raw mail: author, text, references, files, and whether a program wrote it.
import type { Email } from 'postal-mime';
import { withoutQuote } from './quote.ts';

export interface ParsedMail {
  readonly from: { readonly name: string; readonly address: string };
  readonly subject: string;
  /** Text without the quoted mail. */
  readonly text: string;
  /** Message-IDs with angle brackets, nearest first. */
  readonly references: readonly string[];
  /** Why the mail counts as automatic; undefined for a person's mail. */
  readonly automatic: string | undefined;
  /** The configured mail server has authenticated the sender. */
  readonly verified: boolean;
  readonly files: readonly { readonly name: string; readonly bytes: Uint8Array }[];
}

const LONGEST = 60_000;
const MOST_FILES = 10;

/**
 * Parses a raw mail.
 * @param authserv_id the authserv-id of our own mail server in Authentication-Results; empty trusts none
 */
export async function parseMail(raw: Buffer, authserv_id: string): Promise<ParsedMail> {
  // Load the parsers lazily; installations without mailboxes do not need them.
  const [{ default: PostalMime }, { textOfHtml }] = await Promise.all([
    import('postal-mime'),
    import('./html-text.ts'),
  ]);
  const mail = await PostalMime.parse(raw, { maxNestingDepth: 50, maxHeadersSize: 512 * 1024 });
  const written = mail.text ?? textOfHtml(mail.html ?? '');
  const address = mail.from && 'address' in mail.from ? (mail.from.address ?? '') : '';
  return {
    from: { name: mail.from?.name ?? '', address },
    subject: (mail.subject ?? '').trim(),
    text: withoutQuote(written).slice(0, LONGEST),
    references: [...referencesOf(mail), ...reportedIn(mail, raw)],
    automatic: automaticBy(mail),
    verified: isVerified(mail, authserv_id),
    files: mail.attachments
      .filter(({ disposition, related }) => disposition === 'attachment' || !related)
      .slice(0, MOST_FILES)
      .map(({ filename, content }, at) => ({
        name: filename ?? `file-${at + 1}`,
        bytes: typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content),
      })),
  };
}

const headerOf = ({ headers }: Email, name: string): string | undefined =>
  headers.find(({ key }) => key === name)?.value.trim();

/** Returns In-Reply-To, then References from newest to oldest. */
function referencesOf(mail: Email): string[] {
  const ids = (name: string) => headerOf(mail, name)?.match(/<[^<>\s]{1,250}>/g) ?? [];
  return [...new Set([...ids('in-reply-to'), ...ids('references').toReversed()])].slice(0, 100);
}

/** Bytes of a delivery report to search for the headers of the undelivered mail. */
const QUOTED = 256 * 1024;

function reportedIn(mail: Email, raw: Buffer): string[] {
  if (!headerOf(mail, 'content-type')?.toLowerCase().startsWith('multipart/report')) return [];
  const text = raw.toString('latin1', 0, QUOTED);
  return [...text.matchAll(/^Message-ID:\s*(<[^<>\s]{1,250}>)/gim)].map(([, id = '']) => id).slice(0, 10);
}

/** Subjects of out-of-office replies without the standard headers. */
const AWAY =
  /^(?:automatic reply|auto(?:matic)? ?-?reply|out of (?:the )?office|abwesenheit|automatische antwort|réponse automatique|absence du bureau|respuesta automática|fuera de la oficina|risposta automatica|fuori sede|automatisch antwoord|afwezig|resposta automática|autosvar|automatiskt svar|automatisk svar|autoodpowiedź|automatyczna odpowiedź|自動応答|自动回复)/i;

/** Detects automatic mails by RFC 3834 and related headers. */
function automaticBy(mail: Email): string | undefined {
  const of = (name: string) => headerOf(mail, name)?.toLowerCase() ?? '';
  const submitted = of('auto-submitted');
  if (submitted !== '' && !submitted.startsWith('no')) return 'It is an automatic mail';
  if (of('content-type').startsWith('multipart/report') || of('return-path') === '<>')
    return 'It is a report of a mail server';
  if (of('list-id') !== '' || of('list-unsubscribe') !== '') return 'It comes from a mailing list';
  if (/^(?:bulk|junk|list|auto_reply)/.test(of('precedence'))) return 'It is a bulk mail';
  if (of('x-autoreply') !== '' || of('x-autorespond') !== '') return 'It is an automatic mail';
  if (AWAY.test(mail.subject ?? '')) return 'It is an out-of-office note';
  return undefined;
}

/** Only trust results from our own server, because any sender can add this header. */
function isVerified({ headers }: Email, authserv_id: string): boolean {
  if (authserv_id === '') return false;
  const results = headers
    .filter(({ key }) => key === 'authentication-results')
    .map(({ value }) => value.toLowerCase())
    .find((value) => value.split(';')[0]?.trim().split(/\s/)[0] === authserv_id.toLowerCase());
  return results !== undefined && /\bdmarc=pass\b/.test(results);
}
