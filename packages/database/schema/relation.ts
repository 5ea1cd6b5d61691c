// Relations that TypeORM's repositories can load with a row.
import type { EntitySchema } from 'typeorm';

/** A relation of a table; `E` is the type of the loaded property. */
export interface Relation<E = unknown, Column extends string = string> {
  /** Name of the other table. */
  readonly target: string;
  readonly by: { readonly column: Column } | { readonly inverse: string };
  readonly Loaded?: E;
}

export type Relations<Column extends string = string> = Readonly<Record<string, Relation<unknown, Column>>>;

/** Relations as properties of a row, absent unless loaded. */
export type Related<R extends Relations> = {
  -readonly [K in keyof R]?: R[K] extends Relation<infer E> ? E : never;
};

/** Relates to the row that a `ref()` column references: `{ shelf: toOne(Shelf, 'shelf_id') }`. Null if it has none. */
export function toOne<E extends object, Column extends string>(
  target: EntitySchema<E>,
  column: Column,
): Relation<E | null, Column> {
  return Object.freeze({ target: target.options.name, by: { column } });
}

/**
 * Relates to the rows of another table whose relation `inverse` references this one: `{ boxes: toMany('acme_box',
 * 'shelf') }`.
 * The table is given by name to avoid a circular import; `toMany<BoxRow>(…)` sets its row type.
 */
export function toMany<E extends object = Record<string, unknown>>(
  table: string,
  inverse: string,
): Relation<E[], never> {
  return Object.freeze({ target: table, by: { inverse } });
}
