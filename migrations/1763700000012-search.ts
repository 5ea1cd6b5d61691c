// Initial search index; drops the CRM's index.
import { migration } from '../core/database/migrate.ts';
import { int, key, when } from '../core/database/table.ts';

export default migration('1763700000012-search', async (m) => {
  await m.createTable(
    'search_word',
    { type: key(64).primary(), word: key(64).primary(), record_id: int().primary(), weight: int() },
    [['record_id', 'type', 'word', 'weight']],
  );
  await m.createTable('search_ending', { ending: key(64).primary(), word: key(64).primary() });
  await m.createTable('search_progress', { type: key(64).primary(), position: int() });
  await m.createTable('search_lease', { name: key(40).primary(), holder: key(64), until: when() });
  for (const each of ['crm_word', 'crm_word_end'])
    await m.statement({ sqlite: `DROP TABLE IF EXISTS ${each}`, mysql: `DROP TABLE IF EXISTS ${each}` });
});
