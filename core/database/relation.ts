// Relations that TypeORM's repositories can load together with a row.
import type { EntitySchema } from 'typeorm';

/** A relation of a table; `E` is the type of the loaded property. */
export interface Relation<E = unknown, Column extends string = string> {
  /** The name of the other table. */
  readonly target: string;
  readonly by: { readonly column: Column } | { readonly inverse: string };
  readonly Loaded?: E;
}

export type Relations<Column extends string = string> = Readonly<Record<string, Relation<unknown, Column>>>;

/** The relations as properties of a row, absent unless they were loaded. */
export type Related<R extends Relations> = {
  -readonly [K in keyof R]?: R[K] extends Relation<infer E> ? E : never;
};

/** The row that a column made with `ref()` refers to: `{ shelf: toOne(Shelf, 'shelf_id') }`; null when it refers to none. */
export function toOne<E extends object, Column extends string>(
  target: EntitySchema<E>,
  column: Column,
): Relation<E | null, Column> {
  return Object.freeze({ target: target.options.name, by: { column } });
}

/**
 * The rows of another table whose relation `inverse` refers to this one: `{ boxes: toMany('acme_box', 'shelf') }`. The
 * table is given by name because the declarations would import each other; `toMany<BoxRow>(…)` gives its row type.
 */
export function toMany<E extends object = Record<string, unknown>>(
  table: string,
  inverse: string,
): Relation<E[], never> {
  return Object.freeze({ target: table, by: { inverse } });
}
