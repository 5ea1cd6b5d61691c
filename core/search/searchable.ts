// The declaration of what is searched: which texts of a table, what a record is called, and who finds it where.
import { z } from 'zod';
import type { Context } from '../plugin/context.ts';
import type { Row, Table } from '../database/table.ts';
import type { Access } from '../plugin/surface.ts';
import type { View } from '../record/view.ts';

/** Texts of a record, by how far they reach. */
export interface SearchTexts {
  /** Its name: records that refer to it are found by it, too. */
  readonly name?: readonly string[];
  /** What its lists search besides. */
  readonly main?: readonly string[];
  /** What only the search over everything looks in, and lists that say so. */
  readonly more?: readonly string[];
}

/** Which texts are searched: all from `name` on, from `main` on, or `more`, which is all. */
export type Depth = 'name' | 'main' | 'more';

/** Who finds records on a surface, under which type, and what is shown of them. */
export interface Found {
  /** The name of the type in `types`, and of its array in the answer: `tickets`. */
  readonly type: string;
  /** Who may find anything of this type. */
  readonly access: Access<any>;
  /** What is shown, and by its `visible` of which records: the predicate by which the table is read everywhere. */
  readonly view: View<any, any, any>;
  /** Which texts are searched; all unless given. */
  readonly depth?: Depth;
  /** Searched also where no types are named, and in the answer when something is found, as types of third parties are. */
  readonly usual?: boolean;
}

export interface SearchOptions<T extends Table> {
  /** Columns with the record's name. */
  readonly name?: readonly (keyof Row<T> & string)[];
  /** Further columns that lists search. */
  readonly main?: readonly (keyof Row<T> & string)[];
  /** Further columns for the search over everything. */
  readonly more?: readonly (keyof Row<T> & string)[];
  /** Texts that are not in columns of the table, such as custom fields; read for many rows at once. */
  readonly texts?: (ctx: Context, rows: readonly Row<T>[]) => Promise<(row: Row<T>) => SearchTexts>;
  /**
   * Columns that refer to records by whose names this one is found: `through: { company_number: Company }`. They are
   * looked up at the search, so a new name counts at once. Their tables must be searchable, and an index must begin with
   * the column.
   */
  readonly through?: { readonly [K in keyof Row<T> & string]?: Table };
  /**
   * Columns of few values, declared with `choice(…)`, by which lists are filtered while they are searched. Then a list of
   * few records costs little, however many have the words. At most three.
   */
  readonly facets?: readonly (keyof Row<T> & string)[];
  readonly title: (row: Row<T>) => string;
  readonly subtitle?: (row: Row<T>) => string;
  /** By surface. */
  readonly found?: { readonly helpdesk?: Found; readonly admin?: Found; readonly crm?: Found };
}

export type SearchSurface = keyof NonNullable<SearchOptions<Table>['found']>;

/** A table whose records are searched; `searchable(…)` declares it. */
export interface Searchable {
  readonly table: Table;
  readonly options: SearchOptions<any>;
  /** Under which types it is found, with their surfaces: `admin tickets`. */
  readonly types: readonly string[];
  /** The columns with texts, each with its weight. */
  readonly columns: readonly (readonly [column: string, weight: number])[];
  readonly through: readonly (readonly [column: string, table: Table])[];
  readonly facets: readonly string[];
}

/** How far a text reaches, as it is stored with its words. */
export const weights: Readonly<Record<Depth, number>> = Object.freeze({ name: 3, main: 2, more: 1 });

/**
 * Declares that the records of a table are searched; put it among the plugin's `search`. That is all: the index follows
 * every `create`, `change` and `remove`, and the searches of the surfaces named in `found` answer them.
 * @throws Error for a column that the table does not have, and for a facet that is no `choice(…)`
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
