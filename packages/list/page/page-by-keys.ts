// Reads pages for a condition that is evaluated by key. If it can list all matching keys, those are sorted. Otherwise
// keys are read in list order, a few thousand at a time, until the page's keys are found and counted.
import type { Db } from '@keelson/database/db.ts';
import { name, sql } from '@keelson/database/statement/sql.ts';
import { yieldToOthers } from '@keelson/kit/yield.ts';
import { common, type Common, type Keep } from '../common.ts';
import { commonIndex, keyIndex } from '../index-range.ts';
import { conditions, parseRequest, type ListQuery } from '../list-query.ts';
import { orderSql, sourceSql } from '../list-statements.ts';
import { is, type Filter, type List, type ListRequest } from '../list.ts';

/** Keys per statement. */
const FEWEST = 2000;
const MOST = 8000;
/** Maximum number of keys to sort, as a multiple of those needed. Beyond it, scanning the rows is cheaper. */
const TIMES = 2;

export type Kept = Common & { readonly keep: Keep };

interface KeptOptions {
  readonly keep: Keep;
  /** At most `most + 1` keys are needed. */
  readonly most: number;
}

/** Returns the condition that is evaluated by key, if any. */
export function keptBy(where: readonly Filter[]): Kept | undefined {
  return where.find((each): each is Kept => 'keep' in each);
}

/** Returns the keys of the first matching rows, in list order. Reads at least `most + 1` keys, if there are as many. */
export async function readKept(db: Db, list: List, request: ListRequest, options: KeptOptions): Promise<number[]> {
  const others = { ...request, where: request.where.filter((each) => keptBy([each]) === undefined) };
  return (await readAll(db, list, others, options)) ?? goThrough(db, list, others, options);
}

/** Returns all keys, unless the needed ones are likely among the first rows anyway. */
async function readAll(
  db: Db,
  list: List,
  request: ListRequest,
  { keep, most }: KeptOptions,
): Promise<number[] | undefined> {
  if (keep.share * MOST > most) return undefined;
  const ids = await keep.all(request.where, most * TIMES);
  if (!ids || ids.length === 0) return ids && [];
  const query = parseRequest(list, { ...request, where: [...request.where, is(list.table.primary, ids)] });
  const rows = await db.query<{ id: unknown }>(sql`SELECT ${keyOf(query)} AS id
    FROM ${sourceSql(db.dialect, query, keyIndex(query))} WHERE ${conditions(query)} ORDER BY ${orderSql(query)}`);
  return rows.map(({ id }) => Number(id));
}

async function goThrough(db: Db, list: List, request: ListRequest, { keep, most }: KeptOptions): Promise<number[]> {
  const query = parseRequest(list, { ...request, where: [...request.where, common(sql`1 = 1`)] });
  const from = sourceSql(db.dialect, query, commonIndex(query));
  // A set, because rows inserted in the meantime shift the others and keys may repeat.
  const kept = new Set<number>();
  let offset = 0;
  const likely = keep.share > 0 ? Math.ceil((most + 1) / keep.share) : 0;
  for (let size = Math.min(MOST, Math.max(FEWEST, likely)); kept.size <= most; size = Math.min(MOST, size * 2)) {
    const rows = await db.query<{ id: unknown }>(sql`SELECT ${keyOf(query)} AS id FROM ${from}
      WHERE ${conditions(query)} ORDER BY ${orderSql(query)} LIMIT ${size} OFFSET ${offset}`);
    const ids = rows.map(({ id }) => Number(id));
    const those = await keep.among(ids);
    for (const id of ids) if (those.has(id)) kept.add(id);
    if (ids.length < size) break;
    offset += size;
    await yieldToOthers();
  }
  return [...kept];
}

function keyOf({ list: { table } }: ListQuery) {
  return name(`${table.name}.${table.primary}`);
}
