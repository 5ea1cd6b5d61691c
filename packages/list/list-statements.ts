// Builds and runs the statements of a list: its pages and its total.
import type { Db } from '@keelson/database/db.ts';
import type { Dialect, Kind } from '@keelson/database/schema/column.ts';
import type { NamedIndex } from '@keelson/database/schema/schema.ts';
import { fromStored } from '@keelson/database/schema/stored-value.ts';
import type { Table } from '@keelson/database/schema/table.ts';
import { inTime } from '@keelson/database/sqlite/sqlite-watch.ts';
import { joined, name, sql, type Sql } from '@keelson/database/statement/sql.ts';
import { memoize } from '@keelson/kit/memoize.ts';
import { countSql } from './counter/counter-read.ts';
import { commonIndex, isStraight, tableSql, type Plan, type IndexRange } from './index-range.ts';
import { conditions, totalSql, type ListQuery } from './list-query.ts';
import type { List } from './list.ts';

/** Up to this offset, skipped rows may be read in full; beyond it only their index entries are. */
const DIRECT = 50;

interface PageRows {
  readonly rows: unknown[];
  /** The total, if the plan or the page's statement provides it. */
  readonly along: number | undefined;
}

/** Reads the rows of a page, and the total if available. */
export async function readRows(db: Db, query: ListQuery, plan: Plan): Promise<PageRows> {
  const known = typeof plan.total === 'number' ? plan.total : undefined;
  const [first] = plan.ranges;
  if (!first) return { rows: [], along: known };
  const statement =
    plan.ranges.length === 1 && isDirect(first)
      ? directSql(db.dialect, first, plan.total)
      : deferredSql(db.dialect, pageColumns(db.dialect, query, plan.total), query, plan.ranges);
  const { rows, along } = asPage(query.list, await db.query(statement));
  return { rows, along: known ?? along };
}

/** Returns true if the page is so near the start that reading the skipped rows is cheaper than a deferred join. */
function isDirect({
  walk = false,
  backwards = false,
  offset,
}: Pick<IndexRange, 'walk' | 'backwards' | 'offset'>): boolean {
  return !walk && !backwards && offset <= DIRECT;
}

/** Converts the driver's rows to the list's rows, in place. */
function asPage(list: List, rows: Record<string, unknown>[]): PageRows {
  const total = rows[0]?.['list_total'];
  return { rows: rows.map(rowReader(list)), along: total === undefined ? undefined : Number(total) };
}

function pageColumns(dialect: Dialect, query: ListQuery, total: Plan['total']): Sql {
  const own = columnsOf[dialect](query.list);
  const along = total === 'along' ? totalSql(query) : undefined;
  return along ? sql`${own}, ${along} AS list_total` : own;
}

/**
 * Returns the total, from the counter if possible, otherwise by counting. Rows that meet a common condition are counted
 * only up to `most + 1`.
 */
export async function readTotal(db: Db, query: ListQuery, most = Infinity): Promise<number> {
  if (totalSql(query)) return (await readTotals(db, query)).total;
  const matching = sql`FROM ${name(query.list.table.name)}
    WHERE ${conditions(query)} AND ${endsInTime(db.dialect, query, undefined)}`;
  const some = () => sql`SELECT 1 FROM ${tableSql(db.dialect, query.list.table, commonIndex(query))}
    WHERE ${conditions(query)} LIMIT ${most + 1}`;
  const rows = await db.query<{ n: unknown }>(
    query.common && most < Infinity
      ? sql`SELECT COUNT(*) AS n FROM (${some()}) AS some`
      : sql`SELECT COUNT(*) AS n ${matching}`,
  );
  return Number(rows[0]?.n ?? 0);
}

/** Reads the matching rows and all rows of the table from the counter. */
export async function readTotals(db: Db, query: ListQuery): Promise<{ total: number; all: number | undefined }> {
  const counter = query.counter ?? query.lacking?.all.counter;
  const total = totalSql(query);
  if (!counter || !total) throw new Error(`The list of ${query.list.table.name} is not counted`);
  const rows = await db.query<{ n: unknown; everything: unknown }>(
    sql`SELECT ${total} AS n, ${countSql(counter, {})} AS everything`,
  );
  return { total: Number(rows[0]?.n ?? 0), all: Number(rows[0]?.everything ?? 0) };
}

/** Returns a converter from the driver's rows to the list's columns. It modifies the row in place. */
export const rowReader = memoize(makeReader);

function makeReader({ columns, table }: List): (row: Record<string, unknown>) => Record<string, unknown> {
  const fields = columns.map((column) => ({ column, kind: kindOf(table, column) }));
  const others = fields.filter(({ kind }) => !plain.has(kind));
  return (row) => {
    for (const { column, kind } of others) row[column] = fromStored(kind, row[column]);
    return row;
  };
}

function kindOf(table: Table, column: string): Kind {
  return table.columns[column]?.options.kind ?? 'text';
}

/** Column kinds that both drivers return as declared. */
const plain: ReadonlySet<Kind> = new Set<Kind>(['id', 'int', 'big', 'varchar', 'key', 'text', 'day']);

const columnsOf = { sqlite: memoize(columnsIn('sqlite')), mysql: memoize(columnsIn('mysql')) } as const;

function columnsIn(dialect: Dialect): (list: List) => Sql {
  return ({ columns, table }) =>
    joined(
      columns.map((each) => columnSql(dialect, table, each)),
      ', ',
    );
}

/**
 * Builds a column of a page's SELECT. The server converts timestamps to text: prepared statements return their parts,
 * and assembling those here takes three times as long.
 */
function columnSql(dialect: Dialect, table: Table, column: string): Sql {
  const full = name(`${table.name}.${column}`);
  if (dialect === 'sqlite' || kindOf(table, column) !== 'timestamp') return full;
  return sql`CAST(${full} AS CHAR) AS ${name(column)}`;
}

/** Builds the FROM clause: the table, the index to use, and the other table required by the order. */
export function sourceSql(dialect: Dialect, query: ListQuery, index: NamedIndex | undefined): Sql {
  return sql`${tableSql(dialect, query.list.table, index)}${otherSql(query)}`;
}

function otherSql({ through, list }: ListQuery): Sql {
  if (!through) return sql``;
  const other = name(through.table.name);
  return sql` LEFT JOIN ${other}
    ON ${other}.${name(through.table.primary)} = ${name(`${list.table.name}.${through.via}`)}`;
}

export function orderSql(query: ListQuery, backwards = false): Sql {
  const down = (query.direction === 'desc') !== backwards;
  return joined(
    orderColumns(query).map((each) => (down ? sql`${each} DESC` : each)),
    ', ',
  );
}

function orderColumns(query: ListQuery): Sql[] {
  const { through, list } = query;
  const own = query.order.map((each) => name(`${list.table.name}.${each}`));
  if (!through) return own;
  return [name(`${through.table.name}.${through.column}`), name(`${list.table.name}.${through.via}`), ...own];
}

/** Builds a statement that reads a page row by row from the start of its range. */
function directSql(dialect: Dialect, range: IndexRange, total: Plan['total']): Sql {
  const { query, index, from, offset, limit } = range;
  return sql`SELECT ${pageColumns(dialect, query, total)} FROM ${sourceSql(dialect, query, index)}
    WHERE ${conditions(query)} AND ${from ?? sql`1 = 1`} AND ${endsInTime(dialect, query, index)}
    ORDER BY ${orderSql(query)} LIMIT ${limit} OFFSET ${offset}`;
}

/**
 * Builds a time limit condition that is checked per row, unless an index has the rows in order. SQLite runs in this
 * process, and nothing else can abort it before a sort yields its first row.
 */
export function endsInTime(dialect: Dialect, query: ListQuery, index: NamedIndex | undefined): Sql {
  const { name: table, primary } = query.list.table;
  return isStraight(query, index) ? sql`1 = 1` : inTime(dialect, name(`${table}.${primary}`));
}

/** Builds a deferred join: finds the page's keys in an index, then reads only those rows. */
function deferredSql(dialect: Dialect, columns: Sql, query: ListQuery, ranges: readonly IndexRange[]): Sql {
  const key = name(`${query.list.table.name}.${query.list.table.primary}`);
  const parts = ranges.map((each, i) => {
    const { from = sql`1 = 1`, backwards, offset, limit } = each;
    return sql`SELECT * FROM (SELECT ${key} AS picked, ${i} AS part
      FROM ${sourceSql(dialect, each.query, each.index)}
      WHERE ${conditions(each.query)} AND ${from} AND ${endsInTime(dialect, each.query, each.index)}
      ORDER BY ${orderSql(each.query, backwards)} LIMIT ${limit} OFFSET ${offset}) AS picks`;
  });
  const order = ranges[0]?.query ?? query;
  return sql`SELECT ${columns} FROM (${joined(parts, ' UNION ALL ')}) AS page
    JOIN ${name(order.list.table.name)} ON ${key} = page.picked${otherSql(order)}
    ORDER BY page.part, ${orderSql(order)}`;
}
