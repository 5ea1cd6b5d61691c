// Open tickets that have missed their resolution target count as missed: replan all, which marks them.
import { migration } from '../packages/database/migration/migrate.ts';

export default migration('1795883913337-late-open-tickets', async (m) => {
  await m.runner(async (runner) => {
    await runner.query('UPDATE level_policy SET replan_at = created_at WHERE deleted_at IS NULL');
  });
});
