// What is searched for (P-24), by index however much there is: each record's words, and of every word that occurs all its
// ends, so that what stands within a word is the beginning of one of them.
import {
  inTime,
  joined,
  listed,
  searchedWords,
  sql,
  wordsIn,
  type Context,
  type Db,
  type Sql,
  type Transaction,
} from '@keelson/core';
import type { EntityType } from '../entity-types.ts';
import { CrmWord, LONGEST_WORD } from './entities.ts';

export interface Wording {
  /** Where the lists search: names, address, company. */
  readonly main: readonly string[];
  readonly more: readonly string[];
}

/** MariaDB plans each word as a join, and with a dozen of them that alone takes seconds: more are counted instead. */
const MOST_JOINED = 6;
/** A text of a thousand pages in one field must not become a thousand rows. */
const MOST_WORDS = 300;
/** Rows of one statement: SQLite takes at most 32,766 values, and so many long words have more ends. */
const MOST_ENDS = 5000;

/** All words of a text as they are compared with what is looked for. */
function wordsOf(text: string): string[] {
  return wordsIn(text, { longest: LONGEST_WORD });
}

/** A phone number is found by its digits alone, too. */
export function digitsOf(phone: string): string {
  return phone.replace(/\D+/g, '');
}

/** Makes a record be found by these texts, and by no others any more. */
export async function storeWords(ctx: Context, type: EntityType, id: number, wording: Wording): Promise<void> {
  const tx = transactionOf(ctx);
  const main = new Set(wording.main.flatMap(wordsOf));
  const words = new Set([...main, ...wording.more.flatMap(wordsOf)]);
  const kept = [...words].slice(0, MOST_WORDS).toSorted();
  await addEnds(tx, kept);
  const rows = kept.map((word) => ({ word, entity_type: type, entity_id: id, main: main.has(word) }));
  await tx.insertMany(CrmWord, rows);
}

/** The same for a record that was found by others before. */
export async function replaceWords(ctx: Context, type: EntityType, id: number, wording: Wording): Promise<void> {
  await removeWords(ctx, type, id);
  await storeWords(ctx, type, id, wording);
}

/** Makes a record be found no more. */
export async function removeWords(ctx: Context, type: EntityType, id: number): Promise<void> {
  await ctx.db.remove(CrmWord, { entity_type: type, entity_id: id });
}

/** The transaction a change works in. */
export function transactionOf(ctx: Context): Transaction {
  if (!ctx.tx) throw new Error('The CRM is changed in a transaction only');
  return ctx.tx;
}

/**
 * A condition for the records whose names, address or company hold every word of `text`; for a list's filters.
 * @param key the column with the record's id, `lead.lead_id`
 */
export function found({ dialect }: Db, type: EntityType, key: Sql, text: string): Sql {
  const words = searchedWords(text);
  const holders = words.map(
    (word) => sql`crm_word.entity_id FROM ${matches(dialect, word)}
      AND crm_word.entity_type = ${type} AND crm_word.main = 1`,
  );
  if (words.length > MOST_JOINED) {
    const all = holders.map((some) => sql`SELECT DISTINCT ${some}`);
    return sql`${key} IN (SELECT entity_id FROM (${joined(all, ' UNION ALL ')}) AS holders
      GROUP BY entity_id HAVING COUNT(*) = ${words.length})`;
  }
  const each = holders.map((some) => sql`${key} IN (SELECT ${some})`);
  // Nothing but signs is in no record's words.
  return joined(each, ' AND ', '1 = 0');
}

/**
 * `FROM …` of the records' words that hold a word, with more conditions to follow. The endings come first, said to both
 * databases: left to themselves they may walk over every word of every record.
 */
export function matches(dialect: Db['dialect'], word: string): Sql {
  const first = dialect === 'mysql' ? sql`STRAIGHT_JOIN` : sql`CROSS JOIN`;
  return sql`crm_word_end ${first} crm_word ON crm_word.word = crm_word_end.word
    WHERE ${beginsWith(sql`crm_word_end.ending`, word)} AND ${inTime(dialect, sql`crm_word.entity_id`)}`;
}

/** A range that an index has side by side; nothing that occurs is larger than the last character there is. */
function beginsWith(column: Sql, word: string): Sql {
  return sql`${column} >= ${word} AND ${column} < ${`${word}\u{10FFFF}`}`;
}

/** Words that occur for the first time get their ends; in order, so that two transactions never wait for each other in a circle. */
async function addEnds(tx: Transaction, words: readonly string[]): Promise<void> {
  if (words.length === 0) return;
  const rows = await tx.query<{ word: string }>(
    sql`SELECT word FROM crm_word_end WHERE ending IN ${listed(words)} AND word = ending`,
  );
  const known = new Set(rows.map((each) => each.word));
  const ends = words.filter((each) => !known.has(each)).flatMap((word) => endsOf(word).map((end) => ({ end, word })));
  // Somebody else may have added the same word meanwhile.
  const ignoring =
    tx.dialect === 'mysql' ? sql`ON DUPLICATE KEY UPDATE word = crm_word_end.word` : sql`ON CONFLICT DO NOTHING`;
  for (let from = 0; from < ends.length; from += MOST_ENDS) {
    const some = ends.slice(from, from + MOST_ENDS).map(({ end, word }) => sql`(${end}, ${word})`);
    await tx.run(sql`INSERT INTO crm_word_end (ending, word) VALUES ${joined(some, ', ')} ${ignoring}`);
  }
}

/** `smith` → `smith`, `mith`, `ith`, `th`; a single letter is only searched as a beginning. */
function endsOf(word: string): string[] {
  const letters = Array.from(word);
  return letters.slice(0, Math.max(1, letters.length - 1)).map((_, i) => letters.slice(i).join(''));
}
