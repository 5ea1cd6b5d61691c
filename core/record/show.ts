// Converts rows to responses and to event data, through a view.
import type { Table } from '@keelson/database/schema/table.ts';
import { readStatistics } from '@keelson/list/counter/statistics.ts';
import type { Context } from '../plugin/context.ts';
import type { Shown } from '../plugin/route/shown.ts';
import type { LookupMaps } from './copy.ts';
import { requireOwnCompany } from './own-company.ts';
import type { OutOf, RowOfView, View } from './view.ts';

/** Lookup values that the caller already has, by member: `{ company_name: company.customer }`. */
export type Known<V extends View> = { readonly [K in keyof OutOf<V>]?: OutOf<V>[K] | null };

/** Converts rows to responses, in the same order. Runs one statement per kind of lookup. */
export async function show<V extends View>(
  ctx: Context,
  view: V,
  rows: readonly RowOfView<V>[],
): Promise<Shown<OutOf<V>>[]> {
  requireOwnCompany(ctx, view.of.title, rows);
  const found = view.lookups.length === 0 ? [] : await readLookups(ctx, view, rows);
  return rows.map((row) => view.answer(row, found)) as Shown<OutOf<V>>[];
}

/** Converts one row to a response. Accepts a promise: `showOne(ctx, ClaimView, create(ctx, Claims, body))`. */
export async function showOne<V extends View>(
  ctx: Context,
  view: V,
  row: RowOfView<V> | Promise<RowOfView<V>>,
): Promise<Shown<OutOf<V>>> {
  const there = await row;
  requireOwnCompany(ctx, view.of.title, [there]);
  return view.answer(there, await readLookups(ctx, view, [there])) as Shown<OutOf<V>>;
}

/** Converts one row to a response using `known`, without a statement. @throws Error if a lookup value is missing */
export function showWith<V extends View>(view: V, row: RowOfView<V>, known: Known<V>): Shown<OutOf<V>> {
  return view.answer(row, knownLookups(view, known)) as Shown<OutOf<V>>;
}

/** Converts one row to event data with the shape `view.shape`. Timestamps keep their milliseconds. */
export async function eventData<V extends View>(ctx: Context, view: V, row: RowOfView<V>): Promise<OutOf<V>> {
  return view.data(row, await readLookups(ctx, view, [row])) as OutOf<V>;
}

/** Reads the lookups of many rows at once. Returns a function that converts one of them to event data. */
export async function eventDataFor<V extends View>(
  ctx: Context,
  view: V,
  rows: readonly RowOfView<V>[],
): Promise<(row: RowOfView<V>) => OutOf<V>> {
  const found = await readLookups(ctx, view, rows);
  return (row) => view.data(row, found) as OutOf<V>;
}

/** Converts one row to event data using `known`, without a statement. @throws Error if a lookup value is missing */
export function eventDataWith<V extends View>(view: V, row: RowOfView<V>, known: Known<V>): OutOf<V> {
  return view.data(row, knownLookups(view, known)) as OutOf<V>;
}

/** Reads the lookups for these rows, with one statement per kind of lookup. */
export async function readLookups(
  ctx: Context,
  { lookups, of: { table } }: { readonly lookups: View['lookups']; readonly of: { readonly table: Table } },
  rows: readonly Readonly<Record<string, unknown>>[],
): Promise<LookupMaps> {
  const maps: LookupMaps[number][] = [];
  const statistics = lookups.flatMap(({ statistic }) => statistic ?? []);
  const figuresOf =
    statistics.length > 0 ? await readStatistics(ctx, table, idsIn(rows, table.primary), statistics) : undefined;
  const read = new Map<string, Map<unknown, LookupMaps[number]>>();
  for (const { lookup, statistic, column, pick } of lookups) {
    if (figuresOf && statistic) {
      maps.push({ get: (id) => figuresOf(id)[statistic] });
      continue;
    }
    const ofColumn = read.get(column) ?? new Map<unknown, LookupMaps[number]>();
    read.set(column, ofColumn);
    const found = ofColumn.get(lookup) ?? (await lookup(ctx, idsIn(rows, column)));
    ofColumn.set(lookup, found);
    maps.push(pick ? picked(found, pick) : found);
  }
  return maps;
}

const picked = (found: LookupMaps[number], pick: (found: unknown) => unknown): LookupMaps[number] => ({
  get: (id) => {
    const value = found.get(id);
    return value === undefined ? undefined : pick(value);
  },
});

/** Returns the ids in a lookup column. The cast is safe, because such columns are `id()` or `ref()`. */
function idsIn(rows: readonly Readonly<Record<string, unknown>>[], column: string): number[] {
  return rows.flatMap((row) => (row[column] as number | null) ?? []);
}

function knownLookups<V extends View>(view: V, known: Known<V>): LookupMaps {
  return view.lookups.map(({ key }) => {
    const value = (known as Readonly<Record<string, unknown>>)[key];
    if (value === undefined) throw new Error(`The name ${key} of ${view.of.table.name} was not provided`);
    return { get: () => value };
  });
}
