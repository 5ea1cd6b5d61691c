// Maintained counts: how many rows a table has by a few columns and by day, exact at every moment, without a row that
// every transaction updates. A write appends a delta; a read adds the open deltas; a job folds them (docs/architecture.md).
import type { Db, Transaction } from '../database/db.ts';
import { conditionsOf, countSql, groupSql, ofTotals } from './counter-sql.ts';
import { name, sql, type Sql } from '../database/sql.ts';
import { dayOf, type Day } from '../kit/time.ts';
import { big, day as dayColumn, flag, id, int, key, table, text, type Columns, type Table } from '../database/table.ts';

export type Scalar = string | number;

/** Values by counted column, or the column of an outer query; a column that is absent is not limited. */
export type CountFilter = Readonly<Record<string, Scalar | readonly Scalar[] | Sql>>;

export interface CounterOptions {
  /** The table whose rows are counted; deleted ones (`deleted_at`) do not count. */
  readonly of: Table;
  /** The first is the one with many values (the company). A row with null in one of them is not counted. */
  readonly dimensions: readonly string[];
  /** The timestamp column whose month and day are counted; without one there are totals only. */
  readonly day?: string;
  /** A column of whole numbers that are added up, where not the rows are counted: amounts in minor units. */
  readonly sum?: string;
  /** The dimensions of these counts, when fewer than all: the first, and others that lists are paged by. */
  readonly daily?: readonly string[];
  /** What the records that the first dimension refers to show of these counts. */
  readonly statistics?: readonly Statistic[];
}

/** A number that a record shows of the rows that refer to it: how many open tickets a company has. */
export interface Statistic {
  readonly of: Table;
  readonly name: string;
  readonly where: Readonly<Record<string, Scalar | readonly Scalar[]>>;
  /** The record's table has a column of this name: it is kept as of the last fold, for lists to sort by. */
  readonly stored: boolean;
}

export interface CounterTable extends CounterOptions {
  readonly name: string;
  readonly daily: readonly string[];
  readonly statistics: readonly Statistic[];
  /** Counts by all dimensions; the first is also summed up in rows whose value is `all`. */
  readonly totals: Table;
  /** The same by month and the daily dimensions. */
  readonly months: Table;
  /** By day, without the first dimension: one company has few rows a month, all together have many. */
  readonly days: Table;
  readonly deltas: Table;
  /** What a migration creates. */
  readonly tables: readonly Table[];
  /** What stands for every value of the first dimension: 0, or '' for a text. */
  readonly all: Scalar;
}

/** Declares a figure of a counter, and which of the counted rows it means: all, or those with these values. */
export function statistic(of: Table, name: string, where: Statistic['where'] = {}): Statistic {
  return Object.freeze({ of, name, where, stored: Object.hasOwn(of.columns, name) });
}

/**
 * Declares the tables `<name>` and `<name>_delta` that count the rows of another table, or add up one of its columns;
 * with a `day`, `<name>_month` and `<name>_day` too.
 */
export function counterTable(name: string, options: CounterOptions): CounterTable {
  const { dimensions, daily = dimensions, statistics = [] } = options;
  const keys = columnsLike(options.of, dimensions);
  const n = options.sum === undefined ? int() : big();
  const totals = table(name, { ...primary(keys, dimensions), n });
  const months = table(`${name}_month`, { ...primary(keys, daily), month: key(7).primary(), n });
  // The day first: a month's days are read under any filter.
  const days = table(`${name}_day`, { day: dayColumn().primary(), ...primary(keys, daily.slice(1)), n });
  const dated: Columns = options.day === undefined ? {} : { day: dayColumn() };
  const deltas = table(`${name}_delta`, { delta_id: id(), ...keys, ...dated, n });
  const all = isNumber(options.of, dimensions[0] ?? '') ? 0 : '';
  const tables = options.day === undefined ? [totals, deltas] : [totals, months, days, deltas];
  return Object.freeze({ ...options, name, daily, statistics, totals, months, days, deltas, tables, all });
}

/**
 * Counts rows in (`n` 1) or out (-1, also for a soft delete), with the commit of the change itself.
 * @param row the counted columns and the day column, as they are in the table
 */
export function count(tx: Transaction, counter: CounterTable, row: Readonly<Record<string, unknown>>, n = 1): void {
  const { dimensions, deltas, day, sum } = counter;
  if (dimensions.some((each) => row[each] === null)) return;
  const values = Object.fromEntries(dimensions.map((each) => [each, row[each]]));
  const amount = sum === undefined ? n : n * Number(row[sum]);
  if (amount === 0) return;
  tx.append(deltas, { ...values, ...(day !== undefined && { day: dayOf(String(row[day])) }), n: amount });
}

/** Counts a row over when a change touches a counted column; otherwise does nothing. */
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

/** The exact number of rows, or their sum; one statement, so counters and open deltas are of one moment. */
export async function readCount(db: Db, counter: CounterTable, filter: CountFilter = {}): Promise<number> {
  const rows = await db.query<{ n: unknown }>(sql`SELECT ${countSql(counter, filter)} AS n`);
  return Number(rows[0]?.n ?? 0);
}

/** The counts by one dimension, in one statement: `{ new: 4, contacted: 2 }`. Values without rows are absent. */
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

/** How many rows each month has, oldest first. The filter may name daily dimensions only; the counter has a `day`. */
export function readMonths(db: Db, counter: CounterTable, filter: CountFilter): Promise<PeriodCount[]> {
  return readPeriods(
    db,
    sql`SELECT month AS period, n FROM ${name(counter.months.name)} WHERE ${ofTotals(counter, filter)}
      UNION ALL SELECT SUBSTR(day, 1, 7), n FROM ${name(counter.deltas.name)} WHERE ${conditionsOf(filter)}`,
  );
}

/** How many rows each day of a month has, oldest first. The filter may name daily dimensions but the first. */
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

/** Columns of the same kind, without the original's keys and references. */
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
