// Changes word forms: codes without separators, and letters without accents. All tables are reindexed in the
// background.
import { migration } from '../core/database/migrate.ts';

export default migration('1763700000067-search-codes', async (m) => {
  const forget = 'DELETE FROM search_progress';
  await m.statement({ sqlite: forget, mysql: forget });
});
