// Policies say whether customers see their targets.
import { migration } from '../packages/database/migration/migrate.ts';
import { flag } from '../packages/database/schema/table.ts';

export default migration('1795726398304-level-policy-shown', async (m) => {
  await m.addColumn('level_policy', 'shown_to_customers', flag().default(false));
});
