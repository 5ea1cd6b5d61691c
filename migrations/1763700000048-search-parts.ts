// Adds parts of numbers to the search index. All tables are reindexed in the background.
import { migration } from '../core/database/migrate.ts';

export default migration('1763700000048-search-parts', (m) =>
  m.statement({ sqlite: 'DELETE FROM search_progress', mysql: 'DELETE FROM search_progress' }),
);
