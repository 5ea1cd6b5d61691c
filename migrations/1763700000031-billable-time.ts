// Indexes time entries by company and day for billing.
import { migration } from '../core/database/migrate.ts';
import { int } from '../core/database/table.ts';

const filled = `UPDATE ticket_time_entry SET company_number =
  (SELECT ticket.company_number FROM ticket WHERE ticket.ticket_id = ticket_time_entry.ticket_id)`;

export default migration('1763700000031-billable-time', async (m) => {
  await m.addColumn('ticket_time_entry', 'company_number', int().default(0));
  await m.statement({ sqlite: filled, mysql: filled });
  await m.addIndex('ticket_time_entry', ['company_number', 'work_date', 'time_entry_id']);
});
