// Reads rows of a noun: by id, or as pages of what a surface may see.
import type { Db, Where } from '@keelson/database/db.ts';
import type { Row, Table } from '@keelson/database/schema/table.ts';
import { inBatches } from '@keelson/files';
import { memoize } from '@keelson/kit/memoize.ts';
import { notFound } from '@keelson/kit/problem.ts';
import { by, defineList, is, type Filter, type List } from '@keelson/list/list.ts';
import { countKept, countList, readPage, type Page } from '@keelson/list/page/page.ts';
import { readAll } from '@keelson/list/walk/all-rows.ts';
import { In, IsNull } from 'typeorm';
import type { Context } from '../plugin/context.ts';
import type { Shown } from '../plugin/route/shown.ts';
import type { Noun } from './noun.ts';
import { requireOwnCompany } from './own-company.ts';
import { show } from './show.ts';
import type { ActorOf, AskedOf, FilteredOf, OutOf, RowOfView, View } from './view.ts';

/** Restrictions that domain code adds to a list request. */
export interface Narrowed {
  /** Conditions in addition to those of the request and the view. */
  readonly where?: readonly Filter[];
  /** The total, if already known. */
  readonly total?: number | undefined;
}

/** As `Narrowed`, for exports. */
export interface Exported extends Pick<Narrowed, 'where'> {
  /** Where to read the rows, for an export `readerOf(ctx)`. Default: `ctx.db`. */
  readonly db?: Db | undefined;
}

/**
 * Returns the row with this id. @throws notFound() if it is absent, deleted, or of another company than the employee's
 */
export async function findOr404<N extends Noun>(ctx: Context, of: N, id: number): Promise<Row<N['table']>> {
  const row = (await ctx.db.findOneBy(of.table, withId(of.table, id))) ?? missing(of);
  requireOwnCompany(ctx, of.title, [row]);
  return row;
}

/**
 * Returns the row with this id, locked until the transaction ends. With a view instead of a noun, only rows that the
 * view shows to the caller are found; helpdesk routes use this.
 * @throws notFound() if the row is absent, deleted or not visible to the caller
 */
export async function lock<N extends Noun>(ctx: Context, of: N | View<N>, id: number): Promise<Row<N['table']>> {
  if ('visible' in of) await findVisible(ctx, of, id);
  const noun: Noun = 'visible' in of ? of.of : of;
  const row =
    (await ctx.db.findOne(noun.table, { where: withId(noun.table, id), lock: { mode: 'pessimistic_write' } })) ??
    missing(noun);
  requireOwnCompany(ctx, noun.title, [row]);
  return row as Row<N['table']>;
}

/** Locks and returns the existing rows with these ids. Locks in id order, which avoids deadlocks. */
export async function lockAll<N extends Noun>(ctx: Context, of: N, ids: readonly number[]): Promise<Row<N['table']>[]> {
  if (ids.length === 0) return [];
  const order = { [of.table.primary]: 'ASC' } as const;
  return ctx.db.find<Table>(of.table, {
    where: withId(of.table, [...new Set(ids)]),
    order,
    lock: { mode: 'pessimistic_write' },
  });
}

/** Returns the row with this id if the view shows it to the caller. @throws notFound() otherwise */
export async function findVisible<V extends View>(
  ctx: Context<ActorOf<V>>,
  view: V,
  id: number,
  { where = [] }: Narrowed = {},
): Promise<RowOfView<V>> {
  const { table } = view.of;
  const asked = [is(table.primary, id), ...view.visible(ctx), ...where];
  // Request a page of two rows: it is never full, so no extra statement for the total is needed.
  const request = { where: asked, sort: table.primary, direction: 'asc', page: 1, size: 2 } as const;
  const { rows } = await readPage<RowOfView<V>>(ctx.db, wholeRows(table), request);
  return rows[0] ?? missing(view.of);
}

/** Returns a page of the rows that the view shows to the caller. @throws invalid() for an unknown sort (P-18) */
export async function pageOf<V extends View>(
  ctx: Context<ActorOf<V>>,
  view: V,
  asked: AskedOf<V>,
  more: Narrowed = {},
): Promise<Page<Shown<OutOf<V>>>> {
  const { sort, direction } = sortOf(view, asked);
  const { page, size } = asked;
  const where = await whereOf(ctx, view, asked, more);
  const found = await readPage(ctx.db, view.list, { where, sort, direction, page, size, total: more.total });
  return { ...found, rows: await show(ctx, view, found.rows) };
}

/** Returns the number of rows that the view shows to the caller and that match the filters. */
export async function countOf<V extends View>(
  ctx: Context<ActorOf<V>>,
  view: V,
  asked: FilteredOf<V>,
  more: Exported = {},
): Promise<number> {
  return countList(more.db ?? ctx.db, view.list, await whereOf(ctx, view, asked, more));
}

/**
 * Counts rows for several requests in one statement, from counters alone, so that the cost does not depend on the table
 * size. Null for requests that no counter covers.
 */
export async function countsOf<V extends View>(
  ctx: Context<ActorOf<V>>,
  view: V,
  asked: readonly FilteredOf<V>[],
): Promise<(number | null)[]> {
  const wheres: Filter[][] = [];
  for (const each of asked) wheres.push(await whereOf(ctx, view, each, {}));
  return countKept(ctx.db, view.list, wheres);
}

/** Yields all matching rows that the view shows to the caller, in batches of responses. For exports. */
export async function* answers<V extends View>(
  ctx: Context<ActorOf<V>>,
  view: V,
  asked: FilteredOf<V>,
  more: Exported = {},
): AsyncGenerator<Shown<OutOf<V>>[]> {
  const request = { where: await whereOf(ctx, view, asked, more), ...sortOf(view, asked) };
  for await (const batch of inBatches(readAll(more.db ?? ctx.db, view.list, request)))
    yield await show(ctx, view, batch);
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

/** Builds the condition for one or more ids, excluding deleted rows. */
function withId<T extends Table>(table: T, id: number | readonly number[]): Where<T> {
  const where: Record<string, unknown> = { [table.primary]: typeof id === 'number' ? id : In(id) };
  if ('deleted_at' in table.columns) where['deleted_at'] = IsNull();
  // Cast, because the type does not know the key's name.
  return where as Where<T>;
}

function missing({ title }: Noun): never {
  throw notFound(title);
}
