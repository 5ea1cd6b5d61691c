// Tables of the search index: three for the words of the whole product, plus its progress and its lease.
import { int, key, table, text, when } from '@keelson/database/schema/table.ts';
import { LONGEST_LIST } from './id-list.ts';

/** Longer words are truncated, and found by their beginning. */
export const LONGEST_WORD = 64;

/** The words of every searchable record, for scoring it. */
export const SearchText = table('search_text', {
  /** The name of the record's table. */
  type: key(64).primary(),
  record_id: int().primary(),
  /** Words of the record's name, which records that refer to it match too: ` printer does not start `. */
  name: text(),
  /** Further words for list searches; none that occurs in the name. */
  main: text(),
  /** Words for searches of depth `more` only. */
  more: text(),
  /** Values that lists filter by (facets.ts). */
  facets: key(255).default(''),
});

/** Which records have a word: one row per block of 4,096 record ids that has any. */
export const SearchWord = table('search_word', {
  type: key(64).primary(),
  word: key(LONGEST_WORD).primary(),
  /** The record id divided by 4,096. */
  block: int().primary(),
  /** Number of records in the block with the word. */
  held: int(),
  /** The ids of those records (id-list.ts). */
  ids: key(LONGEST_LIST),
});

/** Every suffix of every word, including the whole word: a substring of a word is a prefix of one of them. */
export const SearchEnding = table('search_ending', {
  type: key(64).primary(),
  ending: key(LONGEST_WORD).primary(),
  word: key(LONGEST_WORD).primary(),
});

/** The position after the last key: the table is fully indexed. */
export const END = 2_147_483_647;

/** Progress of the initial indexing; a table without a row has not started. */
export const SearchProgress = table('search_progress', { type: key(64).primary(), position: int() });

/** The lease of the process that writes the index, so that only one does at a time. */
export const SearchLease = table('search_lease', {
  name: key(40).primary(),
  holder: key(64),
  until: when(),
});
