// Lists activities in the order of their due dates.
import { migration } from '../packages/database/migration/migrate.ts';

export default migration('1796355391368-activities-by-due-date', async (m) => {
  const table = 'crm_activity';
  await m.addIndex(table, ['completed', 'due_date', 'activity_id', 'deleted_at']);
  await m.addIndex(table, ['due_date', 'activity_id', 'deleted_at']);
  await m.dropIndex(table, ['completed', 'due_date', 'deleted_at']);
});
