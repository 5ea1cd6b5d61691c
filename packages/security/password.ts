// Passwords: the policy and the hashes. bcrypt reads only 72 bytes and stops at a zero byte, so it receives the
// base64 of the password's SHA-256.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { memoize } from '@keelson/kit/memoize.ts';
import bcrypt from 'bcrypt';

export interface PasswordPolicy {
  readonly email?: string | undefined;
  /** The current password, if the caller has just verified it. */
  readonly current?: string | undefined;
  /** Minimum length in code points, never below 8. */
  readonly minimum: number;
  /** The field's name in the message. */
  readonly field?: string;
}

const MAX_CODE_POINTS = 128;
const LEAST_MINIMUM = 8;
/** Leaked passwords, and words from Wikipedia: common passwords of 12 or more letters are mostly single words. */
const COMMON: readonly string[] = ['language-common/src/passwords.json', 'language-en/src/wikipedia.json'];

/**
 * Hashes a password for storage.
 * @param cost bcrypt's cost factor (12 in production)
 */
export function hashPassword(plain: string, cost: number): Promise<string> {
  return bcrypt.hash(digest(plain), cost);
}

/**
 * Returns whether `plain` matches `hash`, and whether to rehash because the cost changed. Without a hash, for an
 * unknown user, it takes the same time and returns false.
 */
export async function verifyPassword(
  plain: string,
  hash: string | undefined,
  cost: number,
): Promise<{ ok: boolean; rehash: boolean }> {
  const same = await bcrypt.compare(digest(plain), hash ?? dummyHash(cost));
  const ok = same && hash !== undefined;
  return { ok, rehash: ok && bcrypt.getRounds(hash) !== cost };
}

/** Returns why a new password is refused, as a sentence, or undefined if it is allowed. */
export function passwordProblem(plain: string, policy: PasswordPolicy): string | undefined {
  const { email, current, field = 'password' } = policy;
  const minimum = Math.max(LEAST_MINIMUM, policy.minimum);
  const length = Array.from(plain.normalize('NFC')).length;
  if (length < minimum) return `${field} must have at least ${minimum} characters`;
  if (length > MAX_CODE_POINTS) return `${field} must have at most ${MAX_CODE_POINTS} characters`;
  if (current !== undefined && digest(current) === digest(plain)) return `${field} must differ from the current one`;
  if (email && folded(email) === folded(plain)) return `${field} must not be the email address`;
  if (wordsOf(COMMON).has(folded(plain))) return `${field} is among the most common passwords`;
  return undefined;
}

// Keyboards send "ä" in different forms, so normalise first.
function digest(plain: string): string {
  return createHash('sha256').update(plain.normalize('NFC'), 'utf8').digest('base64');
}

function folded(text: string): string {
  return text.normalize('NFKC').trim().toLowerCase();
}

// A well-formed hash of an unknown password.
function dummyHash(cost: number): string {
  return `$2b$${String(cost).padStart(2, '0')}$KeelsonKeelsonKeelsonKeO6jHnTiyuBKqYZ3ZPXvdHQ8mNQTd8mNQT`;
}

/** Loads the lists when a password is first chosen. */
const wordsOf = memoize((lists: readonly string[]): ReadonlySet<string> => {
  const words = lists.flatMap((each): string[] =>
    JSON.parse(readFileSync(new URL(import.meta.resolve(`@zxcvbn-ts/${each}`)), 'utf8')),
  );
  return new Set(words.filter((each) => each.length >= LEAST_MINIMUM));
});
