// Declares how a table's rows are read: list filters, list sorts and the noun in 404 messages. Independent of writing
// (record.ts).
import type { Table } from '@keelson/database/schema/table.ts';
import type { CounterTable } from '@keelson/list/counter/counter.ts';
import { by, type Sort } from '@keelson/list/list.ts';
import { filtersFor, type FilterMap, type FiltersOf } from './filter.ts';

export type SortMap = Readonly<Record<string, Sort>>;

export interface NounOptions<T extends Table, F extends FilterMap, S extends SortMap> {
  /** The noun in messages: `Ticket not found`. */
  readonly title: string;
  /** The list filters. */
  readonly filters?: (its: FiltersOf<T>) => F;
  /** The list sorts; the first is the default. Defaults to sorting by key. */
  readonly sorts?: S;
  /** The default direction (`desc` if omitted). */
  readonly order?: 'asc' | 'desc';
  /** Counters that make totals and deep pages cheap. */
  readonly counters?: readonly CounterTable[];
}

/** The result of `noun(…)` and `record(…)`: how a table's rows are read. */
export interface Noun<T extends Table = Table, F extends FilterMap = FilterMap, S extends SortMap = SortMap> {
  readonly table: T;
  readonly title: string;
  readonly filters: F;
  readonly sorts: S;
  readonly order: 'asc' | 'desc';
  readonly counters: readonly CounterTable[];
}

/** Declares how a table's rows are read. Call once, at module level. @throws Error for a sort by an unknown column */
export function noun<T extends Table, F extends FilterMap = {}, S extends SortMap = {}>(
  table: T,
  options: NounOptions<T, F, S>,
): Noun<T, F, S> {
  const { title, counters = [], order = 'desc' } = options;
  const sorts = options.sorts ?? { [table.primary]: by(table.primary) };
  for (const each of Object.values(sorts).flatMap(({ columns, through }) => [
    ...columns,
    ...(through ? [through.via] : []),
  ]))
    if (!Object.hasOwn(table.columns, each)) throw new Error(`${table.name} has no column ${each} to sort by`);
  const filters = options.filters?.(filtersFor(table)) ?? {};
  // If omitted, `F` and `S` are `{}`.
  return Object.freeze({ table, title, order, counters, filters: filters as F, sorts: Object.freeze(sorts) as S });
}
