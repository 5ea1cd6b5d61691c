// Has every table indexed again in the background: the index now stores words with umlauts also as `ae`, `oe`, `ue`.
import { migration } from '../packages/database/migration/migrate.ts';

export default migration('1795880912544-search-umlauts', async (m) => {
  const all = 'DELETE FROM search_progress';
  await m.statement({ sqlite: all, mysql: all });
});
