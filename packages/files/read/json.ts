// Reads JSON imports row by row: rows of an array are located by their brackets and parsed one at a time with
// JSON.parse, so that memory and blocking do not grow with the file.
import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { invalid } from '../fault.ts';

/** Maximum size of a row or other member. */
const MOST_BYTES = 256 * 1024;
const MOST_MEMBERS = 50;
/** Items of an array. An import has at most half as many rows. */
const MOST_ITEMS = 100_000;
/** Maximum number of `,`, `:`, `[` and `{` in a row: JSON.parse takes time for names and values, not for bytes. */
const MOST_MARKS = 35_000;
const MOST_DEPTH = 32;
/** Yields to other requests after as many rows or bytes. */
const PAUSE = { rows: 50, bytes: 64 * 1024 };

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

export interface Outline {
  /** Start of the array of rows: the body itself, or a member with one of the names. */
  readonly rowsAt: number | undefined;
  /** A CSV file as a member: `{"csv": "…"}`. */
  readonly csv: Buffer | undefined;
  /** The other members. */
  readonly members: ReadonlyMap<string, unknown>;
}

/** Finds the parts of an import's body. @throws FileFault when it is not a JSON object or array */
export async function outlineOf(bytes: Buffer, names: readonly string[]): Promise<Outline> {
  const start = skipBlanks(bytes, 0);
  if (bytes[start] === OPEN_LIST) {
    checkEnd(bytes, await endOfList(bytes, start));
    return { rowsAt: start, csv: undefined, members: new Map() };
  }
  if (bytes[start] !== OPEN_OBJECT) throw notJson();
  const members = new Map<string, unknown>();
  let rowsAt: number | undefined;
  let csv: Buffer | undefined;
  let at = skipBlanks(bytes, start + 1);
  // Counted even if they have the same name: parsing millions of them would block.
  for (let count = 1; bytes[at] !== CLOSE_OBJECT; count++) {
    if (count > MOST_MEMBERS) throw invalid(`Request body must have at most ${MOST_MEMBERS} members`);
    await yieldToOthers();
    const { name, from } = memberAt(bytes, at);
    let to: number;
    if (names.includes(name) && bytes[from] === OPEN_LIST) {
      rowsAt = from;
      to = (await endOfList(bytes, from)) + 1;
    } else if (name === 'csv' && bytes[from] === QUOTE) {
      ({ text: csv, to } = await longText(bytes, from));
    } else {
      to = endOfValue(bytes, from);
      members.set(name, parsed(bytes, from, to));
    }
    at = afterItem(bytes, to, CLOSE_OBJECT);
  }
  checkEnd(bytes, at);
  return { rowsAt, csv, members };
}

/** Yields the values of the array that starts at `start` in slices, parsing each on demand. */
export async function* rowsAt(bytes: Buffer, start: number): AsyncGenerator<readonly unknown[], void> {
  let [slice, begun]: [unknown[], number] = [[], start];
  for (const { from, to } of itemsOf(bytes, start)) {
    slice.push(parsed(bytes, from, to));
    if (slice.length < PAUSE.rows && to - begun < PAUSE.bytes) continue;
    yield slice;
    [slice, begun] = [[], to];
    await yieldToOthers();
  }
  yield slice;
}

interface Place {
  readonly from: number;
  readonly to: number;
}

/** Yields the items of the array. Returns the index of the closing bracket. */
function* itemsOf(bytes: Buffer, start: number): Generator<Place, number> {
  let at = skipBlanks(bytes, start + 1);
  while (bytes[at] !== CLOSE_LIST) {
    const to = endOfValue(bytes, at);
    yield { from: at, to };
    at = afterItem(bytes, to, CLOSE_LIST);
  }
  return at;
}

async function endOfList(bytes: Buffer, start: number): Promise<number> {
  const items = itemsOf(bytes, start);
  let begun = start;
  for (let n = 1; ; n++) {
    const { done, value } = items.next();
    if (done) return value;
    if (n > MOST_ITEMS) throw invalid(`The file must have at most ${MOST_ITEMS} rows`);
    if (n % PAUSE.rows !== 0 && value.to - begun < PAUSE.bytes) continue;
    begun = value.to;
    await yieldToOthers();
  }
}

function memberAt(bytes: Buffer, at: number): { readonly name: string; readonly from: number } {
  if (bytes[at] !== QUOTE) throw notJson();
  const end = endOfValue(bytes, at);
  const colon = skipBlanks(bytes, end);
  if (bytes[colon] !== COLON) throw notJson();
  return { name: String(parsed(bytes, at, end)), from: skipBlanks(bytes, colon + 1) };
}

/** Returns the index of the next item or the closing bracket. */
function afterItem(bytes: Buffer, end: number, close: number): number {
  const at = skipBlanks(bytes, end);
  if (bytes[at] === close) return at;
  const next = skipBlanks(bytes, at + 1);
  if (bytes[at] !== COMMA || bytes[next] === close) throw notJson();
  return next;
}

/** @param around quotes of a piece of a string */
function parsed(bytes: Buffer, from: number, to: number, around = ''): unknown {
  try {
    return JSON.parse(`${around}${bytes.toString('utf8', from, to)}${around}`);
  } catch (error) {
    if (error instanceof SyntaxError) throw notJson();
    throw error;
  }
}

/** Returns the index after the value that starts at `from`, found by counting brackets only. */
function endOfValue(bytes: Buffer, from: number): number {
  const most = Math.min(bytes.length, from + MOST_BYTES);
  let [depth, marks] = [0, 0];
  for (let at = from; at < most; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      at = endOfString(bytes, at, most);
      if (depth === 0) return at + 1;
    } else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      if (++depth > MOST_DEPTH) throw invalid(`A row of the file is nested more than ${MOST_DEPTH} levels deep`);
      marks++;
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) {
      if (depth === 0) return at;
      if (--depth === 0) return at + 1;
    } else if (depth === 0 && (byte === COMMA || isBlank(byte))) return at;
    else if (byte === COMMA || byte === COLON) marks++;
    if (marks > MOST_MARKS) throw invalid('A row of the file has too many values');
  }
  throw most < bytes.length ? tooLong() : notJson();
}

/** Returns the index of the closing quote, which must be before `most`. */
function endOfString(bytes: Buffer, from: number, most: number): number {
  let at = from + 1;
  while (at < most && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  if (at < most) return at;
  throw most < bytes.length ? tooLong() : notJson();
}

/**
 * Returns the string that starts at `from` as UTF-8. It may be as long as the body: it is decoded in pieces.
 * @throws FileFault for an unpaired surrogate, which would be stored as another character
 */
async function longText(bytes: Buffer, from: number): Promise<{ readonly text: Buffer; readonly to: number }> {
  const pieces: Buffer[] = [];
  let rest = '';
  for (let at = from + 1; ;) {
    const end = endOfPiece(bytes, at);
    let piece = rest + String(parsed(bytes, at, end, '"'));
    at = end;
    // A pair of surrogates may be written as two escapes.
    rest = /[\ud800-\udbff]$/.test(piece) ? piece.slice(-1) : '';
    if (bytes[at] === QUOTE) rest = '';
    if (rest) piece = piece.slice(0, -1);
    if (!piece.isWellFormed()) throw invalid('The file must be UTF-8 text');
    pieces.push(Buffer.from(piece));
    if (bytes[at] === QUOTE) return { text: Buffer.concat(pieces), to: at + 1 };
    await yieldToOthers();
  }
}

/** Returns the index of the closing quote, or of a character or escape where the string can be cut. */
function endOfPiece(bytes: Buffer, from: number): number {
  let at = from;
  while (at < bytes.length && bytes[at] !== QUOTE && (at - from < PAUSE.bytes || isContinuation(bytes[at]))) {
    if (bytes[at] === BACKSLASH) at += bytes[at + 1] === LETTER_U ? 6 : 2;
    else at++;
  }
  if (at >= bytes.length) throw notJson();
  return at;
}

const LETTER_U = 0x75;
/** Whether a byte continues a character of UTF-8. */
const isContinuation = (byte = 0): boolean => (byte & 0xc0) === 0x80;

function skipBlanks(bytes: Buffer, from: number): number {
  let at = from;
  while (isBlank(bytes[at])) if (++at - from > MOST_BYTES) throw tooLong();
  return at;
}

const tooLong = () => invalid('A row of the file is too long');

function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

function checkEnd(bytes: Buffer, close: number): void {
  if (skipBlanks(bytes, close + 1) < bytes.length) throw notJson();
}

function notJson() {
  return invalid('Request body must be a JSON object or array');
}
