// Adds visits to recurring tickets.
import { migration } from '../packages/database/migration/migrate.ts';
import { int, ref } from '../packages/database/schema/table.ts';

export default migration('1795804890377-recurring-visits', async (m) => {
  await m.addColumn('recurring_ticket', 'visit_user_id', ref('technician.user_id').nullable());
  await m.addColumn('recurring_ticket', 'visit_minutes', int().default(60));
  await m.addColumn('recurring_ticket', 'visit_days_ahead', int().default(14));
  await m.addColumn('recurring_ticket', 'visit_employee_number', ref('employee.employee_number').nullable());
});
