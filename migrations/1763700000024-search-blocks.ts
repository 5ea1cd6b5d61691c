// Stores search index words in blocks of records instead of one row each. The index is rebuilt in the background.
import { migration } from '../core/database/migrate.ts';
import { int, key, text } from '../core/database/table.ts';

export default migration('1763700000024-search-blocks', async (m) => {
  for (const each of ['search_word', 'search_ending'])
    await m.statement({ sqlite: `DROP TABLE IF EXISTS ${each}`, mysql: `DROP TABLE IF EXISTS ${each}` });
  await m.createTable('search_text', {
    type: key(64).primary(),
    record_id: int().primary(),
    name: text(),
    main: text(),
    more: text(),
  });
  await m.createTable('search_word', {
    type: key(64).primary(),
    word: key(64).primary(),
    block: int().primary(),
    held: int(),
    ids: key(684),
  });
  await m.createTable('search_ending', {
    type: key(64).primary(),
    ending: key(64).primary(),
    word: key(64).primary(),
  });
  await m.statement({ sqlite: 'DELETE FROM search_progress', mysql: 'DELETE FROM search_progress' });
});
