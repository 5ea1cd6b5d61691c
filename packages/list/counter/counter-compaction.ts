// Compacts counters by adding open deltas to the stored counts. Also recounts tables.
import type { Database, Db, Transaction } from '@keelson/database/db.ts';
import { key, table, when, type Table } from '@keelson/database/schema/table.ts';
import { joined, listed, name, sql, type Sql } from '@keelson/database/statement/sql.ts';
import type { Timestamp } from '@keelson/kit/time.ts';
import { conditionsOf } from './counter-read.ts';
import type { CounterTable, Scalar } from './counter.ts';
import { addToStatistics, countWrongStatistics, renewStatistics } from './statistics-compaction.ts';
import {
  addCounts,
  chunks,
  positions,
  removeCounts,
  storedCounts,
  sumUp,
  wide,
  type CountRow,
} from './stored-counts.ts';

/** One row per counter, locked during compaction. `folded_at` is the time of the last compaction. */
export const CounterCompaction = table('counter_fold', { name: key(64).primary(), folded_at: when() });

const BATCH = 2000;
const BATCHES = 100;
/** Target number of rows counted per statement. All rows of one value of the first dimension stay together. */
const ROWS = 10_000;

/**
 * Adds the open deltas to the stored counts, in short transactions. Returns the number of deltas.
 * Reads stay exact meanwhile, and any number of processes may run this concurrently.
 */
export async function compactCounter(database: Database, counter: CounterTable, now: Timestamp): Promise<number> {
  let compacted = 0;
  for (let i = 0; i < BATCHES; i++) {
    // For an idle counter, one read replaces a write to its row.
    const open = await database.query(sql`SELECT 1 FROM ${name(counter.deltas.name)} LIMIT 1`);
    if (open.length === 0) break;
    compacted += await database.transaction((tx) => compactBatch(tx, counter, now));
  }
  return compacted;
}

/**
 * Recounts the whole table, after a restore or a bulk load that bypassed the counter. Writes continue meanwhile;
 * compaction waits.
 */
export async function recount(database: Database, counter: CounterTable, now: Timestamp): Promise<void> {
  await database.transaction((tx) => recountIn(tx, counter, now));
}

/**
 * Compares the stored counts with the table, and the statistics with the stored counts, and recounts if they differ.
 * @returns the number of incorrect stored counts and statistics
 */
export async function repairCounter(database: Database, counter: CounterTable, now: Timestamp): Promise<number> {
  return database.transaction(async (tx) => {
    await lock(tx, counter, now);
    let wrong = 0;
    let overall: CountRow[] = [];
    for (const firsts of await firstValues(tx, counter)) {
      const counts = await countRows(tx, counter, firsts);
      wrong += await countWrong(tx, counter, firsts, counts);
      overall = sumUp([...overall, ...wide(counter, counts)], positions(counter));
    }
    wrong += await countWrong(tx, counter, [counter.all], overall);
    wrong += await countWrongStatistics(tx, counter);
    if (wrong > 0) await recountIn(tx, counter, now);
    return wrong;
  });
}

/** Returns how many stored totals, months and days differ from the rows, for some values of the first dimension. */
async function countWrong(
  tx: Transaction,
  counter: CounterTable,
  firsts: readonly Scalar[],
  counted: readonly CountRow[],
): Promise<number> {
  const first = name(counter.dimensions[0] ?? '');
  let wrong = 0;
  for (const { table: stored, keys, rows } of storedCounts(counter, counted)) {
    // Days without the first dimension are those of all its values.
    const isOfAll = stored === counter.days && !counter.daysOfEach;
    if (isOfAll && !firsts.includes(counter.all)) continue;
    const chosen = isOfAll ? sql`1 = 1` : sql`${first} IN ${listed(firsts)}`;
    const found = await tx.query<Record<string, Scalar>>(
      sql`SELECT ${joined([...keys, 'n'].map(name), ', ')} FROM ${name(stored.name)} WHERE ${chosen}`,
    );
    const held = found.map((row) => ({ values: keys.map((each) => row[each] ?? ''), n: -Number(row.n) }));
    wrong += sumUp([...rows, ...held], [...keys.keys()]).length;
  }
  return wrong;
}

async function recountIn(tx: Transaction, counter: CounterTable, now: Timestamp): Promise<void> {
  await lock(tx, counter, now);
  if (counter.day !== undefined) await tx.run(sql`DELETE FROM ${name(counter.days.name)}`);
  let overall: CountRow[] = [];
  for (const firsts of await firstValues(tx, counter)) {
    const counts = await countRows(tx, counter, firsts);
    await removeCounts(tx, counter, firsts);
    await addCounts(tx, counter, counts);
    // Sum incrementally: the days of all companies together may be a million rows.
    overall = sumUp([...overall, ...wide(counter, counts)], positions(counter));
  }
  await removeCounts(tx, counter, [counter.all]);
  await addCounts(tx, counter, overall);
  await renewStatistics(tx, counter);
}

async function compactBatch(tx: Transaction, counter: CounterTable, now: Timestamp): Promise<number> {
  await lock(tx, counter, now);
  const { ids, values } = await readDeltas(tx, counter);
  await addCounts(tx, counter, [...values, ...wide(counter, values)]);
  await addToStatistics(tx, counter, values);
  // Delete by id: a range would also lock the end of the table, where every write appends.
  for (const some of chunks(ids)) await removeDeltas(tx, counter, some);
  return ids.length;
}

/** Reads the oldest deltas, summed up immediately so that the rows are not held in memory. */
async function readDeltas(tx: Transaction, counter: CounterTable): Promise<{ ids: number[]; values: CountRow[] }> {
  const rows = await tx.query<Record<string, Scalar>>(
    sql`SELECT * FROM ${name(counter.deltas.name)} ORDER BY delta_id LIMIT ${BATCH}`,
  );
  const every = rows.map((row) => counted(counter, row));
  return { ids: rows.map((each) => Number(each.delta_id)), values: sumUp(every, positions(counter)) };
}

async function removeDeltas(tx: Transaction, counter: CounterTable, ids: readonly number[]): Promise<void> {
  await tx.run(sql`DELETE FROM ${name(counter.deltas.name)} WHERE delta_id IN ${listed(ids)}`);
}

/** Locks the counter's row. A concurrent compaction waits here before it reads the deltas. */
async function lock(tx: Transaction, counter: CounterTable, now: Timestamp): Promise<void> {
  await tx.upsert(CounterCompaction, { name: counter.name, folded_at: now }, ['name']);
}

/** Returns the first dimension's values in groups, each with few enough rows for a short statement. */
async function firstValues(db: Db, counter: CounterTable): Promise<Scalar[][]> {
  const first = name(counter.dimensions[0] ?? '');
  const places = [counter.of, counter.totals, counter.deltas];
  const found = joined(
    places.map((each) => sql`SELECT ${first} AS value, COUNT(*) AS n FROM ${name(each.name)} GROUP BY ${first}`),
    ' UNION ALL ',
  );
  const rows = await db.query<{ value: Scalar; n: unknown }>(
    sql`SELECT value, SUM(n) AS n FROM (${found}) AS found WHERE value <> ${counter.all} GROUP BY value`,
  );
  const groups: Scalar[][] = [];
  let size = ROWS;
  for (const { value, n } of rows) {
    if (size + Number(n) > ROWS) {
      groups.push([]);
      size = 0;
    }
    groups.at(-1)?.push(value);
    size += Number(n);
  }
  return groups;
}

/**
 * Counts the rows by (dimensions…, day), minus the deltas that are still open. One statement reads both, so they share
 * a snapshot, and later rows appear in later deltas.
 */
async function countRows(db: Transaction, counter: CounterTable, firsts: readonly Scalar[]): Promise<CountRow[]> {
  const { of, dimensions, deltas, day, sum, only } = counter;
  const columns = joined(dimensions.map(name), ', ');
  const values = dimensions.map((each) => valueSql(db, counter, each));
  const chosen = sql`${name(dimensions[0] ?? '')} IN ${listed(firsts)}`;
  const [dayOfRow, dayOfDelta] = day === undefined ? [sql`''`, sql`''`] : [sql`SUBSTR(${name(day)}, 1, 10)`, sql`day`];
  const known = joined(values.map((each) => sql`${each} IS NOT NULL`));
  const amount = sum === undefined ? sql`1` : valueSql(db, counter, sum);
  const named = joined(
    values.map((each, i) => sql`${each} AS ${name(dimensions[i] ?? '')}`),
    ', ',
  );
  const rows = await db.query<Record<string, Scalar>>(sql`SELECT ${columns}, day, SUM(n) AS n FROM (
    SELECT ${named}, ${dayOfRow} AS day, ${amount} AS n FROM ${name(of.name)}
      WHERE ${chosen} AND ${known} AND ${conditionsOf(only)} AND ${notDeleted(of)}
    UNION ALL SELECT ${columns}, ${dayOfDelta}, -n FROM ${name(deltas.name)} WHERE ${chosen}) AS counted
    GROUP BY ${columns}, day`);
  return rows.map((row) => counted(counter, row));
}

function valueSql({ dialect }: Transaction, { computed }: CounterTable, column: string): Sql {
  const text = computed?.[column]?.sql[dialect];
  return text === undefined ? name(column) : { text: `(${text})`, params: [] };
}

function counted({ dimensions }: CounterTable, row: Record<string, Scalar>): CountRow {
  return { values: [...dimensions.map((each) => row[each] ?? ''), String(row.day).slice(0, 10)], n: Number(row.n) };
}

/** Builds the condition that excludes deleted rows from lists (V-25). */
export function notDeleted(of: Table): Sql {
  return 'deleted_at' in of.columns ? sql`${name(`${of.name}.deleted_at`)} IS NULL` : sql`1 = 1`;
}
