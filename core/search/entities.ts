// The search index: three tables for the whole product, and who keeps them up to date.
import { int, key, table, text, when } from '../database/table.ts';
import { LONGEST_LIST } from './id-list.ts';

/** Longer words are cut, and found by their beginning. */
export const LONGEST_WORD = 64;

/** The words of every searchable record, by which one that is at hand is judged. */
export const SearchText = table('search_text', {
  /** The name of the record's table. */
  type: key(64).primary(),
  record_id: int().primary(),
  /** Words of its name, by which records that refer to it are found, too: ` printer does not start `. */
  name: text(),
  /** Words that lists search besides; none that its name has. */
  main: text(),
  /** Words that only the whole search looks in. */
  more: text(),
  /** Values by which its lists are filtered (facets.ts). */
  facets: key(255).default(''),
});

/** Which records have a word: a row for each 4,096 record ids among which there is one. */
export const SearchWord = table('search_word', {
  type: key(64).primary(),
  word: key(LONGEST_WORD).primary(),
  /** The record ids divided by 4,096. */
  block: int().primary(),
  /** How many records of the block have the word. */
  held: int(),
  /** Which of them (id-list.ts). */
  ids: key(LONGEST_LIST),
});

/** Every ending of every word, the whole word included: what stands within a word is the beginning of one of these. */
export const SearchEnding = table('search_ending', {
  type: key(64).primary(),
  ending: key(LONGEST_WORD).primary(),
  word: key(LONGEST_WORD).primary(),
});

/** The position behind every key: the table was gone through. */
export const END = 2_147_483_647;

/** How far the tables were gone through; a table without a row was not yet. */
export const SearchProgress = table('search_progress', { type: key(64).primary(), position: int() });

/** Which process writes the index, so that only one does at a time. */
export const SearchLease = table('search_lease', {
  name: key(40).primary(),
  holder: key(64),
  until: when(),
});
