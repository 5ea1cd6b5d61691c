// Checks the sealed activity log and reports what was changed since it was sealed.
import type { KeyObject } from 'node:crypto';
import type { Db } from '@keelson/database/db.ts';
import { sql } from '@keelson/database/statement/sql.ts';
import { IsNull, MoreThan } from 'typeorm';
import { ActivityBlock, digestOf, hashOf, proofOf, takeoverOf } from './activity-chain.ts';
import { ActivityLine } from './activity.ts';

export interface LogReport {
  readonly blocks: number;
  readonly lines: number;
  /** Number of lines that are in no block yet. */
  readonly unsealed: number;
  /** Number of blocks that were sealed with a former secret, which cannot be checked. */
  readonly former: number;
  /** The hash of the newest block; '' without any. */
  readonly head: string;
  /** The faults, at most 100 sentences; empty if nothing was changed. */
  readonly faults: readonly string[];
}

const BATCH = 50;
const MOST_FAULTS = 100;

export interface LogCheck {
  /** The hash of a block that was once the newest: a log that was replaced or truncated lacks it. */
  readonly expected?: string | undefined;
  /** The proof for the newest block when the secret was replaced; '' if it never was. */
  readonly takeover?: string;
}

/** Checks the whole log, block by block. Of blocks sealed with a former secret, only that none is missing. */
export async function checkLog(
  db: Db,
  secret: KeyObject,
  { expected, takeover = '' }: LogCheck = {},
): Promise<LogReport> {
  const faults: string[] = [];
  const former = await formerBlocks(db, secret, takeover);
  let [blocks, lines, head, last] = [0, 0, '', 0];
  let met = expected === undefined;
  for (;;) {
    const some = await db.find(ActivityBlock, {
      where: { block_id: MoreThan(last) },
      order: { block_id: 'ASC' },
      take: BATCH,
    });
    for (const block of some) {
      const previous = blocks === 0 ? undefined : head;
      const isFormer = block.block_id <= former.upTo;
      faults.push(...(isFormer ? orderOf(block, previous) : await faultsOf(db, secret, block, previous)));
      [blocks, lines, head, last] = [
        blocks + 1,
        lines + (block.digests === null ? 0 : block.lines),
        block.hash,
        block.block_id,
      ];
      met ||= block.hash === expected;
    }
    if (some.length < BATCH || faults.length > MOST_FAULTS) break;
  }
  faults.push(...(await strayLines(db)));
  if (!met) faults.push('the expected hash is not in the chain: its block was removed, replaced or has expired');
  const unsealed = await db.countBy(ActivityLine, { block_id: IsNull() });
  return { blocks, lines, unsealed, former: former.count, head, faults: faults.slice(0, MOST_FAULTS) };
}

async function faultsOf(
  db: Db,
  secret: KeyObject,
  block: ActivityBlock,
  previous: string | undefined,
): Promise<string[]> {
  const named = `block ${block.block_id}`;
  if (previous === undefined && block.digests === null)
    return block.forgotten === proofOf(secret, block) ? [] : [`${named} falsely claims that its lines have expired`];
  const faults = orderOf(block, previous ?? '');
  if (block.digests === null || block.hash !== hashOf(secret, block)) return [...faults, `${named} was changed`];
  const found = await db.find(ActivityLine, { where: { block_id: block.block_id }, order: { log_id: 'ASC' } });
  const now = new Map(found.map((line) => [String(line.log_id), digestOf(secret, line)]));
  for (const digest of block.digests.split('\n')) {
    const [log_id = ''] = digest.split(' ');
    if (!now.has(log_id)) faults.push(`line ${log_id} of ${named} is missing`);
    else if (now.get(log_id) !== digest) faults.push(`line ${log_id} of ${named} was changed`);
    now.delete(log_id);
  }
  return [...faults, ...[...now.keys()].map((log_id) => `line ${log_id} of ${named} was added`)];
}

/** @param previous undefined if the blocks before may have expired */
function orderOf(block: ActivityBlock, previous: string | undefined): string[] {
  if (previous === undefined || block.previous === previous) return [];
  return [`block ${block.block_id} does not follow the previous block: blocks were removed`];
}

/** Returns the last block that was sealed with a former secret, and how many there are. */
async function formerBlocks(db: Db, secret: KeyObject, takeover: string): Promise<{ upTo: number; count: number }> {
  const rows =
    takeover === ''
      ? []
      : await db.query<{ block_id: number; hash: string }>(
          sql`SELECT block_id, hash FROM activity_block ORDER BY block_id`,
        );
  const last = rows.findIndex((each) => takeoverOf(secret, each) === takeover);
  return { upTo: rows[last]?.block_id ?? 0, count: last + 1 };
}

async function strayLines(db: Db): Promise<string[]> {
  const rows = await db.query<{ log_id: number }>(sql`SELECT activity_log.log_id FROM activity_log
    LEFT JOIN activity_block ON activity_block.block_id = activity_log.block_id AND activity_block.digests IS NOT NULL
    WHERE activity_log.block_id IS NOT NULL AND activity_block.block_id IS NULL ORDER BY activity_log.log_id LIMIT 20`);
  return rows.map(({ log_id }) => `line ${log_id} belongs to a missing block`);
}
