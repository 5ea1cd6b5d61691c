// Adds daily report mail counts, and the reason a report was not mailed.
import { migration } from '../core/database/migrate.ts';
import { day, int, text } from '../core/database/table.ts';

export default migration('1763700000062-report-mails', async (m) => {
  await m.addColumn('report', 'last_problem', text(255).nullable());
  await m.createTable('report_mail_use', { company_number: int().primary(), day: day(), mails: int() });
});
