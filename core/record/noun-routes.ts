// The five routes of a plain noun: list, create, read, change and delete. Options cover the differences between nouns;
// a noun with another shape declares its routes by hand.
import type { Row } from '@keelson/database/schema/table.ts';
import { input } from '@keelson/kit/input.ts';
import { z } from 'zod';
import type { Context } from '../plugin/context.ts';
import { created, item, list, nothing } from '../plugin/route/returns.ts';
import type { Route, SurfaceApi } from '../plugin/route/route.ts';
import type { Answered, AnswerOf } from '../plugin/route/shown.ts';
import type { Access } from '../plugin/route/surface.ts';
import { findOr404, lock, pageOf } from './read.ts';
import type { Given, Recorded, Wanted } from './record.ts';
import { showOne } from './show.ts';
import { seesAll, type View } from './view.ts';
import { change, create, remove } from './write.ts';

type RowOf<R extends Recorded> = Row<R['table']>;
type Body<F extends z.ZodRawShape> = z.output<z.ZodObject<F>>;
type Changes<F extends z.ZodRawShape> = z.output<z.ZodObject<{ [K in keyof F]: z.ZodOptional<F[K]> }>>;
type NewBody<F extends z.ZodRawShape, N extends z.ZodRawShape> = Body<Omit<F, keyof N> & N>;

export interface NounRoutes<
  A,
  R extends Recorded,
  V extends View,
  F extends z.ZodRawShape,
  N extends z.ZodRawShape,
  D extends Answered,
> {
  readonly titles: Readonly<Record<'list' | 'create' | 'read' | 'update' | 'delete', string>>;
  readonly read: Access<NoInfer<A>>;
  readonly write: Access<NoInfer<A>>;
  /** Access for deleting; defaults to `write`. */
  readonly delete?: Access<NoInfer<A>>;
  /** The view of lists, and of single records without `detail`. */
  readonly view: V;
  /** The response for single records, if it differs from `view`. */
  readonly detail?: { readonly shape: D; show(ctx: Context, row: RowOf<R>): Promise<AnswerOf<D>> };
  /** The fields of request bodies. All are optional for a change. */
  readonly fields: F;
  /** Fields that only apply, or differ, when creating. */
  readonly newFields?: N;
  /** Custom create, lock, change and remove functions; default to the record's own. */
  create?(ctx: Context, given: NewBody<NoInfer<F>, NoInfer<N>>): Promise<RowOf<R>>;
  lock?(ctx: Context, id: number): Promise<RowOf<R>>;
  change?(ctx: Context, row: RowOf<R>, wanted: Changes<NoInfer<F>>): Promise<RowOf<R>>;
  remove?(ctx: Context, row: RowOf<R>): Promise<void>;
  /** Marks routes that are not in the specification. */
  readonly addition?: boolean;
}

/** Requires custom `create` and `change` functions if the request bodies do not match the record's input. */
type Made<R extends Recorded, F extends z.ZodRawShape, N extends z.ZodRawShape> = (NewBody<F, N> extends Given<R>
  ? unknown
  : { create: unknown }) &
  (Changes<F> extends Wanted<R> ? unknown : { change: unknown });

/**
 * Builds the routes that list, create, read, change and delete a noun. The path is that of one record:
 * `/crates.php?id={id}`, or `/crates/{id}`.
 * @throws Error if the view is limited to some rows
 * @example
 * routes: nounRoutes(admin, '/bell/notes.php?id={id}', Notes, {
 *   titles: {
 *     list: 'List notes',
 *     create: 'Write a note',
 *     read: 'Read a note',
 *     update: 'Change a note',
 *     delete: 'Delete a note',
 *   },
 *   read: ReadNotes,
 *   write: WriteNotes,
 *   view: NoteView,
 *   fields: { title: input.text(255) },
 * })
 */
export function nounRoutes<
  A,
  R extends Recorded,
  V extends View,
  F extends z.ZodRawShape,
  N extends z.ZodRawShape = {},
  D extends Answered = V,
>(surface: SurfaceApi<A>, path: string, of: R, options: NounRoutes<A, R, V, F, N, D> & Made<R, F, N>): Route[] {
  const { titles, read, write, detail, addition = false } = options;
  const view: View = options.view;
  if (view.visible !== seesAll) throw new Error(`${path}: a view limited to some rows needs its own routes`);
  const one = path as '{id}';
  const all = path.replace(/(?:\?id=|\/)\{id\}$/, '');
  const shape: Answered = detail?.shape ?? view;
  const does = actionsOf(of, options as never);
  return [
    surface.get(all, {
      title: titles.list,
      access: read,
      addition,
      query: surface.paging(view.query),
      returns: list(view),
      handle: (ctx, { query }) => pageOf(ctx, view, query as never),
    }),
    surface.post(all, {
      title: titles.create,
      access: write,
      addition,
      body: z.object({ ...options.fields, ...options.newFields }),
      returns: created(shape),
      handle: async (ctx, { body }) => does.show(ctx, await does.create(ctx, body)),
    }),
    surface.get(one, {
      title: titles.read,
      access: read,
      addition,
      returns: item(shape),
      load: (ctx, { id }) => findOr404(ctx, of, id),
      handle: (ctx, { item: row }) => does.show(ctx, row),
    }),
    surface.put(one, {
      title: titles.update,
      access: write,
      addition,
      body: input.changes(options.fields),
      returns: item(shape),
      load: (ctx, { id }) => does.lock(ctx, id),
      handle: async (ctx, { item: row, body }) => does.show(ctx, await does.change(ctx, row, body)),
    }),
    surface.delete(one, {
      title: titles.delete,
      access: options.delete ?? write,
      addition,
      returns: nothing(of.table.primary),
      load: (ctx, { id }) => does.lock(ctx, id),
      handle: (ctx, { item: row }) => does.remove(ctx, row),
    }),
  ];
}

type Any = NounRoutes<any, Recorded, View, z.ZodRawShape, z.ZodRawShape, Answered>;

/** Returns the untyped actions of the routes: `Made` has checked that the bodies match create and change. */
function actionsOf(of: Recorded, options: Any) {
  const { view, detail } = options;
  return {
    create: options.create ?? ((ctx: Context, given: unknown) => create(ctx, of, given as never)),
    lock: options.lock ?? ((ctx: Context, id: number) => lock(ctx, of, id)),
    change:
      options.change ??
      ((ctx: Context, row: RowOf<Recorded>, wanted: unknown) => change(ctx, of, row, wanted as never)),
    remove: options.remove ?? ((ctx: Context, row: RowOf<Recorded>) => remove(ctx, of, row)),
    show: (ctx: Context, row: RowOf<Recorded>): Promise<never> =>
      (detail ? detail.show(ctx, row) : showOne(ctx, view, row)) as Promise<never>,
  };
}
