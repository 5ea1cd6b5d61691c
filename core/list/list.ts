// Lists whose pages cost the same however large the table is: a module declares the filters and sorts, and this chooses
// the cheapest exact way to the page and the total (docs/architecture.md).
import type { CounterTable } from './counter.ts';
import type { Db } from '../database/db.ts';
import { countedTo } from './common.ts';
import { keptBy, readKept, type Kept } from './read-kept.ts';
import { readPlanned } from './plan-cache.ts';
import { readRows, readTotal, type PageRows } from './list-read.ts';
import { planGroups } from './list-groups.ts';
import { planFar, planNear } from './list-plan.ts';
import { parseRequest, totalSql } from './list-query.ts';
import { resolveScans } from './list-scan.ts';
import { joined, name, sql, type Sql } from '../database/sql.ts';
import type { Row, Table } from '../database/table.ts';

export type Value = string | number | null;

/** A column that equals a value, or one of several. Unlike with other conditions, the planner can use indices for it. */
export interface Equals {
  readonly column: string;
  readonly value: Value | readonly (string | number)[];
}
/** An `is(…)`, or a piece of SQL that names columns with their table: `ticket.subject`. */
export type Filter = Equals | Sql;

/** A sort by a column of another table, such as the company's name. */
export interface Through {
  /** The column here that holds the other table's primary key. */
  readonly via: string;
  readonly table: Table;
  readonly column: string;
}

/** The columns to sort by, all in the requested direction; the primary key is always added. */
export interface Sort {
  readonly columns: readonly string[];
  readonly through?: Through;
}

export interface ListOptions<T extends Table, C extends keyof Row<T> & string> {
  readonly table: T;
  /** The columns that a page reads; names of other records come from names.ts instead. */
  readonly columns: readonly C[];
  /** The sorts by the names that callers may use. */
  readonly sorts: Readonly<Record<string, Sort>>;
  /** The first counter that has all filtered columns of a request makes its total and its deep pages cheap. */
  readonly counters?: readonly CounterTable[];
}

export interface List<R = unknown> extends ListOptions<Table, string> {
  /** For the type of a row only. */
  readonly Row?: R;
}

export interface ListRequest {
  /** Conditions that must all hold. Rows with `deleted_at` never appear. */
  readonly where: readonly Filter[];
  readonly sort: string;
  readonly direction: 'asc' | 'desc';
}

export interface PageRequest extends ListRequest {
  /** From 1. */
  readonly page: number;
  readonly size: number;
  /** The total, where the caller knows it already. */
  readonly total?: number | undefined;
}

/** A page of rows. */
export interface Page<R> {
  readonly rows: readonly R[];
  /** The number of all rows that match. */
  readonly total: number;
  /** There are more: they are counted no further (Q-12). */
  readonly capped?: true;
}

/** Declares a list, once, at module level. */
export function defineList<T extends Table, C extends keyof Row<T> & string>(
  options: ListOptions<T, C>,
): List<{ [K in C]: Row<T>[K] }> {
  return Object.freeze({ ...options, sorts: Object.freeze({ ...options.sorts }) });
}

/** A filter: the column has this value, or one of the values of an array. */
export const is = (column: string, value: Equals['value']): Equals => Object.freeze({ column, value });

/** A sort by the table's own columns. */
export const by = (...columns: readonly string[]): Sort => Object.freeze({ columns });

/** A sort by another table's column, then by own ones: `byOther({ via, table: Company, column: 'name' }, 'created_at')`. */
export const byOther = (through: Through, ...columns: readonly string[]): Sort => Object.freeze({ columns, through });

/**
 * Reads one page and the total, in one to four statements. A page past the end is empty.
 * @throws invalid() naming the sorts when `sort` is not one of the list's (P-18)
 */
export async function readPage<R>(db: Db, list: List<R>, request: PageRequest): Promise<Page<R>> {
  const kept = keptBy(request.where);
  if (kept) return readKeptPage(db, list, request, kept);
  const offset = (request.page - 1) * request.size;
  const resolved = { ...request, ...(await resolveScans(db, list, request.where)) };
  const { rows, along } =
    (await readPlanned(db, list, resolved, offset)) ?? (await readUnplanned(db, list, resolved, offset));
  const total = resolved.total ?? along ?? totalFrom(rows.length, offset, request.size);
  if (total !== undefined) return { rows: rows as R[], total };
  const most = countedTo(request.page, request.size);
  const query = parseRequest(list, resolved);
  const counted = await readTotal(db, query, most);
  return query.common && counted > most
    ? { rows: rows as R[], total: most, capped: true }
    : { rows: rows as R[], total: counted };
}

async function readKeptPage<R>(
  db: Db,
  list: List<R>,
  request: PageRequest,
  { keep, text, params }: Kept,
): Promise<Page<R>> {
  const most = countedTo(request.page, request.size);
  const keys = await readKept(db, list, request, { keep, most });
  const ids = keys.slice((request.page - 1) * request.size, request.page * request.size);
  const total = Math.min(keys.length, most);
  // Rows may have changed since.
  const others = request.where.filter((each) => !('keep' in each));
  const these = [...others, { text, params }, is(list.table.primary, ids)];
  const rows = ids.length === 0 ? [] : (await readPage(db, list, { ...request, where: these, page: 1, total })).rows;
  return keys.length > most ? { rows, total, capped: true } : { rows, total };
}

async function readUnplanned(db: Db, list: List, request: PageRequest, offset: number): Promise<PageRows> {
  const query = parseRequest(list, request);
  const plan =
    (await planGroups(db, query, offset, request.size)) ??
    planNear(query, offset, request.size) ??
    (await planFar(db, query, offset, request));
  return readRows(db, query, plan);
}

/** The exact number of rows that match. */
export async function countList(db: Db, list: List, where: readonly Filter[]): Promise<number> {
  const { total } = await resolveScans(db, list, where);
  if (total !== undefined) return total;
  const [sort = ''] = Object.keys(list.sorts);
  return readTotal(db, parseRequest(list, { where, sort, direction: 'asc' }));
}

/** The numbers of rows that match each of several conditions, in one statement; null for those that no counter has. */
export async function countKept(
  db: Db,
  list: List,
  wheres: readonly (readonly Filter[])[],
): Promise<(number | null)[]> {
  const [sort = ''] = Object.keys(list.sorts);
  const totals = wheres.map((where) => totalSql(parseRequest(list, { where, sort, direction: 'asc' })));
  const selected = totals.flatMap((each, i) => (each ? [sql`${each} AS ${name(`n${i}`)}`] : []));
  const [row] = selected.length > 0 ? await db.query(sql`SELECT ${joined(selected, ', ')}`) : [];
  return totals.map((each, i) => (each ? Number(row?.[`n${i}`] ?? 0) : null));
}

/** A page that is not full is the last, so it tells the total, unless it is past the end. */
function totalFrom(rows: number, offset: number, size: number): number | undefined {
  return rows < size && (rows > 0 || offset === 0) ? offset + rows : undefined;
}
