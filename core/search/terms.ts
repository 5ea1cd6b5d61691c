// What of the index tells which records have a word: its rows for the words in which it stands, or for its parts.
import type { Context } from '../plugin/context.ts';
import { sql, type Sql } from '../database/sql.ts';
import { MOST_WORDS, havingWord } from './counts.ts';
import { heldBy, type Asked, type Search } from './match.ts';
import { isPart, partsWithin } from './parts.ts';

/** In more words than this its parts tell it at less cost. */
const MANY = 64;
/** The same where they tell only who may have it. */
const MANY_MORE = 500;

/** A record has a word only if each of its terms has the record. */
export interface Term {
  /** What follows SELECT, up to a condition, for its rows. */
  readonly from: Sql;
  /** How many rows a block has at most. */
  readonly rows: number;
}

export interface Terms {
  readonly terms: readonly Term[];
  /** Whoever has all terms has the word. */
  readonly exact: boolean;
}

/** The terms of a word in the table's own texts; undefined where it stands in too many words. */
export function termsOf(ctx: Context, { of: { table }, whole }: Search, asked: Asked): Terms | undefined {
  const { words } = heldBy(asked, table);
  // Until the table was gone through, its parts are not all there.
  const parts = whole && words > MANY ? partsWithin(asked.word) : [];
  if (parts.length > 0 && (isPart(asked.word) || words > MANY_MORE)) {
    const terms = parts.map((part) => ({
      from: sql`FROM search_word WHERE search_word.type = ${table.name} AND search_word.word = ${part}`,
      rows: 1,
    }));
    return { terms, exact: isPart(asked.word) };
  }
  if (words > MOST_WORDS) return undefined;
  return { terms: [{ from: havingWord(ctx, table.name, asked.word), rows: words }], exact: true };
}
