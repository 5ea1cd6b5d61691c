// Indexes the activity log by record, for its history.
import { migration } from '../core/database/migrate.ts';

export default migration('1763700000052-activity-record', async (m) => {
  await m.addIndex('activity_log', ['entity_type', 'entity_id', 'log_id']);
});
