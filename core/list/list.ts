// Lists that cost the same however large the table is: a module declares what a list can be filtered and sorted by, and
// this picks the cheapest exact way to its page and its total (docs/architecture.md).
import type { CounterTable } from './counter.ts';
import type { Db } from '../database/db.ts';
import { readPlanned } from './plan-cache.ts';
import { readRows, readTotal, type PageRows } from './list-read.ts';
import { planGroups } from './list-groups.ts';
import { planFar, planNear } from './list-plan.ts';
import { parseRequest } from './list-query.ts';
import { scanned } from './list-scan.ts';
import type { Sql } from '../database/sql.ts';
import type { Row, Table } from '../database/table.ts';

export type Value = string | number | null;

/** A column that has one value, or one of several. The builder knows what these cost; of other pieces it does not. */
export interface Equals {
  readonly column: string;
  readonly value: Value | readonly (string | number)[];
}
/** Either an `is(…)`, or a piece of SQL that names columns with their table: `ticket.subject`. */
export type Filter = Equals | Sql;

/** A sort by a column of another table, such as the company's name. */
export interface Through {
  /** The column here that holds the other table's primary key. */
  readonly via: string;
  readonly table: Table;
  readonly column: string;
}

/** Columns in turn, all in the direction asked for; the table's key is always the last. */
export interface Sort {
  readonly columns: readonly string[];
  readonly through?: Through;
}

export interface ListOptions<T extends Table, C extends keyof Row<T> & string> {
  readonly table: T;
  /** What a page reads, and all it reads: names of other records come from names.ts. */
  readonly columns: readonly C[];
  /** The documented names a caller may sort by. */
  readonly sorts: Readonly<Record<string, Sort>>;
  /** Counts by the columns lists are filtered by: the first that has all of a request's makes totals and deep pages cheap. */
  readonly counters?: readonly CounterTable[];
}

export interface List<R = unknown> extends ListOptions<Table, string> {
  /** Only there for the type of a row. */
  readonly Row?: R;
}

export interface ListRequest {
  /** All must hold. Rows deleted by `deleted_at` never appear. */
  readonly where: readonly Filter[];
  readonly sort: string;
  readonly direction: 'asc' | 'desc';
}

export interface PageRequest extends ListRequest {
  /** From 1. */
  readonly page: number;
  readonly size: number;
  /** All rows that match, where the caller knows it by other ways than the list's. */
  readonly total?: number | undefined;
}

export interface Page<R> {
  readonly rows: readonly R[];
  /** All rows that match, always exact. */
  readonly total: number;
}

/** Declares a list, once, at module level. */
export function defineList<T extends Table, C extends keyof Row<T> & string>(
  options: ListOptions<T, C>,
): List<{ [K in C]: Row<T>[K] }> {
  return Object.freeze({ ...options, sorts: Object.freeze({ ...options.sorts }) });
}

/** A filter on one column; an array means one of its values. */
export const is = (column: string, value: Equals['value']): Equals => Object.freeze({ column, value });

/** A sort by the table's own columns. */
export const by = (...columns: readonly string[]): Sort => Object.freeze({ columns });

/** A sort by another table's column, then by the table's own: `byOther({ via, table: Company, column: 'name' }, 'created_at')`. */
export const byOther = (through: Through, ...columns: readonly string[]): Sort => Object.freeze({ columns, through });

/**
 * One page and the total, in one to four statements. A page past the end is empty.
 * @throws invalid() naming the sorts when `sort` is not one of the list's (P-18)
 */
export async function readPage<R>(db: Db, list: List<R>, request: PageRequest): Promise<Page<R>> {
  const offset = (request.page - 1) * request.size;
  const settled = { ...request, ...(await scanned(db, list, request.where)) };
  const { rows, along } = (await readPlanned(db, list, settled, offset)) ?? (await readAny(db, list, settled, offset));
  const total = settled.total ?? along ?? totalFrom(rows.length, offset, request.size);
  return { rows: rows as R[], total: total ?? (await readTotal(db, parseRequest(list, settled))) };
}

async function readAny(db: Db, list: List, request: PageRequest, offset: number): Promise<PageRows> {
  const asked = parseRequest(list, request);
  const plan =
    (await planGroups(db, asked, offset, request.size)) ??
    planNear(asked, offset, request.size) ??
    (await planFar(db, asked, offset, request));
  return readRows(db, asked, plan);
}

/** All rows that match, counted exactly. */
export async function countList(db: Db, list: List, where: readonly Filter[]): Promise<number> {
  const settled = await scanned(db, list, where);
  if (settled.total !== undefined) return settled.total;
  const [sort = ''] = Object.keys(list.sorts);
  return readTotal(db, parseRequest(list, { where, sort, direction: 'asc' }));
}

/** A page that is not full is the last: it tells the total, unless it lies past the end. */
function totalFrom(rows: number, offset: number, size: number): number | undefined {
  return rows < size && (rows > 0 || offset === 0) ? offset + rows : undefined;
}
