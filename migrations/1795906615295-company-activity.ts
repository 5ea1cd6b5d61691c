// The activity log names the company a change concerns, and the record to open for it.
import { migration } from '../packages/database/migration/migrate.ts';
import { int, text } from '../packages/database/schema/table.ts';

export default migration('1795906615295-company-activity', async (m) => {
  await m.addColumn('activity_log', 'company_number', int().nullable());
  await m.addColumn('activity_log', 'record_type', text(60).nullable());
  await m.addColumn('activity_log', 'record_id', int().nullable());
  await m.addIndex('activity_log', ['company_number', 'log_id', 'record_type']);
});
