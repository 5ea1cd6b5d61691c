// API keys and collector tokens. The checksum refuses typos and scanners before the database is asked, and lets
// secret scanners find a leaked key. Stored is only a hash.
import { createHash, createHmac } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { base62 } from '../kit/random.ts';

export const KEY_PREFIXES = ['vsa_', 'crm_', 'pk_live_', 'pk_test_', 'col_'] as const;
export type KeyPrefix = (typeof KEY_PREFIXES)[number];

const RANDOM_LENGTH = 38;
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** A new key: prefix, 38 random characters (226 bits), 6 of checksum. */
export function newKey(prefix: KeyPrefix): string {
  const text = prefix + base62(RANDOM_LENGTH);
  return text + checksum(text);
}

/** The prefix of a well-formed key; undefined when it is not one, or the checksum is wrong. */
export function parseKey(text: string): { prefix: KeyPrefix } | undefined {
  const prefix = KEY_PREFIXES.find((known) => text.startsWith(known));
  if (prefix === undefined || !/^[a-z_]+_[0-9A-Za-z]{44}$/.test(text)) return undefined;
  if (text.length !== prefix.length + RANDOM_LENGTH + 6) return undefined;
  return checksum(text.slice(0, -6)) === text.slice(-6) ? { prefix } : undefined;
}

/** What is stored of a key, and looked up by: HMAC-SHA-256 in hex, under a pepper that is not in the database. */
export function keyHash(text: string, pepper: Buffer): string {
  return createHmac('sha256', pepper).update(text).digest('hex');
}

/** What people recognise a key by. */
export function keyPrefix(text: string): string {
  return text.slice(0, 12);
}

/** What is stored of a session id or a refresh token: SHA-256 in hex. They are random enough to need no pepper. */
export function tokenHash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
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
