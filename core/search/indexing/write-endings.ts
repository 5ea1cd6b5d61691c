// Maintains the vocabulary: the endings of all words in the records of a table.
import type { Db } from '@keelson/database/db.ts';
import { joined, listed, sql, type Sql } from '@keelson/database/statement/sql.ts';
import { In } from 'typeorm';
import { SearchEnding } from '../entities.ts';
import { inBatches } from './write-holders.ts';

/** Words to look up per statement. */
const MOST_LISTED = 2000;
/** Words to remove per statement, with up to 64 endings each. */
const MOST_FORGOTTEN = 100;

/** Adds the endings of words that are new to a table's vocabulary. */
export async function addEndings(db: Db, type: string, words: readonly string[]): Promise<void> {
  const unknown = new Set(words);
  for (const batch of inBatches(words, MOST_LISTED)) {
    const rows = await db.query<{ word: string }>(
      sql`SELECT word FROM search_ending WHERE type = ${type} AND ${areWhole(db, batch)}`,
    );
    for (const { word } of rows) unknown.delete(word);
  }
  const rows = [...unknown].flatMap((word) => endingsOf(word).map((ending) => ({ type, ending, word })));
  rows.sort((a, b) => (a.ending < b.ending ? -1 : a.ending > b.ending ? 1 : a.word < b.word ? -1 : 1));
  await db.insert(SearchEnding, rows);
}

/**
 * Matches the rows of these words whose ending is the whole word. It compares both columns: "7" ends a tenth of all
 * numbers, and a search by ending alone would scan those.
 */
function areWhole({ dialect }: Db, words: readonly string[]): Sql {
  const pairs = joined(
    words.map((each) => listed([each, each])),
    ', ',
  );
  return sql`(ending, word) IN (${dialect === 'sqlite' ? sql`VALUES ${pairs}` : pairs})`;
}

/** `smith` → `smith`, `mith`, `ith`, `th`, `h`. */
function endingsOf(word: string): string[] {
  const letters = Array.from(word);
  return letters.map((_, i) => letters.slice(i).join(''));
}

/** Removes the endings of those words that no record of the table has any more. */
export async function forgetWords(db: Db, type: string, words: readonly string[]): Promise<void> {
  for (const batch of inBatches(words, MOST_LISTED)) {
    const rows = await db.query<{ word: string }>(sql`SELECT word FROM search_ending
      WHERE type = ${type} AND ${areWhole(db, batch)} AND NOT EXISTS (SELECT 1 FROM search_word
        WHERE search_word.type = ${type} AND search_word.word = search_ending.word)`);
    for (const few of inBatches(rows, MOST_FORGOTTEN)) {
      const gone = few.map(({ word }) => word);
      await db.delete(SearchEnding, { type, ending: In([...new Set(gone.flatMap(endingsOf))]), word: In(gone) });
    }
  }
}
