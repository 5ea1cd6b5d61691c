// Assets are found by the MAC addresses of their ports, and unspaced names written together. All tables are gone through
// again in the background.
import { migration } from '../core/database/migrate.ts';

export default migration('1763700000068-search-ports', async (m) => {
  const forget = 'DELETE FROM search_progress';
  await m.statement({ sqlite: forget, mysql: forget });
});
