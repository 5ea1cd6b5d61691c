// Parses a raw mail: author, text, references, files, and whether a program wrote it.
import type { Address, Attachment, Email } from 'postal-mime';
import type { Mailbox } from './entities.ts';
import { withoutQuote } from './quote.ts';
import { filesOfTnef } from './tnef.ts';

export interface ParsedMail {
  readonly from: Person;
  /** Several senders: the mail does not say which of them has written it. */
  readonly several: boolean;
  readonly addressees: { readonly to: Person[]; readonly cc: Person[] };
  readonly subject: string;
  /** Text without the quoted mail. */
  readonly text: string;
  /** Message-IDs with angle brackets, nearest first. */
  readonly references: readonly string[];
  /** Why the mail counts as automatic; undefined for a person's mail. */
  readonly automatic: string | undefined;
  /** Why it gets no automatic answer, although a person may have written it; undefined if it may get one. */
  readonly unanswerable: string | undefined;
  /** Whom a mail server could not deliver a mail to, and why. */
  readonly undelivered: readonly Undelivered[];
  /** It only says that a mail was read. */
  readonly receipt: boolean;
  /** The configured mail server has authenticated the sender. */
  readonly verified: boolean;
  readonly files: readonly { readonly name: string; readonly bytes: Uint8Array }[];
}

export interface Undelivered {
  readonly address: string;
  /** The words of the mail server; may be empty. */
  readonly why: string;
  /** The address is refused for good (5.x.x), not because of a full mailbox or the mail itself. */
  readonly isFinal: boolean;
}

export interface Person {
  readonly name: string;
  readonly address: string;
}

/** What of a mailbox parsing depends on. */
export type Receiving = Pick<Mailbox, 'address' | 'aliases' | 'authserv_id'>;

const LONGEST = 60_000;
/** Characters of a text that are read for it; the rest is quotes. */
const LONGEST_READ = 1_000_000;
const MOST_ADDRESSEES = 50;
/** As many as a record can have. */
const MOST_FILES = 100;

/**
 * Parses a raw mail.
 * @param receiving the mailbox; its authserv_id names our own mail server in Authentication-Results, and empty trusts
 *   none
 */
export async function parseMail(raw: Buffer, receiving: Receiving): Promise<ParsedMail> {
  // Load the parsers lazily; installations without mailboxes do not need them.
  const [{ default: PostalMime, addressParser }, { textOfHtml }] = await Promise.all([
    import('postal-mime'),
    import('./html-text.ts'),
  ]);
  const parse = (bytes: Buffer) => PostalMime.parse(bytes, OPTIONS);
  const mail = await parse(raw);
  const other = isDecoded(mail) ? mail : await parse(asWindows1252(raw));
  const written = (each: Email) => each.text ?? textOfHtml(each.html ?? '');
  const subject = cleanLine(better(mail.subject ?? '', other.subject ?? ''));
  const senders = mail.headers
    .filter(({ key }) => key === 'from')
    .flatMap(({ value }) => addressParser(value, { flatten: true }));
  const addressed = (name: string) =>
    addressParser(headerOf(mail, name) ?? '', { flatten: true })
      .slice(0, MOST_ADDRESSEES)
      .map((each) => ({ name: cleanLine(each.name).slice(0, 255), address: (each.address ?? '').slice(0, 254) }));
  const from = mail.from && 'address' in mail.from ? mail.from : undefined;
  return {
    from: { name: cleanLine(better(from?.name ?? '', nameOf(other.from))), address: from?.address ?? '' },
    several: senders.length > 1,
    addressees: { to: addressed('to'), cc: addressed('cc') },
    subject,
    text: withoutQuote(cleanText(better(written(mail), written(other)).slice(0, LONGEST_READ)), subject).slice(
      0,
      LONGEST,
    ),
    references: [...referencesOf(mail), ...reportedIn(mail, raw)],
    automatic: automaticBy(mail, receiving),
    unanswerable: unanswerableBy(mail, from?.address ?? ''),
    undelivered: undeliveredIn(mail),
    receipt: isReceipt(mail),
    verified: senders.length === 1 && isVerified(mail, receiving.authserv_id),
    // The parts of a report, its details and the returned mail, are not files.
    files: isReport(mail) ? [] : mail.attachments.filter(isFile).flatMap(filesOf).slice(0, MOST_FILES),
  };
}

const OPTIONS = { maxNestingDepth: 50, maxHeadersSize: 512 * 1024, rfc822Attachments: true };

/** Parses a raw mail to show it as it was written. */
export async function openMail(raw: Buffer): Promise<Email> {
  const { default: PostalMime } = await import('postal-mime');
  const mail = await PostalMime.parse(raw, OPTIONS);
  return isDecoded(mail) ? mail : { ...mail, ...textsOf(mail, await PostalMime.parse(asWindows1252(raw), OPTIONS)) };
}

const textsOf = (mail: Email, other: Email): Pick<Email, 'text' | 'html' | 'subject'> => ({
  text: better(mail.text ?? '', other.text ?? ''),
  html: better(mail.html ?? '', other.html ?? ''),
  subject: better(mail.subject ?? '', other.subject ?? ''),
});

export const headerOf = ({ headers }: Email, name: string): string | undefined =>
  headers.find(({ key }) => key === name)?.value.trim();

const nameOf = (address: Address | undefined): string => address?.name ?? '';

/** The mark of bytes that are not in the charset that a mail declares, or UTF-8 if it declares none. */
const REPLACED = '\uFFFD';
const isDecoded = ({ subject, text, html, from }: Email): boolean =>
  ![subject, text, html, nameOf(from)].some((each) => each?.includes(REPLACED));

/** Old programs send Windows-1252 without saying so: returns the mail with each byte read as such. */
const asWindows1252 = (raw: Buffer): Buffer => Buffer.from(new TextDecoder('windows-1252').decode(raw));

const better = (text: string, other: string): string =>
  text.includes(REPLACED) && !other.includes(REPLACED) ? other : text;

/** Characters that are invisible or change the direction of what follows, apart from those that join letters. */
const INVISIBLE = /[^\P{C}\u200c\u200d]/gu;
export const cleanLine = (text: string): string =>
  text.toWellFormed().replaceAll(/\s+/gu, ' ').replaceAll(INVISIBLE, '').trim();
const cleanText = (text: string): string => text.toWellFormed().replaceAll('\0', '');

/** Pictures within the text that are smaller belong to a signature. */
const SMALLEST_PICTURE = 10 * 1024;
const SIGNATURES = /^application\/(?:(?:x-)?pkcs7-signature|pgp-signature)$/;

export const bytesOf = ({ content }: Attachment): Uint8Array =>
  typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content);

function isFile(file: Attachment): boolean {
  if (SIGNATURES.test(file.mimeType)) return false;
  return file.disposition === 'attachment' || !file.related || bytesOf(file).length >= SMALLEST_PICTURE;
}

function filesOf(file: Attachment, at: number): { name: string; bytes: Uint8Array }[] {
  const bytes = bytesOf(file);
  const isTnef =
    /^application\/(?:vnd\.)?ms-tnef$/.test(file.mimeType) || file.filename?.toLowerCase() === 'winmail.dat';
  const within = isTnef ? filesOfTnef(bytes) : undefined;
  return within ?? [{ name: file.filename ?? usualName(file, at), bytes }];
}

function usualName({ mimeType }: Attachment, at: number): string {
  if (mimeType === 'text/calendar') return 'invite.ics';
  if (mimeType === 'message/rfc822') return 'mail.eml';
  return `file-${at + 1}`;
}

/** Returns In-Reply-To, then References from newest to oldest. */
function referencesOf(mail: Email): string[] {
  const ids = (name: string) => headerOf(mail, name)?.match(/<[^<>\s]{1,250}>/g) ?? [];
  return [...new Set([...ids('in-reply-to'), ...ids('references').toReversed()])].slice(0, 100);
}

/** Bytes of a delivery report to search for the headers of the undelivered mail. */
const QUOTED = 256 * 1024;

const contentType = (mail: Email): string => headerOf(mail, 'content-type')?.toLowerCase() ?? '';
const isReport = (mail: Email): boolean => contentType(mail).startsWith('multipart/report');
const isReceipt = (mail: Email): boolean => isReport(mail) && contentType(mail).includes('disposition-notification');

function reportedIn(mail: Email, raw: Buffer): string[] {
  if (!isReport(mail)) return [];
  const text = raw.toString('latin1', 0, QUOTED);
  return [...text.matchAll(/^Message-ID:\s*(<[^<>\s]{1,250}>)/gim)].map(([, id = '']) => id).slice(0, 10);
}

/** Bad destination address, and mailbox disabled (RFC 3463); 5.0.0 is all that some servers say. */
const FINAL = /^5\.(?:0\.0|1\.[0-6]|1\.10|2\.1)\b/;
const MOST_UNDELIVERED = 20;
/** Reports and characters of each that are read: they come from strangers. */
const MOST_REPORTS = 5;
const LONGEST_REPORT = 65_536;

/** Reads the groups of fields of a delivery report, one for each recipient (RFC 3464). */
function undeliveredIn({ attachments }: Email): Undelivered[] {
  const reports = attachments.filter(({ mimeType }) => mimeType === 'message/delivery-status').slice(0, MOST_REPORTS);
  return reports
    .flatMap((each) =>
      Buffer.from(bytesOf(each).subarray(0, LONGEST_REPORT))
        .toString()
        .replaceAll(/\r\n?|[\u2028\u2029]/g, '\n')
        .split(/\n[ \t]*\n/),
    )
    .flatMap((group): Undelivered[] => {
      const lines = group.replaceAll(/\n[ \t]+/g, ' ');
      const field = (name: string) =>
        new RegExp(`^${name}:[ \\t]*(?:[\\w-]+;)?[ \\t]*(\\S.*)$`, 'im').exec(lines)?.[1] ?? '';
      const address = cleanLine(field('Original-Recipient') || field('Final-Recipient')).slice(0, 254);
      if (address === '' || field('Action').trim().toLowerCase() !== 'failed') return [];
      const why = cleanLine(field('Diagnostic-Code') || field('Status')).slice(0, 300);
      return [{ address, why, isFinal: FINAL.test(field('Status').trim()) }];
    })
    .slice(0, MOST_UNDELIVERED);
}

/** Subjects of out-of-office replies without the standard headers. */
const AWAY =
  /^(?:automatic reply|auto(?:matic)? ?-?reply|out of (?:the )?office|abwesenheit|automatische antwort|réponse automatique|absence du bureau|respuesta automática|fuera de la oficina|risposta automatica|fuori sede|automatisch antwoord|afwezig|resposta automática|autosvar|automatiskt svar|automatisk svar|autoodpowiedź|automatyczna odpowiedź|odpowiedź automatyczna|automatická odpověď|automatikus válasz|automaattinen vastaus|poissa toimistosta|otomatik yanıt|автоответ|автоматический ответ|自動応答|自動返信|自动回复|自动答复)/i;

/** Headers of mailing lists (RFC 2369, RFC 2919), and of programs that answer mails. */
const LIST = ['id', 'unsubscribe', 'help', 'subscribe', 'owner', 'archive'] as const;
const RESPONDERS = ['x-autoreply', 'x-autorespond', 'x-autoreply-from', 'x-mail-autoreply', 'x-autogenerated'] as const;

const isMailServer = ({ from }: Email): boolean => /^mailer-daemon@/i.test(from?.address ?? '');

/** Detects automatic mails by RFC 3834 and related headers. */
function automaticBy(mail: Email, { address, aliases }: Receiving): string | undefined {
  const of = (name: string) => headerOf(mail, name)?.toLowerCase() ?? '';
  const submitted = of('auto-submitted');
  if (submitted !== '' && !submitted.startsWith('no')) return 'Automated mail';
  if (isReport(mail) || of('return-path') === '<>' || isMailServer(mail)) return 'Mail server report';
  // A group address that distributes to the mailbox marks people's mails as those of a list.
  const post = of('list-post');
  if (![address, ...(aliases ?? [])].some((each) => post.includes(`mailto:${each.toLowerCase()}`))) {
    if (LIST.some((each) => of(`list-${each}`) !== '')) return 'Mailing list mail';
    if (/^(?:bulk|junk|list|auto_reply)/.test(of('precedence'))) return 'Bulk mail';
  }
  if (RESPONDERS.some((each) => of(each) !== '')) return 'Automated mail';
  if (AWAY.test(mail.subject ?? '')) return 'Out-of-office reply';
  if (mail.attachments.some(({ method }) => method === 'REPLY')) return 'Invitation reply';
  return undefined;
}

/** Addresses that nobody reads. */
const UNREAD =
  /^(?:no-?_?reply|do-?_?not-?_?reply|nicht-?antworten|keine-?antwort|ne-?pas-?repondre|no-?responder|postmaster|bounces?)(?:[+.-][^@]*)?@/i;

/** Microsoft's header asks for no automatic answers, and survives where Auto-Submitted does not. */
function unanswerableBy(mail: Email, address: string): string | undefined {
  const suppressed = headerOf(mail, 'x-auto-response-suppress') ?? '';
  if (/\b(?:all|autoreply)\b/i.test(suppressed)) return 'it asks for no automatic answer';
  return UNREAD.test(address) ? 'its address takes no answers' : undefined;
}

const isVerified = (mail: Email, authserv_id: string): boolean =>
  /\bdmarc=pass\b/i.test(resultsOf(mail, authserv_id) ?? '');

/** Returns what our own mail server says of the sender. No other server is trusted: any sender can add this header. */
export function resultsOf({ headers }: Email, authserv_id: string): string | undefined {
  if (authserv_id === '') return undefined;
  return headers
    .filter(({ key }) => key === 'authentication-results')
    .map(({ value }) => value)
    .find((value) => value.split(';')[0]?.trim().split(/\s/)[0]?.toLowerCase() === authserv_id.toLowerCase());
}
