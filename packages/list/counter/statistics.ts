// Statistics: numbers that a record shows about the rows that reference it (a company's open tickets), in any module.
// They come from counters for large tables, and are counted on an index otherwise.
import type { Db, Transaction } from '@keelson/database/db.ts';
import type { New, Row, Table } from '@keelson/database/schema/table.ts';
import { joined, listed, name, sql } from '@keelson/database/statement/sql.ts';
import { valuesOf } from '@keelson/database/statement/statement.ts';
import { memoize } from '@keelson/kit/memoize.ts';
import { conditionsOf, groupSql } from './counter-read.ts';
import { count, countedColumns, countedValue, isKept, recountRow, type Counted, type CounterTable } from './counter.ts';

/** The part of an application that holds the counters. */
export interface WithCounters {
  readonly plugins: readonly { readonly counters?: readonly CounterTable[]; readonly counted?: readonly Counted[] }[];
}

/** The part of a context required for counting. */
export interface CountContext {
  readonly app: WithCounters;
  readonly db: Db;
  readonly tx: Transaction | undefined;
}

/**
 * Appends the deltas of a created, changed or deleted row to every counter of its table, in the transaction.
 * @param before the row before the change; undefined for a new row
 * @param after the row after the change; undefined, or with `deleted_at`, for a deleted row
 * @throws Error outside a transaction
 */
export function updateCounters<T extends Table>(
  ctx: CountContext,
  of: T,
  before: Row<T> | undefined,
  after: Row<T> | undefined,
): void {
  if (!ctx.tx) throw new Error('Rows must be counted in the transaction that changes them');
  const [was, is] = [living(before), living(after)];
  for (const counter of counters(ctx.app).get(of.name) ?? []) {
    if (was && is) recountRow(ctx.tx, counter, was, is);
    else if (was) count(ctx.tx, counter, was, -1);
    else if (is) count(ctx.tx, counter, is, 1);
  }
}

/** Counts many new rows, with one delta for all rows that share the same values. @throws Error outside a transaction */
export function updateCountersForNew<T extends Table>(ctx: CountContext, of: T, rows: readonly New<T>[]): void {
  if (!ctx.tx) throw new Error('Rows must be counted in the transaction that changes them');
  const kept = counters(ctx.app).get(of.name) ?? [];
  const whole = kept.length === 0 ? [] : rows.map((row) => withDefaults(of, valuesOf(row)));
  for (const counter of kept) {
    const columns = countedColumns(counter);
    const kinds = Map.groupBy(whole, (row) =>
      columns.map((each) => String(countedValue(counter, each, row))).join('\n'),
    );
    for (const [first, ...others] of kinds.values()) if (first) count(ctx.tx, counter, first, 1 + others.length);
  }
}

/** Returns a new row as it is stored: computed values may depend on any of its columns. */
function withDefaults({ columns }: Table, row: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const entries = Object.entries(columns);
  return Object.fromEntries(
    entries.map(([each, { options }]) => [each, row[each] === undefined ? (options.default ?? null) : row[each]]),
  );
}

/**
 * Returns the exact statistics of records, in one statement: `(await readStatistics(ctx, Company, ids,
 * ['tickets']))(id)`. Undeclared statistics and those without rows are 0.
 */
export async function readStatistics<N extends string>(
  ctx: CountContext,
  of: Table,
  ids: readonly number[],
  names: readonly N[],
): Promise<(id: number) => Record<N, number>> {
  const known = new Map<string, number>();
  const parts = ids.length === 0 ? [] : partsFor(ctx.app, of, ids, names);
  if (parts.length > 0) {
    const rows = await ctx.db.query<{ statistic: string; id: number; n: unknown }>(
      sql`SELECT statistic, id, SUM(n) AS n FROM (${joined(parts, ' UNION ALL ')}) AS counted GROUP BY statistic, id`,
    );
    for (const row of rows) known.set(`${row.statistic} ${row.id}`, Number(row.n));
  }
  return (id) => Object.fromEntries(names.map((each) => [each, known.get(`${each} ${id}`) ?? 0])) as Record<N, number>;
}

function partsFor(app: WithCounters, of: Table, ids: readonly number[], names: readonly string[]) {
  return app.plugins
    .flatMap(({ counters: kept = [], counted = [] }): readonly Counted[] => [...kept, ...counted])
    .flatMap((counter) =>
      counter.statistics
        .filter((each) => each.of.name === of.name && names.includes(each.name))
        .flatMap((statistic) => {
          const dimension = counter.dimensions[0] ?? '';
          const first = name(dimension);
          if (!isKept(counter)) {
            const grouped = groupSql(counter, dimension, { ...statistic.where, [dimension]: ids });
            return [sql`SELECT ${statistic.name} AS statistic, value AS id, n FROM (${grouped}) AS counted_now`];
          }
          return [counter.totals, counter.deltas].map(
            (from) => sql`SELECT ${statistic.name} AS statistic, ${first} AS id, n FROM ${name(from.name)}
            WHERE ${first} IN ${listed(ids)} AND ${conditionsOf(statistic.where)}`,
          );
        }),
    );
}

const counters = memoize((app: WithCounters): ReadonlyMap<string, CounterTable[]> => {
  const all = app.plugins.flatMap((plugin) => plugin.counters ?? []);
  return Map.groupBy(all, (each) => each.of.name);
});

function living<R>(row: R | undefined): (R & Record<string, unknown>) | undefined {
  const record = row as (R & Record<string, unknown>) | undefined;
  return record && (record['deleted_at'] ?? null) === null ? record : undefined;
}
