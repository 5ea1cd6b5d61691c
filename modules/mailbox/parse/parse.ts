// Parses a raw mail: author, text, references, files, and whether a program wrote it.
import type { Attachment, Email } from 'postal-mime';
import type { Mailbox } from '../entities.ts';
import { isVerified, type Believing } from '../judge/verdict.ts';
import { MOST_BYTES } from '../servers/source.ts';
import { asWritten, parseDeclared } from './charset.ts';
import { forwardedIn, isForward, REPLY, type Forwarded } from './forwarded.ts';
import { hasReplyLine, withoutQuote } from './quote.ts';
import { enclosedIn, withContent } from './smime.ts';
import { filesOfTnef } from './tnef.ts';

// Words for these are in judge.ts: the process that reads long mails (parse-process.ts) loads nothing of core.
export type Automatic = 'program' | 'report' | 'list' | 'bulk' | 'away' | 'invitation';
export type Unanswerable = 'suppressed' | 'no_reply';

export interface ParsedMail {
  readonly from: Person;
  /** Whether the mail has several senders, so that its author is unknown. */
  readonly several: boolean;
  readonly addressees: { readonly to: Person[]; readonly cc: Person[] };
  readonly subject: string;
  /** Text without the quoted mail. */
  readonly text: string;
  /** Whether the mail forwards another one. */
  readonly isForward: boolean;
  /** The forwarded mail; undefined if there is none, or its author's address is unknown. */
  readonly forwarded: Forwarded | undefined;
  /** Message-IDs with angle brackets, nearest first. */
  readonly references: readonly string[];
  /** Why the mail counts as automatic; undefined if a person wrote it. */
  readonly automatic: Automatic | undefined;
  /** Why the mail gets no automatic reply even though a person may have written it; undefined if it may get one. */
  readonly unanswerable: Unanswerable | undefined;
  /** The recipients a mail server could not deliver to, and why. */
  readonly undelivered: readonly Undelivered[];
  /** Whether it is only a read receipt. */
  readonly receipt: boolean;
  /** Whether our own mail server confirms the sender. */
  readonly verified: boolean;
  readonly files: readonly { readonly name: string; readonly bytes: Uint8Array }[];
  /** Number of files beyond the maximum, which are only in the original. */
  readonly leftOut: number;
}

export interface Undelivered {
  readonly address: string;
  /** The mail server's message; may be empty. */
  readonly why: string;
  /** Whether the address failed permanently (5.x.x), not because of a full mailbox or the mail itself. */
  readonly isFinal: boolean;
}

export interface Person {
  readonly name: string;
  readonly address: string;
}

/** The mailbox settings that parsing depends on, and the size of the whole mail if only its beginning was received. */
export type Receiving = Believing & Pick<Mailbox, 'aliases'> & { readonly size?: number | undefined };

const LONGEST = 60_000;
/** Follows a text that was cut. */
const REST = '\n\n[The text is longer. The rest is in the original mail.]';
/** Maximum characters of a text to process; the rest is quotations. */
const LONGEST_READ = 1_000_000;
const MOST_ADDRESSEES = 50;
/** The maximum number per record. */
const MOST_FILES = 100;

/**
 * Parses a raw mail.
 * @param receiving the mailbox; its authserv_id names our own mail server in Authentication-Results
 */
export async function parseMail(raw: Buffer, receiving: Receiving): Promise<ParsedMail> {
  // Load the parsers lazily, because installations without mailboxes do not need them.
  const [{ addressParser }, { textOfHtml }] = await Promise.all([import('postal-mime'), import('./html-text.ts')]);
  const mail = await openMail(raw);
  const { html = '' } = mail;
  const plain = (mail.text?.trim() ? mail.text : textOfHtml(html)).slice(0, LONGEST_READ);
  const written = plain.trim() === '' && isEncrypted(mail) ? UNREADABLE : plain.replace(PGP, UNREADABLE);
  const clean = cleanText(written);
  const subject = cleanLine(mail.subject ?? '');
  const senders = mail.headers
    .filter(({ key }) => key === 'from')
    .flatMap(({ value }) => addressParser(value, { flatten: true }));
  const addressed = (name: string) =>
    addressParser(headerOf(mail, name) ?? '', { flatten: true })
      .slice(0, MOST_ADDRESSEES)
      .map((each) => ({
        name: cleanLine(asWritten(each.name)).slice(0, 255),
        address: (each.address ?? '').slice(0, 254),
      }));
  const from = mail.from?.group ? mail.from.group[0] : mail.from;
  const forwards = isForward(subject, written, enclosed(mail) !== undefined);
  const forwarded = forwards ? await forwardedBy(mail, clean.replaceAll('\r\n', '\n')) : undefined;
  // The parts of a delivery report, its details and the returned mail, do not count as files.
  const found = isReport(mail) ? [] : mail.attachments.filter(isFile).flatMap(filesOf);
  const remark = remarkOn(found, receiving);
  const files = remark === '' ? found : [];
  const text = ownText(mail, clean, found.length > 0);
  return {
    from: { name: cleanLine(from?.name ?? ''), address: from?.address ?? '' },
    several: senders.length > 1,
    addressees: { to: addressed('to'), cc: addressed('cc') },
    subject,
    text: `${cut(text)}${remark}`.trim(),
    isForward: forwards,
    forwarded: forwarded && { ...forwarded, text: `${forwarded.text}${remark}`.trim() },
    references: [...referencesOf(mail), ...reportedIn(mail, raw)],
    automatic: automaticBy(mail, receiving),
    unanswerable: unanswerableBy(mail, from?.address ?? ''),
    undelivered: undeliveredIn(mail, clean),
    receipt: isReceipt(mail),
    verified: senders.length === 1 && isVerified(mail, from?.address ?? '', receiving),
    files: files.slice(0, MOST_FILES),
    leftOut: Math.max(0, files.length - MOST_FILES),
  };
}

/** Returns the text of a mail without what it quotes or returns. */
function ownText(mail: Email, text: string, hasFiles: boolean): string {
  if (isReport(mail) || isBounce(mail)) return withoutReturned(text).trim();
  return isReply(mail) || hasReplyLine(text)
    ? withoutQuote(text, mail.subject, hasFiles)
    : text.replaceAll('\r\n', '\n').trim();
}

const MIB = 1024 * 1024;
/** Maximum names of files in a remark. */
const MOST_NAMED = 10;

/** Returns what is said of a mail of which only the beginning was received; empty if all of it was. */
function remarkOn(files: ParsedMail['files'], { size = 0, address }: Receiving): string {
  if (size <= MOST_BYTES) return '';
  const names = files.slice(0, MOST_NAMED).map(({ name }) => `“${name}”`);
  const which = names.length > 0 ? ` (${names.join(', ')})` : '';
  // APIs do not say how large it is.
  const large = size > MOST_BYTES + 1 ? `${Math.ceil(size / MIB)} MiB` : `more than ${MOST_BYTES / MIB} MiB`;
  return `\n\n[This mail is too large: ${large}. Only its text was received, without its files${which}. The whole mail is in the mailbox ${address}.]`;
}

/** Returns the only mail attached to another one. */
function enclosed(mail: Email): Attachment | undefined {
  const mails = isReport(mail) ? [] : mail.attachments.filter(({ mimeType }) => mimeType === 'message/rfc822');
  return mails.length === 1 ? mails[0] : undefined;
}

/** Returns the mail that another one forwards, in its text or as a file. */
async function forwardedBy(mail: Email, clean: string): Promise<Forwarded | undefined> {
  const within = forwardedIn(clean);
  if (within) return { ...within, text: cut(withoutQuote(within.text)), remark: cut(within.remark) };
  const file = enclosed(mail);
  if (!file) return undefined;
  const inner = await openMail(Buffer.from(bytesOf(file)));
  const address = inner.from?.address ?? '';
  if (address === '') return undefined;
  const { textOfHtml } = await import('./html-text.ts');
  const text = inner.text?.trim() ? inner.text : textOfHtml(inner.html ?? '');
  return { address, text: cut(withoutQuote(cleanText(text), inner.subject)), remark: cut(clean.trim()) };
}

const OPTIONS = { maxNestingDepth: 50, maxHeadersSize: 512 * 1024, rfc822Attachments: true };

/** S/MIME encloses at most this many signed mails in each other. */
const MOST_ENCLOSED = 3;

/** Parses a raw mail to display the original. What a signature encloses takes the place of the signed file. */
export async function openMail(raw: Buffer): Promise<Email> {
  const { default: PostalMime } = await import('postal-mime');
  let bytes = raw;
  for (let depth = 0; ; depth++) {
    const mail = await parseDeclared(bytes, (given) => PostalMime.parse(given, OPTIONS));
    const [file] = mail.attachments;
    const enclosed = file && SMIME.test(contentType(mail)) && depth < MOST_ENCLOSED && enclosedIn(bytesOf(file));
    if (!enclosed || enclosed === 'encrypted') return mail;
    bytes = withContent(bytes, enclosed.content);
  }
}

const SMIME = /^application\/(?:x-)?pkcs7-mime\b/;
/** Stands in for the text of encrypted mails. */
const UNREADABLE = 'This mail is encrypted and cannot be read.';
/** An encrypted text within a mail. */
const PGP = /-----BEGIN PGP MESSAGE-----[^]*?(?:-----END PGP MESSAGE-----|$)/;

/** Whether a mail without a text is encrypted by S/MIME or PGP; mail servers may have made it a file. */
function isEncrypted(mail: Email): boolean {
  if (/^multipart\/encrypted\b/.test(contentType(mail)) || /smime-type="?(?:auth)?enveloped/.test(contentType(mail)))
    return true;
  return mail.attachments.some(
    (each) =>
      each.mimeType === 'application/pgp-encrypted' ||
      (SMIME.test(each.mimeType) && enclosedIn(bytesOf(each)) === 'encrypted'),
  );
}

export const headerOf = ({ headers }: Email, name: string): string | undefined =>
  headers.find(({ key }) => key === name)?.value.trim();

/** Invisible characters and those that change the writing direction, except joiners. */
const INVISIBLE = /[^\P{C}\u200c\u200d]/gu;
export const cleanLine = (text: string): string =>
  text.toWellFormed().replaceAll(/\s+/gu, ' ').replaceAll(INVISIBLE, '').trim();
const cut = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST)}${REST}` : text);
/** Removes what databases refuse, and overrides of the writing direction, which disguise names of files. */
const cleanText = (text: string): string => text.toWellFormed().replaceAll(/[\0\u202d\u202e]/g, '');

/** Smaller inline images belong to a signature. */
const SMALLEST_PICTURE = 10 * 1024;
/** The text once more, for mail programs that run scripts. */
const AMP = 'text/x-amp-html';
const SIGNATURES = /^application\/(?:(?:x-)?pkcs7-signature|pgp-signature)$/;

export const bytesOf = ({ content }: Attachment): Uint8Array =>
  typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content);

function isFile(file: Attachment): boolean {
  if (SIGNATURES.test(file.mimeType) || file.mimeType === AMP) return false;
  return file.disposition === 'attachment' || !file.related || bytesOf(file).length >= SMALLEST_PICTURE;
}

function filesOf(file: Attachment, at: number): { name: string; bytes: Uint8Array }[] {
  const bytes = bytesOf(file);
  const isTnef =
    /^application\/(?:vnd\.)?ms-tnef$/.test(file.mimeType) || file.filename?.toLowerCase() === 'winmail.dat';
  const within = isTnef ? filesOfTnef(bytes) : undefined;
  return within ?? [{ name: cleanLine(file.filename ?? '').replace(/^.*[\\/]/, '') || usualName(file, at), bytes }];
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

/** A ticket's number in a subject. */
const NUMBER = /\[#\d{1,12}\]/;

/** Whether a mail replies to another one, or names a ticket. */
function isReply(mail: Email): boolean {
  const { subject = '' } = mail;
  return referencesOf(mail).length > 0 || REPLY.test(subject) || NUMBER.test(subject);
}

/** Maximum bytes of a delivery report to search for the headers of the undelivered mail. */
const QUOTED = 256 * 1024;

const contentType = (mail: Email): string => headerOf(mail, 'content-type')?.toLowerCase() ?? '';
const isReport = (mail: Email): boolean => contentType(mail).startsWith('multipart/report');
const isReceipt = (mail: Email): boolean => isReport(mail) && contentType(mail).includes('disposition-notification');

function reportedIn(mail: Email, raw: Buffer): string[] {
  // Some servers return the mail within the text of an ordinary one.
  if (!isReport(mail) && !isBounce(mail)) return [];
  const text = raw.toString('latin1', 0, QUOTED);
  return [...text.matchAll(/^Message-ID:\s*(<[^<>\s]{1,250}>)/gim)].map(([, id = '']) => id).slice(0, 10);
}

/** Whether a mail server returns a mail to us. */
const isBounce = (mail: Email): boolean =>
  headerOf(mail, 'return-path') === '<>' ||
  isMailServer(mail) ||
  (/^postmaster@/i.test(mail.from?.address ?? '') && BOUNCED.test(mail.subject ?? ''));

/** Subjects of bounces, by which a postmaster's are told from what people write in that name. */
const BOUNCED =
  /^(?:undeliver(?:ed|able)|delivery status notification|mail delivery failed|delivery failure|returned mail|failure notice|unzustellbar|nicht zustellbar|non remis|no se puede entregar|non recapitabile)/i;

/** Bad destination address and disabled mailbox (RFC 3463); some servers only report 5.0.0. */
const FINAL = /^5\.(?:0\.0|1\.[0-6]|1\.10|2\.1)\b/;
const MOST_UNDELIVERED = 20;
/** Maximum reports per mail and characters per report to read, because strangers write them. */
const MOST_REPORTS = 5;
const LONGEST_REPORT = 65_536;

/** Microsoft 365 reports unknown recipients by this status, which otherwise means that a server did not respond. */
const REJECTED = /\b5\.4\.1\b.*\brecipient address rejected/i;

const isFinal = (status: string, why: string): boolean => FINAL.test(status) || REJECTED.test(why);

function undeliveredIn(mail: Email, text: string): Undelivered[] {
  const reported = reportedUndelivered(mail);
  return reported.length > 0 || !isBounce(mail) ? reported : undeliveredInText(mail, text);
}

/** Lines above the returned mail in the text of a bounce, or the first of its headers. */
const RETURNED =
  /^[ \t]*-{2,}.*(?:copy of|original message|returned message|message header|unsent message|body of the message|ursprüngliche nachricht)|^[ \t]*(?:original message headers|ursprüngliche nachrichten(?:kopfzeilen|köpfe|header)|en-têtes d[eu](?: ce)? message d['’]origine)[ \t]*:?[ \t]*$|^(?:Return-Path|Received): /im;

/** Returns the text of a bounce without the mail that it returns. */
const withoutReturned = (text: string): string => text.replaceAll('\r\n', '\n').split(RETURNED, 1)[0] ?? '';

/** A line with nothing but an address, as Exchange, Exim, Gmail and qmail write it. */
const ADDRESS_LINE =
  /^['"<]?([^\s<>'"()]{1,64}@[^\s<>'"():]{1,190})['">]?(?: ?\([^()]*\))?(?: ?<[^<>]*>)?(?: (?:on|am|le|el) [^:]{6,30}:\d\d.*)?:?$/;
const STATUS = /(?<![\d.])[45]\.\d{1,3}\.\d{1,3}(?![\d.])/;
/** Maximum lines below an address that say why. */
const MOST_LINES = 16;

/**
 * Reads bounces without a report. Those of qmail and Exim mark the address, by brackets or in a header; otherwise a
 * status must follow it.
 */
function undeliveredInText(mail: Email, text: string): Undelivered[] {
  const lines = withoutReturned(text.slice(0, LONGEST_REPORT))
    .split('\n')
    .map((line) => line.trim());
  const named = (headerOf(mail, 'x-failed-recipients') ?? '').split(',').map((each) => each.trim().toLowerCase());
  const addresses = lines.map((line) => cleanLine(ADDRESS_LINE.exec(line)?.[1] ?? ''));
  const found = lines.flatMap((line, at): Undelivered[] => {
    const address = addresses[at] ?? '';
    if (address === '') return [];
    const next = addresses.findIndex((each, n) => n > at && each !== '');
    const below = lines.slice(at + 1, Math.min(next < 0 ? lines.length : next, at + 1 + MOST_LINES));
    const status = STATUS.exec(below.join('\n'))?.[0] ?? '';
    if (status === '' && !/^<.*>:$/.test(line) && !named.includes(address.toLowerCase())) return [];
    const why = cleanLine(reasonIn(below)).slice(0, 300);
    return [{ address, why, isFinal: isFinal(status, why) }];
  });
  // Exchange names an address above its explanation, and again above the status.
  const worst = found.toSorted((a, b) => Number(b.isFinal) - Number(a.isFinal));
  return [...new Map(worst.toReversed().map((each) => [each.address.toLowerCase(), each])).values()].slice(
    0,
    MOST_UNDELIVERED,
  );
}

/** Returns the paragraph with the status, otherwise the first one. */
function reasonIn(lines: readonly string[]): string {
  const paragraphs = lines
    .join('\n')
    .split(/\n{2,}/)
    .filter((each) => each.trim() !== '');
  return paragraphs.find((each) => STATUS.test(each)) ?? paragraphs[0] ?? '';
}

/** Parses the field groups of a delivery report, one per recipient (RFC 3464). */
function reportedUndelivered({ attachments }: Email): Undelivered[] {
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
      return [{ address, why, isFinal: isFinal(field('Status').trim(), why) }];
    })
    .slice(0, MOST_UNDELIVERED);
}

/** Subjects of out-of-office replies without the standard headers. */
const AWAY =
  /^(?:automatic reply|auto(?:matic)? ?-?reply|out of (?:the )?office|abwesenheit|automatische antwort|réponse automatique|absence du bureau|respuesta automática|fuera de la oficina|risposta automatica|fuori sede|automatisch antwoord|afwezig|resposta automática|răspuns automat|autosvar|automatiskt svar|automatisk svar|autoodpowiedź|automatyczna odpowiedź|odpowiedź automatyczna|automatická odpov[ěe]ď|automatski odgovor|αυτόματη απάντηση|automatikus válasz|automaattinen vastaus|poissa toimistosta|otomat[iıİ]k yan[iı]t|automaatvastus|samodejni odgovor|automātiska atbilde|automatinis atsakymas|réponse d['’]absence|abwesend|תשובה אוטומטית|رد تلقائي|автоответ|автоматический ответ|автоматична відповідь|автоматичен отговор|自動応答|自動返信|自动回复|自动答复|自動回覆|자동 ?회신|자동 ?응답)/i;
/** Without a mail that it replies to, such a subject must also end like one: people request things for their absence. */
const AWAY_ALONE = new RegExp(
  `${AWAY.source}\\p{L}*(?: [\\p{L}-]+)?\\s*(?:[:：(–—-]|\\b(?:bis|ab|vom|until|from)\\b|$)`,
  'iu',
);

/** Headers of mailing lists (RFC 2369, RFC 2919) and of programs that reply to mails. */
const LIST = ['id', 'unsubscribe', 'help', 'subscribe', 'owner', 'archive'] as const;
const RESPONDERS = ['x-autoreply', 'x-autorespond', 'x-autoreply-from', 'x-mail-autoreply', 'x-autogenerated'] as const;

const isMailServer = ({ from }: Email): boolean =>
  /^(?:mailer-daemon|microsoftexchange[0-9a-f]{32})@/i.test(from?.address ?? '');

/** Detects automatic mails by RFC 3834 and related headers. */
function automaticBy(mail: Email, { address, aliases }: Receiving): Automatic | undefined {
  const of = (name: string) => headerOf(mail, name)?.toLowerCase() ?? '';
  const submitted = of('auto-submitted');
  if (submitted !== '' && !submitted.startsWith('no')) return 'program';
  if (isReport(mail) || isBounce(mail)) return 'report';
  // A group address that forwards to the mailbox marks people's mails as list mails.
  const post = of('list-post');
  if (![address, ...(aliases ?? [])].some((each) => post.includes(`mailto:${each.toLowerCase()}`))) {
    if (LIST.some((each) => of(`list-${each}`) !== '')) return 'list';
    if (/^(?:bulk|junk|list|auto_reply)/.test(of('precedence'))) return 'bulk';
  }
  if (RESPONDERS.some((each) => of(each) !== '')) return 'program';
  if (isAway(mail)) return 'away';
  if (mail.attachments.some(({ method }) => method === 'REPLY')) return 'invitation';
  return undefined;
}

function isAway(mail: Email): boolean {
  const { subject = '' } = mail;
  return AWAY.test(subject) && (isReply(mail) || AWAY_ALONE.test(subject));
}

/** No-reply addresses. */
const UNREAD =
  /^(?:no-?_?reply|do-?_?not-?_?reply|nicht-?antworten|keine-?antwort|ne-?pas-?repondre|no-?responder|postmaster|bounces?)(?:[+.-][^@]*)?@/i;

/** Microsoft's header asks for no automatic replies, and survives where Auto-Submitted is removed. */
function unanswerableBy(mail: Email, address: string): Unanswerable | undefined {
  const suppressed = headerOf(mail, 'x-auto-response-suppress') ?? '';
  if (/\b(?:all|autoreply)\b/i.test(suppressed)) return 'suppressed';
  return UNREAD.test(address) ? 'no_reply' : undefined;
}
