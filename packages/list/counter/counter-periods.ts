// Reads a counter's counts by month and by day.
import type { Db } from '@keelson/database/db.ts';
import { name, sql, type Sql } from '@keelson/database/statement/sql.ts';
import type { Day } from '@keelson/kit/time.ts';
import { conditionsOf, ofTotals } from './counter-read.ts';
import type { CounterTable, CountFilter } from './counter.ts';

export interface PeriodCount {
  /** `2026-11`, or `2026-11-21`. */
  readonly period: string;
  readonly n: number;
}

/** Returns counts by month, oldest first. `filter` accepts daily dimensions only, and the counter must have a `day`. */
export function readMonths(db: Db, counter: CounterTable, filter: CountFilter): Promise<PeriodCount[]> {
  return readPeriods(
    db,
    sql`SELECT month AS period, n FROM ${name(counter.months.name)} WHERE ${ofTotals(counter, filter)}
      UNION ALL SELECT SUBSTR(day, 1, 7), n FROM ${name(counter.deltas.name)} WHERE ${conditionsOf(filter)}`,
  );
}

/**
 * Returns counts by day from `from` to before `before`, oldest first. `filter` accepts daily dimensions; the first one
 * only if the counter has `daysOfEach`.
 */
export function readDays(
  db: Db,
  counter: CounterTable,
  filter: CountFilter,
  from: Day,
  before: Day,
): Promise<PeriodCount[]> {
  const asked = sql`day >= ${from} AND day < ${before}`;
  return readPeriods(
    db,
    sql`SELECT day AS period, n FROM ${name(counter.days.name)} WHERE ${ofDays(counter, filter)} AND ${asked}
      UNION ALL SELECT day, n FROM ${name(counter.deltas.name)} WHERE ${conditionsOf(filter)} AND ${asked}`,
  );
}

/** Returns the counts since a day by the values of a daily dimension, in one statement. Zero counts are omitted. */
export async function readCountsSince(
  db: Db,
  counter: CounterTable,
  dimension: string,
  filter: CountFilter,
  from: Day,
): Promise<ReadonlyMap<string, number>> {
  const by = name(dimension);
  const rows = await db.query<{ value: unknown; n: unknown }>(
    sql`SELECT value, SUM(n) AS n FROM (
      SELECT ${by} AS value, n FROM ${name(counter.days.name)} WHERE ${ofDays(counter, filter)} AND day >= ${from}
      UNION ALL SELECT ${by}, n FROM ${name(counter.deltas.name)} WHERE ${conditionsOf(filter)} AND day >= ${from}
    ) AS counted GROUP BY value`,
  );
  return new Map(rows.map((row) => [String(row.value), Number(row.n)] as const).filter(([, n]) => n !== 0));
}

/** With `daysOfEach`, rows with `all` hold the sum over the first dimension. */
function ofDays(counter: CounterTable, filter: CountFilter) {
  return counter.daysOfEach ? ofTotals(counter, filter) : conditionsOf(filter);
}

async function readPeriods(db: Db, counts: Sql): Promise<PeriodCount[]> {
  const rows = await db.query<{ period: unknown; n: unknown }>(
    sql`SELECT period, SUM(n) AS n FROM (${counts}) AS counted GROUP BY period ORDER BY period`,
  );
  return rows.map((row) => ({ period: String(row.period), n: Number(row.n) })).filter((row) => row.n !== 0);
}
