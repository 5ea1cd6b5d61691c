// Adds corrections of billed time as separate entries.
import { migration } from '../core/database/migrate.ts';
import { int } from '../core/database/table.ts';

export default migration('1763700000074-time-corrections', async (m) => {
  await m.addColumn('ticket_time_entry', 'corrects_id', int().nullable());
  await m.addIndex('ticket_time_entry', ['corrects_id']);
});
