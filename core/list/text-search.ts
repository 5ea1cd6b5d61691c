// Text search as the lists offer it: every word somewhere, whatever its case and accents (P-24).
import { containing, joined, name, sql, type Sql } from '../database/sql.ts';
import type { Table } from '../database/table.ts';
import { searchedWords } from '../kit/normal.ts';

/** Words in a row of another table, whose key a column here holds: the customer's name of a ticket. */
export interface Elsewhere {
  /** The column here: `ticket.company_number`. */
  readonly via: string;
  readonly table: Table;
  readonly columns: readonly string[];
}

/** Where a word is looked for: a column, or columns of another table. */
export type Searched = string | Elsewhere;

/** A condition that no index answers: every row is looked at. */
export interface Scan extends Sql {
  readonly words: readonly string[];
  readonly places: readonly Searched[];
}

/**
 * A condition for rows in which each word of `text` occurs in one of the places. A text of nothing but signs matches
 * nothing. Both databases compare without case and accents: MariaDB by its collation, SQLite by a `like` of ours.
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
