// The only source of randomness, so that no secret comes from Math.random().
import { randomBytes, randomInt, randomUUID } from 'node:crypto';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** The timestamp of the newest id, and its sequence number within that millisecond. */
const newest = { ms: 0, number: 0 };

/**
 * Returns a new id for requests, events and deliveries: 32 hex digits. Ids of this process always increase, even within
 * a millisecond and after the clock is set back.
 */
export function newId(): string {
  const ms = Date.now();
  newest.number++;
  if (ms > newest.ms || newest.number > 0xffff) {
    newest.ms = Math.max(ms, newest.ms + 1);
    newest.number = 0;
  }
  const time = newest.ms.toString(16).padStart(12, '0') + newest.number.toString(16).padStart(4, '0');
  // Node buffers random bits for UUIDs. Reading eight fresh bytes would take 20 µs each time.
  const uuid = randomUUID();
  return time + uuid.slice(19, 23) + uuid.slice(24);
}

/** Returns an unguessable secret of `bytes` random bytes (default 32), as base64url. */
export function secret(bytes = 32): string {
  return randomBytes(bytes).toString('base64url');
}

/** Returns `length` random characters of 0-9 A-Z a-z, each equally likely. */
export function base62(length: number): string {
  let result = '';
  for (let i = 0; i < length; i++) result += BASE62[randomInt(62)];
  return result;
}

/** Returns a random UUID, version 4. */
export const uuid = randomUUID;

/** Returns a random number from 0 (inclusive) to 1 (exclusive), for jitter. */
export function chance(): number {
  return randomInt(2 ** 32) / 2 ** 32;
}
