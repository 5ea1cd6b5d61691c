// Pages by a condition that tells of keys which rows meet it: the keys are read in the order of the list, some thousands at a
// time, until those of the page are found and counted.
import type { Db } from '../database/db.ts';
import { name, sql } from '../database/sql.ts';
import { yieldToOthers } from '../kit/yield.ts';
import { common, type Common, type Keep } from './common.ts';
import { commonIndex } from './index-range.ts';
import type { Filter, List, ListRequest } from './list.ts';
import { conditions, parseRequest } from './list-query.ts';
import { orderSql, sourceSql } from './list-read.ts';

/** Keys of the first statement; each further one reads twice as many. */
const FIRST = 2000;
const MOST = 8000;

export type Kept = Common & { readonly keep: Keep };

/** The condition that tells it, if there is one. */
export function keptBy(where: readonly Filter[]): Kept | undefined {
  return where.find((each): each is Kept => 'keep' in each);
}

/** The keys of the first rows that meet all conditions, in the order of the list: at most one more than `most`, at least. */
export async function readKept(
  db: Db,
  list: List,
  request: ListRequest,
  { keep, most }: { readonly keep: Keep; readonly most: number },
): Promise<number[]> {
  const others = request.where.filter((each) => keptBy([each]) === undefined);
  const query = parseRequest(list, { ...request, where: [...others, common(sql`1 = 1`)] });
  const from = sourceSql(db.dialect, query, commonIndex(query));
  const key = name(`${list.table.name}.${list.table.primary}`);
  // Rows that are added meanwhile move the others on.
  const kept = new Set<number>();
  let offset = 0;
  for (let size = FIRST; kept.size <= most; size = Math.min(MOST, size * 2)) {
    const rows = await db.query<{ id: unknown }>(sql`SELECT ${key} AS id FROM ${from}
      WHERE ${conditions(query)} ORDER BY ${orderSql(query)} LIMIT ${size} OFFSET ${offset}`);
    const ids = rows.map(({ id }) => Number(id));
    const those = await keep(ids);
    for (const id of ids) if (those.has(id)) kept.add(id);
    if (ids.length < size) break;
    offset += size;
    await yieldToOthers();
  }
  return [...kept];
}
