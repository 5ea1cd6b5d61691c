// How rows of a noun are found: by their id, or a page of those a surface sees.
import type { Context } from '../plugin/context.ts';
import type { Shown } from '../plugin/shown.ts';
import type { Where } from '../database/db.ts';
import type { Row, Table } from '../database/table.ts';
import { memoize } from '../kit/memoize.ts';
import { inBatches } from '../files/export-rows.ts';
import { readAll } from '../list/read-all.ts';
import { by, countList, defineList, is, readPage, type Filter, type List, type Page } from '../list/list.ts';
import { notFound } from '../kit/problem.ts';
import type { Noun } from './noun.ts';
import { show } from './show.ts';
import type { ActorOf, AskedOf, FilteredOf, OutOf, RowOfView, View } from './view.ts';

/** What a caller adds to a request for a list. */
export interface Narrowed {
  /** Further conditions: a scope that is not the view's only one. */
  readonly where?: readonly Filter[];
  /** All rows that match, where it is known by other ways. */
  readonly total?: number | undefined;
}

/** The row with this id. @throws notFound() when it is absent or deleted */
export async function findOr404<N extends Noun>(ctx: Context, of: N, id: number): Promise<Row<N['table']>> {
  return (await ctx.db.one(of.table, withId(of.table, id))) ?? missing(of);
}

/** The same for somebody who is about to change it. */
export async function lock<N extends Noun>(ctx: Context, of: N, id: number): Promise<Row<N['table']>> {
  return (await ctx.db.one(of.table, withId(of.table, id), { lock: true })) ?? missing(of);
}

/** Those of these rows that are there, in the order of their ids, so that two who lock the same never wait for each other. */
export async function lockAll<N extends Noun>(ctx: Context, of: N, ids: readonly number[]): Promise<Row<N['table']>[]> {
  if (ids.length === 0) return [];
  const order = [[of.table.primary, 'ASC']] as const;
  return ctx.db.find<Table>(of.table, withId(of.table, [...new Set(ids)]), { order, lock: true });
}

/** The row with this id, if the view's surface shows it to the caller. @throws notFound() when not */
export async function findVisible<V extends View>(
  ctx: Context<ActorOf<V>>,
  view: V,
  id: number,
  { where = [] }: Narrowed = {},
): Promise<RowOfView<V>> {
  const { table } = view.of;
  const asked = [is(table.primary, id), ...view.visible(ctx), ...where];
  // Room for a second row: a page that is not full tells the total by itself.
  const request = { where: asked, sort: table.primary, direction: 'asc', page: 1, size: 2 } as const;
  const { rows } = await readPage<RowOfView<V>>(ctx.db, wholeRows(table), request);
  return rows[0] ?? missing(view.of);
}

/** A page of what the view's surface shows, as its answer has it. */
export async function pageOf<V extends View>(
  ctx: Context<ActorOf<V>>,
  view: V,
  asked: AskedOf<V>,
  more: Narrowed = {},
): Promise<Page<Shown<OutOf<V>>>> {
  const { sort, direction } = sortOf(view, asked);
  const { page, size } = asked;
  const where = await whereOf(ctx, view, asked, more);
  const { rows, total } = await readPage(ctx.db, view.list, { where, sort, direction, page, size, total: more.total });
  return { rows: await show(ctx, view, rows), total };
}

/** How many rows that is. */
export async function countOf<V extends View>(
  ctx: Context<ActorOf<V>>,
  view: V,
  asked: FilteredOf<V>,
  more: Narrowed = {},
): Promise<number> {
  return countList(ctx.db, view.list, await whereOf(ctx, view, asked, more));
}

/** All of them in their order, batch by batch: for exports. */
export async function* answers<V extends View>(
  ctx: Context<ActorOf<V>>,
  view: V,
  asked: FilteredOf<V>,
  more: Narrowed = {},
): AsyncGenerator<Shown<OutOf<V>>[]> {
  const request = { where: await whereOf(ctx, view, asked, more), ...sortOf(view, asked) };
  for await (const batch of inBatches(readAll(ctx.db, view.list, request))) yield await show(ctx, view, batch);
}

async function whereOf<V extends View>(
  ctx: Context<ActorOf<V>>,
  view: V,
  asked: FilteredOf<V>,
  more: Narrowed,
): Promise<Filter[]> {
  const where: Filter[] = [...view.visible(ctx), ...(more.where ?? [])];
  const values: Readonly<Record<string, unknown>> = asked;
  for (const [key, filter] of filtersOf(view.of)) {
    const value = values[key];
    if (value === undefined) continue;
    const found = await filter.where(ctx, value);
    if (found) where.push(found);
  }
  return where;
}

function sortOf(view: View, { sort, order }: FilteredOf<View>) {
  const [usual = ''] = Object.keys(view.of.sorts);
  return { sort: sort ?? usual, direction: order ?? view.of.order };
}

const filtersOf = memoize((of: Noun) => Object.entries(of.filters));

const wholeRows: (table: Table) => List<any> = memoize((table: Table) =>
  defineList({ table, columns: Object.keys(table.columns), sorts: { [table.primary]: by(table.primary) } }),
);

/** The row that is not deleted. */
function withId<T extends Table>(table: T, id: number | readonly number[]): Where<T> {
  const where: Record<string, unknown> = { [table.primary]: id };
  if ('deleted_at' in table.columns) where['deleted_at'] = null;
  // The key is the table's own; its type is lost with the column's name.
  return where as Where<T>;
}

function missing({ title }: Noun): never {
  throw notFound(title);
}
