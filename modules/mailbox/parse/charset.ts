// Mails whose text is in another charset than they declare, as old and careless programs send them.
import type { Email } from 'postal-mime';

/** The replacement character, for bytes that are invalid in the declared charset (UTF-8 by default). */
const REPLACED = '\uFFFD';
const windows1252 = new TextDecoder('windows-1252');
const strictUtf8 = new TextDecoder('utf-8', { fatal: true });
/** The characters of Windows-1252, which postal-mime also decodes ASCII, Latin-1 and unknown charsets as. */
const LETTERS = windows1252.decode(Uint8Array.from({ length: 256 }, (_, i) => i));

/** `charset='windows-1251'`: single quotes are part of the name, which is then unknown. */
const QUOTED_NAME = /^(content-type:[^\r\n]*(?:\r?\n[ \t][^\r\n]*){0,5}?charset\s*=\s*)"?'([\w.:-]{1,40})'"?/gim;

/**
 * Parses a mail with the first of two readings that has no invalid bytes: as declared, and as Windows-1252, which old
 * programs send without declaring it.
 * @param parse parses the bytes of a mail
 */
export async function parseDeclared(raw: Buffer, parse: (bytes: Buffer) => Promise<Email>): Promise<Email> {
  const mail = await parse(withoutQuotes(raw));
  if (isDecoded(mail)) return mended(mail);
  const other = await parse(Buffer.from(windows1252.decode(raw)));
  return mended({ ...mail, ...textsOf(mail, other) });
}

/** Returns the text as its author wrote it if it is UTF-8 that was decoded as Windows-1252: `GrÃ¼ÃŸe` is `Grüße`. */
export function asWritten(text: string): string {
  if (!/[\xc2-\xf4]/.test(text)) return text;
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    const byte = LETTERS.charCodeAt(code) === code ? code : LETTERS.indexOf(text.charAt(i));
    if (byte < 0) return text;
    bytes[i] = byte;
  }
  try {
    return strictUtf8.decode(bytes);
  } catch {
    return text;
  }
}

function withoutQuotes(raw: Buffer): Buffer {
  if (!raw.includes("='") && !raw.includes('="\'')) return raw;
  return Buffer.from(raw.toString('latin1').replaceAll(QUOTED_NAME, '$1$2'), 'latin1');
}

const isDecoded = ({ subject, text, html, from }: Email): boolean =>
  ![subject, text, html, from?.name].some((each) => each?.includes(REPLACED));
const better = (text = '', other = ''): string => (text.includes(REPLACED) && !other.includes(REPLACED) ? other : text);

const textsOf = (mail: Email, other: Email): Pick<Email, 'subject' | 'text' | 'html' | 'from'> => ({
  subject: better(mail.subject, other.subject),
  text: better(mail.text, other.text),
  html: better(mail.html, other.html),
  from: mail.from && { ...mail.from, name: better(mail.from.name, other.from?.name) },
});

const mended = (mail: Email): Email => ({
  ...mail,
  subject: mail.subject && asWritten(mail.subject),
  text: mail.text && asWritten(mail.text),
  html: mail.html && asWritten(mail.html),
  from: mail.from && { ...mail.from, name: asWritten(mail.from.name) },
  attachments: mail.attachments.map((each) => ({ ...each, filename: each.filename && asWritten(each.filename) })),
});
