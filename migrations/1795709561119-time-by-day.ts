// Finds what technicians logged on a day without reading all their time.
import { migration } from '../packages/database/migration/migrate.ts';

export default migration('1795709561119-time-by-day', async (m) => {
  await m.addIndex('ticket_time_entry', ['work_date', 'user_id', 'duration_minutes']);
});
