// Reads whole lists for exports with keyset pagination: each batch starts after the last row, never at an offset.
import type { Db } from '@keelson/database/db.ts';
import { joined, name, sql, type Sql } from '@keelson/database/statement/sql.ts';
import { straightIndex } from '../index-range.ts';
import { conditions, parseRequest, inGroup, type ListQuery } from '../list-query.ts';
import { endsInTime, orderSql, rowReader, sourceSql } from '../list-statements.ts';
import type { List, ListRequest } from '../list.ts';
import { resolveScans } from '../page/list-scan.ts';

/**
 * Yields all matching rows in order, reading `batchSize` at a time. A row that exists during the whole export appears
 * exactly once, unless its sort column changes meanwhile.
 */
export async function* readAll<R>(db: Db, list: List<R>, request: ListRequest, batchSize = 200): AsyncGenerator<R> {
  const query = parseRequest(list, { ...request, ...(await resolveScans(db, list, request.where)) });
  for await (const row of query.through ? readThrough(db, query, batchSize) : readInOrder(db, query, batchSize)) {
    yield row as R;
  }
}

async function* readInOrder(db: Db, query: ListQuery, batchSize: number): AsyncGenerator<unknown> {
  const { table, columns } = query.list;
  const read = rowReader(query.list);
  const selected = joined(
    [...new Set([...columns, ...query.order])].map((each) => name(`${table.name}.${each}`)),
    ', ',
  );
  const index = straightIndex(query);
  let last: Record<string, unknown> | undefined;
  for (;;) {
    const rows: Record<string, unknown>[] = await db.query(sql`SELECT ${selected}
      FROM ${sourceSql(db.dialect, query, index)}
      WHERE ${conditions(query)} AND ${endsInTime(db.dialect, query, index)} AND ${last ? beyond(query, last) : sql`1 = 1`}
      ORDER BY ${orderSql(query)} LIMIT ${batchSize}`);
    const end = rows.at(-1);
    // Copy the row: rows are converted in place, and the next batch needs the raw database values.
    last = end && { ...end };
    for (const row of rows) yield read(row);
    if (!last || rows.length < batchSize) return;
  }
}

/** For a sort by another table's column, reads the rows of one referenced row after another, in that column's order. */
async function* readThrough(db: Db, query: ListQuery, batchSize: number): AsyncGenerator<unknown> {
  const { through, list } = query;
  if (!through) return;
  const via = name(`${list.table.name}.${through.via}`);
  const other = name(through.table.name);
  const column = name(`${through.table.name}.${through.column}`);
  const down = query.direction === 'desc' ? sql` DESC` : sql``;
  const values = await db.query<{ value: number | null }>(sql`SELECT found.value FROM
    (SELECT DISTINCT ${via} AS value FROM ${name(list.table.name)} WHERE ${conditions(query)}) AS found
    LEFT JOIN ${other} ON ${other}.${name(through.table.primary)} = found.value
    ORDER BY ${column}${down}, found.value${down}`);
  for (const { value } of values) yield* readInOrder(db, inGroup(query, through.via, value), batchSize);
}

/** Builds the condition for rows after `last`. Both databases sort null before all values. */
function beyond(query: ListQuery, last: Record<string, unknown>): Sql {
  const up = query.direction === 'asc';
  let after = sql`1 = 0`;
  for (const column of query.order.toReversed()) {
    const { table } = query.list;
    const named = name(`${table.name}.${column}`);
    const value = last[column];
    const orNull = !up && table.columns[column]?.options.nullable ? sql` OR ${named} IS NULL` : sql``;
    if (value === null) after = up ? sql`(${named} IS NOT NULL OR ${after})` : sql`(${named} IS NULL AND ${after})`;
    else if (up) after = sql`(${named} >= ${value} AND (${named} > ${value} OR ${after}))`;
    else after = sql`((${named} <= ${value}${orNull}) AND (${named} < ${value}${orNull} OR ${after}))`;
  }
  return after;
}
