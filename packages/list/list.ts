// Declares lists: what they read, and how they can be filtered and sorted. page/page.ts reads them.
import type { Row, Table } from '@keelson/database/schema/table.ts';
import type { Sql } from '@keelson/database/statement/sql.ts';
import type { CounterTable } from './counter/counter.ts';

export type Value = string | number | null;

/** Equality with a value, or with one of several. Unlike other conditions, the planner can match it to indexes. */
export interface Equals {
  readonly column: string;
  readonly value: Value | readonly (string | number)[];
}
/** An `is(…)`, or SQL that qualifies columns with their table: `ticket.subject`. */
export type Filter = Equals | Sql;

/** A sort by a column of another table, such as the company's name. */
export interface Through {
  /** The column that holds the other table's primary key. */
  readonly via: string;
  readonly table: Table;
  readonly column: string;
}

/** The sort columns, all in the requested direction. The primary key is always appended. */
export interface Sort {
  readonly columns: readonly string[];
  readonly through?: Through;
}

export interface ListOptions<T extends Table, C extends keyof Row<T> & string> {
  readonly table: T;
  /** The columns to read for a page. Names of other records come from name-cache.ts. */
  readonly columns: readonly C[];
  /** Sorts, by the names that callers use. */
  readonly sorts: Readonly<Record<string, Sort>>;
  /** Counters that make totals and deep pages cheap. The first one with all filtered columns of a request is used. */
  readonly counters?: readonly CounterTable[];
}

export interface List<R = unknown> extends ListOptions<Table, string> {
  /** Type-only: the row type. */
  readonly Row?: R;
}

export interface ListRequest {
  /** Conditions that must all hold. Deleted rows (`deleted_at`) never appear. */
  readonly where: readonly Filter[];
  readonly sort: string;
  readonly direction: 'asc' | 'desc';
}

/** Declares a list. Call once per list, at module level. */
export function defineList<T extends Table, C extends keyof Row<T> & string>(
  options: ListOptions<T, C>,
): List<{ [K in C]: Row<T>[K] }> {
  return Object.freeze({ ...options, sorts: Object.freeze({ ...options.sorts }) });
}

/** Filters by equality with a value, or with any value of an array. */
export const is = (column: string, value: Equals['value']): Equals => Object.freeze({ column, value });

/** Sorts by the table's own columns. */
export const by = (...columns: readonly string[]): Sort => Object.freeze({ columns });

/**
 * Sorts by another table's column, then by own ones: `byOther({ via, table: Company, column: 'name' }, 'created_at')`.
 */
export const byOther = (through: Through, ...columns: readonly string[]): Sort => Object.freeze({ columns, through });
