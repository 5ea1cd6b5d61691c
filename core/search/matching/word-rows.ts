// Finds the index rows of the records that have a word: rows of words that contain it, or of its parts.
import type { Sql } from '@keelson/database/statement/sql.ts';
import type { Context } from '../../plugin/context.ts';
import { partsWithin } from '../word-parts.ts';
import { MOST_WORDS, havingEntries, havingWord } from './counts.ts';
import { heldBy, type Asked, type NewestRows, type Search } from './match.ts';

/** Above this many containing words, the word's parts find candidates at lower cost. */
const MANY = 500;

/** A condition on a word: a record has the word only if every term has the record. */
export interface Term {
  /** The FROM clause for its rows, open for conditions. */
  readonly from: Sql;
  /** Maximum rows per block. */
  readonly rows: number;
  /** Rows that are already read. */
  readonly newest?: NewestRows | undefined;
}

export interface Terms {
  readonly terms: readonly Term[];
  /** A record that has all terms has the word. */
  readonly exact: boolean;
}

/** Returns the terms of a word in the table's own texts; undefined if too many words contain it. */
export function termsOf(ctx: Context, { of: { table }, whole }: Search, asked: Asked): Terms | undefined {
  const { words, entries, newest } = heldBy(asked, table);
  if (entries)
    return { terms: [{ from: havingEntries(table.name, entries), rows: entries.length, newest }], exact: true };
  // Until the table is fully indexed, its parts are incomplete.
  const parts = whole && words > MANY ? partsWithin(asked.word) : [];
  if (parts.length > 0)
    return { terms: parts.map((part) => ({ from: havingEntries(table.name, [part]), rows: 1 })), exact: false };
  if (words > MOST_WORDS) return undefined;
  return { terms: [{ from: havingWord(ctx, table.name, asked.word), rows: words }], exact: true };
}
