// Expressions over a counter's tables: stored counts plus the open deltas.
import type { CounterTable, CountFilter, Scalar } from './counter.ts';
import { joined, listed, name, sql, type Sql } from '../database/sql.ts';

/** The exact count as an expression for another statement. */
export function countSql(counter: CounterTable, filter: CountFilter): Sql {
  const { totals, deltas } = counter;
  return sql`((SELECT COALESCE(SUM(n), 0) FROM ${name(totals.name)} WHERE ${ofTotals(counter, filter)})
    + (SELECT COALESCE(SUM(n), 0) FROM ${name(deltas.name)} WHERE ${ofDeltas(filter)}))`;
}

/** Rows (`value`, `n`) for a GROUP BY: a value may have several rows, because open deltas are not yet summed up. */
export function groupSql(counter: CounterTable, dimension: string, filter: CountFilter): Sql {
  const { totals, deltas } = counter;
  const by = name(dimension);
  const each = dimension === counter.dimensions[0] && !Object.hasOwn(filter, dimension);
  const scope = each ? sql`${by} <> ${counter.all} AND ${joined(conditions(filter))}` : ofTotals(counter, filter);
  return sql`SELECT ${by} AS value, n FROM ${name(totals.name)} WHERE ${scope}
    UNION ALL SELECT ${by}, n FROM ${name(deltas.name)} WHERE ${ofDeltas(filter)}`;
}

/** The filter on stored counts: without the first dimension it selects the rows with `all`. */
export function ofTotals(counter: CounterTable, filter: CountFilter): Sql {
  const first = counter.dimensions[0] ?? '';
  return joined(conditions(Object.hasOwn(filter, first) ? filter : { [first]: counter.all, ...filter }));
}

function ofDeltas(filter: CountFilter): Sql {
  return conditionsOf(filter);
}

/** The filter as a condition on the dimensions. */
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
