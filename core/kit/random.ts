// The only source of randomness, so that nothing that must be unguessable comes from Math.random().
import { randomBytes, randomInt, randomUUID } from 'node:crypto';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** The moment and the number within it of the newest id. */
const newest = { ms: 0, number: 0 };

/**
 * A new id for requests, events and deliveries: 32 hex digits, each id of this process greater than the one before, also
 * within a millisecond and after the clock was set back.
 */
export function newId(): string {
  const ms = Date.now();
  newest.number++;
  if (ms > newest.ms || newest.number > 0xffff) {
    newest.ms = Math.max(ms, newest.ms + 1);
    newest.number = 0;
  }
  const time = newest.ms.toString(16).padStart(12, '0') + newest.number.toString(16).padStart(4, '0');
  // Node keeps random bits for UUIDs in a buffer; reading eight fresh bytes would cost 20 µs each time.
  const uuid = randomUUID();
  return time + uuid.slice(19, 23) + uuid.slice(24);
}

/** An unguessable secret of `bytes` random bytes (32 unless given), as base64url. */
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

/** A random number from 0 up to but not including 1, for jitter. */
export function chance(): number {
  return randomInt(2 ** 32) / 2 ** 32;
}
