// Writes the words of records into the index: only what differs from what it has.
import type { Context } from '../plugin/context.ts';
import type { Db } from '../database/db.ts';
import { listed, sql } from '../database/sql.ts';
import { SearchEnding, SearchWord } from './entities.ts';
import type { Searchable } from './searchable.ts';
import { searchables } from './sources.ts';
import { wordsOf, type Words } from './texts.ts';

/** Values of one statement: SQLite takes at most 32,766. */
const MOST_VALUES = 8000;
/** Words looked up by one statement. */
const MOST_LISTED = 2000;
/** Words whose endings, up to 64 each, are removed by one statement. */
const MOST_FORGOTTEN = 100;

/** Brings the words of these records of a table up to date, in a transaction. Those that are gone lose theirs. */
export async function indexRecords(ctx: Context, of: Searchable, ids: readonly number[]): Promise<void> {
  const rows = await ctx.db.find(of.table, { [of.table.primary]: [...ids] });
  const wanted = await wordsOf(ctx, of, rows);
  const stored = await readStored(ctx.db, of.table.name, ids);
  const added: Posting[] = [];
  const removed: Posting[] = [];
  for (const id of ids) {
    const now = wanted.get(id);
    const before = stored.get(id);
    for (const [word, weight] of now ?? []) if (before?.get(word) !== weight) added.push({ id, word, weight });
    for (const [word, weight] of before ?? []) if (now?.get(word) !== weight) removed.push({ id, word, weight });
  }
  await removePostings(ctx.db, of.table.name, removed);
  await addEndings(ctx.db, [...new Set(added.map(({ word }) => word))]);
  await addPostings(ctx.db, of.table.name, added);
  await forgetWords(ctx, [...new Set(removed.map(({ word }) => word))]);
}

interface Posting {
  readonly id: number;
  readonly word: string;
  readonly weight: number;
}

async function readStored(db: Db, type: string, ids: readonly number[]): Promise<ReadonlyMap<number, Words>> {
  const rows = await db.query<{ record_id: number; word: string; weight: number }>(
    sql`SELECT record_id, word, weight FROM search_word WHERE type = ${type} AND record_id IN ${listed(ids)}`,
  );
  const stored = new Map<number, Map<string, number>>();
  for (const { record_id, word, weight } of rows) {
    const words = stored.get(Number(record_id)) ?? new Map<string, number>();
    stored.set(Number(record_id), words.set(word, Number(weight)));
  }
  return stored;
}

async function removePostings(db: Db, type: string, postings: readonly Posting[]): Promise<void> {
  for (const [id, its] of Map.groupBy(postings, (each) => each.id))
    await db.remove(SearchWord, { type, record_id: id, word: its.map(({ word }) => word) });
}

/** In the order of the primary key, which databases store the fastest. */
async function addPostings(db: Db, type: string, postings: readonly Posting[]): Promise<void> {
  const rows = postings
    .toSorted((a, b) => (a.word < b.word ? -1 : a.word > b.word ? 1 : a.id - b.id))
    .map(({ id, word, weight }) => ({ type, word, record_id: id, weight }));
  for (const batch of inBatches(rows, MOST_VALUES / 4)) await db.insertMany(SearchWord, batch);
}

/** Adds the endings of words that the vocabulary does not have. */
async function addEndings(db: Db, words: readonly string[]): Promise<void> {
  const unknown = new Set(words);
  for (const batch of inBatches(words, MOST_LISTED)) {
    const rows = await db.query<{ word: string }>(
      sql`SELECT word FROM search_ending WHERE ending IN ${listed(batch)} AND word = ending`,
    );
    for (const { word } of rows) unknown.delete(word);
  }
  const rows = [...unknown].flatMap((word) => endingsOf(word).map((ending) => ({ ending, word })));
  rows.sort((a, b) => (a.ending < b.ending ? -1 : a.ending > b.ending ? 1 : a.word < b.word ? -1 : 1));
  for (const batch of inBatches(rows, MOST_VALUES / 2)) await db.insertMany(SearchEnding, batch);
}

/** `smith` → `smith`, `mith`, `ith`, `th`, `h`. */
function endingsOf(word: string): string[] {
  const letters = Array.from(word);
  return letters.map((_, i) => letters.slice(i).join(''));
}

/** Removes the endings of words that no record has any more. */
async function forgetWords(ctx: Context, words: readonly string[]): Promise<void> {
  const types = listed(searchables(ctx.app).map(({ table }) => table.name));
  for (const batch of inBatches(words, MOST_LISTED)) {
    const rows = await ctx.db.query<{ word: string }>(sql`SELECT word FROM search_ending
      WHERE ending IN ${listed(batch)} AND word = ending AND NOT EXISTS (SELECT 1 FROM search_word
        WHERE search_word.type IN ${types} AND search_word.word = search_ending.word)`);
    for (const few of inBatches(rows, MOST_FORGOTTEN))
      await removeEndings(
        ctx.db,
        few.map(({ word }) => word),
      );
  }
}

async function removeEndings(db: Db, words: readonly string[]): Promise<void> {
  await db.remove(SearchEnding, { ending: [...new Set(words.flatMap(endingsOf))], word: [...words] });
}

function* inBatches<T>(all: readonly T[], size: number): Generator<T[]> {
  for (let from = 0; from < all.length; from += size) yield all.slice(from, from + size);
}
