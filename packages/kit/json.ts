// Parses JSON bodies within limits on depth, names and items (ME-13, ME-14, SF-22). JSON.parse takes up to 300 ms for a
// hostile body of 1 MiB, so its punctuation is counted first (at most 20 ms); the parsed value is checked for the rest.
import { isUtf8 } from 'node:buffer';
import { isClean } from './characters.ts';
import { isForbiddenName } from './dictionary.ts';
import { invalid } from './problem.ts';
import { nameOf } from './validate.ts';

const MAX_DEPTH = 32;
const USUAL: Limits = { names: 5_000, items: 10_000 };
/** For routes that accept a list of records, such as 1,000 backup reports. Imports are read row by row instead. */
const LISTED: Limits = { names: 30_000, items: 30_000 };

interface Limits {
  readonly names: number;
  readonly items: number;
}

/**
 * Parses the object in a request body. An empty body counts as `{}`. With `array`, an array
 * is valid too. The last of duplicate names wins.
 * @throws invalid() for anything else, and beyond 32 levels, 5,000 names or 10,000 list items (`array`: 30,000 each)
 */
export function parseBody(bytes: Buffer, { array = false }: { array?: boolean } = {}): unknown {
  if (!isUtf8(bytes)) throw invalid('Request body must be UTF-8');
  const text = bytes.toString('utf8');
  if (text.trim() === '') return {};
  const limits = array ? LISTED : USUAL;
  if (marksIn(text) > 3 * limits.names + 2 * limits.items)
    throw invalid(`Request body must not have more than ${limits.names} names and ${limits.items} list items`);
  const value = parse(text);
  if (typeof value !== 'object' || value === null || (Array.isArray(value) && !array))
    throw invalid(`Request body must be a JSON object${array ? ' or array' : ''}`);
  check(value, [], { limits, names: 0, items: 0 });
  return value;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Counts the characters that open and separate values: each name has at most three, each list item two. */
function marksIn(text: string): number {
  // An unterminated string extends to the end of the body; otherwise the expression would start again at every quote.
  return text.replaceAll(/"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?$)|[^"[{,:]+/gs, '').length;
}

interface Counted {
  readonly limits: Limits;
  names: number;
  items: number;
}

/** Rejects values beyond the limits, and those that databases and arithmetic cannot express, naming the field. */
function check(value: unknown, path: PropertyKey[], counted: Counted): void {
  if (typeof value === 'string') {
    if (!isClean(value)) throw refused(path, 'must not contain NUL or unpaired surrogates');
  } else if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw refused(path, 'must be a smaller number');
  } else if (typeof value === 'object' && value !== null) {
    if (path.length >= MAX_DEPTH) throw invalid(`Request body must not be nested more than ${MAX_DEPTH} levels deep`);
    if (Array.isArray(value)) checkItems(value, path, counted);
    else checkMembers(value, path, counted);
  }
}

function checkItems(items: readonly unknown[], path: PropertyKey[], counted: Counted): void {
  const { limits } = counted;
  counted.items += Math.max(1, items.length);
  if (counted.items > limits.items) throw invalid(`Request body must not have more than ${limits.items} list items`);
  items.forEach((each, index) => checkAt(index, each, path, counted));
}

function checkMembers(object: object, path: PropertyKey[], counted: Counted): void {
  const { limits } = counted;
  const members = Object.entries(object);
  counted.names += members.length;
  if (counted.names > limits.names) throw invalid(`Request body must not have more than ${limits.names} names`);
  for (const [name, each] of members) {
    if (isForbiddenName(name)) throw invalid('Request body has a forbidden property name');
    if (!isClean(name)) throw refused(path, 'has a name with NUL or unpaired surrogates');
    checkAt(name, each, path, counted);
  }
}

function checkAt(key: PropertyKey, value: unknown, path: PropertyKey[], counted: Counted): void {
  path.push(key);
  check(value, path, counted);
  path.pop();
}

function refused(path: readonly PropertyKey[], what: string) {
  return invalid(`${nameOf(path) || 'Request body'} ${what}`);
}
