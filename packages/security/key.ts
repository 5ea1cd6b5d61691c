// API keys and collector tokens. The checksum rejects typos and guesses without a database query, and lets
// secret scanners recognise leaked keys. Only a hash is stored.
import { createHmac, hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { base62 } from '@keelson/kit/random.ts';

export const KEY_PREFIXES = ['vsa_', 'crm_', 'pk_live_', 'pk_test_', 'col_'] as const;
export type KeyPrefix = (typeof KEY_PREFIXES)[number];

const RANDOM_LENGTH = 38;
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Creates a key: the prefix, 38 random characters (226 bits) and a 6-character checksum. */
export function newKey(prefix: KeyPrefix): string {
  const text = prefix + base62(RANDOM_LENGTH);
  return text + checksum(text);
}

/** Returns a key's prefix, or undefined if the text is malformed or its checksum is wrong. */
export function parseKey(text: string): { prefix: KeyPrefix } | undefined {
  const prefix = KEY_PREFIXES.find((known) => text.startsWith(known));
  if (prefix === undefined || !/^[a-z_]+_[0-9A-Za-z]{44}$/.test(text)) return undefined;
  if (text.length !== prefix.length + RANDOM_LENGTH + 6) return undefined;
  return checksum(text.slice(0, -6)) === text.slice(-6) ? { prefix } : undefined;
}

/** Returns a key's stored hash: HMAC-SHA-256 in hex, with a pepper that is not in the database. */
export function keyHash(text: string, pepper: Buffer): string {
  return createHmac('sha256', pepper).update(text).digest('hex');
}

/** Returns the start of a key, by which people recognise it. */
export function keyPrefix(text: string): string {
  return text.slice(0, 12);
}

/** Returns the stored hash of a session id or refresh token: SHA-256 in hex. They are random and need no pepper. */
export function tokenHash(text: string): string {
  return hash('sha256', text, 'hex');
}

function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let i = 0; i < 6; i++) {
    digits = DIGITS.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}
