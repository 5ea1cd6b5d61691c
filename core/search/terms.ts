// What of the index tells which records have a word: its rows for the words in which it stands, or for its parts.
import type { Context } from '../plugin/context.ts';
import type { Sql } from '../database/sql.ts';
import { MOST_WORDS, havingEntries, havingWord } from './counts.ts';
import { heldBy, type Asked, type NewestRows, type Search } from './match.ts';
import { partsWithin } from './parts.ts';

/** In more words than this, its parts tell at less cost who may have it. */
const MANY = 500;

/** A record has a word only if each of its terms has the record. */
export interface Term {
  /** What follows SELECT, up to a condition, for its rows. */
  readonly from: Sql;
  /** How many rows a block has at most. */
  readonly rows: number;
  /** Those that are known already. */
  readonly newest?: NewestRows | undefined;
}

export interface Terms {
  readonly terms: readonly Term[];
  /** Whoever has all terms has the word. */
  readonly exact: boolean;
}

/** The terms of a word in the table's own texts; undefined where it stands in too many words. */
export function termsOf(ctx: Context, { of: { table }, whole }: Search, asked: Asked): Terms | undefined {
  const { words, entries, newest } = heldBy(asked, table);
  if (entries)
    return { terms: [{ from: havingEntries(table.name, entries), rows: entries.length, newest }], exact: true };
  // Until the table was gone through, its parts are not all there.
  const parts = whole && words > MANY ? partsWithin(asked.word) : [];
  if (parts.length > 0)
    return { terms: parts.map((part) => ({ from: havingEntries(table.name, [part]), rows: 1 })), exact: false };
  if (words > MOST_WORDS) return undefined;
  return { terms: [{ from: havingWord(ctx, table.name, asked.word), rows: words }], exact: true };
}
