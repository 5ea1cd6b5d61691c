// Counters: how many rows a table has by a few columns and by day, always exact, without a row that every transaction
// updates. A write appends a delta; a read adds the open deltas to the stored counts; compaction adds them to the stored
// counts (docs/architecture.md).
import type { Db, Transaction } from '../database/db.ts';
import { conditionsOf, countSql, groupSql, ofTotals } from './counter-sql.ts';
import { name, sql, type Sql } from '../database/sql.ts';
import { dayOf, type Day } from '../kit/time.ts';
import { big, day as dayColumn, flag, id, int, key, table, text, type Columns, type Table } from '../database/table.ts';

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

export interface CounterTable extends CounterOptions {
  readonly name: string;
  readonly daily: readonly string[];
  readonly statistics: readonly Statistic[];
  /** Counts by all dimensions, and rows with `all` for the sum over the first dimension. */
  readonly totals: Table;
  /** Counts by month and the daily dimensions. */
  readonly months: Table;
  /** Counts by day, without the first dimension: one company has few rows a month, all of them many. */
  readonly days: Table;
  readonly deltas: Table;
  /** The tables that a migration creates. */
  readonly tables: readonly Table[];
  /** Stands for all values of the first dimension: 0, or '' for a text. */
  readonly all: Scalar;
}

/** Declares a statistic of a table, and which of the counted rows it counts: those with the values of `where`, or all. */
export function statistic(of: Table, name: string, where: Statistic['where'] = {}): Statistic {
  return Object.freeze({ of, name, where, stored: Object.hasOwn(of.columns, name) });
}

/**
 * Declares a counter: tables `<name>` and `<name>_delta` that count the rows of another table, or add up one of its
 * columns; with a `day` also `<name>_month` and `<name>_day`.
 * @throws Error when `of` lacks one of the dimensions
 */
export function counterTable(name: string, options: CounterOptions): CounterTable {
  const { dimensions, daily = dimensions, statistics = [] } = options;
  const keys = columnsLike(options.of, dimensions);
  const n = options.sum === undefined ? int() : big();
  const totals = table(name, { ...primary(keys, dimensions), n });
  const months = table(`${name}_month`, { ...primary(keys, daily), month: key(7).primary(), n });
  // The day first, because the days of a month are read under any filter.
  const days = table(`${name}_day`, { day: dayColumn().primary(), ...primary(keys, daily.slice(1)), n });
  const dated: Columns = options.day === undefined ? {} : { day: dayColumn() };
  const deltas = table(`${name}_delta`, { delta_id: id(), ...keys, ...dated, n });
  const all = isNumber(options.of, dimensions[0] ?? '') ? 0 : '';
  const tables = options.day === undefined ? [totals, deltas] : [totals, months, days, deltas];
  return Object.freeze({ ...options, name, daily, statistics, totals, months, days, deltas, tables, all });
}

/**
 * Appends a delta to the transaction.
 * @param row the dimensions and the day column, as they are in the table
 * @param n 1 for a new row, -1 for a deleted one
 */
export function count(tx: Transaction, counter: CounterTable, row: Readonly<Record<string, unknown>>, n = 1): void {
  const { dimensions, deltas, day, sum } = counter;
  if (dimensions.some((each) => row[each] === null)) return;
  const values = Object.fromEntries(dimensions.map((each) => [each, row[each]]));
  const amount = sum === undefined ? n : n * Number(row[sum]);
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
  const columns = [...counter.dimensions, counter.day, counter.sum];
  if (columns.every((each) => each === undefined || before[each] === after[each])) return;
  count(tx, counter, before, -1);
  count(tx, counter, after, 1);
}

/** The exact number of rows, or their sum. One statement reads stored counts and open deltas, so they match. */
export async function readCount(db: Db, counter: CounterTable, filter: CountFilter = {}): Promise<number> {
  const rows = await db.query<{ n: unknown }>(sql`SELECT ${countSql(counter, filter)} AS n`);
  return Number(rows[0]?.n ?? 0);
}

/** The counts by the values of one dimension, in one statement: `new` → 4, `contacted` → 2. Zero counts are absent. */
export async function readCounts(
  db: Db,
  counter: CounterTable,
  dimension: string,
  filter: CountFilter = {},
): Promise<ReadonlyMap<string, number>> {
  const rows = await db.query<{ value: unknown; n: unknown }>(
    sql`SELECT value, SUM(n) AS n FROM (${groupSql(counter, dimension, filter)}) AS counted GROUP BY value`,
  );
  return new Map(rows.map((row) => [String(row.value), Number(row.n)] as const).filter(([, n]) => n !== 0));
}

export interface PeriodCount {
  /** `2026-11`, or `2026-11-21`. */
  readonly period: string;
  readonly n: number;
}

/** The counts by month, oldest first. The filter may name daily dimensions only, and the counter must have a `day`. */
export function readMonths(db: Db, counter: CounterTable, filter: CountFilter): Promise<PeriodCount[]> {
  return readPeriods(
    db,
    sql`SELECT month AS period, n FROM ${name(counter.months.name)} WHERE ${ofTotals(counter, filter)}
      UNION ALL SELECT SUBSTR(day, 1, 7), n FROM ${name(counter.deltas.name)} WHERE ${conditionsOf(filter)}`,
  );
}

/** The counts by day from `from` until before `before`, oldest first. The filter may name daily dimensions, not the first. */
export function readDays(
  db: Db,
  counter: CounterTable,
  filter: CountFilter,
  from: Day,
  before: Day,
): Promise<PeriodCount[]> {
  const where = sql`${conditionsOf(filter)} AND day >= ${from} AND day < ${before}`;
  return readPeriods(
    db,
    sql`SELECT day AS period, n FROM ${name(counter.days.name)} WHERE ${where}
      UNION ALL SELECT day, n FROM ${name(counter.deltas.name)} WHERE ${where}`,
  );
}

async function readPeriods(db: Db, counts: Sql): Promise<PeriodCount[]> {
  const rows = await db.query<{ period: unknown; n: unknown }>(
    sql`SELECT period, SUM(n) AS n FROM (${counts}) AS counted GROUP BY period ORDER BY period`,
  );
  return rows.map((row) => ({ period: String(row.period), n: Number(row.n) })).filter((row) => row.n !== 0);
}

/** Columns of the same kinds, without the keys and references of the originals. */
function columnsLike(source: Table, names: readonly string[]): Columns {
  return Object.fromEntries(
    names.map((each) => {
      const options = source.columns[each]?.options;
      if (!options) throw new Error(`${source.name} has no column ${each} to count`);
      if (options.kind === 'flag') return [each, flag()];
      if (options.kind === 'key') return [each, key(options.length)];
      return [each, isNumber(source, each) ? int() : text(options.length ?? 40)];
    }),
  );
}

function primary(columns: Columns, names: readonly string[]): Columns {
  return Object.fromEntries(names.flatMap((each) => (columns[each] ? [[each, columns[each].primary()]] : [])));
}

function isNumber(source: Table, column: string): boolean {
  return ['id', 'int', 'big'].includes(source.columns[column]?.options.kind ?? '');
}
