// Everything random comes from here, so that nobody reaches for Math.random() where it matters.
import { randomBytes, randomFillSync, randomInt, randomUUID } from 'node:crypto';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** A short unique id for requests, events and deliveries: 32 hex digits, sortable by the time it was made. */
export function newId(): string {
  const time = Date.now().toString(16).padStart(12, '0');
  if (next === stock.length) {
    randomFillSync(stock);
    next = 0;
  }
  next += 10;
  return time + stock.toString('hex', next - 10, next);
}

/** Random bytes for ids, ten of which are used once: asking the system for each id would cost 20 µs. */
const stock = Buffer.alloc(1000);
let next = stock.length;

/** An unguessable secret of `bytes` × 8 bits, base64url. */
export function secret(bytes = 32): string {
  return randomBytes(bytes).toString('base64url');
}

/** `length` characters of 0-9 A-Z a-z, each equally likely. */
export function base62(length: number): string {
  let result = '';
  for (let i = 0; i < length; i++) result += BASE62[randomInt(62)];
  return result;
}

export const uuid = randomUUID;

/** A number in [0, 1) for jitter; not for secrets. */
export function chance(): number {
  return randomInt(2 ** 32) / 2 ** 32;
}
