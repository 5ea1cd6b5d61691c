// Facets: columns with few values by which lists are filtered. The index stores their values like words, so that a list
// of few records with common words needs no scan.
import { cutTo } from '@keelson/kit/characters.ts';
import type { Equals, Filter } from '@keelson/list/list.ts';
import { LONGEST_WORD } from './entities.ts';
import type { Searchable } from './searchable.ts';

/** Never occurs in a word. */
const MARK = '=';
const BETWEEN = '\n';

/** Returns the index entries of a row's facet values. */
export function facetsOf({ facets }: Searchable, row: Readonly<Record<string, unknown>>): string[] {
  return facets.map((column) => entryOf(column, row[column]));
}

/** Joins entries the way the index stores them with the words. */
export const storedFacets = (entries: readonly string[]): string => entries.join(BETWEEN);

export const facetsIn = (stored: string): string[] => stored.split(BETWEEN).filter((each) => each !== '');

/** Whether an index entry is a facet, which no search matches as a word. */
export const isFacet = (entry: string): boolean => entry.startsWith(MARK);

/** Returns the entries for the facet values in these conditions, by column; each row has exactly one of them. */
export function facetsAsked({ facets }: Searchable, where: readonly Filter[]): (readonly string[])[] {
  const equals = where.filter((each): each is Equals => 'column' in each && facets.includes(each.column));
  return equals.map(({ column, value }) =>
    (typeof value === 'object' && value !== null ? value : [value]).map((each) => entryOf(column, each)),
  );
}

function entryOf(column: string, value: unknown): string {
  return cutTo(`${MARK}${column}${MARK}${String(value)}`, LONGEST_WORD);
}
