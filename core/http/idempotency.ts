// Idempotency keys: the response to a POST is stored with its changes, so that the request can be retried
// safely.
//
// Most routes store the key in their own transaction: a second request waits for the commit, and a crash leaves
// nothing. `slow` routes have no such transaction, so they first claim the key under a lease.
import { createHash } from 'node:crypto';
import { DuplicateKey, type Database, type Db, type Transaction } from '@keelson/database/db.ts';
import { removeBefore } from '@keelson/database/prune.ts';
import { choice, id, int, key, table, text, when } from '@keelson/database/schema/table.ts';
import { sql } from '@keelson/database/statement/sql.ts';
import { plus, toDatabase, type Timestamp } from '@keelson/kit/time.ts';
import { In } from 'typeorm';

export const IdempotencyKey = table(
  'idempotency_key',
  {
    idempotency_id: id(),
    principal: key(100),
    route: key(200),
    key_hash: key(64),
    body_hash: key(64),
    /** `stored`: changes were committed, but the response is pending or was lost with its process. */
    state: choice('running', 'stored', 'done'),
    fence: int(),
    status: int().nullable(),
    /** Sealed, because it may contain secrets shown only once. Null if it was too long or over the caller's quota. */
    answer: text().nullable().hidden(),
    answer_bytes: int().default(0),
    leased_until: when(),
    created_at: when(),
    expires_at: when(),
  },
  [['expires_at']],
  { unique: [['principal', 'route', 'key_hash']] },
);

export interface KeyedRequest {
  /** The caller: `admin:key:12`. Keys of different callers are independent. */
  readonly principal: string;
  readonly route: string;
  readonly key: string;
  /** Hash of the parameters, query and body. */
  readonly bodyHash: string;
  readonly now: Timestamp;
}

/** The right to store the response. Lost when the lease expires and another request claims the key. */
export interface KeyClaim {
  readonly id: number;
  readonly fence: number;
}

export type Keyed =
  | { readonly kind: 'new'; readonly claim: KeyClaim }
  | { readonly kind: 'stored'; readonly status: number; readonly answer: string | null }
  | { readonly kind: 'running' }
  | { readonly kind: 'unanswered' }
  | { readonly kind: 'other-body' };

const KEPT = { hours: 24 };
/** Renewed while a slow route runs, so that it expires only if the process dies. */
const LEASE = { minutes: 2 };

/** Returns true for a valid key: 1 to 255 printable ASCII characters. */
export function isIdempotencyKey(value: string): boolean {
  return /^[\x20-\x7e]{1,255}$/.test(value);
}

/** Stores the key as the first statement of the request's transaction. A second request blocks here on the first. */
export async function beginKeyed(tx: Transaction, request: KeyedRequest): Promise<Keyed> {
  const { principal, route, bodyHash, now } = request;
  const key_hash = createHash('sha256').update(request.key).digest('hex');
  const fresh = {
    body_hash: bodyHash,
    state: 'running',
    status: null,
    answer: null,
    answer_bytes: 0,
    leased_until: plus(now, LEASE),
    created_at: now,
    expires_at: plus(now, KEPT),
  } as const;
  try {
    const id = await tx.insertReturningId(IdempotencyKey, { principal, route, key_hash, fence: 1, ...fresh });
    return { kind: 'new', claim: { id, fence: 1 } };
  } catch (error) {
    if (!(error instanceof DuplicateKey)) throw error;
  }
  const found = await tx.findOne(IdempotencyKey, {
    where: { principal, route, key_hash },
    lock: { mode: 'pessimistic_write' },
  });
  // Deleted between the two statements. The caller can retry.
  if (!found) return { kind: 'running' };
  if (found.expires_at > now) {
    if (found.body_hash !== bodyHash) return { kind: 'other-body' };
    if (found.state === 'done') return { kind: 'stored', status: found.status ?? 200, answer: found.answer };
    if (found.leased_until > now) return { kind: 'running' };
    if (found.state === 'stored') return { kind: 'unanswered' };
  }
  const claim = { id: found.idempotency_id, fence: found.fence + 1 };
  await tx.update(IdempotencyKey, { idempotency_id: claim.id }, { ...fresh, fence: claim.fence });
  return { kind: 'new', claim };
}

/** Claims the key in its own transaction, for `slow` routes. Then call `finishKeyed`, or `releaseKeyed` on error. */
export function claimKeyed(database: Database, request: KeyedRequest): Promise<Keyed> {
  return database.transaction((tx) => beginKeyed(tx, request));
}

/** Extends the lease of a slow route that is still running. */
export async function renewKeyed(db: Db, claim: KeyClaim, now: Timestamp): Promise<void> {
  await db.update(IdempotencyKey, ours(claim), { leased_until: plus(now, LEASE) });
}

/** Records that a slow route commits changes in this transaction. Returns false if the claim was lost. */
export async function noteStored(tx: Transaction, claim: KeyClaim): Promise<boolean> {
  return (await tx.update(IdempotencyKey, ours(claim), { state: 'stored' })).affected === 1;
}

/** Stores the response as the transaction's last statement. Returns false if the claim was lost: then roll back. */
export async function finishKeyed(
  db: Db,
  claim: KeyClaim,
  { status, answer }: { readonly status: number; readonly answer: string | null },
): Promise<boolean> {
  const done = { state: 'done', status, answer, answer_bytes: answer?.length ?? 0 } as const;
  return (await db.update(IdempotencyKey, ours(claim), done)).affected === 1;
}

/** Deletes the key after a slow route fails, so that it can be reused. */
export async function releaseKeyed(db: Db, claim: KeyClaim): Promise<void> {
  await db.delete(IdempotencyKey, ours(claim));
}

const ours = ({ id, fence }: KeyClaim) => ({ idempotency_id: id, fence, state: In(['running', 'stored']) }) as const;

/** Returns the bytes of responses stored for a caller's keys. */
export async function sumAnswers(db: Db, principal: string, now: Timestamp): Promise<number> {
  const [row] = await db.query<{ bytes: unknown }>(sql`SELECT COALESCE(SUM(answer_bytes), 0) AS bytes
    FROM idempotency_key WHERE principal = ${principal} AND expires_at > ${toDatabase(now)}`);
  return Number(row?.bytes ?? 0);
}

/** Deletes keys older than 24 hours. Returns the number deleted. */
export function pruneKeys(database: Database, now: Timestamp): Promise<number> {
  return removeBefore(database, IdempotencyKey, 'expires_at', now);
}
