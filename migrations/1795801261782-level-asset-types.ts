// Adds the type of asset to the conditions of service level policies.
import { migration } from '../packages/database/migration/migrate.ts';
import { text } from '../packages/database/schema/table.ts';

export default migration('1795801261782-level-asset-types', async (m) => {
  await m.addColumn('level_policy', 'asset_type', text(100).default(''));
});
