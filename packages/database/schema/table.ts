// Declares tables: one declaration yields the database schema, the row type and the zod shape. The casts are needed for
// type inference across mapped types.
import type { Day, Timestamp } from '@keelson/kit/time.ts';
import { EntitySchema } from 'typeorm';
import { z } from 'zod';
import type { Column, ColumnOptions, Columns, Index, Reference } from './column.ts';
import type { Related, Relations } from './relation.ts';
import { entityOptions } from './schema.ts';

export type Flat<T> = { [K in keyof T]: T[K] } & {};
export type RowOf<C extends Columns> = Flat<{ [K in keyof C]: C[K] extends Column<infer Out, any, any> ? Out : never }>;
export type NewOf<C extends Columns> = Flat<
  { [K in keyof C as C[K] extends Column<any, 'given', any> ? K : never]: RowOf<C>[K] } & {
    [K in keyof C as C[K] extends Column<any, 'filled', any> ? K : never]?: RowOf<C>[K];
  }
>;

/** The names of columns that are not hidden. */
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
    default: (value: Out) => {
      const limit = options.length ?? Infinity;
      if (!shape.safeParse(value).success || (typeof value === 'string' && value.length > limit))
        throw new Error(`The default ${JSON.stringify(value)} does not fit a column of kind ${options.kind}`);
      return column<Out, 'filled', Open>({ ...options, default: value }, shape, 'filled', open);
    },
    unique: () => column<Out, Has, Open>({ ...options, unique: true }, shape, has, open),
    primary: () => column<Out, Has, Open>({ ...options, primary: true }, shape, has, open),
    hidden: () => column<Out, Has, false>({ ...options, hidden: true }, shape, has, false),
    titled: (title: string) => column<Out, Has, Open>(options, shape.meta({ title }), has, open),
  });
}

/** Creates the generated primary key column: a positive integer, never reused (V-01). */
export const id = () => column<number, 'filled'>({ kind: 'id', primary: true }, z.int(), 'filled');
/** Creates a column for integers with an absolute value below 2³¹. */
export const int = () => column<number>({ kind: 'int' }, z.int());
/** Creates a column for integers up to 2⁵³: sizes in bytes, amounts in minor units. */
export const big = () => column<number>({ kind: 'big' }, z.int());
/** Creates a column for text of at most `length` characters, or of any length if omitted. */
export const text = (length?: number) =>
  column<string>(length ? { kind: 'varchar', length } : { kind: 'text' }, z.string());
/**
 * Creates a column for normalised look-up keys. Both databases compare them exactly, including case and trailing
 * spaces.
 */
export const key = (length = 255) => column<string>({ kind: 'key', length }, z.string());
/** Creates a column for booleans. */
export const flag = () => column<boolean>({ kind: 'flag' }, z.boolean());
/** Creates a column for one of the given texts, each of at most 40 characters. */
export const choice = <const V extends readonly [string, ...string[]]>(...values: V) =>
  column<V[number]>({ kind: 'varchar', length: 40 }, z.enum(values) as z.ZodType<V[number]>);
/** Creates a column for UTC timestamps with millisecond precision: `2026-11-21T09:30:00.000Z` in rows. */
export const when = () => column<Timestamp>({ kind: 'timestamp' }, z.iso.datetime());
/** Creates a column for dates: `2026-11-21`. */
export const day = () => column<Day>({ kind: 'day' }, z.iso.date());
/** Creates a column for values stored as JSON text. SQL must not look inside: the dialects differ. */
export const json = <T>(shape: z.ZodType<T>) => column<T>({ kind: 'json' }, shape);
/** Creates a foreign key column to an integer primary key. Migrations give the target as `'company.company_number'`. */
export const ref = (target: Table | string) => column<number>({ kind: 'int', references: reference(target) }, z.int());

function reference(target: Table | string): Reference {
  if (typeof target !== 'string') return { table: target.name, column: target.primary };
  const [table = '', name = ''] = target.split('.');
  return { table, column: name };
}

/**
 * A table, which is also a TypeORM entity schema. It carries its row type (`Row<typeof T>`), its insert type
 * (`New<typeof T>`) and the zod shape of its open columns. `E` is the repository entity: the row with its relations.
 */
export class Table<C extends Columns = Columns, E extends object = RowOf<C>> extends EntitySchema<E> {
  declare readonly Row: RowOf<C>;
  declare readonly New: NewOf<C>;
  readonly name: string;
  readonly columns: C;
  readonly indices: readonly Index[];
  readonly relations: Relations;
  /** The primary key column; for a compound key, the first column. */
  readonly primary: string;
  /** The columns that are not hidden, as a zod object. */
  readonly shape: z.ZodObject<{ [K in keyof C]: C[K]['shape'] }>;

  constructor(name: string, columns: C, indices: readonly Index[], relations: Relations = {}) {
    // The types are SQLite's. entity.ts builds an entity of the same name for MySQL, with MySQL types.
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

/** The row type of a table: `Row<typeof Claim>`. */
export type Row<T extends { Row: unknown }> = T['Row'];
/** The insert type of a table. Nullable columns and columns with a default are optional. */
export type New<T extends { New: unknown }> = T['New'];

type Indices<C> = readonly (readonly (keyof C & string)[])[];

/**
 * Declares a table.
 * @param indices the column names of each index
 * @param options `unique` lists the unique indexes in the same way. NULLs never collide, so a unique column is set to
 *   null when its row is deleted (V-25). `relations` can be loaded with a row by TypeORM's repositories, for example
 *   `{ shelf: toOne(Shelf, 'shelf_id') }`; they add no column and no foreign key
 * @throws Error if a relation names a column that does not exist
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
