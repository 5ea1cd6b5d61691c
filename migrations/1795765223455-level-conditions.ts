// Adds the site and the team to the conditions of service level policies.
import { migration } from '../packages/database/migration/migrate.ts';
import { int, ref } from '../packages/database/schema/table.ts';

export default migration('1795765223455-level-conditions', async (m) => {
  await m.addColumn('level_policy', 'site_number', ref('site.site_number').nullable());
  await m.addColumn('level_policy', 'team_id', int().nullable());
});
