// Adds the start of the current term to auto-renewing contracts.
import { migration } from '../core/database/migrate.ts';
import { day } from '../core/database/table.ts';

export default migration('1763700000070-contract-terms', async (m) => {
  await m.addColumn('contract', 'term_start', day().nullable());
});
