// A draft whose currency changed kept its share of the balance due in the other currency: derive both again. The job that
// repairs counters then sets the totals.
import { migration } from '../packages/database/migration/migrate.ts';

export default migration('1796188013695-invoice-currency', async (m) => {
  await m.runner(async (runner) => {
    await runner.query(`UPDATE invoice SET home = CASE WHEN currency = COALESCE(
      (SELECT REPLACE(value, '"', '') FROM setting WHERE name = 'tenant.currency'), 'USD') THEN 1 ELSE 0 END`);
    await runner.query(`UPDATE invoice SET owed_minor = CASE WHEN home = 1 AND status IN ('sent', 'overdue')
      THEN total_minor - paid_minor - credited_minor ELSE 0 END`);
  });
});
