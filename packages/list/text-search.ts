// Text search in lists: each word must occur somewhere, ignoring case and accents (P-24).
import type { Table } from '@keelson/database/schema/table.ts';
import { containing, joined, name, sql, type Sql } from '@keelson/database/statement/sql.ts';
import { searchedWords } from '@keelson/kit/normal.ts';

/** Columns of another table that a column references: a ticket's customer. */
export interface Elsewhere {
  /** The referencing column: `ticket.company_number`. */
  readonly via: string;
  readonly table: Table;
  readonly columns: readonly string[];
}

/** Where to search: a column, or columns of another table. */
export type Searched = string | Elsewhere;

/** A condition that requires reading every row, because no index helps. */
export interface Scan extends Sql {
  readonly words: readonly string[];
  readonly places: readonly Searched[];
}

/**
 * Builds a condition for rows in which each word of `text` occurs in one of the places, ignoring case and accents.
 * MariaDB compares by its collation, SQLite with our own `like`. A blank text matches all rows; one without letters and
 * digits matches none (P-24).
 * @example matching(q, ['ticket.subject', { via: 'ticket.company_number', table: Company, columns: ['customer'] }])
 */
export function matching(text: string, places: readonly Searched[]): Scan {
  const words = searchedWords(text);
  const each = words.map((word) => anyPlace(places, word, (place) => elsewhere(place, word)));
  return { ...joined(each, ' AND ', text.trim() === '' ? '1 = 1' : '1 = 0'), words, places };
}

/** Builds a condition for rows with `word` in one of the places. */
export function anyPlace(places: readonly Searched[], word: string, other: (place: Elsewhere) => Sql): Sql {
  const pieces = places.map((place) => (typeof place === 'string' ? holds(place, word) : other(place)));
  return sql`(${joined(pieces, ' OR ', '1 = 0')})`;
}

function elsewhere({ via, table, columns }: Elsewhere, word: string): Sql {
  const pieces = columns.map((each) => holds(each, word));
  return sql`${name(via)} IN (SELECT ${name(table.primary)} FROM ${name(table.name)} WHERE ${joined(pieces, ' OR ')})`;
}

function holds(column: string, word: string): Sql {
  return sql`${name(column)} LIKE ${containing(word)} ESCAPE '!'`;
}
