import { choice, flag, int, key, table } from '@keelson/core';
import { entityTypes } from '../entity-types.ts';

/** Longer words are cut, and found by their beginning. */
export const LONGEST_WORD = 64;

/** The words of every lead, contact, opportunity and prospect. */
export const CrmWord = table(
  'crm_word',
  {
    word: key(LONGEST_WORD).primary(),
    entity_type: choice(...entityTypes).primary(),
    entity_id: int().primary(),
    /** From a name, the e-mail address or the company, which the lists search; GET /search looks in all words. */
    main: flag(),
  },
  [['entity_type', 'entity_id']],
);

/** Every suffix of every word, the whole word included: an index on prefixes of these finds text within a word. */
export const CrmWordEnd = table('crm_word_end', {
  ending: key(LONGEST_WORD).primary(),
  word: key(LONGEST_WORD).primary(),
});
