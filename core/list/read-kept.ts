// Pages by a condition that tells of keys which rows meet it. Where it knows all of them, those are put in order; otherwise
// the keys are read in the order of the list, some thousands at a time, until those of the page are found and counted.
import type { Db } from '../database/db.ts';
import { name, sql } from '../database/sql.ts';
import { yieldToOthers } from '../kit/yield.ts';
import { common, type Common, type Keep } from './common.ts';
import { commonIndex, keyIndex } from './index-range.ts';
import { is, type Filter, type List, type ListRequest } from './list.ts';
import { conditions, parseRequest, type ListQuery } from './list-query.ts';
import { orderSql, sourceSql } from './list-read.ts';

/** Keys of a statement. */
const FEWEST = 2000;
const MOST = 8000;
/** All of them may be so many times as many as are needed: to go through the rows would cost more. */
const TIMES = 2;

export type Kept = Common & { readonly keep: Keep };

interface KeptOptions {
  readonly keep: Keep;
  /** At most one key more is needed. */
  readonly most: number;
}

/** The condition that tells it, if there is one. */
export function keptBy(where: readonly Filter[]): Kept | undefined {
  return where.find((each): each is Kept => 'keep' in each);
}

/** The keys of the first rows that meet all conditions, in the order of the list: at most one more than `most`, at least. */
export async function readKept(db: Db, list: List, request: ListRequest, options: KeptOptions): Promise<number[]> {
  const others = { ...request, where: request.where.filter((each) => keptBy([each]) === undefined) };
  return (await readAll(db, list, others, options)) ?? goThrough(db, list, others, options);
}

/** All keys, unless those that are needed are among the first rows anyway. */
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
  // Rows that are added meanwhile move the others on.
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
