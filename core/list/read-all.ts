// Whole lists for exports: row after row by the last one's place, never by an offset.
import type { Db } from '../database/db.ts';
import type { List, ListRequest } from './list.ts';
import { straightIndex } from './index-range.ts';
import { orderSql, rowReader, sourceSql } from './list-read.ts';
import { conditions, parseRequest, inGroup, type Asked } from './list-query.ts';
import { scanned } from './list-scan.ts';
import { joined, name, sql, type Sql } from '../database/sql.ts';

/**
 * All rows that match, in order, read a batch at a time. A row that is there during the whole export comes exactly
 * once, unless its sort column changes meanwhile.
 */
export async function* readAll<R>(db: Db, list: List<R>, request: ListRequest, batchSize = 200): AsyncGenerator<R> {
  const asked = parseRequest(list, { ...request, ...(await scanned(db, list, request.where)) });
  for await (const row of asked.through ? readThrough(db, asked, batchSize) : readInOrder(db, asked, batchSize)) {
    yield row as R;
  }
}

async function* readInOrder(db: Db, asked: Asked, batchSize: number): AsyncGenerator<unknown> {
  const { table, columns } = asked.list;
  const read = rowReader(asked.list);
  const selected = joined(
    [...new Set([...columns, ...asked.order])].map((each) => name(`${table.name}.${each}`)),
    ', ',
  );
  let last: Record<string, unknown> | undefined;
  for (;;) {
    const rows: Record<string, unknown>[] = await db.query(sql`SELECT ${selected}
      FROM ${sourceSql(db.dialect, asked, straightIndex(asked))}
      WHERE ${conditions(asked)} AND ${last ? beyond(asked, last) : sql`1 = 1`}
      ORDER BY ${orderSql(asked)} LIMIT ${batchSize}`);
    const end = rows.at(-1);
    // Rows are read in their place; the way on starts from what the database gave.
    last = end && { ...end };
    for (const row of rows) yield read(row);
    if (!last || rows.length < batchSize) return;
  }
}

/** By another table's column: one value of the reference after the other, in that column's order. */
async function* readThrough(db: Db, asked: Asked, batchSize: number): AsyncGenerator<unknown> {
  const { through, list } = asked;
  if (!through) return;
  const via = name(`${list.table.name}.${through.via}`);
  const other = name(through.table.name);
  const column = name(`${through.table.name}.${through.column}`);
  const down = asked.direction === 'desc' ? sql` DESC` : sql``;
  const values = await db.query<{ value: number | null }>(sql`SELECT found.value FROM
    (SELECT DISTINCT ${via} AS value FROM ${name(list.table.name)} WHERE ${conditions(asked)}) AS found
    LEFT JOIN ${other} ON ${other}.${name(through.table.primary)} = found.value
    ORDER BY ${column}${down}, found.value${down}`);
  for (const { value } of values) yield* readInOrder(db, inGroup(asked, through.via, value), batchSize);
}

/** Rows that come after `last`. Both databases put null before every value. */
function beyond(asked: Asked, last: Record<string, unknown>): Sql {
  const up = asked.direction === 'asc';
  let after = sql`1 = 0`;
  for (const column of asked.order.toReversed()) {
    const { table } = asked.list;
    const named = name(`${table.name}.${column}`);
    const value = last[column];
    const orNull = !up && table.columns[column]?.options.nullable ? sql` OR ${named} IS NULL` : sql``;
    if (value === null) after = up ? sql`(${named} IS NOT NULL OR ${after})` : sql`(${named} IS NULL AND ${after})`;
    else if (up) after = sql`(${named} >= ${value} AND (${named} > ${value} OR ${after}))`;
    else after = sql`((${named} <= ${value}${orNull}) AND (${named} < ${value}${orNull} OR ${after}))`;
  }
  return after;
}
