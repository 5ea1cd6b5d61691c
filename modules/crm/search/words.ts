// The search index (P-24): the words of each record, and all suffixes of each word. Text within a word is a prefix of one
// of these, so an index finds it however many records there are.
import { inTime, joined, listed, searchedWords, sql, wordsIn, type Context, type Db, type Sql } from '@keelson/core';
import type { EntityType } from '../entity-types.ts';
import { CrmWord, LONGEST_WORD } from './entities.ts';

export interface SearchTexts {
  /** The lists search these: names, e-mail address, company. */
  readonly main: readonly string[];
  /** GET /search searches these, too. */
  readonly more: readonly string[];
}

/** MariaDB takes seconds to plan a dozen joins: a search for more words than this counts matches instead. */
const MAX_JOINS = 6;
/** Of one record: a very long text must not fill the index. */
const MAX_WORDS = 300;
/** Rows of one INSERT: SQLite takes at most 32,766 values, and 300 long words have more suffixes. */
const INSERT_BATCH = 5000;

/** The words of a text, normalised as those of a search are. */
function wordsOf(text: string): string[] {
  return wordsIn(text, { longest: LONGEST_WORD });
}

/** Phone numbers are indexed by their digits alone as well. */
export function digitsOf(phone: string): string {
  return phone.replace(/\D+/g, '');
}

/** Indexes a new record. */
export async function storeWords(ctx: Context, type: EntityType, id: number, texts: SearchTexts): Promise<void> {
  const main = new Set(texts.main.flatMap(wordsOf));
  const words = new Set([...main, ...texts.more.flatMap(wordsOf)]);
  const kept = [...words].slice(0, MAX_WORDS).toSorted();
  await addSuffixes(ctx.db, kept);
  const rows = kept.map((word) => ({ word, entity_type: type, entity_id: id, main: main.has(word) }));
  await ctx.db.insertMany(CrmWord, rows);
}

/** Indexes a record whose texts changed. */
export async function replaceWords(ctx: Context, type: EntityType, id: number, texts: SearchTexts): Promise<void> {
  await removeWords(ctx, type, id);
  await storeWords(ctx, type, id, texts);
}

export async function removeWords(ctx: Context, type: EntityType, id: number): Promise<void> {
  await ctx.db.remove(CrmWord, { entity_type: type, entity_id: id });
}

/**
 * The condition for records whose `main` texts contain every word of `text`; for the filters of lists.
 * @param key the column with the record's id: `lead.lead_id`
 */
export function matchesSearch({ dialect }: Db, type: EntityType, key: Sql, text: string): Sql {
  const words = searchedWords(text);
  const holders = words.map(
    (word) => sql`crm_word.entity_id FROM ${matches(dialect, word)}
      AND crm_word.entity_type = ${type} AND crm_word.main = 1`,
  );
  if (words.length > MAX_JOINS) {
    const all = holders.map((each) => sql`SELECT DISTINCT ${each}`);
    return sql`${key} IN (SELECT entity_id FROM (${joined(all, ' UNION ALL ')}) AS holders
      GROUP BY entity_id HAVING COUNT(*) = ${words.length})`;
  }
  const conditions = holders.map((each) => sql`${key} IN (SELECT ${each})`);
  // A search for punctuation alone has no words, and finds nothing.
  return joined(conditions, ' AND ', '1 = 0');
}

/**
 * The text after FROM for the indexed words that contain `word`; the caller adds conditions. The join order is forced:
 * left to themselves, both databases may read every word of every record.
 */
export function matches(dialect: Db['dialect'], word: string): Sql {
  const first = dialect === 'mysql' ? sql`STRAIGHT_JOIN` : sql`CROSS JOIN`;
  return sql`crm_word_end ${first} crm_word ON crm_word.word = crm_word_end.word
    WHERE ${beginsWith(sql`crm_word_end.ending`, word)} AND ${inTime(dialect, sql`crm_word.entity_id`)}`;
}

/** A range instead of LIKE, so that the index is used; U+10FFFF is the last character. */
function beginsWith(column: Sql, word: string): Sql {
  return sql`${column} >= ${word} AND ${column} < ${`${word}\u{10FFFF}`}`;
}

/** Adds the suffixes of new words. The words are sorted, so that two transactions cannot deadlock. */
async function addSuffixes(db: Db, words: readonly string[]): Promise<void> {
  if (words.length === 0) return;
  const rows = await db.query<{ word: string }>(
    sql`SELECT word FROM crm_word_end WHERE ending IN ${listed(words)} AND word = ending`,
  );
  const known = new Set(rows.map((each) => each.word));
  const rowsToAdd = words
    .filter((each) => !known.has(each))
    .flatMap((word) => suffixesOf(word).map((ending) => sql`(${ending}, ${word})`));
  // Another transaction may have added the same word meanwhile.
  const ignoring =
    db.dialect === 'mysql' ? sql`ON DUPLICATE KEY UPDATE word = crm_word_end.word` : sql`ON CONFLICT DO NOTHING`;
  for (let from = 0; from < rowsToAdd.length; from += INSERT_BATCH) {
    const batch = rowsToAdd.slice(from, from + INSERT_BATCH);
    await db.run(sql`INSERT INTO crm_word_end (ending, word) VALUES ${joined(batch, ', ')} ${ignoring}`);
  }
}

/** `smith` → `smith`, `mith`, `ith`, `th`: a single letter is found at the beginning of a word only. */
function suffixesOf(word: string): string[] {
  const letters = Array.from(word);
  return letters.slice(0, Math.max(1, letters.length - 1)).map((_, i) => letters.slice(i).join(''));
}
