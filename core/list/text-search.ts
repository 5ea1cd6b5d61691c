// Text search as the lists offer it (P-24): every word somewhere, whatever its case, `%` and `_` as they are.
import { containing, joined, name, sql, type Sql } from '../database/sql.ts';

/** Where a word is looked for: a column, or a predicate around the given `LIKE …`. */
export type Searched = string | ((like: Sql) => Sql);

/** More forms than this of one word are not tried: it is then found as written, in small and in capital letters. */
const FORMS = 16;

/**
 * A condition for rows in which each word of `text` occurs in one of the places; no word at all matches everything.
 * @example matching(q, ['ticket.subject', (like) => sql`ticket.company_number IN (SELECT … WHERE name ${like})`])
 */
export function matching(text: string, places: readonly Searched[]): Sql {
  const words = [...new Set(text.split(/\s+/).filter(Boolean))];
  return joined(words.map((word) => sql`(${joined(occurrences(word, places), ' OR ', '1 = 0')})`));
}

function occurrences(word: string, places: readonly Searched[]): Sql[] {
  return caseForms(word).flatMap((form) => {
    const like = sql`LIKE ${containing(form)} ESCAPE '!'`;
    return places.map((place) => (typeof place === 'string' ? sql`${name(place)} ${like}` : place(like)));
  });
}

/** Both databases ignore the case of ASCII; SQLite knows no other, so `é` is also looked for as `É`. */
function caseForms(word: string): readonly string[] {
  let forms = [''];
  for (const letter of word) {
    const cases = letter <= '\u007f' ? [letter] : [...new Set([letter.toLowerCase(), letter.toUpperCase()])];
    forms = forms.flatMap((form) => cases.map((each) => form + each));
    if (forms.length > FORMS) return [...new Set([word, word.toLowerCase(), word.toUpperCase()])];
  }
  return forms;
}
