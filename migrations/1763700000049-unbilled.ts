// Adds contract hours and their use by invoices, and subscription periods for reports.
import { migration, type Migrator } from '../core/database/migrate.ts';
import { big, day, flag, id, int, ref, when } from '../core/database/table.ts';

export default migration('1763700000049-unbilled', async (m) => {
  await m.addColumn('contract', 'included_minutes', int().nullable());
  await m.addColumn('invoice_line', 'worked_minutes', int().nullable());
  await m.addColumn('invoice_line', 'covered_minutes', int().nullable());
  await m.createTable(
    'invoice_line_coverage',
    {
      line_item_id: ref('invoice_line.line_item_id').primary(),
      time_entry_id: int().primary(),
      contract_id: int().primary(),
      invoice_id: ref('invoice.invoice_id'),
      period_start: day(),
      minutes: int(),
      used: flag().default(true),
    },
    [
      ['contract_id', 'period_start'],
      ['invoice_id', 'line_item_id'],
    ],
  );
  await rekeyPeriods(m);
});

/** Gives periods a numeric key, a company and an amount. */
async function rekeyPeriods(m: Migrator): Promise<void> {
  const copied = 'CREATE TABLE subscription_period_old AS SELECT * FROM subscription_period';
  await m.runner(async (runner) => {
    if (!(await runner.hasTable('subscription_period_old'))) await runner.query(copied);
    if (await runner.hasColumn('subscription_period', 'unit_price_minor'))
      await runner.query('DROP TABLE subscription_period');
  });
  await m.createTable(
    'subscription_period',
    {
      period_id: id(),
      subscription_id: ref('subscription.subscription_id'),
      company_number: ref('company.company_number'),
      period_start: day(),
      period_end: day(),
      invoice_id: ref('invoice.invoice_id'),
      quantity: int(),
      unit_price_minor: big(),
      amount_minor: big(),
      billed_at: when(),
    },
    [
      ['invoice_id', 'subscription_id'],
      ['company_number', 'period_start', 'period_id'],
    ],
    { unique: [['subscription_id', 'period_start']] },
  );
  const filled = `INSERT INTO subscription_period (subscription_id, company_number, period_start, period_end, invoice_id,
      quantity, unit_price_minor, amount_minor, billed_at)
    SELECT old.subscription_id, subscription.company_number, old.period_start, old.period_end, old.invoice_id,
      old.quantity, old.unit_price_minor, old.quantity * old.unit_price_minor, old.billed_at
    FROM subscription_period_old old JOIN subscription ON subscription.subscription_id = old.subscription_id`;
  await m.statement({ sqlite: filled, mysql: filled });
  const dropped = 'DROP TABLE IF EXISTS subscription_period_old';
  await m.statement({ sqlite: dropped, mysql: dropped });
}
