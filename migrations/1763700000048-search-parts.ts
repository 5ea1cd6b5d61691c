// The search index gets the parts of numbers: all tables are gone through again in the background.
import { migration } from '../core/database/migrate.ts';

export default migration('1763700000048-search-parts', (m) =>
  m.statement({ sqlite: 'DELETE FROM search_progress', mysql: 'DELETE FROM search_progress' }),
);
