// Adds parent tickets, start and estimate to tickets.
import { migration } from '../packages/database/migration/migrate.ts';
import { day, int } from '../packages/database/schema/table.ts';

export default migration('1795745769792-ticket-family', async (m) => {
  await m.addColumn('ticket', 'parent_id', int().nullable());
  await m.addColumn('ticket', 'start_date', day().nullable());
  await m.addColumn('ticket', 'estimate_minutes', int().nullable());
  await m.addIndex('ticket', ['parent_id', 'ticket_id', 'status', 'deleted_at']);
});
