// Everything random comes from here, so that nobody reaches for Math.random() where it matters.
import { randomBytes, randomInt, randomUUID } from 'node:crypto';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** A short unique id for requests, events and deliveries: 32 hex digits, sortable by the time it was made. */
export function newId(): string {
  const time = Date.now().toString(16).padStart(12, '0');
  // Of a UUID, whose random bits Node keeps in store: reading ten bytes each time costs 20 µs.
  const uuid = randomUUID();
  return time + uuid.slice(0, 8) + uuid.slice(24);
}

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
