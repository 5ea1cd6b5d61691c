// Passwords: what may be one, and how it is kept. bcrypt reads only 72 bytes and stops at a zero byte, so it gets
// the base64 of a SHA-256 of the password.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import bcrypt from 'bcrypt';
import { tooMany } from '../kit/problem.ts';
import { fairQueue } from '../kit/fair-queue.ts';

export interface PasswordPolicy {
  readonly email?: string | undefined;
  /** The password in use, when the caller has just verified it. */
  readonly current?: string | undefined;
  /** Code points; never below 8. */
  readonly minimum: number;
  /** What the sentence calls the field. */
  readonly field?: string;
}

const MAX_CODE_POINTS = 128;
const LEAST_MINIMUM = 8;
const common: ReadonlySet<string> = readCommonPasswords();
// Of the whole process, like the processor it protects: each hash occupies a core for a quarter of a second, and more at
// once than there are cores would only make everybody else wait.
const inTurn = fairQueue({ atOnce: availableParallelism(), waiting: 64, full: () => tooMany(5) });

/**
 * A hash to store; `cost` is bcrypt's (12 in production), `tenant` whose turn it is.
 * @throws `too-many` when too many hashes of the tenant wait already
 */
export async function hashPassword(plain: string, cost: number, tenant = ''): Promise<string> {
  return inTurn(tenant, () => bcrypt.hash(digest(plain), cost));
}

/**
 * Whether `plain` is the password behind `hash`, and whether it should be hashed again because the cost changed. Without
 * a hash (an unknown user) the same work is done and the answer is no. @throws `too-many` as hashPassword
 */
export async function verifyPassword(
  plain: string,
  hash: string | undefined,
  cost: number,
  tenant = '',
): Promise<{ ok: boolean; rehash: boolean }> {
  const same = await inTurn(tenant, () => bcrypt.compare(digest(plain), hash ?? dummyHash(cost)));
  const ok = same && hash !== undefined;
  return { ok, rehash: ok && bcrypt.getRounds(hash) !== cost };
}

/** Why `plain` may not be chosen, as a sentence; undefined when it may. */
export function passwordProblem(plain: string, policy: PasswordPolicy): string | undefined {
  const { email, current, field = 'password' } = policy;
  const minimum = Math.max(LEAST_MINIMUM, policy.minimum);
  const length = Array.from(plain.normalize('NFC')).length;
  if (length < minimum) return `${field} must have at least ${minimum} characters`;
  if (length > MAX_CODE_POINTS) return `${field} must have at most ${MAX_CODE_POINTS} characters`;
  if (current !== undefined && digest(current) === digest(plain)) return `${field} must differ from the current one`;
  if (email && folded(email) === folded(plain)) return `${field} must not be the e-mail address`;
  if (common.has(folded(plain))) return `${field} is among the most common passwords`;
  return undefined;
}

// Keyboards differ in how they send "ä": one form is hashed.
function digest(plain: string): string {
  return createHash('sha256').update(plain.normalize('NFC'), 'utf8').digest('base64');
}

function folded(text: string): string {
  return text.normalize('NFKC').trim().toLowerCase();
}

// Well-formed, of no password anybody knows.
function dummyHash(cost: number): string {
  return `$2b$${String(cost).padStart(2, '0')}$KeelsonKeelsonKeelsonKeO6jHnTiyuBKqYZ3ZPXvdHQ8mNQTd8mNQT`;
}

function readCommonPasswords(): ReadonlySet<string> {
  const text = readFileSync(new URL('common-passwords.txt', import.meta.url), 'utf8');
  // The licence notice ends at the first empty line.
  return new Set(
    text
      .slice(text.indexOf('\n\n') + 2)
      .split('\n')
      .filter(Boolean),
  );
}
