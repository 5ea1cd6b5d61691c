// The statements of a list: its pages and its total.
import { countSql } from './counter-sql.ts';
import type { Db } from '../database/db.ts';
import { memoize } from '../kit/memoize.ts';
import { commonIndex, isStraight, tableSql } from './index-range.ts';
import type { Plan, IndexRange } from './list-plan.ts';
import type { List } from './list.ts';
import { conditions, totalSql, type ListQuery } from './list-query.ts';
import type { NamedIndex } from '../database/schema.ts';
import { joined, name, sql, type Sql } from '../database/sql.ts';
import { inTime } from '../database/sqlite-watch.ts';
import { fromStored } from '../database/stored-value.ts';
import type { Dialect, Kind, Table } from '../database/table.ts';

/** Up to this offset the skipped rows may be read; beyond it only their index entries are. */
const DIRECT = 50;

export interface PageRows {
  readonly rows: unknown[];
  /** The total, when the plan or the page's statement has it. */
  readonly along: number | undefined;
}

/** The rows of a page, and the total if it came along. */
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

/** Whether the page is so near the start that reading the rows before it is cheaper than a deferred join. */
export function isDirect({
  walk = false,
  backwards = false,
  offset,
}: Pick<IndexRange, 'walk' | 'backwards' | 'offset'>): boolean {
  return !walk && !backwards && offset <= DIRECT;
}

/** Converts the driver's rows, in place, to those of the list. */
export function asPage(list: List, rows: Record<string, unknown>[]): PageRows {
  const total = rows[0]?.['list_total'];
  return { rows: rows.map(rowReader(list)), along: total === undefined ? undefined : Number(total) };
}

function pageColumns(dialect: Dialect, query: ListQuery, total: Plan['total']): Sql {
  const own = columnsOf[dialect](query.list);
  const along = total === 'along' ? totalSql(query) : undefined;
  return along ? sql`${own}, ${along} AS list_total` : own;
}

/**
 * The total, from the counter if it can answer, or else counted. Rows that meet a common condition are counted only up to
 * one more than `most`.
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

/** From the counter: the rows that match, and all rows of the table. */
export async function readTotals(db: Db, query: ListQuery): Promise<{ total: number; all: number | undefined }> {
  const counter = query.counter ?? query.lacking?.all.counter;
  const total = totalSql(query);
  if (!counter || !total) throw new Error(`The list of ${query.list.table.name} is not counted`);
  const rows = await db.query<{ n: unknown; everything: unknown }>(
    sql`SELECT ${total} AS n, ${countSql(counter, {})} AS everything`,
  );
  return { total: Number(rows[0]?.n ?? 0), all: Number(rows[0]?.everything ?? 0) };
}

/** Turns a row as the driver gave it, which is nobody else's, into a record of the list's columns, in its place. */
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

/** Kinds of columns that both drivers return as declared. */
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
 * A column in a page's SELECT. Timestamps are converted to text by the server: a prepared statement returns their parts,
 * and assembling them in the process costs three times as much.
 */
function columnSql(dialect: Dialect, table: Table, column: string): Sql {
  const full = name(`${table.name}.${column}`);
  if (dialect === 'sqlite' || kindOf(table, column) !== 'timestamp') return full;
  return sql`CAST(${full} AS CHAR) AS ${name(column)}`;
}

/** The FROM clause: the table, the index to use, and the other table that the order needs. */
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

/** Reads a page row by row from the start of its range. */
export function directSql(dialect: Dialect, range: IndexRange, total: Plan['total']): Sql {
  const { query, index, from, offset, limit } = range;
  return sql`SELECT ${pageColumns(dialect, query, total)} FROM ${sourceSql(dialect, query, index)}
    WHERE ${conditions(query)} AND ${from ?? sql`1 = 1`} AND ${endsInTime(dialect, query, index)}
    ORDER BY ${orderSql(query)} LIMIT ${limit} OFFSET ${offset}`;
}

/**
 * SQLite works in this process, and before the first row of a sort nothing else can end it: what no index has in order
 * looks at the time for every row.
 */
export function endsInTime(dialect: Dialect, query: ListQuery, index: NamedIndex | undefined): Sql {
  const { name: table, primary } = query.list.table;
  return isStraight(query, index) ? sql`1 = 1` : inTime(dialect, name(`${table}.${primary}`));
}

/** A deferred join: finds the keys of the page in an index, and only then reads these rows. */
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
