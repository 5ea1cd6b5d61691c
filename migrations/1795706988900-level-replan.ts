// Policies say when their open tickets are planned anew.
import { migration } from '../packages/database/migration/migrate.ts';
import { when } from '../packages/database/schema/table.ts';

export default migration('1795706988900-level-replan', async (m) => {
  await m.addColumn('level_policy', 'replan_at', when().nullable());
  await m.addIndex('level_policy', ['replan_at', 'policy_id']);
});
