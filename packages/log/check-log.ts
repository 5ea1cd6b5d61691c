// Checks the sealed activity log and reports what was changed since it was sealed.
import type { KeyObject } from 'node:crypto';
import type { Db } from '@keelson/database/db.ts';
import { sql } from '@keelson/database/statement/sql.ts';
import { IsNull, MoreThan } from 'typeorm';
import { ActivityBlock, digestOf, hashOf, proofOf } from './activity-chain.ts';
import { ActivityLine } from './activity.ts';

export interface LogReport {
  readonly blocks: number;
  readonly lines: number;
  /** Number of lines that are in no block yet. */
  readonly unsealed: number;
  /** What was changed, in at most 100 sentences; empty if nothing was. */
  readonly head: string;
  /** The faults, at most 100 sentences; empty if nothing was changed. */
  readonly faults: readonly string[];
}

const BATCH = 50;
const MOST_FAULTS = 100;

/**
 * Checks the whole log, block by block.
 * @param expected the hash of a block that was once the newest: a log that was replaced or truncated lacks it
 */
export async function checkLog(db: Db, secret: KeyObject, expected?: string): Promise<LogReport> {
  const faults: string[] = [];
  let [blocks, lines, head, last] = [0, 0, '', 0];
  let met = expected === undefined;
  for (;;) {
    const some = await db.find(ActivityBlock, {
      where: { block_id: MoreThan(last) },
      order: { block_id: 'ASC' },
      take: BATCH,
    });
    for (const block of some) {
      faults.push(...(await faultsOf(db, secret, block, blocks === 0 ? undefined : head)));
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
  return { blocks, lines, unsealed, head, faults: faults.slice(0, MOST_FAULTS) };
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
  const faults: string[] = [];
  if (block.previous !== (previous ?? ''))
    faults.push(`${named} does not follow the previous block: blocks were removed`);
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

async function strayLines(db: Db): Promise<string[]> {
  const rows = await db.query<{ log_id: number }>(sql`SELECT activity_log.log_id FROM activity_log
    LEFT JOIN activity_block ON activity_block.block_id = activity_log.block_id AND activity_block.digests IS NOT NULL
    WHERE activity_log.block_id IS NOT NULL AND activity_block.block_id IS NULL ORDER BY activity_log.log_id LIMIT 20`);
  return rows.map(({ log_id }) => `line ${log_id} belongs to a missing block`);
}
