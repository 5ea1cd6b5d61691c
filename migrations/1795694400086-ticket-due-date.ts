// Adds the due date of tickets.
import { migration } from '../packages/database/migration/migrate.ts';
import { day } from '../packages/database/schema/table.ts';

export default migration('1795694400086-ticket-due-date', async (m) => {
  await m.addColumn('ticket', 'due_date', day().nullable());
  await m.addIndex('ticket', ['due_date', 'ticket_id', 'status', 'deleted_at']);
});
