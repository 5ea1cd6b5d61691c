// Adds list filter values to the search index. Their tables are reindexed in the background.
import { migration } from '../core/database/migrate.ts';
import { key } from '../core/database/table.ts';

export default migration('1763700000058-search-facets', async (m) => {
  await m.addColumn('search_text', 'facets', key(255).default(''));
  const forget = "DELETE FROM search_progress WHERE type IN ('ticket', 'invoice', 'alert')";
  await m.statement({ sqlite: forget, mysql: forget });
});
