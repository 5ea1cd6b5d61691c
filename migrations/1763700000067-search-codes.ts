// Words get other forms: codes without their separators, letters without an accent to take away. All tables are gone through
// again in the background.
import { migration } from '../core/database/migrate.ts';

export default migration('1763700000067-search-codes', async (m) => {
  const forget = 'DELETE FROM search_progress';
  await m.statement({ sqlite: forget, mysql: forget });
});
