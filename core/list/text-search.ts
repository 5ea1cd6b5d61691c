// Text search in lists: each word must occur somewhere, in whatever case and with or without accents (P-24).
import { containing, joined, name, sql, type Sql } from '../database/sql.ts';
import type { Table } from '../database/table.ts';
import { searchedWords } from '../kit/normal.ts';

/** Columns of another table that a column here refers to: the customer of a ticket. */
export interface Elsewhere {
  /** The column here: `ticket.company_number`. */
  readonly via: string;
  readonly table: Table;
  readonly columns: readonly string[];
}

/** Where words are searched: in a column, or in columns of another table. */
export type Searched = string | Elsewhere;

/** A condition for which every row must be read, because no index helps. */
export interface Scan extends Sql {
  readonly words: readonly string[];
  readonly places: readonly Searched[];
}

/**
 * A condition for rows in which each word of `text` occurs in one of the places, without regard to case and accents:
 * MariaDB compares by its collation, SQLite with our own `like`. A blank text matches all rows, one without letters and
 * digits none (P-24).
 * @example matching(q, ['ticket.subject', { via: 'ticket.company_number', table: Company, columns: ['customer'] }])
 */
export function matching(text: string, places: readonly Searched[]): Scan {
  const words = searchedWords(text);
  const each = words.map((word) => anyPlace(places, word, (place) => elsewhere(place, word)));
  return { ...joined(each, ' AND ', text.trim() === '' ? '1 = 1' : '1 = 0'), words, places };
}

/** A condition for rows with `word` in one of the places. */
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
