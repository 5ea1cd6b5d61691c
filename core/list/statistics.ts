// What a record shows of the rows that refer to it (a company's open tickets), whichever module keeps them: from counters,
// so it is exact and costs the same always.
import type { Db, Transaction } from '../database/db.ts';
import { count, recountRow, type CounterTable } from './counter.ts';
import { conditionsOf } from './counter-sql.ts';
import { joined, listed, name, sql } from '../database/sql.ts';
import { memoize } from '../kit/memoize.ts';
import { valuesOf } from '../database/statement.ts';
import type { New, Row, Table } from '../database/table.ts';

/** What has plugins: an application, of which counting needs to know no more. */
export interface WithCounters {
  readonly plugins: readonly { readonly counters?: readonly CounterTable[] }[];
}

/** What counting needs of a context. */
export interface CountContext {
  readonly app: WithCounters;
  readonly db: Db;
  readonly tx: Transaction | undefined;
}

/**
 * Counts a row that was created, changed or deleted, in every counter of its table, with the commit of the change.
 * @param before as it was; undefined for a new row
 * @param after as it is; undefined, or with `deleted_at`, when it is deleted
 */
export function updateCounters<T extends Table>(
  ctx: CountContext,
  of: T,
  before: Row<T> | undefined,
  after: Row<T> | undefined,
): void {
  if (!ctx.tx) throw new Error('Rows are counted in the transaction that changes them');
  const [was, is] = [living(before), living(after)];
  for (const counter of counters(ctx.app).get(of.name) ?? []) {
    if (was && is) recountRow(ctx.tx, counter, was, is);
    else if (was) count(ctx.tx, counter, was, -1);
    else if (is) count(ctx.tx, counter, is, 1);
  }
}

/** The same for many new rows, those of a kind together: an import leaves few deltas. */
export function updateCountersForNew<T extends Table>(ctx: CountContext, of: T, rows: readonly New<T>[]): void {
  if (!ctx.tx) throw new Error('Rows are counted in the transaction that changes them');
  for (const counter of counters(ctx.app).get(of.name) ?? []) {
    const columns = [...counter.dimensions, counter.day, counter.sum].filter((each) => each !== undefined);
    const defaults = columns.map((each) => of.columns[each]?.options.default ?? null);
    const kinds = new Map<string, { values: unknown[]; n: number }>();
    for (const row of rows.map(valuesOf)) {
      const values = columns.map((each, i) => row[each] ?? defaults[i]);
      const kind = values.map(String).join('\n');
      const known = kinds.get(kind);
      if (known) known.n++;
      else kinds.set(kind, { values, n: 1 });
    }
    for (const { values, n } of kinds.values())
      count(ctx.tx, counter, Object.fromEntries(columns.map((each, i) => [each, values[i]])), n);
  }
}

/**
 * The figures of some records, exact, in one statement: `(await readFigures(ctx, Company, ids))(id)`. A figure that no
 * plugin declares, or that has nothing to count, is 0.
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
  return [...counters(app).values()].flat().flatMap((counter) =>
    counter.statistics
      .filter((each) => each.of.name === of.name && names.includes(each.name))
      .flatMap((statistic) => {
        const first = name(counter.dimensions[0] ?? '');
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
