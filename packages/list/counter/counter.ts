// Counters: exact row counts of a table by a few columns and by day, without a row that every transaction updates.
// Writes append a delta, reads add the open deltas to the stored counts, and compaction merges them
// (docs/architecture.md).
import type { Transaction } from '@keelson/database/db.ts';
import type { Column, Columns } from '@keelson/database/schema/column.ts';
import { big, day as dayColumn, flag, id, int, key, table, text, type Table } from '@keelson/database/schema/table.ts';
import type { Sql } from '@keelson/database/statement/sql.ts';
import { dayOf } from '@keelson/kit/time.ts';

export type Scalar = string | number;

/** Filters by dimension: a value, several values, or a column of an outer query. */
export type CountFilter = Readonly<Record<string, Scalar | readonly Scalar[] | Sql>>;

export interface CounterOptions {
  /** The table whose rows are counted, excluding deleted rows (`deleted_at`). */
  readonly of: Table;
  /**
   * The columns to count by. The one with the most values (the company) comes first. Rows with a null are not counted.
   */
  readonly dimensions: readonly string[];
  /** The timestamp column for counts by month and day. Without it there are only totals. */
  readonly day?: string;
  /** An integer column to sum instead of counting rows: amounts in minor units. */
  readonly sum?: string;
  /** The dimensions of the monthly and daily counts, if not all: the first, and others that lists filter by. */
  readonly daily?: readonly string[];
  /** Also keeps daily counts for each value of the first dimension. Only for tables with few counted rows per day. */
  readonly daysOfEach?: boolean;
  /** Dimensions, and a sum, that are computed instead of read from a column. */
  readonly computed?: Readonly<Record<string, ComputedValue>>;
  /** Values that a row must have to be counted: `{ approval_status: 'pending' }`. */
  readonly only?: Readonly<Record<string, Scalar>>;
  /** Statistics shown on the records of the first dimension. */
  readonly statistics?: readonly Statistic[];
}

/** A number that a record shows about the rows that reference it: a company's open tickets. */
export interface Statistic {
  readonly of: Table;
  readonly name: string;
  readonly where: Readonly<Record<string, Scalar | readonly Scalar[]>>;
  /** The record's table has a column of this name. Compaction keeps it current, so that lists can sort by it. */
  readonly stored: boolean;
}

/** A value computed from a row: in code, and as an SQL expression for recounting a table. */
export interface ComputedValue {
  readonly column: Column<any, any, any>;
  /** Returns null if the row is not counted. */
  readonly of: (row: Readonly<Record<string, any>>) => Scalar | null;
  readonly sql: { readonly sqlite: string; readonly mysql: string };
}

/** Counts available for a table: stored by `counterTable(…)`, or computed on demand by `counted(…)`. */
export interface Counted {
  readonly of: Table;
  readonly dimensions: readonly string[];
  readonly sum?: string;
  readonly statistics: readonly Statistic[];
}

/** A counter declared with `counterTable(…)`: counts of a table's rows by their dimensions, read with `readCount`. */
export interface CounterTable extends CounterOptions, Counted {
  readonly name: string;
  readonly daily: readonly string[];
  readonly only: Readonly<Record<string, Scalar>>;
  readonly statistics: readonly Statistic[];
  /** Counts by all dimensions. Rows with `all` hold the sum over the first dimension. */
  readonly totals: Table;
  /** Counts by month and the daily dimensions. */
  readonly months: Table;
  /** Daily counts. Without `daysOfEach` the first dimension is left out: a single company has few rows a month. */
  readonly days: Table;
  readonly deltas: Table;
  /** Tables for a migration to create. */
  readonly tables: readonly Table[];
  /** Represents all values of the first dimension: 0 for a number, -1 for a flag, '' for a text. */
  readonly all: Scalar;
}

/** Declares a statistic of a table. It counts the rows with the values of `where`, or all counted rows. */
export function statistic(of: Table, name: string, where: Statistic['where'] = {}): Statistic {
  return Object.freeze({ of, name, where, stored: Object.hasOwn(of.columns, name) });
}

/**
 * Declares counts that are computed on each read, using an index on the first dimension. Suitable for thousands of
 * rows; use `counterTable` for larger tables.
 */
export function counted({ statistics = [], ...options }: Omit<Counted, 'statistics'> & Partial<Counted>): Counted {
  for (const each of options.dimensions)
    if (!options.of.columns[each]) throw new Error(`${options.of.name} has no column ${each} to count`);
  return Object.freeze({ ...options, statistics });
}

/** Returns true if the counts are stored. */
export const isKept = (each: Counted): each is CounterTable => 'deltas' in each;

/**
 * Declares a counter: tables `<name>` and `<name>_delta` that count another table's rows or sum one of its columns.
 * With a `day`, also `<name>_month` and `<name>_day`.
 * @throws Error if `of` lacks a dimension, or a dimension is not a number, a flag or a short text
 */
export function counterTable(name: string, options: CounterOptions): CounterTable {
  const { dimensions, daily = dimensions, daysOfEach = false, only = {}, statistics = [] } = options;
  const keys = columnsLike(options, dimensions);
  const n = options.sum === undefined ? int() : big();
  const totals = table(name, { ...primary(keys, dimensions), n });
  const months = table(`${name}_month`, { ...primary(keys, daily), month: key(7).primary(), n });
  // A month's days are read under any filter, so the day leads the key, preceded only by the first dimension if kept.
  const firsts = daysOfEach ? primary(keys, daily.slice(0, 1)) : {};
  const dayKeys = { ...firsts, day: dayColumn().primary(), ...primary(keys, daily.slice(1)) };
  const days = table(`${name}_day`, { ...dayKeys, n });
  const dated: Columns = options.day === undefined ? {} : { day: dayColumn() };
  const deltas = table(`${name}_delta`, { delta_id: id(), ...keys, ...dated, n });
  const all = allValues(name, keys[dimensions[0] ?? '']);
  const tables = options.day === undefined ? [totals, deltas] : [totals, months, days, deltas];
  return Object.freeze({ ...options, name, daily, only, statistics, totals, months, days, deltas, tables, all });
}

/**
 * Appends a delta to the transaction.
 * @param row the dimensions and the day column, as stored in the table
 * @param n 1 for a new row, -1 for a deleted row
 */
export function count(tx: Transaction, counter: CounterTable, row: Readonly<Record<string, unknown>>, n = 1): void {
  const { dimensions, deltas, day, sum, only } = counter;
  for (const each in only) if (row[each] !== only[each]) return;
  const values = Object.fromEntries(dimensions.map((each) => [each, countedValue(counter, each, row)]));
  for (const each of dimensions) if (values[each] === null) return;
  const amount = sum === undefined ? n : n * Number(countedValue(counter, sum, row));
  if (amount === 0) return;
  tx.append(deltas, { ...values, ...(day !== undefined && { day: dayOf(String(row[day])) }), n: amount });
}

/** Appends the deltas of a changed row; none if no counted column changed. */
export function recountRow(
  tx: Transaction,
  counter: CounterTable,
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): void {
  const isSame = (each: string) => countedValue(counter, each, before) === countedValue(counter, each, after);
  if (countedColumns(counter).every(isSame)) return;
  count(tx, counter, before, -1);
  count(tx, counter, after, 1);
}

/** Returns the columns that determine whether and where a row is counted. */
export function countedColumns({ dimensions, day, sum, only }: CounterTable): string[] {
  return [...dimensions, ...Object.keys(only), ...[day, sum].filter((each) => each !== undefined)];
}

/** Returns a row's column value or computed value. */
export function countedValue(
  { computed }: CounterTable,
  column: string,
  row: Readonly<Record<string, unknown>>,
): unknown {
  return computed?.[column] ? computed[column].of(row) : row[column];
}

/** Returns a value that fits the first dimension's column on both databases but that no row contains. */
function allValues(counter: string, first: Columns[string] | undefined): Scalar {
  if (first?.options.kind === 'flag') return -1;
  return isNumber(first) ? 0 : '';
}

/** Returns columns of the same kinds, without the originals' keys and references. */
function columnsLike({ of, computed }: CounterOptions, names: readonly string[]): Columns {
  return Object.fromEntries(
    names.map((each) => {
      const column = computed?.[each]?.column ?? of.columns[each];
      const options = column?.options;
      if (!options) throw new Error(`${of.name} has no column ${each} to count`);
      if (options.kind === 'flag') return [each, flag()];
      if (options.kind === 'key') return [each, key(options.length)];
      if (isNumber(column)) return [each, int()];
      if (options.kind === 'varchar') return [each, text(options.length ?? 40)];
      throw new Error(`${of.name}.${each} is of kind ${options.kind}, which counters do not support`);
    }),
  );
}

function primary(columns: Columns, names: readonly string[]): Columns {
  return Object.fromEntries(names.flatMap((each) => (columns[each] ? [[each, columns[each].primary()]] : [])));
}

function isNumber(column: Columns[string] | undefined): boolean {
  return ['id', 'int', 'big'].includes(column?.options.kind ?? '');
}
