// Mails in S/MIME's own format (RFC 8551): signed ones enclose their content, encrypted ones cannot be read.

/** Object identifiers of PKCS #7 contents, in hexadecimal. */
const SIGNED = '2a864886f70d010702';
const ENCRYPTED: readonly string[] = ['2a864886f70d010703', '2a864886f70d0109100117'];

const SEQUENCE = 0x30;
const OCTETS = 0x04;
const OCTETS_IN_PARTS = 0x24;
const EXPLICIT = 0xa0;
/** The low bits of a tag that more bytes follow, and a length that is not given. */
const LONG_TAG = 0x1f;
const INDEFINITE = 0x80;
const MOST_DEPTH = 12;
const LONGEST_LENGTH = 4;

export type Enclosed = { readonly content: Buffer } | 'encrypted';

/** Returns what an `application/pkcs7-mime` part encloses; undefined if it is damaged or something else. */
export function enclosedIn(bytes: Uint8Array): Enclosed | undefined {
  const [type, rest] = partsOf(readElement(bytes, 0), SEQUENCE);
  const oid = Buffer.from(type?.content ?? []).toString('hex');
  if (ENCRYPTED.includes(oid)) return 'encrypted';
  if (oid !== SIGNED) return undefined;
  const [signed] = partsOf(rest, EXPLICIT);
  const enclosing = partsOf(signed, SEQUENCE).find(({ tag }) => tag === SEQUENCE);
  const [, explicit] = partsOf(enclosing, SEQUENCE);
  const [octets] = partsOf(explicit, EXPLICIT);
  return octets && { content: Buffer.concat(octetsOf(octets)) };
}

interface Element {
  readonly tag: number;
  readonly content: Uint8Array;
  /** Where the next element begins. */
  readonly end: number;
}

/** Reads an element of DER, or of BER, whose lengths may be indefinite; undefined if it is damaged. */
function readElement(bytes: Uint8Array, at: number, depth = 0): Element | undefined {
  const [tag, first] = bytes.subarray(at, at + 2);
  if (tag === undefined || first === undefined || (tag & LONG_TAG) === LONG_TAG || depth > MOST_DEPTH) return undefined;
  let begin = at + 2;
  if (first === INDEFINITE) {
    let end = begin;
    while (bytes[end] !== 0 || bytes[end + 1] !== 0) {
      const inner = readElement(bytes, end, depth + 1);
      if (!inner) return undefined;
      end = inner.end;
    }
    return { tag, content: bytes.subarray(begin, end), end: end + 2 };
  }
  let length = first;
  if (first > INDEFINITE) {
    const digits = first - INDEFINITE;
    if (digits > LONGEST_LENGTH || begin + digits > bytes.length) return undefined;
    length = bytes.subarray(begin, begin + digits).reduce((sum, digit) => sum * 0x100 + digit, 0);
    begin += digits;
  }
  const end = begin + length;
  return end > bytes.length ? undefined : { tag, content: bytes.subarray(begin, end), end };
}

/** Returns the elements within one that has the expected tag. */
function partsOf(element: Element | undefined, tag: number): Element[] {
  const parts: Element[] = [];
  if (element?.tag !== tag) return parts;
  for (let at = 0; at < element.content.length;) {
    const part = readElement(element.content, at);
    if (!part) break;
    parts.push(part);
    at = part.end;
  }
  return parts;
}

/** Returns the bytes of an octet string, which may be in parts. */
function octetsOf(element: Element, depth = 0): Uint8Array[] {
  if (element.tag === OCTETS) return [element.content];
  if (depth > MOST_DEPTH) return [];
  return partsOf(element, OCTETS_IN_PARTS).flatMap((each) => octetsOf(each, depth + 1));
}

/**
 * Returns a mail with the content that it encloses. Of the headers within, only those that describe the content count:
 * a mail must not name another sender than the one our mail server has checked.
 */
export function withContent(raw: Buffer, content: Buffer): Buffer {
  const [outer] = splitHead(raw);
  const [inner, body] = splitHead(content);
  const fields = [
    ...fieldsOf(outer).filter((each) => !/^(?:content-|mime-version:)/i.test(each)),
    ...fieldsOf(inner).filter((each) => /^content-/i.test(each)),
  ];
  return Buffer.concat([Buffer.from(`${fields.join('\r\n')}\r\n\r\n`, 'latin1'), body]);
}

function splitHead(raw: Buffer): readonly [string, Buffer] {
  const blank = /\r?\n\r?\n/.exec(raw.toString('latin1'));
  if (!blank) return [raw.toString('latin1'), Buffer.alloc(0)];
  return [raw.toString('latin1', 0, blank.index), raw.subarray(blank.index + blank[0].length)];
}

const fieldsOf = (head: string): string[] => head.split(/\r?\n(?![ \t])/);
