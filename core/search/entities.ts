// The search index: two tables for the whole product, and who keeps them up to date.
import { int, key, table, when } from '../database/table.ts';

/** Longer words are cut, and found by their beginning. */
export const LONGEST_WORD = 64;

/** The words of every searchable record. */
export const SearchWord = table(
  'search_word',
  {
    /** The name of the record's table. */
    type: key(64).primary(),
    word: key(LONGEST_WORD).primary(),
    record_id: int().primary(),
    /** 3: of its name, by which records that refer to it are found, too. 2: lists search it. 1: only the whole search does. */
    weight: int(),
  },
  // With the weight, so that the words of a record are read from the index alone. Not by the type first: databases without
  // statistics would read all words of a table by it.
  [['record_id', 'type', 'word', 'weight']],
);

/** Every ending of every word, the whole word included: what stands within a word is the beginning of one of these. */
export const SearchEnding = table('search_ending', {
  ending: key(LONGEST_WORD).primary(),
  word: key(LONGEST_WORD).primary(),
});

/** How far the tables were gone through; a table without a row was not yet. */
export const SearchProgress = table('search_progress', { type: key(64).primary(), position: int() });

/** Which process writes the index, so that only one does at a time. */
export const SearchLease = table('search_lease', {
  name: key(40).primary(),
  holder: key(64),
  until: when(),
});
