// Declares what is searchable: which texts of a table, the title of a record, and who finds it where.
import type { Row, Table } from '@keelson/database/schema/table.ts';
import { z } from 'zod';
import type { Context } from '../plugin/context.ts';
import type { Access } from '../plugin/route/surface.ts';
import type { View } from '../record/view.ts';

/** Texts of a record, by how widely they are searched. */
export interface SearchTexts {
  /** Its name; records that refer to it are found by it too. */
  readonly name?: readonly string[];
  /** Further texts for list searches. */
  readonly main?: readonly string[];
  /** Texts for the global search, and for lists that request this depth. */
  readonly more?: readonly string[];
}

/** How deep to search: `name` only, `main` with names, or `more` for all texts. */
export type Depth = 'name' | 'main' | 'more';

/** Who finds records on a surface, under which type, and what the result shows. */
export interface Found {
  /** The type's name in `types`, and of its array in the response: `tickets`. */
  readonly type: string;
  /** Who may find records of this type. */
  readonly access: Access<any>;
  /** What is shown; its `visible` is the predicate that every read of the table uses. */
  readonly view: View<any, any, any>;
  /** Which texts to search; all by default. */
  readonly depth?: Depth;
  /** Also searched when the request names no types, like the types of third parties, and returned only if found. */
  readonly usual?: boolean;
}

export interface SearchOptions<T extends Table> {
  /** Columns with the record's name. */
  readonly name?: readonly (keyof Row<T> & string)[];
  /** Further columns for list searches. */
  readonly main?: readonly (keyof Row<T> & string)[];
  /** Further columns for the global search. */
  readonly more?: readonly (keyof Row<T> & string)[];
  /** Texts outside the table's columns, such as custom fields; read for many rows at once. */
  readonly texts?: (ctx: Context, rows: readonly Row<T>[]) => Promise<(row: Row<T>) => SearchTexts>;
  /**
   * Columns that refer to records whose names this one is found by: `through: { company_number: Company }`. The lookup
   * happens at search time, so a new name applies at once. Their tables must be searchable, and an index must start
   * with the column.
   */
  readonly through?: { readonly [K in keyof Row<T> & string]?: Table };
  /**
   * Columns with few values, declared with `choice(…)`, that filter lists during a search. A list with few records is
   * then fast, even if many records contain the words. At most three.
   */
  readonly facets?: readonly (keyof Row<T> & string)[];
  readonly title: (row: Row<T>) => string;
  readonly subtitle?: (row: Row<T>) => string;
  /** By surface. */
  readonly found?: { readonly helpdesk?: Found; readonly admin?: Found; readonly crm?: Found };
}

export type SearchSurface = keyof NonNullable<SearchOptions<Table>['found']>;

/** A searchable table, declared by `searchable(…)`. */
export interface Searchable {
  readonly table: Table;
  readonly options: SearchOptions<any>;
  /** Its result types with their surfaces: `admin tickets`. */
  readonly types: readonly string[];
  /** The text columns, each with its weight. */
  readonly columns: readonly (readonly [column: string, weight: number])[];
  readonly through: readonly (readonly [column: string, table: Table])[];
  readonly facets: readonly string[];
}

/** The weight of each depth, as stored with the words. */
export const weights: Readonly<Record<Depth, number>> = Object.freeze({ name: 3, main: 2, more: 1 });

/**
 * Declares that the records of a table are searchable; add it to the plugin's `search`. The index then follows every
 * `create`, `change` and `remove`, and the searches of the surfaces in `found` return the records.
 * @throws Error for a column that the table does not have, and for a facet that is not a `choice(…)`
 */
export function searchable<T extends Table>(table: T, options: SearchOptions<T>): Searchable {
  const { name = [], main = [], more = [], through = {}, facets = [] } = options;
  const columns = [
    ...name.map((each) => [each, weights.name] as const),
    ...main.map((each) => [each, weights.main] as const),
    ...more.map((each) => [each, weights.more] as const),
  ];
  const others = Object.entries(through) as [string, Table][];
  for (const [each] of [...columns, ...others])
    if (!Object.hasOwn(table.columns, each)) throw new Error(`${table.name} has no column ${each} to search`);
  for (const each of facets)
    if (!(table.columns[each]?.shape instanceof z.ZodEnum)) throw new Error(`${table.name} has no choice ${each}`);
  const types = Object.entries(options.found ?? {}).map(([surface, found]) => `${surface} ${found.type}`);
  return Object.freeze({ table, options, types, columns, through: others, facets });
}
