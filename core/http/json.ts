// Parses JSON bodies. A scan before JSON.parse enforces limits on depth, keys and items (ME-13, ME-14, SF-22).
import { isUtf8 } from 'node:buffer';
import { isClean } from '../kit/characters.ts';
import { isForbiddenName } from '../kit/dictionary.ts';
import { invalid } from '../kit/problem.ts';
import { nameOf } from '../kit/validate.ts';

const MAX_DEPTH = 32;
const USUAL: Limits = { keys: 5_000, items: 10_000 };
// A 50,000-row import may be JSON. Its size in bytes is checked earlier.
const IMPORT: Limits = { keys: 1_000_000, items: 1_000_000 };

interface Limits {
  readonly keys: number;
  readonly items: number;
}

/**
 * Parses the object in a request body. An empty body counts as `{}`. With `array`, for imports, an array
 * is valid too. The last of duplicate keys wins.
 * @throws invalid() for anything else, and beyond 32 levels, 5,000 keys or 10,000 array items (imports: 1,000,000)
 */
export function parseBody(bytes: Buffer, { array = false }: { array?: boolean } = {}): unknown {
  if (bytes.length === 0) return {};
  if (!isUtf8(bytes)) throw invalid('Request body must be UTF-8');
  const suspicious = scan(bytes, array ? IMPORT : USUAL);
  const value = read(bytes.toString('utf8'), array);
  if (suspicious) inspect(value, []);
  return value;
}

function read(text: string, array: boolean): unknown {
  if (text.trim() === '') return {};
  const refuse = () => invalid(`Request body must be a JSON object${array ? ' or array' : ''}`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw refuse();
  }
  if (typeof value !== 'object' || value === null || (Array.isArray(value) && !array)) throw refuse();
  return value;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const LETTER_E = 0x65;
const LONGEST_SAFE_NUMBER = 300;

/**
 * Enforces limits and forbidden names in one pass over the bytes. JSON.parse checks the grammar. Returns true if the
 * value must be inspected: escapes may encode NUL or half a surrogate pair, and numbers may be infinite.
 */
function scan(bytes: Buffer, limits: Limits): boolean {
  let suspicious = bytes.includes('\\u');
  let depth = 0;
  let keys = 0;
  let items = 0;
  let digits = 0;
  let from = 0;
  let to = 0;
  // One bit per level marks arrays. There are at most 32 levels.
  let listLevels = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    if (byte >= 0x30 && byte <= 0x39) {
      if (++digits > LONGEST_SAFE_NUMBER) suspicious = true;
      continue;
    }
    if (digits > 0 && (byte | 0x20) === LETTER_E) suspicious = true;
    digits = 0;
    if (byte === QUOTE) {
      from = at + 1;
      at = to = endOfString(bytes, from);
    } else if (byte === COLON) {
      if (++keys > limits.keys) throw tooMuch(limits.keys, 'names');
      if (isForbidden(bytes, from, to)) throw invalid('Request body has a name that is not allowed');
    } else if (byte === COMMA) {
      if ((listLevels >>> (depth - 1)) & 1 && ++items > limits.items) throw tooMuch(limits.items, 'list items');
    } else if ((byte | 0x20) === 0x7b) {
      const isList = byte === 0x5b;
      if (++depth > MAX_DEPTH) throw invalid(`Request body must not be nested deeper than ${MAX_DEPTH} levels`);
      listLevels = isList ? listLevels | (1 << (depth - 1)) : listLevels & ~(1 << (depth - 1));
      if (isList && ++items > limits.items) throw tooMuch(limits.items, 'list items');
    } else if ((byte | 0x20) === 0x7d) {
      depth--;
    }
  }
  return suspicious;
}

function tooMuch(limit: number, what: string) {
  return invalid(`Request body must not have more than ${limit} ${what}`);
}

/** Returns the index of the closing quote, or the end of the bytes. */
function endOfString(bytes: Buffer, from: number): number {
  let at = from;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at;
}

/** Decodes the name first, because its characters may be escaped. */
function isForbidden(bytes: Buffer, from: number, to: number): boolean {
  const length = to - from;
  if (length < 9 || length > 66) return false;
  let escaped = false;
  for (let at = from; at < to; at++) escaped ||= bytes[at] === BACKSLASH;
  if (!escaped) return (length === 9 || length === 11) && isForbiddenName(bytes.toString('latin1', from, to));
  try {
    return isForbiddenName(JSON.parse(bytes.toString('utf8', from - 1, to + 1)));
  } catch {
    // Not JSON. JSON.parse will reject the whole body.
    return false;
  }
}

/** Rejects values that JSON can express but databases and arithmetic cannot, naming the field. */
function inspect(value: unknown, path: readonly PropertyKey[]): void {
  const refuse = (what: string) => invalid(`${nameOf(path) || 'Request body'} ${what}`);
  if (typeof value === 'string') {
    if (!isClean(value)) throw refuse('must not contain NUL or unpaired surrogates');
  } else if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw refuse('must be a smaller number');
  } else if (Array.isArray(value)) {
    for (const [index, each] of value.entries()) inspect(each, [...path, index]);
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, each] of Object.entries(value)) {
      if (!isClean(name)) throw refuse('has a name with NUL or unpaired surrogates');
      inspect(each, [...path, name]);
    }
  }
}
