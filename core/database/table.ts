// Tables: one declaration gives the database schema, the row type and the zod shape.
// This file and route.ts are the only ones that may cast: inference across a mapped type needs it.
import { EntitySchema } from 'typeorm';
import { z } from 'zod';
import type { Related, Relations } from './relation.ts';
import { entityOptions } from './schema.ts';
import type { Day, Timestamp } from '../kit/time.ts';

export type Dialect = 'sqlite' | 'mysql';

/** What a column is to a database; each dialect's types are in schema.ts. */
export type Kind = 'id' | 'int' | 'big' | 'varchar' | 'key' | 'text' | 'flag' | 'timestamp' | 'day' | 'json';

export interface Reference {
  readonly table: string;
  readonly column: string;
}

export interface ColumnOptions {
  readonly kind: Kind;
  readonly length?: number;
  readonly nullable?: boolean;
  readonly default?: unknown;
  readonly unique?: boolean;
  readonly primary?: boolean;
  /** Never part of the table's wire shape: hashes, secrets, search keys. */
  readonly hidden?: boolean;
  readonly references?: Reference;
}

/** One column: what the database stores and what a row's value must look like. */
export interface Column<Out, Has extends 'given' | 'filled' = 'given', Open extends boolean = true> {
  readonly options: ColumnOptions;
  readonly shape: z.ZodType<Out>;
  readonly has: Has;
  /** May a view show it? */
  readonly open: Open;
  nullable(): Column<Out | null, 'filled', Open>;
  default(value: Out): Column<Out, 'filled', Open>;
  unique(): Column<Out, Has, Open>;
  primary(): Column<Out, Has, Open>;
  hidden(): Column<Out, Has, false>;
}

// `any` here is what lets one record hold columns of every type; the row type is inferred from each.
export type Columns = Record<string, Column<any, any, any>>;
export type Flat<T> = { [K in keyof T]: T[K] } & {};
export type RowOf<C extends Columns> = Flat<{ [K in keyof C]: C[K] extends Column<infer Out, any, any> ? Out : never }>;
export type NewOf<C extends Columns> = Flat<
  { [K in keyof C as C[K] extends Column<any, 'given', any> ? K : never]: RowOf<C>[K] } & {
    [K in keyof C as C[K] extends Column<any, 'filled', any> ? K : never]?: RowOf<C>[K];
  }
>;

/** The columns that are not hidden. */
export type OpenKeys<C extends Columns> = {
  [K in keyof C]: C[K] extends Column<any, any, true> ? K : never;
}[keyof C] &
  string;

function column<Out, Has extends 'given' | 'filled' = 'given', Open extends boolean = true>(
  options: ColumnOptions,
  shape: z.ZodType<Out>,
  has = 'given' as Has,
  open = true as Open,
): Column<Out, Has, Open> {
  return Object.freeze({
    options,
    shape,
    has,
    open,
    nullable: () =>
      column<Out | null, 'filled', Open>({ ...options, nullable: true }, shape.nullable(), 'filled', open),
    default: (value: Out) => column<Out, 'filled', Open>({ ...options, default: value }, shape, 'filled', open),
    unique: () => column<Out, Has, Open>({ ...options, unique: true }, shape, has, open),
    primary: () => column<Out, Has, Open>({ ...options, primary: true }, shape, has, open),
    hidden: () => column<Out, Has, false>({ ...options, hidden: true }, shape, has, false),
  });
}

/** The generated primary key: a positive integer, never used twice (V-01). */
export const id = () => column<number, 'filled'>({ kind: 'id', primary: true }, z.int(), 'filled');
export const int = () => column<number>({ kind: 'int' }, z.int());
/** An integer that may pass 2³¹: sizes in bytes, amounts in minor units. */
export const big = () => column<number>({ kind: 'big' }, z.int());
/** Text of at most `length` characters, or 65,535 bytes and more without a length. */
export const text = (length?: number) =>
  column<string>(length ? { kind: 'varchar', length } : { kind: 'text' }, z.string());
/** A normalised look-up value, compared byte by byte on both databases (`A` is not `a`, trailing blanks count). */
export const key = (length = 255) => column<string>({ kind: 'key', length }, z.string());
export const flag = () => column<boolean>({ kind: 'flag' }, z.boolean());
export const choice = <const V extends readonly [string, ...string[]]>(...values: V) =>
  column<V[number]>({ kind: 'varchar', length: 40 }, z.enum(values) as z.ZodType<V[number]>);
/** A moment in UTC, to the millisecond. */
export const when = () => column<Timestamp>({ kind: 'timestamp' }, z.iso.datetime());
export const day = () => column<Day>({ kind: 'day' }, z.iso.date());
/** Stored as JSON text, never queried inside (the dialects disagree). */
export const json = <T>(shape: z.ZodType<T>) => column<T>({ kind: 'json' }, shape);
/** An integer foreign key to a table's primary key; a migration names it as `'company.company_number'`. */
export const ref = (target: Table | string) => column<number>({ kind: 'int', references: reference(target) }, z.int());

function reference(target: Table | string): Reference {
  if (typeof target !== 'string') return { table: target.name, column: target.primary };
  const [table = '', name = ''] = target.split('.');
  return { table, column: name };
}

export interface Index {
  readonly columns: readonly string[];
  readonly unique: boolean;
}

/**
 * A table, which is an entity of TypeORM too. It also knows its row type (`Row<typeof T>`), what an insert needs
 * (`New<typeof T>`) and its wire shape. `E` is what repositories read and write: the row and what is related to it.
 */
export class Table<C extends Columns = Columns, E extends object = RowOf<C>> extends EntitySchema<E> {
  declare readonly Row: RowOf<C>;
  declare readonly New: NewOf<C>;
  readonly name: string;
  readonly columns: C;
  readonly indices: readonly Index[];
  readonly relations: Relations;
  /** The primary key's column; a table with a compound key names its first part. */
  readonly primary: string;
  /** The columns that may leave, as a zod object. */
  readonly shape: z.ZodObject<{ [K in keyof C]: C[K]['shape'] }>;

  constructor(name: string, columns: C, indices: readonly Index[], relations: Relations = {}) {
    // The types are SQLite's. A data source of MySQL keeps an entity of the same name with its own (schema.ts).
    super(entityOptions({ name, columns, indices, relations }, 'sqlite') as never);
    this.name = name;
    this.columns = Object.freeze(columns);
    this.indices = indices;
    this.relations = relations;
    this.primary = Object.keys(columns).find((each) => columns[each]?.options.primary) ?? '';
    const open = Object.entries(columns).filter(([, each]) => !each.options.hidden);
    this.shape = z.object(Object.fromEntries(open.map(([each, { shape }]) => [each, shape]))) as never;
    Object.freeze(this);
  }
}

/** The row of a table: `Row<typeof Claim>`. */
export type Row<T extends { Row: unknown }> = T['Row'];
/** What an insert needs: columns with a default, or that may be null, may be absent. */
export type New<T extends { New: unknown }> = T['New'];

type Indices<C> = readonly (readonly (keyof C & string)[])[];

/**
 * Declares a table.
 * @param indices one list of column names per index; `{ unique: … }` for those that must not repeat. NULL never
 *   collides, so a unique column is emptied when its row is deleted (V-25).
 * @param options `relations` are what TypeORM's repositories can load with a row: `{ shelf: toOne(Shelf, 'shelf_id') }`.
 *   They add no column and no key
 * @throws Error when a relation names a column that is not there
 */
export function table<C extends Columns, R extends Relations<keyof C & string> = {}>(
  name: string,
  columns: C,
  indices: Indices<C> = [],
  options: { unique?: Indices<C>; relations?: R } = {},
): Table<C, Flat<RowOf<C> & Related<R>>> {
  const all = [
    ...indices.map((each) => ({ columns: each, unique: false })),
    ...(options.unique ?? []).map((each) => ({ columns: each, unique: true })),
  ];
  return new Table(name, columns, all, options.relations);
}
