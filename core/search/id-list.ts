// Record ids of one block of 4,096 as a text: two characters for each, or one bit for each where that is shorter.

const BLOCK = 4096;
const BYTES = BLOCK / 8;
/** Characters of the longest text: the bits in base64. */
export const LONGEST_LIST = 684;
const MOST_LISTED = LONGEST_LIST / 2 - 1;
const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const VALUES: ReadonlyMap<string, number> = new Map(Array.from(DIGITS, (digit, i) => [digit, i] as const));

export function blockOf(id: number): number {
  return Math.floor(id / BLOCK);
}

/** The ids in a stored text, in rising order. */
export function idsIn(block: number, stored: string): number[] {
  return idsOf(block, placesIn(bitsOf(stored)));
}

export function idsOf(block: number, places: readonly number[]): number[] {
  return places.map((place) => block * BLOCK + place);
}

/** One bit for each place of a block that is in one of these stored texts. */
export function withPlaces(stored: readonly string[]): Uint8Array<ArrayBuffer> {
  const bits = bitsOf(stored[0] ?? '');
  for (const other of stored.slice(1)) for (const [i, byte] of bitsOf(other).entries()) bits[i] = (bits[i] ?? 0) | byte;
  return bits;
}

/** Whether the bit of an id is set in those of its block. */
export function hasPlace(bits: Uint8Array, id: number): boolean {
  const place = id % BLOCK;
  return ((bits[place >> 3] ?? 0) & (1 << (place & 7))) !== 0;
}

/** Sets the bits of those of these ids that are in the block. */
export function setPlaces(bits: Uint8Array, block: number, ids: readonly number[]): void {
  for (const id of ids) if (blockOf(id) === block) set(bits, id % BLOCK);
}

export interface IdList {
  readonly held: number;
  readonly ids: string;
}

/** The stored text with some ids more and some less, all of the same block; an empty one has none. */
export function changeIds(stored: string, added: readonly number[], removed: readonly number[]): IdList {
  const bits = bitsOf(stored);
  for (const id of removed) clear(bits, id % BLOCK);
  for (const id of added) set(bits, id % BLOCK);
  const places = placesIn(bits);
  const ids = places.length > MOST_LISTED ? Buffer.from(bits.buffer).toString('base64') : places.map(written).join('');
  return { held: places.length, ids };
}

function bitsOf(stored: string): Uint8Array<ArrayBuffer> {
  if (stored.length === LONGEST_LIST) return new Uint8Array(Buffer.from(stored, 'base64'));
  const bits = new Uint8Array(BYTES);
  for (let at = 0; at < stored.length; at += 2) set(bits, read(stored, at) * DIGITS.length + read(stored, at + 1));
  return bits;
}

function read(stored: string, at: number): number {
  return VALUES.get(stored.charAt(at)) ?? 0;
}

function written(place: number): string {
  return DIGITS.charAt(Math.floor(place / DIGITS.length)) + DIGITS.charAt(place % DIGITS.length);
}

function set(bits: Uint8Array, place: number): void {
  bits[place >> 3] = (bits[place >> 3] ?? 0) | (1 << (place & 7));
}

function clear(bits: Uint8Array, place: number): void {
  bits[place >> 3] = (bits[place >> 3] ?? 0) & ~(1 << (place & 7));
}

/** The places whose bits are set, in rising order. */
export function placesIn(bits: Uint8Array): number[] {
  const places: number[] = [];
  for (let i = 0; i < BYTES; i++)
    for (let rest = bits[i] ?? 0, place = i * 8; rest !== 0; rest >>= 1, place++) if (rest & 1) places.push(place);
  return places;
}
