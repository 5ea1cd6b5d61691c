// Encodes record ids of one block of 4,096 as text: two characters per id, or a base64 bitmap where that is shorter.

export const BLOCK = 4096;
const BYTES = BLOCK / 8;
/** Length of the longest text: the bitmap in base64. */
export const LONGEST_LIST = 684;
const MOST_LISTED = LONGEST_LIST / 2 - 1;
const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
/** Digit values by character code. */
const VALUES = new Uint8Array(128);
for (let i = 0; i < DIGITS.length; i++) VALUES[DIGITS.charCodeAt(i)] = i;

/** One bit per place of a block. */
export type Bits = Uint8Array<ArrayBuffer>;

export function blockOf(id: number): number {
  return Math.floor(id / BLOCK);
}

/** Returns the ids in a stored text, ascending. */
export function idsIn(block: number, stored: string): number[] {
  return idsOf(block, placesIn(bitsOf(stored)));
}

export function idsOf(block: number, places: readonly number[]): number[] {
  return places.map((place) => block * BLOCK + place);
}

/** Returns the places of a block that occur in any of these stored texts. */
export function withPlaces(stored: readonly string[]): Bits {
  return stored.length === 0 ? new Uint8Array(BYTES) : stored.map(bitsOf).reduce(either);
}

/** Intersects two bitmaps, in place of the first. */
export function both(bits: Bits, others: Bits): Bits {
  const [own, other] = [new Uint32Array(bits.buffer), new Uint32Array(others.buffer)];
  for (let i = 0; i < own.length; i++) own[i] = (own[i] ?? 0) & (other[i] ?? 0);
  return bits;
}

function either(bits: Bits, others: Bits): Bits {
  const [own, other] = [new Uint32Array(bits.buffer), new Uint32Array(others.buffer)];
  for (let i = 0; i < own.length; i++) own[i] = (own[i] ?? 0) | (other[i] ?? 0);
  return bits;
}

/** Whether the bit of an id is set in its block. */
export function hasPlace(bits: Uint8Array, id: number): boolean {
  const place = id % BLOCK;
  return ((bits[place >> 3] ?? 0) & (1 << (place & 7))) !== 0;
}

/** Sets the bits of ids of one block. */
export function setPlaces(bits: Uint8Array, ids: readonly number[]): void {
  for (const id of ids) set(bits, id % BLOCK);
}

export interface IdList {
  readonly held: number;
  readonly ids: string;
}

/** Adds and removes ids of one block in a stored text; an empty text has none. */
export function changeIds(stored: string, added: readonly number[], removed: readonly number[]): IdList {
  const bits = bitsOf(stored);
  for (const id of removed) clear(bits, id % BLOCK);
  for (const id of added) set(bits, id % BLOCK);
  const places = placesIn(bits);
  const ids = places.length > MOST_LISTED ? Buffer.from(bits.buffer).toString('base64') : places.map(written).join('');
  return { held: places.length, ids };
}

function bitsOf(stored: string): Bits {
  const bits = new Uint8Array(BYTES);
  if (stored.length === LONGEST_LIST) {
    Buffer.from(bits.buffer).write(stored, 'base64');
    return bits;
  }
  for (let at = 0; at < stored.length; at += 2) set(bits, read(stored, at) * DIGITS.length + read(stored, at + 1));
  return bits;
}

function read(stored: string, at: number): number {
  return VALUES[stored.charCodeAt(at)] ?? 0;
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

/** Returns the places whose bits are set, ascending. */
export function placesIn(bits: Uint8Array): number[] {
  const places: number[] = [];
  for (let i = 0; i < BYTES; i++)
    for (let rest = bits[i] ?? 0, place = i * 8; rest !== 0; rest >>= 1, place++) if (rest & 1) places.push(place);
  return places;
}
