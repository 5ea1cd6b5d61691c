// Indexes assets by the MAC addresses of their ports, and unspaced names as one word. All tables are reindexed in the
// background.
import { migration } from '../core/database/migrate.ts';

export default migration('1763700000068-search-ports', async (m) => {
  const forget = 'DELETE FROM search_progress';
  await m.statement({ sqlite: forget, mysql: forget });
});
