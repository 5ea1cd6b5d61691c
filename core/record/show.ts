// Turns rows into answers and into the data of events, through a view.
import type { Context } from '../plugin/context.ts';
import type { Shown } from '../plugin/shown.ts';
import type { NameMaps } from './copy.ts';
import type { OutOf, RowOfView, View } from './view.ts';

/** Names that the caller has already, by member: `{ company_name: company.customer }`. */
export type KnownNames<V extends View> = { readonly [K in keyof OutOf<V>]?: string | null };

/** The rows as answers, in the same order. Names that are not cached take one statement for each kind. */
export async function show<V extends View>(
  ctx: Context,
  view: V,
  rows: readonly RowOfView<V>[],
): Promise<Shown<OutOf<V>>[]> {
  const names = view.named.length === 0 ? [] : await readNames(ctx, view, rows);
  return rows.map((row) => view.answer(row, names)) as Shown<OutOf<V>>[];
}

/** One row as an answer; it may be a promise: `showOne(ctx, ClaimView, create(ctx, Claims, body))`. */
export async function showOne<V extends View>(
  ctx: Context,
  view: V,
  row: RowOfView<V> | Promise<RowOfView<V>>,
): Promise<Shown<OutOf<V>>> {
  const there = await row;
  return view.answer(there, await readNames(ctx, view, [there])) as Shown<OutOf<V>>;
}

/** One row as an answer, with names from the caller and without a statement. @throws Error when a name is missing */
export function showWith<V extends View>(view: V, row: RowOfView<V>, names: KnownNames<V>): Shown<OutOf<V>> {
  return view.answer(row, knownNames(view, names)) as Shown<OutOf<V>>;
}

/** One row as the data of an event with the shape `view.shape`; moments keep their milliseconds. */
export async function eventData<V extends View>(ctx: Context, view: V, row: RowOfView<V>): Promise<OutOf<V>> {
  return view.data(row, await readNames(ctx, view, [row])) as OutOf<V>;
}

/** The same with names from the caller and without a statement. @throws Error when a name is missing */
export function eventDataWith<V extends View>(view: V, row: RowOfView<V>, names: KnownNames<V>): OutOf<V> {
  return view.data(row, knownNames(view, names)) as OutOf<V>;
}

async function readNames(
  ctx: Context,
  { named }: View,
  rows: readonly Readonly<Record<string, unknown>>[],
): Promise<NameMaps> {
  const maps: Map<number, string>[] = [];
  for (const { names, column } of named) {
    // A cast: columns of named members are made with `ref()` and hold ids.
    const ids = rows.map((row) => row[column] as number | null);
    maps.push(await ctx.app.names.get(ctx.db, names, ids));
  }
  return maps;
}

function knownNames<V extends View>(view: V, known: KnownNames<V>): NameMaps {
  return view.named.map(({ key }) => {
    const name = (known as Readonly<Record<string, string | null | undefined>>)[key];
    if (name === undefined) throw new Error(`The name ${key} of ${view.of.table.name} is not given`);
    return { get: () => name };
  });
}
