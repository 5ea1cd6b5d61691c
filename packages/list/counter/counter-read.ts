// Reads counts, alone or as SQL expressions in other statements: stored counts plus open deltas for a counter table,
// otherwise a count of the rows.
import type { Db } from '@keelson/database/db.ts';
import { joined, listed, name, sql, type Sql } from '@keelson/database/statement/sql.ts';
import { isKept, type Counted, type CounterTable, type CountFilter, type Scalar } from './counter.ts';

/** Returns the exact row count or sum. One statement reads stored counts and open deltas, so they are consistent. */
export async function readCount(db: Db, counter: Counted, filter: CountFilter = {}): Promise<number> {
  const rows = await db.query<{ n: unknown }>(sql`SELECT ${countSql(counter, filter)} AS n`);
  return Number(rows[0]?.n ?? 0);
}

/** Returns the counts by the values of one dimension, in one statement: `new` → 4. Zero counts are omitted. */
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

/** Builds the exact count as an expression for use in another statement. */
export function countSql(counter: Counted, filter: CountFilter): Sql {
  if (!isKept(counter)) return sql`(SELECT ${amount(counter)} FROM ${rowsOf(counter, filter)})`;
  const { totals, deltas } = counter;
  return sql`((SELECT COALESCE(SUM(n), 0) FROM ${name(totals.name)} WHERE ${ofTotals(counter, filter)})
    + (SELECT COALESCE(SUM(n), 0) FROM ${name(deltas.name)} WHERE ${ofDeltas(filter)}))`;
}

/**
 * Builds rows (`value`, `n`) for a GROUP BY. A value may have several rows, because open deltas are not yet summed up.
 */
export function groupSql(counter: Counted, dimension: string, filter: CountFilter): Sql {
  const by = name(dimension);
  if (!isKept(counter))
    return sql`SELECT ${by} AS value, ${amount(counter)} AS n FROM ${rowsOf(counter, filter)} GROUP BY ${by}`;
  const { totals, deltas } = counter;
  const each = dimension === counter.dimensions[0] && !Object.hasOwn(filter, dimension);
  const scope = each ? sql`${by} <> ${counter.all} AND ${joined(conditions(filter))}` : ofTotals(counter, filter);
  return sql`SELECT ${by} AS value, n FROM ${name(totals.name)} WHERE ${scope}
    UNION ALL SELECT ${by}, n FROM ${name(deltas.name)} WHERE ${ofDeltas(filter)}`;
}

const amount = ({ sum }: Counted): Sql => (sum === undefined ? sql`COUNT(*)` : sql`COALESCE(SUM(${name(sum)}), 0)`);

/** Builds the FROM clause for matching rows that are not deleted. */
function rowsOf({ of }: Counted, filter: CountFilter): Sql {
  const living = of.columns['deleted_at'] ? [sql`deleted_at IS NULL`] : [];
  const all = [...living, ...conditions(filter)];
  return all.length === 0 ? name(of.name) : sql`${name(of.name)} WHERE ${joined(all)}`;
}

/** Builds the filter on stored counts. Without the first dimension it selects the rows with `all`. */
export function ofTotals(counter: CounterTable, filter: CountFilter): Sql {
  const first = counter.dimensions[0] ?? '';
  return joined(conditions(Object.hasOwn(filter, first) ? filter : { [first]: counter.all, ...filter }));
}

function ofDeltas(filter: CountFilter): Sql {
  return conditionsOf(filter);
}

/** Builds the filter as a condition on the dimensions. */
export function conditionsOf(filter: CountFilter): Sql {
  return joined(conditions(filter));
}

function conditions(filter: CountFilter): Sql[] {
  return Object.entries(filter).map(([column, value]) =>
    isMany(value) ? sql`${name(column)} IN ${listed(value)}` : sql`${name(column)} = ${value}`,
  );
}

function isMany(value: CountFilter[string]): value is readonly Scalar[] {
  return Array.isArray(value);
}
