// Alerts can be muted for a time, and are found by their asset.
import { migration } from '../packages/database/migration/migrate.ts';
import { key, when } from '../packages/database/schema/table.ts';

export default migration('1795896979320-muted-alerts', async (m) => {
  await m.addColumn('alert', 'muted_until', when().nullable());
  await m.addColumn('alert', 'muted_key', key().nullable());
  await m.addIndex('alert', ['muted_key']);
  await m.addIndex('alert', ['asset_id', 'created_at', 'alert_id']);
});
