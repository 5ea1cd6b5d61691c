// Has every table indexed again in the background: the index now stores joined words and numbers without zeros.
import { migration } from '../packages/database/migration/migrate.ts';

export default migration('1795775328631-search-joined-words', async (m) => {
  const all = 'DELETE FROM search_progress';
  await m.statement({ sqlite: all, mysql: all });
});
