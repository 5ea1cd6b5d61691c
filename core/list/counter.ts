// Counters: how many rows a table has by a few columns and by day, always exact, without a row that every transaction
// updates. A write appends a delta; a read adds the open deltas to the stored counts; compaction adds them to the stored
// counts (docs/architecture.md).
import type { Db, Transaction } from '../database/db.ts';
import { countSql, groupSql } from './counter-sql.ts';
import { sql, type Sql } from '../database/sql.ts';
import { dayOf } from '../kit/time.ts';
import {
  big,
  day as dayColumn,
  flag,
  id,
  int,
  key,
  table,
  text,
  type Column,
  type Columns,
  type Table,
} from '../database/table.ts';

export type Scalar = string | number;

/** A value, values, or a column of an outer query for each dimension to filter by. */
export type CountFilter = Readonly<Record<string, Scalar | readonly Scalar[] | Sql>>;

export interface CounterOptions {
  /** The table whose rows are counted, except deleted ones (`deleted_at`). */
  readonly of: Table;
  /** The columns to count by. The one with many values (the company) comes first. Rows with null in one do not count. */
  readonly dimensions: readonly string[];
  /** The timestamp column for counts by month and day; without it there are only totals. */
  readonly day?: string;
  /** A column of whole numbers to add up instead of counting rows: amounts in minor units. */
  readonly sum?: string;
  /** The dimensions of the counts by month and day, when not all: the first, and others that lists are filtered by. */
  readonly daily?: readonly string[];
  /** Counts by day are kept for each value of the first dimension, too. Only where few rows are counted on a day. */
  readonly daysOfEach?: boolean;
  /** Dimensions, and a sum, that no column has. */
  readonly computed?: Readonly<Record<string, ComputedValue>>;
  /** The values that a row must have to be counted: `{ approval_status: 'pending' }`. */
  readonly only?: Readonly<Record<string, Scalar>>;
  /** Numbers that the records of the first dimension show. */
  readonly statistics?: readonly Statistic[];
}

/** A number that a record shows of the rows that refer to it: a company's open tickets. */
export interface Statistic {
  readonly of: Table;
  readonly name: string;
  readonly where: Readonly<Record<string, Scalar | readonly Scalar[]>>;
  /** The record's table has a column of this name, which compaction keeps up to date, for lists to sort by. */
  readonly stored: boolean;
}

/** A value that is worked out of a row: as code, and as an expression over the columns for counting a table anew. */
export interface ComputedValue {
  readonly column: Column<any, any, any>;
  /** Null where the row does not count. */
  readonly of: (row: Readonly<Record<string, any>>) => Scalar | null;
  readonly sql: { readonly sqlite: string; readonly mysql: string };
}

/** What can be counted of a table: by `counterTable(…)` beside its rows, or by `counted(…)` when it is asked for. */
export interface Counted {
  readonly of: Table;
  readonly dimensions: readonly string[];
  readonly sum?: string;
  readonly statistics: readonly Statistic[];
}

/** What `counterTable(…)` declares: the counts of a table's rows by their dimensions, as `readCount` reads them. */
export interface CounterTable extends CounterOptions, Counted {
  readonly name: string;
  readonly daily: readonly string[];
  readonly only: Readonly<Record<string, Scalar>>;
  readonly statistics: readonly Statistic[];
  /** Counts by all dimensions, and rows with `all` for the sum over the first dimension. */
  readonly totals: Table;
  /** Counts by month and the daily dimensions. */
  readonly months: Table;
  /** Counts by day; without the first dimension, unless of each: one company has few rows a month, all of them many. */
  readonly days: Table;
  readonly deltas: Table;
  /** The tables that a migration creates. */
  readonly tables: readonly Table[];
  /** Stands for all values of the first dimension: 0 for a number, -1 for a flag, '' for a text. */
  readonly all: Scalar;
}

/** Declares a statistic of a table, and which of the counted rows it counts: those with the values of `where`, or all. */
export function statistic(of: Table, name: string, where: Statistic['where'] = {}): Statistic {
  return Object.freeze({ of, name, where, stored: Object.hasOwn(of.columns, name) });
}

/**
 * Declares what is counted anew each time it is asked for, on an index of the first dimension: right wherever there are
 * thousands of rows. `counterTable` is for tables that outgrow counting.
 */
export function counted({ statistics = [], ...options }: Omit<Counted, 'statistics'> & Partial<Counted>): Counted {
  for (const each of options.dimensions)
    if (!options.of.columns[each]) throw new Error(`${options.of.name} has no column ${each} to count`);
  return Object.freeze({ ...options, statistics });
}

/** Whether counts are kept beside the rows. */
export const isKept = (each: Counted): each is CounterTable => 'deltas' in each;

/**
 * Declares a counter: tables `<name>` and `<name>_delta` that count the rows of another table, or add up one of its
 * columns; with a `day` also `<name>_month` and `<name>_day`.
 * @throws Error when `of` lacks one of the dimensions, or it is neither a number, a flag nor a short text
 */
export function counterTable(name: string, options: CounterOptions): CounterTable {
  const { dimensions, daily = dimensions, daysOfEach = false, only = {}, statistics = [] } = options;
  const keys = columnsLike(options, dimensions);
  const n = options.sum === undefined ? int() : big();
  const totals = table(name, { ...primary(keys, dimensions), n });
  const months = table(`${name}_month`, { ...primary(keys, daily), month: key(7).primary(), n });
  // The days of a month are read under any filter: the day comes first, or right after whose days they are.
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
 * @param row the dimensions and the day column, as they are in the table
 * @param n 1 for a new row, -1 for a deleted one
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

/** Appends the deltas of a changed row; none when no dimension, day or sum has changed. */
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

/** The columns that decide where, and whether, a row is counted. */
export function countedColumns({ dimensions, day, sum, only }: CounterTable): string[] {
  return [...dimensions, ...Object.keys(only), ...[day, sum].filter((each) => each !== undefined)];
}

/** What a row has in a column, or what is worked out of it. */
export function countedValue(
  { computed }: CounterTable,
  column: string,
  row: Readonly<Record<string, unknown>>,
): unknown {
  return computed?.[column] ? computed[column].of(row) : row[column];
}

/** The exact number of rows, or their sum. One statement reads stored counts and open deltas, so they match. */
export async function readCount(db: Db, counter: Counted, filter: CountFilter = {}): Promise<number> {
  const rows = await db.query<{ n: unknown }>(sql`SELECT ${countSql(counter, filter)} AS n`);
  return Number(rows[0]?.n ?? 0);
}

/** The counts by the values of one dimension, in one statement: `new` → 4, `contacted` → 2. Zero counts are absent. */
export async function readCounts(
  db: Db,
  counter: Counted,
  dimension: string,
  filter: CountFilter = {},
): Promise<ReadonlyMap<string, number>> {
  const rows = await db.query<{ value: unknown; n: unknown }>(
    sql`SELECT value, SUM(n) AS n FROM (${groupSql(counter, dimension, filter)}) AS counted GROUP BY value`,
  );
  const some = rows.filter(({ value, n }) => value !== null && Number(n) !== 0);
  return new Map(some.map(({ value, n }) => [String(value), Number(n)] as const));
}

/** A value that fits the first dimension's column on both databases and that no row has there. */
function allValues(counter: string, first: Columns[string] | undefined): Scalar {
  if (first?.options.kind === 'flag') return -1;
  return isNumber(first) ? 0 : '';
}

/** Columns of the same kinds, without the keys and references of the originals. */
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
      throw new Error(`${of.name}.${each} is of kind ${options.kind}, which a counter cannot count by`);
    }),
  );
}

function primary(columns: Columns, names: readonly string[]): Columns {
  return Object.fromEntries(names.flatMap((each) => (columns[each] ? [[each, columns[each].primary()]] : [])));
}

function isNumber(column: Columns[string] | undefined): boolean {
  return ['id', 'int', 'big'].includes(column?.options.kind ?? '');
}
