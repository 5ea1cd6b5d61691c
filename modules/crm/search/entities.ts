import { choice, flag, int, key, table } from '@keelson/core';
import { entityTypes } from '../entity-types.ts';

/** No word is kept longer; longer ones are found by their beginning. */
export const LONGEST_WORD = 64;

/** The words of every lead, contact, opportunity and prospect. */
export const CrmWord = table(
  'crm_word',
  {
    word: key(LONGEST_WORD).primary(),
    entity_type: choice(...entityTypes).primary(),
    entity_id: int().primary(),
    /** In the names, the address or the company: where the lists search; the rest is for GET /search. */
    main: flag(),
  },
  [['entity_type', 'entity_id']],
);

/** The ends of every word that occurs, the whole of it among them: what stands within a word is found by an index. */
export const CrmWordEnd = table('crm_word_end', {
  ending: key(LONGEST_WORD).primary(),
  word: key(LONGEST_WORD).primary(),
});
