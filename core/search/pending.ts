// Records whose last change the index does not have yet. What it says of them does not count: they are judged by their
// texts as they are now, so nothing is found by what it no longer says, however late the index is.
import type { Context } from '../plugin/context.ts';
import { RecordChange } from '../plugin/record-change.ts';
import { listed, name, sql, type Sql } from '../database/sql.ts';
import { yieldToOthers } from '../kit/yield.ts';
import type { Searchable } from './searchable.ts';
import { pointsIn } from './points.ts';
import { wordsOf, type Words } from './texts.ts';

/** More records are not judged: after a large import they are found when the index has them. */
export const MOST_JUDGED = 200;
/** Their texts may be long: others get a turn after so many. */
const AT_ONCE = 25;

/** For each table the words of its records that the index does not have. */
export type Pending = ReadonlyMap<string, ReadonlyMap<number, Words>>;

/** What follows SELECT for the newest changes that the index does not have. */
export function newestUnindexed(tables: readonly Searchable[]): Sql {
  return sql`FROM ${name(RecordChange.name)}
    WHERE indexed = 0 AND type IN ${listed(tables.map(({ table }) => table.name))}
    ORDER BY created_at DESC LIMIT ${MOST_JUDGED}`;
}

/** Whether the index does not have a table's record as it is. */
export function isUnindexed(table: string, key: Sql): Sql {
  return sql`${key} IN (SELECT record_id FROM ${name(RecordChange.name)} WHERE indexed = 0 AND type = ${table})`;
}

/** The words of changed records as they are now, by table. */
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
    const rows = await ctx.db.find(of.table, { [of.table.primary]: ids.slice(from, from + AT_ONCE) });
    for (const [id, words] of await wordsOf(ctx, of, rows)) found.set(id, words);
  }
  return found;
}

/** The judged records of a table in which a word occurs, by their points. */
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
