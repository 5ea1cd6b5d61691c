// Updates statistics stored in a column of their record, for lists to sort by. They are as of the last compaction.
import type { Transaction } from '@keelson/database/db.ts';
import { listed, name, sql, type Sql } from '@keelson/database/statement/sql.ts';
import { conditionsOf } from './counter-read.ts';
import type { CounterTable, Scalar, Statistic } from './counter.ts';
import type { CountRow } from './stored-counts.ts';

/** Adds compacted deltas to the records they belong to, with one statement per amount of change. */
export async function addToStatistics(
  tx: Transaction,
  counter: CounterTable,
  counts: readonly CountRow[],
): Promise<void> {
  for (const statistic of counter.statistics.filter((each) => each.stored)) {
    const gained = Map.groupBy(gains(counter, statistic, counts), ([, n]) => n);
    const { table, column, key } = place(statistic);
    for (const [n, records] of [...gained].toSorted(([a], [b]) => a - b)) {
      const ids = records.map(([id]) => id).toSorted((a, b) => Number(a) - Number(b));
      await tx.run(sql`UPDATE ${table} SET ${column} = ${column} + ${n} WHERE ${key} IN ${listed(ids)}`);
    }
  }
}

/** Sets the statistics of every record from freshly counted totals. */
export async function renewStatistics(tx: Transaction, counter: CounterTable): Promise<void> {
  for (const statistic of counter.statistics.filter((each) => each.stored)) {
    const { table, column } = place(statistic);
    await tx.run(sql`UPDATE ${table} SET ${column} = ${storedCount(counter, statistic)}`);
  }
}

/** Returns how many records have a statistic that differs from the stored counts. */
export async function countWrongStatistics(tx: Transaction, counter: CounterTable): Promise<number> {
  let wrong = 0;
  for (const statistic of counter.statistics.filter((each) => each.stored)) {
    const { table, column } = place(statistic);
    const [row] = await tx.query<{ n: unknown }>(
      sql`SELECT COUNT(*) AS n FROM ${table} WHERE ${column} <> ${storedCount(counter, statistic)}`,
    );
    wrong += Number(row?.n ?? 0);
  }
  return wrong;
}

/** Builds the stored count that a record's statistic shows. */
function storedCount(counter: CounterTable, statistic: Statistic): Sql {
  const { table, key } = place(statistic);
  return sql`(SELECT COALESCE(SUM(n), 0) FROM ${name(counter.totals.name)} AS counted
    WHERE counted.${name(counter.dimensions[0] ?? '')} = ${table}.${key} AND ${conditionsOf(statistic.where)})`;
}

function gains(counter: CounterTable, { where }: Statistic, counts: readonly CountRow[]): [Scalar, number][] {
  const sums = new Map<Scalar, number>();
  for (const { values, n } of counts) {
    const matches = counter.dimensions.every((each, i) => allows(where[each], values[i]));
    const [id = ''] = values;
    if (matches) sums.set(id, (sums.get(id) ?? 0) + n);
  }
  return [...sums].filter(([, n]) => n !== 0);
}

function allows(wanted: Statistic['where'][string] | undefined, value: Scalar | undefined): boolean {
  if (wanted === undefined) return true;
  return typeof wanted === 'object' ? wanted.some((each) => each === value) : wanted === value;
}

function place({ of, name: statistic }: Statistic) {
  return { table: name(of.name), column: name(statistic), key: name(of.primary) };
}
