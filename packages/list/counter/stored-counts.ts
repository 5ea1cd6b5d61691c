// Adds and removes the stored counts of a counter.
import type { Transaction } from '@keelson/database/db.ts';
import type { Table } from '@keelson/database/schema/table.ts';
import { joined, listed, name, sql } from '@keelson/database/statement/sql.ts';
import type { CounterTable, Scalar } from './counter.ts';

/** Rows per multi-row statement, below SQLite's parameter limit. */
const CHUNK = 200;
/** A count and its values, in the order of the counter's dimensions followed by the day. */
export interface CountRow {
  readonly values: readonly Scalar[];
  readonly n: number;
}

/** Counts in the form of one of a counter's tables. */
export interface StoredCounts {
  readonly table: Table;
  /** The columns of the rows' `values`, in order. */
  readonly keys: readonly string[];
  readonly rows: readonly CountRow[];
}

/** Adds counts by (dimensions…, day) to the stored ones. Rows with `all` cover all values of the first dimension. */
export async function addCounts(tx: Transaction, counter: CounterTable, counted: readonly CountRow[]): Promise<void> {
  for (const { table, keys, rows } of storedCounts(counter, counted)) await add(tx, table, keys, rows);
}

/** Converts counts by (dimensions…, day) to the rows of each counter table. */
export function storedCounts(counter: CounterTable, counted: readonly CountRow[]): StoredCounts[] {
  const { dimensions, daily, all, totals, months, days } = counter;
  const inTotals = { table: totals, keys: dimensions, rows: sumUp(counted, [...dimensions.keys()]) };
  if (counter.day === undefined) return [inTotals];
  const places = daily.map((each) => dimensions.indexOf(each));
  const byMonth = counted.map(({ values, n }) => ({ values: [...values.slice(0, -1), monthOf(values.at(-1))], n }));
  const ofDay = counter.daysOfEach ? counted : counted.filter(({ values }) => values[0] === all);
  const from = counter.daysOfEach ? 0 : 1;
  return [
    inTotals,
    { table: months, keys: [...daily, 'month'], rows: sumUp(byMonth, [...places, dimensions.length]) },
    {
      table: days,
      keys: [...daily.slice(from), 'day'],
      rows: sumUp(ofDay, [...places.slice(from), dimensions.length]),
    },
  ];
}

function monthOf(day: Scalar | undefined): string {
  return String(day).slice(0, 7);
}

export async function removeCounts(tx: Transaction, counter: CounterTable, firsts: readonly Scalar[]): Promise<void> {
  const first = name(counter.dimensions[0] ?? '');
  for (const each of counter.day === undefined ? [counter.totals] : [counter.totals, counter.months]) {
    await tx.run(sql`DELETE FROM ${name(each.name)} WHERE ${first} IN ${listed(firsts)}`);
  }
}

export function sumUp(counted: readonly CountRow[], by: readonly number[]): CountRow[] {
  const sums = new Map<string, CountRow>();
  for (const { values, n } of counted) {
    const picked = by.map((i) => values[i] ?? '');
    const text = JSON.stringify(picked);
    sums.set(text, { values: picked, n: n + (sums.get(text)?.n ?? 0) });
  }
  return [...sums.values()].filter((each) => each.n !== 0);
}

async function add(
  tx: Transaction,
  target: Table,
  keys: readonly string[],
  counted: readonly CountRow[],
): Promise<void> {
  const columns = joined([...keys, 'n'].map(name), ', ');
  const added =
    tx.dialect === 'mysql'
      ? sql`ON DUPLICATE KEY UPDATE n = n + VALUES(n)`
      : sql`ON CONFLICT (${joined(keys.map(name), ', ')}) DO UPDATE SET n = ${name(target.name)}.n + excluded.n`;
  for (const some of chunks(counted)) {
    const rows = joined(
      some.map((each) => listed([...each.values, each.n])),
      ', ',
    );
    await tx.run(sql`INSERT INTO ${name(target.name)} (${columns}) VALUES ${rows} ${added}`);
  }
  await removeEmpty(tx, target, keys, counted);
}

/** Deletes counts that reached 0, such as those of a status that tickets only pass through. */
async function removeEmpty(
  tx: Transaction,
  target: Table,
  keys: readonly string[],
  counted: readonly CountRow[],
): Promise<void> {
  const lowered = counted.filter((each) => each.n < 0);
  for (const some of chunks(lowered)) {
    const each = some.map(({ values }) => sql`(${joined(keys.map((of, i) => sql`${name(of)} = ${values[i]}`))})`);
    await tx.run(sql`DELETE FROM ${name(target.name)} WHERE n = 0 AND (${joined(each, ' OR ')})`);
  }
}

/** Returns the same counts with `all` as the first dimension. */
export function wide(counter: CounterTable, counted: readonly CountRow[]): CountRow[] {
  return counted.map(({ values, n }) => ({ values: [counter.all, ...values.slice(1)], n }));
}

export function positions(counter: CounterTable): number[] {
  return [...counter.dimensions.keys(), counter.dimensions.length];
}

/** Splits a list into chunks that fit a multi-row statement. */
export function chunks<T>(list: readonly T[], size = CHUNK): T[][] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, i) => list.slice(i * size, (i + 1) * size));
}
