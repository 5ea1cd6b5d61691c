// The statements of a list: its page, its total.
import { countSql } from './counter-sql.ts';
import type { Db } from '../database/db.ts';
import { memoize } from '../kit/memoize.ts';
import { tableSql } from './index-range.ts';
import type { Plan, IndexRange } from './list-plan.ts';
import type { List } from './list.ts';
import { conditions, type Asked } from './list-query.ts';
import type { NamedIndex } from '../database/schema.ts';
import { joined, name, sql, type Sql } from '../database/sql.ts';
import { fromStored } from '../database/stored-value.ts';
import type { Dialect, Kind, Table } from '../database/table.ts';

/** Beyond this offset the rows passed over are not read, only their index entries. */
const DIRECT = 50;

export interface PageRows {
  readonly rows: unknown[];
  /** All rows that match, when the page's statement or its plan told. */
  readonly along: number | undefined;
}

/** The page's rows as the declaration has them, and the total when it came along. */
export async function readRows(db: Db, asked: Asked, plan: Plan): Promise<PageRows> {
  const known = typeof plan.total === 'number' ? plan.total : undefined;
  const [first] = plan.ranges;
  if (!first) return { rows: [], along: known };
  const statement =
    plan.ranges.length === 1 && isDirect(first)
      ? directSql(db.dialect, first, plan.total)
      : deferredSql(db.dialect, pageColumns(db.dialect, asked, plan.total), asked, plan.ranges);
  const { rows, along } = asPage(asked.list, await db.query(statement));
  return { rows, along: known ?? along };
}

/** So near the start that the rows before it cost less than a second look at its own. */
export function isDirect({
  walk = false,
  backwards = false,
  offset,
}: Pick<IndexRange, 'walk' | 'backwards' | 'offset'>): boolean {
  return !walk && !backwards && offset <= DIRECT;
}

/** Rows as the driver gave them, which are nobody else's, as records of the list's columns. */
export function asPage(list: List, rows: Record<string, unknown>[]): PageRows {
  const total = rows[0]?.['list_total'];
  return { rows: rows.map(rowReader(list)), along: total === undefined ? undefined : Number(total) };
}

function pageColumns(dialect: Dialect, { list, counter, counted }: Asked, total: Plan['total']): Sql {
  const own = columnsOf[dialect](list);
  if (total !== 'along' || !counter || !counted) return own;
  return sql`${own}, ${countSql(counter, counted)} AS list_total`;
}

/** All rows that match: from the counter if it can tell, else counted. */
export async function readTotal(db: Db, asked: Asked): Promise<number> {
  if (asked.counted) return (await readTotals(db, asked)).total;
  const rows = await db.query<{ n: unknown }>(
    sql`SELECT COUNT(*) AS n FROM ${name(asked.list.table.name)} WHERE ${conditions(asked)}`,
  );
  return Number(rows[0]?.n ?? 0);
}

/** From the counter: the rows that match, and the rows there are. */
export async function readTotals(db: Db, asked: Asked): Promise<{ total: number; all: number | undefined }> {
  const { counter } = asked;
  if (!counter || !asked.counted) throw new Error(`The list of ${asked.list.table.name} is not counted`);
  const rows = await db.query<{ n: unknown; everything: unknown }>(
    sql`SELECT ${countSql(counter, asked.counted)} AS n, ${countSql(counter, {})} AS everything`,
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

/** What both drivers give as it is declared. */
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
 * A column as a page reads it. Timestamps come as text: a prepared statement gives their parts, and putting these
 * together in the process costs more than all the rest of a row; the server does it for a third of that.
 */
function columnSql(dialect: Dialect, table: Table, column: string): Sql {
  const full = name(`${table.name}.${column}`);
  if (dialect === 'sqlite' || kindOf(table, column) !== 'timestamp') return full;
  return sql`CAST(${full} AS CHAR) AS ${name(column)}`;
}

/** The table, the index it is read by, and the other table the order needs. */
export function sourceSql(dialect: Dialect, asked: Asked, index: NamedIndex | undefined): Sql {
  return sql`${tableSql(dialect, asked.list.table, index)}${otherSql(asked)}`;
}

function otherSql({ through, list }: Asked): Sql {
  if (!through) return sql``;
  const other = name(through.table.name);
  return sql` LEFT JOIN ${other}
    ON ${other}.${name(through.table.primary)} = ${name(`${list.table.name}.${through.via}`)}`;
}

export function orderSql(asked: Asked, backwards = false): Sql {
  const down = (asked.direction === 'desc') !== backwards;
  return joined(
    orderColumns(asked).map((each) => (down ? sql`${each} DESC` : each)),
    ', ',
  );
}

function orderColumns(asked: Asked): Sql[] {
  const { through, list } = asked;
  const own = asked.order.map((each) => name(`${list.table.name}.${each}`));
  if (!through) return own;
  return [name(`${through.table.name}.${through.column}`), name(`${list.table.name}.${through.via}`), ...own];
}

/** A page that is read row by row from the start of its stretch. */
export function directSql(dialect: Dialect, range: IndexRange, total: Plan['total']): Sql {
  const { asked, index, from, offset, limit } = range;
  return sql`SELECT ${pageColumns(dialect, asked, total)} FROM ${sourceSql(dialect, asked, index)}
    WHERE ${conditions(asked)} AND ${from ?? sql`1 = 1`}
    ORDER BY ${orderSql(asked)} LIMIT ${limit} OFFSET ${offset}`;
}

/** Finds the keys of the page in an index, and only then reads these rows. */
function deferredSql(dialect: Dialect, columns: Sql, asked: Asked, ranges: readonly IndexRange[]): Sql {
  const key = name(`${asked.list.table.name}.${asked.list.table.primary}`);
  const parts = ranges.map((each, i) => {
    const { from = sql`1 = 1`, backwards, offset, limit } = each;
    return sql`SELECT * FROM (SELECT ${key} AS picked, ${i} AS part
      FROM ${sourceSql(dialect, each.asked, each.index)} WHERE ${conditions(each.asked)} AND ${from}
      ORDER BY ${orderSql(each.asked, backwards)} LIMIT ${limit} OFFSET ${offset}) AS picks`;
  });
  const order = ranges[0]?.asked ?? asked;
  return sql`SELECT ${columns} FROM (${joined(parts, ' UNION ALL ')}) AS page
    JOIN ${name(order.list.table.name)} ON ${key} = page.picked${otherSql(order)}
    ORDER BY page.part, ${orderSql(order)}`;
}
