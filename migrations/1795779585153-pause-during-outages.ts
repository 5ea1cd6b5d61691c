// Policies may pause the clocks of tickets during outages.
import { migration } from '../packages/database/migration/migrate.ts';
import { flag } from '../packages/database/schema/table.ts';

export default migration('1795779585153-pause-during-outages', async (m) => {
  await m.addColumn('level_policy', 'pause_during_outages', flag().default(false));
});
