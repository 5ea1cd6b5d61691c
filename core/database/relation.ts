// What a repository can load together with a row.
import type { EntitySchema } from 'typeorm';

/** A relation of a table; `E` is what stands in the row when it was loaded. */
export interface Relation<E = unknown, Column extends string = string> {
  /** The name of the other table. */
  readonly target: string;
  readonly by: { readonly column: Column } | { readonly inverse: string };
  readonly Loaded?: E;
}

export type Relations<Column extends string = string> = Readonly<Record<string, Relation<unknown, Column>>>;

/** The relations as members of a row: absent unless they were asked for. */
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
 * The rows of another table whose relation `inverse` leads here: `{ boxes: toMany('acme_box', 'shelf') }`. The table is
 * named, for it names this one; `toMany<BoxRow>(…)` says what its rows are.
 */
export function toMany<E extends object = Record<string, unknown>>(
  table: string,
  inverse: string,
): Relation<E[], never> {
  return Object.freeze({ target: table, by: { inverse } });
}
