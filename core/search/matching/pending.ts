// Records whose latest change is not indexed yet. Their indexed words are ignored and their current texts compared
// instead, so that nothing is found by outdated words, however far the index lags behind.
import { listed, name, sql, type Sql } from '@keelson/database/statement/sql.ts';
import { yieldToOthers } from '@keelson/kit/yield.ts';
import { In } from 'typeorm';
import { RecordChange } from '../../plugin/change-feed.ts';
import type { Context } from '../../plugin/context.ts';
import { pointsIn } from '../points.ts';
import type { Searchable } from '../searchable.ts';
import { wordsOf, type Words } from '../texts.ts';

/** Maximum unindexed records to compare: after a large import, the rest are found once indexed. */
export const MOST_JUDGED = 200;
/** Yield after this many records: their texts may be long. */
const AT_ONCE = 25;

/** The words of records that are not indexed yet, by table. */
export type Pending = ReadonlyMap<string, ReadonlyMap<number, Words>>;

/** Returns the FROM clause for the newest changes that are not indexed yet. */
export function newestUnindexed(tables: readonly Searchable[]): Sql {
  return sql`FROM ${name(RecordChange.name)}
    WHERE indexed = 0 AND type IN ${listed(tables.map(({ table }) => table.name))}
    ORDER BY created_at DESC LIMIT ${MOST_JUDGED}`;
}

/** Returns the condition that a record of a table has changes that are not indexed yet. */
export function isUnindexed(table: string, key: Sql): Sql {
  return sql`${key} IN (SELECT record_id FROM ${name(RecordChange.name)} WHERE indexed = 0 AND type = ${table})`;
}

/** Reads the current words of changed records, by table. */
export async function judge(
  ctx: Context,
  tables: readonly Searchable[],
  changed: readonly { readonly type: string; readonly id: number }[],
): Promise<Pending> {
  const pending = new Map<string, ReadonlyMap<number, Words>>();
  for (const of of tables) {
    const ids = changed.filter(({ type }) => type === of.table.name).map(({ id }) => id);
    if (ids.length > 0) pending.set(of.table.name, await readWords(ctx, of, [...new Set(ids)]));
  }
  return pending;
}

async function readWords(ctx: Context, of: Searchable, ids: readonly number[]): Promise<ReadonlyMap<number, Words>> {
  const found = new Map<number, Words>();
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    if (from > 0) await yieldToOthers();
    const rows = await ctx.db.findBy(of.table, { [of.table.primary]: In(ids.slice(from, from + AT_ONCE)) });
    for (const [id, words] of await wordsOf(ctx, of, rows)) found.set(id, words);
  }
  return found;
}

/** Returns a table's unindexed records that contain a word, by points. */
export function judged(
  pending: Pending,
  table: string,
  word: string,
  weight: number,
): ReadonlyMap<number, readonly number[]> {
  const byPoints = new Map<number, number[]>();
  for (const [id, words] of pending.get(table) ?? []) {
    const points = pointsIn(words, word, weight);
    if (points > 0) byPoints.set(points, [...(byPoints.get(points) ?? []), id]);
  }
  return byPoints;
}
