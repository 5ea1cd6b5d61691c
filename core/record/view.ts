// Declares views: what one surface sees of a noun, meaning which members, under which names, of which rows. One
// declaration yields the zod shape for the reference, the columns that lists read, and the compiled copy from row to
// response.
import type { OpenKeys, Row, Table } from '@keelson/database/schema/table.ts';
import { param } from '@keelson/kit/param.ts';
import { defineList, type Filter, type List } from '@keelson/list/list.ts';
import { z } from 'zod';
import type { Context } from '../plugin/context.ts';
import { copyOf, lookupMembers, type Copy, type LookupMember } from './copy.ts';
import type { AskedBy } from './filter.ts';
import { columnMember, membersFor, type Member, type Members, type MembersOf } from './member.ts';
import type { Noun } from './noun.ts';

type ColumnShapes<T extends Table, K extends keyof T['columns']> = { [P in K]: T['columns'][P]['shape'] };
type MemberShapes<M extends Members> = { [P in keyof M]: M[P] extends Member<infer O> ? z.ZodType<O> : never };
/** The shape of a view: the columns first, then the members of `more`. */
export type ViewShape<T extends Table, K extends keyof T['columns'], M extends Members> = {
  [P in keyof (ColumnShapes<T, K> & MemberShapes<M>)]: (ColumnShapes<T, K> & MemberShapes<M>)[P];
};

/** The result of `view(…)`: what one surface sees of a noun. */
export interface View<R extends Noun = Noun, Shape extends z.ZodRawShape = z.ZodRawShape, Actor = any> {
  readonly of: R;
  readonly members: Members;
  readonly lookups: readonly LookupMember[];
  /** The shape of a row, for events and the reference. */
  readonly shape: z.ZodObject<Shape>;
  /** The query parameters of its lists: `query: admin.paging(ClaimView.query)`. */
  readonly query: QueryOf<R>;
  /** Conditions for the rows that the caller may see. */
  readonly visible: (ctx: Context<Actor>) => readonly Filter[];
  readonly list: List<Row<R['table']>>;
  /** Copies a row for a response. Timestamps lose their milliseconds (V-04). */
  readonly answer: Copy;
  /** Copies a row for event data. Timestamps keep their milliseconds. */
  readonly data: Copy;
}

/** A row as the view shows it. */
export type OutOf<V extends View> = z.output<V['shape']>;
export type RowOfView<V extends View> = Row<V['of']['table']>;
/** The actor of a view. */
export type ActorOf<V extends View> = V extends View<any, any, infer Actor> ? Actor : never;

type IsUnion<T, U = T> = T extends unknown ? ([U] extends [T] ? false : true) : never;

/** The query parameters of a view's lists. A single sort has no parameter. */
export type QueryOf<R extends Noun> = { [K in keyof R['filters']]: R['filters'][K]['param'] } & (true extends IsUnion<
  keyof R['sorts']
>
  ? { sort: z.ZodType<keyof R['sorts'] & string>; order: z.ZodType<'asc' | 'desc'> }
  : {});

/** The filters and the sort of a request, without the page. */
export type FilteredOf<V extends View> = AskedBy<V['of']['filters']> & {
  readonly sort?: string | undefined;
  readonly order?: 'asc' | 'desc' | undefined;
};
/** The query of a list: filters, sort and page. */
export type AskedOf<V extends View> = FilteredOf<V> & { readonly page: number; readonly size: number };

export interface ViewOptions<R extends Noun, K extends string, X extends string, M extends Members, Actor> {
  /** The columns to show, in order; defaults to all that are not hidden. */
  readonly only?: readonly K[];
  readonly except?: readonly X[];
  /** Additional members, placed after the columns. */
  readonly more?: (its: MembersOf<R['table']>) => M;
  /**
   * Conditions for the rows that the caller may see: `({ actor }: Context<EmployeeActor>) => [is('company_number',
   * …)]`.
   */
  readonly visible?: (ctx: Context<Actor>) => readonly Filter[];
}

/** The `visible` of a view that shows every row. */
export const seesAll = (): readonly Filter[] => [];

type Open<R extends Noun> = OpenKeys<R['table']['columns']>;

/**
 * Declares what a surface sees of a noun: `only` some columns, or all that are not hidden `except` some; plus `more`.
 */
export function view<
  R extends Noun,
  const K extends Open<R> = Open<R>,
  const X extends Open<R> = never,
  M extends Members = {},
  Actor = unknown,
>(of: R, options: ViewOptions<R, K, X, M, Actor> = {}): View<R, ViewShape<R['table'], Exclude<K, X>, M>, Actor> {
  const { table } = of;
  const members = membersOf(table, options);
  const read = new Set([table.primary, ...Object.values(members).flatMap(({ columns }) => columns)]);
  const { sorts, counters } = of;
  // Cast: the options are typed, but the object is assembled at run time.
  return Object.freeze({
    of,
    members,
    lookups: lookupMembers(members),
    shape: z
      .object(Object.fromEntries(Object.entries(members).map(([key, { shape }]) => [key, shape])))
      .meta({ title: of.title }),
    query: queryOf(of),
    visible: options.visible ?? seesAll,
    list: defineList<Table, string>({ table, columns: [...read], sorts, counters }),
    answer: onFirstUse(() => copyOf(members, { answers: true })),
    data: onFirstUse(() => copyOf(members, { answers: false })),
  }) as never;
}

/** Defers compilation: every start declares hundreds of views and uses few of them. */
function onFirstUse(compile: () => Copy): Copy {
  let copy: Copy | undefined;
  return (row, found) => (copy ??= compile())(row, found);
}

/** Restricts a view to some rows: `restrict(ContractItem, ownCompany)`. */
export function restrict<R extends Noun, Shape extends z.ZodRawShape, Actor>(
  of: View<R, Shape, unknown>,
  visible: (ctx: Context<Actor>) => readonly Filter[],
): View<R, Shape, Actor> {
  return Object.freeze({ ...of, visible });
}

function membersOf(table: Table, { only, except = [], more }: ViewOptions<any, any, any, Members, any>): Members {
  const columns = only ?? Object.keys(table.columns).filter((each) => table.columns[each]?.open);
  const own = columns.filter((each: string) => !except.includes(each));
  return Object.freeze({
    ...Object.fromEntries(own.map((each: string) => [each, columnMember(table, each)])),
    ...more?.(membersFor(table)),
  });
}

function queryOf({ filters, sorts, order }: Noun): z.ZodRawShape {
  const params = Object.fromEntries(Object.entries(filters).map(([key, each]) => [key, each.param]));
  const [usual = '', ...others] = Object.keys(sorts);
  if (others.length === 0) return params;
  return { ...params, sort: param.sort([usual, ...others], usual), order: param.order(order) };
}
