// Seals the activity log in a chain of blocks, each with the hash of the one before, so that `cli check-log` detects
// lines that were changed, removed, added or swapped later. Writing a line costs nothing extra and no commit waits: a
// job seals the lines that are in no block yet, in id order.
import { createHmac, type KeyObject } from 'node:crypto';
import { DuplicateKey, type Database, type Db, type Transaction } from '@keelson/database/db.ts';
import { id, int, key, table, text, when, type Row } from '@keelson/database/schema/table.ts';
import { sql } from '@keelson/database/statement/sql.ts';
import type { Timestamp } from '@keelson/kit/time.ts';
import { In, IsNull } from 'typeorm';
import { addToTally } from './activity-count.ts';
import { ActivityLine } from './activity.ts';

export const ActivityBlock = table(
  'activity_block',
  {
    block_id: id(),
    /** The hash of the previous block; '' for the first. Unique, so that the chain cannot branch. */
    previous: key(64).unique(),
    hash: key(64),
    lines: int(),
    /** `<log_id> <hash>` of each line; null once the lines are past their retention. */
    digests: text().nullable(),
    /** Proof that the program deleted the lines, after their retention. */
    forgotten: key(64).nullable(),
    sealed_at: when(),
  },
  [['sealed_at']],
);
export type ActivityBlock = Row<typeof ActivityBlock>;
type Line = Row<typeof ActivityLine>;

/** Lines per block: few enough for a short transaction. */
const BLOCK = 500;
const BLOCKS = 400;

/**
 * Seals the lines that are in no block yet; returns how many. Any number of processes may call it: the database rejects
 * a second block with the same predecessor.
 * @param secret kept outside the database, so that write access to the database is not enough to forge a block
 */
export async function sealActivity(database: Database, secret: KeyObject, now: Timestamp): Promise<number> {
  let sealed = 0;
  for (let i = 0; i < BLOCKS; i++) {
    const lines = await sealBlock(database, secret, now).catch((error: unknown) => {
      if (error instanceof DuplicateKey) return 0;
      throw error;
    });
    sealed += lines;
    if (lines < BLOCK) break;
  }
  return sealed;
}

async function sealBlock(database: Database, secret: KeyObject, now: Timestamp): Promise<number> {
  const unsealed = { order: { log_id: 'ASC' }, take: BLOCK } as const;
  // An idle log costs one read.
  if (!(await database.existsBy(ActivityLine, { block_id: IsNull() }))) return 0;
  return database.transaction(async (tx) => {
    const previous = (await headOf(tx, { lock: true }))?.hash ?? '';
    const lines = await tx.find(ActivityLine, { where: { block_id: IsNull() }, ...unsealed });
    if (lines.length === 0) return 0;
    const digests = lines.map((each) => digestOf(secret, each)).join('\n');
    const block = { previous, lines: lines.length, digests, sealed_at: now };
    const row = { ...block, hash: hashOf(secret, block), forgotten: null };
    const block_id = await tx.insertReturningId(ActivityBlock, row);
    await tx.update(ActivityLine, { log_id: In(lines.map((each) => each.log_id)) }, { block_id });
    await addToTally(tx, lines);
    return lines.length;
  });
}

/** Returns the newest block. Its hash, stored elsewhere, later proves that everything up to it is unchanged. */
export async function headOf(db: Db, { lock = false } = {}): Promise<ActivityBlock | null> {
  return db.findOne(ActivityBlock, {
    order: { block_id: 'DESC' },
    lock: lock ? { mode: 'pessimistic_write' } : undefined,
  });
}

export function hashOf(secret: KeyObject, block: Pick<ActivityBlock, 'previous' | 'digests' | 'sealed_at'>): string {
  return keyed(secret, JSON.stringify([block.previous, block.sealed_at, block.digests]));
}

/** Returns one line of a block's `digests`: the id, and a hash of the line's contents. */
export function digestOf(secret: KeyObject, line: Line): string {
  return `${line.log_id} ${keyed(secret, JSON.stringify(told.map((column) => line[column]))).slice(0, 32)}`;
}

// Listed explicitly, because a new column must not change existing hashes.
const told = [
  'log_id',
  'author_type',
  'author_id',
  'user_id',
  'user',
  'action',
  'entity_type',
  'entity_id',
  'description',
  'changes',
  'ip_address',
  'request_id',
  'created_at',
] as const;

/** Returns the proof for a block whose lines were deleted. */
export function proofOf(secret: KeyObject, { hash }: Pick<ActivityBlock, 'hash'>): string {
  return keyed(secret, `forgotten ${hash}`);
}

/** Returns the proof that the secret was another one up to this block, which can only be given with the new secret. */
export function takeoverOf(secret: KeyObject, { hash }: Pick<ActivityBlock, 'hash'>): string {
  return keyed(secret, `takeover ${hash}`);
}

/** Deletes the lines of a block, and earlier blocks whose lines are already deleted. The chain then starts with it. */
export async function pruneBlock(tx: Transaction, secret: KeyObject, block: ActivityBlock): Promise<number> {
  const lines = await tx.findBy(ActivityLine, { block_id: block.block_id });
  await addToTally(tx, lines, -1);
  if (lines.length > 0) await tx.delete(ActivityLine, { log_id: In(lines.map((each) => each.log_id)) });
  const { block_id } = block;
  await tx.update(ActivityBlock, { block_id }, { digests: null, forgotten: proofOf(secret, block) });
  await tx.run(sql`DELETE FROM activity_block WHERE block_id < ${block_id} AND forgotten IS NOT NULL`);
  return lines.length;
}

function keyed(secret: KeyObject, text: string): string {
  return createHmac('sha256', secret).update(text).digest('hex');
}
