// Reads JSON imports row by row: rows of an array are located by their brackets and parsed one at a time with
// JSON.parse, so that memory and blocking do not grow with the file.
import { invalid } from '../fault.ts';
import { setImmediate as yieldToOthers } from 'node:timers/promises';

/** Maximum size of a row or other member. */
const MOST_BYTES = 256 * 1024;
const MOST_MEMBERS = 50;
/** Items of an array. An import has at most half as many rows. */
const MOST_ITEMS = 100_000;
const ROWS_BETWEEN_PAUSES = 100;

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
  readonly csv: string | undefined;
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
  let csv: string | undefined;
  let at = skipBlanks(bytes, start + 1);
  // Counted even if they have the same name: parsing millions of them would block.
  for (let count = 1; bytes[at] !== CLOSE_OBJECT; count++) {
    if (count > MOST_MEMBERS) throw invalid(`Request body must have at most ${MOST_MEMBERS} members`);
    const { name, from } = memberAt(bytes, at);
    let to: number;
    if (names.includes(name) && bytes[from] === OPEN_LIST) {
      rowsAt = from;
      to = (await endOfList(bytes, from)) + 1;
    } else if (name === 'csv' && bytes[from] === QUOTE) {
      to = endOfString(bytes, from) + 1;
      csv = String(parsed(bytes, from, to));
    } else {
      to = endOfValue(bytes, from);
      members.set(name, parsed(bytes, from, to));
    }
    at = afterItem(bytes, to, CLOSE_OBJECT);
  }
  checkEnd(bytes, at);
  return { rowsAt, csv, members };
}

/** Yields the values of the array that starts at `start`, parsing each on demand. */
export function* rowsAt(bytes: Buffer, start: number): Generator<unknown, void> {
  for (const { from, to } of itemsOf(bytes, start)) yield parsed(bytes, from, to);
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
  for (let n = 1; ; n++) {
    const { done, value } = items.next();
    if (done) return value;
    if (n > MOST_ITEMS) throw invalid(`The file must have at most ${MOST_ITEMS} rows`);
    if (n % ROWS_BETWEEN_PAUSES === 0) await yieldToOthers();
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

function parsed(bytes: Buffer, from: number, to: number): unknown {
  try {
    return JSON.parse(bytes.toString('utf8', from, to));
  } catch (error) {
    if (error instanceof SyntaxError) throw notJson();
    throw error;
  }
}

/** Returns the index after the value that starts at `from`, found by counting brackets only. */
function endOfValue(bytes: Buffer, from: number): number {
  const most = Math.min(bytes.length, from + MOST_BYTES);
  let depth = 0;
  for (let at = from; at < most; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      at = endOfString(bytes, at);
      if (depth === 0) return at + 1;
    } else if (byte === OPEN_LIST || byte === OPEN_OBJECT) depth++;
    else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) {
      if (depth === 0) return at;
      if (--depth === 0) return at + 1;
    } else if (depth === 0 && (byte === COMMA || isBlank(byte))) return at;
  }
  throw most < bytes.length ? invalid('A row of the file is too long') : notJson();
}

/** Returns the index of the closing quote. */
function endOfString(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(QUOTE, from + 1); at >= 0; at = bytes.indexOf(QUOTE, at + 1)) {
    let backslashes = 0;
    while (bytes[at - 1 - backslashes] === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return at;
  }
  throw notJson();
}

function skipBlanks(bytes: Buffer, from: number): number {
  let at = from;
  while (isBlank(bytes[at])) at++;
  return at;
}

function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

function checkEnd(bytes: Buffer, close: number): void {
  if (skipBlanks(bytes, close + 1) < bytes.length) throw notJson();
}

function notJson() {
  return invalid('Request body must be a JSON object or array');
}
