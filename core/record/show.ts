// Rows through a view: what routes answer and what events carry.
import type { Context } from '../plugin/context.ts';
import type { Shown } from '../plugin/shown.ts';
import { readStatistics } from '../list/statistics.ts';
import type { LookupMaps } from './copy.ts';
import type { OutOf, RowOfView, View } from './view.ts';

/** Names, and what else a view looks up, that the caller knows already, by member: `{ company_name: company.customer }`. */
export type Known<V extends View> = { readonly [K in keyof OutOf<V>]?: OutOf<V>[K] | null };

/** Rows as the view's surface answers them; what is looked up for all in one statement for each kind. */
export async function show<V extends View>(
  ctx: Context,
  view: V,
  rows: readonly RowOfView<V>[],
): Promise<Shown<OutOf<V>>[]> {
  const found = view.lookups.length === 0 ? [] : await readLookups(ctx, view, rows);
  return rows.map((row) => view.answer(row, found)) as Shown<OutOf<V>>[];
}

/** One row, or one that is on its way: `showOne(ctx, ClaimView, create(ctx, Claims, body))`. */
export async function showOne<V extends View>(
  ctx: Context,
  view: V,
  row: RowOfView<V> | Promise<RowOfView<V>>,
): Promise<Shown<OutOf<V>>> {
  const there = await row;
  return view.answer(there, await readLookups(ctx, view, [there])) as Shown<OutOf<V>>;
}

/** One row whose names are known, and what else is looked up: nothing is read. @throws Error when one is not given */
export function showWith<V extends View>(view: V, row: RowOfView<V>, known: Known<V>): Shown<OutOf<V>> {
  return view.answer(row, knownLookups(view, known)) as Shown<OutOf<V>>;
}

/** One row as the data of an event whose shape is `view.shape`: moments keep their milliseconds until they leave. */
export async function eventData<V extends View>(ctx: Context, view: V, row: RowOfView<V>): Promise<OutOf<V>> {
  return view.data(row, await readLookups(ctx, view, [row])) as OutOf<V>;
}

/** The same for many rows, with what is looked up for all of them read at once: answers what makes the data of one. */
export async function eventDataFor<V extends View>(
  ctx: Context,
  view: V,
  rows: readonly RowOfView<V>[],
): Promise<(row: RowOfView<V>) => OutOf<V>> {
  const found = await readLookups(ctx, view, rows);
  return (row) => view.data(row, found) as OutOf<V>;
}

/** The same where the names are known. @throws Error when one is not given */
export function eventDataWith<V extends View>(view: V, row: RowOfView<V>, known: Known<V>): OutOf<V> {
  return view.data(row, knownLookups(view, known)) as OutOf<V>;
}

async function readLookups(
  ctx: Context,
  { lookups, of: { table } }: View,
  rows: readonly Readonly<Record<string, unknown>>[],
): Promise<LookupMaps> {
  const maps: LookupMaps[number][] = [];
  const statistics = lookups.flatMap(({ statistic }) => statistic ?? []);
  const figuresOf =
    statistics.length > 0 ? await readStatistics(ctx, table, idsIn(rows, table.primary), statistics) : undefined;
  for (const { lookup, statistic, column } of lookups) {
    if (figuresOf && statistic) maps.push({ get: (id) => figuresOf(id)[statistic] });
    else maps.push(await lookup(ctx, idsIn(rows, column)));
  }
  return maps;
}

/** A column that something is looked up by holds ids: `id()`, `ref()`. */
function idsIn(rows: readonly Readonly<Record<string, unknown>>[], column: string): number[] {
  return rows.flatMap((row) => (row[column] as number | null) ?? []);
}

function knownLookups<V extends View>(view: V, known: Known<V>): LookupMaps {
  return view.lookups.map(({ key }) => {
    const value = (known as Readonly<Record<string, unknown>>)[key];
    if (value === undefined) throw new Error(`The name ${key} of ${view.of.table.name} is not given`);
    return { get: () => value };
  });
}
