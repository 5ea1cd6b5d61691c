// Rows through a view: what routes answer and what events carry.
import type { Context } from '../plugin/context.ts';
import type { Shown } from '../plugin/shown.ts';
import { readStatistics } from '../list/statistics.ts';
import type { Figures, NameMaps } from './copy.ts';
import type { OutOf, RowOfView, View } from './view.ts';

/** Names that the caller knows already, by member: `{ company_name: company.customer }`. */
export type KnownNames<V extends View> = { readonly [K in keyof OutOf<V>]?: string | null };

/** Rows as the view's surface answers them; the names of all in one statement for each kind. */
export async function show<V extends View>(
  ctx: Context,
  view: V,
  rows: readonly RowOfView<V>[],
): Promise<Shown<OutOf<V>>[]> {
  const names = view.named.length === 0 ? [] : await readNames(ctx, view, rows);
  if (view.statistics.length === 0) return rows.map((row) => view.answer(row, names, noFigures)) as Shown<OutOf<V>>[];
  const figuresOf = await readFigures(ctx, view, rows);
  return rows.map((row) => view.answer(row, names, figuresOf(row))) as Shown<OutOf<V>>[];
}

/** One row, or one that is on its way: `showOne(ctx, ClaimView, create(ctx, Claims, body))`. */
export async function showOne<V extends View>(
  ctx: Context,
  view: V,
  row: RowOfView<V> | Promise<RowOfView<V>>,
): Promise<Shown<OutOf<V>>> {
  const [shown] = await show(ctx, view, [await row]);
  return shown as Shown<OutOf<V>>;
}

/** One row whose names are known: nothing is read. @throws Error when one is not given, and for a view with statistics */
export function showWith<V extends View>(view: V, row: RowOfView<V>, names: KnownNames<V>): Shown<OutOf<V>> {
  return view.answer(row, knownNames(view, names), noFigures) as Shown<OutOf<V>>;
}

/** One row as the data of an event whose shape is `view.shape`: moments keep their milliseconds until they leave. */
export async function eventData<V extends View>(ctx: Context, view: V, row: RowOfView<V>): Promise<OutOf<V>> {
  const names = await readNames(ctx, view, [row]);
  const figuresOf = await readFigures(ctx, view, [row]);
  return view.data(row, names, figuresOf(row)) as OutOf<V>;
}

/** The same for many rows, with the names of all read at once: answers what makes the data of one. */
export async function eventDataFor<V extends View>(
  ctx: Context,
  view: V,
  rows: readonly RowOfView<V>[],
): Promise<(row: RowOfView<V>) => OutOf<V>> {
  const names = await readNames(ctx, view, rows);
  return (row) => view.data(row, names) as OutOf<V>;
}

/** The same where the names are known. @throws Error when one is not given */
export function eventDataWith<V extends View>(view: V, row: RowOfView<V>, names: KnownNames<V>): OutOf<V> {
  return view.data(row, knownNames(view, names), noFigures) as OutOf<V>;
}

const noFigures: Figures = Object.freeze({});

async function readFigures(
  ctx: Context,
  { statistics, of: { table } }: View,
  rows: readonly Readonly<Record<string, unknown>>[],
): Promise<(row: Readonly<Record<string, unknown>>) => Figures> {
  if (statistics.length === 0) return () => noFigures;
  const idOf = (row: Readonly<Record<string, unknown>>) => Number(row[table.primary]);
  const figuresOf = await readStatistics(ctx, table, rows.map(idOf), statistics);
  return (row) => figuresOf(idOf(row));
}

async function readNames(
  ctx: Context,
  { named }: View,
  rows: readonly Readonly<Record<string, unknown>>[],
): Promise<NameMaps> {
  const maps: Map<number, string>[] = [];
  for (const { names, column } of named) {
    // A column that a name belongs to holds ids: `ref()`.
    const ids = rows.map((row) => row[column] as number | null);
    maps.push(await ctx.app.names.get(ctx.db, names, ids));
  }
  return maps;
}

function knownNames<V extends View>(view: V, known: KnownNames<V>): NameMaps {
  if (view.statistics.length > 0) throw new Error(`A view of ${view.of.table.name} has statistics, which are read`);
  return view.named.map(({ key }) => {
    const name = (known as Readonly<Record<string, string | null | undefined>>)[key];
    if (name === undefined) throw new Error(`The name ${key} of ${view.of.table.name} is not given`);
    return { get: () => name };
  });
}
