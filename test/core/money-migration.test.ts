// The migration to thousandths preserves every amount.
import test from 'ava';
import { big } from '@keelson/core';
import { startApp } from '@keelson/core/testing';
import { migratorOn } from '../../core/database/migrator.ts';
import money from '../../migrations/1763700000071-money.ts';
import { seedCompany } from '../accounts-seed.ts';
import { asKey } from '../tickets-seed.ts';

test('amounts that were stored in hundredths are shown as they were', async (t) => {
  const started = await startApp(t);
  const { database } = started.app;
  const send = await asKey(started, ['billing:read', 'billing:write', 'companies:read']);
  const { company_number } = await seedCompany(started);
  const line_items = [
    { description: 'Work', quantity: 1.5, unit_price: 99.99 },
    { description: 'Discount', unit_price: -0.5 },
    { description: 'Ship', unit_price: 9_999_999_999.99 },
  ];
  const body = { company_number, line_items, tax_rate: 19, status: 'sent' };
  const { invoice_id } = (await send('POST', '/billing/invoices.php', body)).body.data;
  await send('POST', '/billing/payments.php', { invoice_id, amount: 1.1 });
  const shown = async () => [
    (await send('GET', `/billing/invoices.php?id=${invoice_id}`)).body,
    (await send('GET', `/billing/statements.php?company_number=${company_number}`)).body,
    (await send('GET', `/companies.php?id=${company_number}`)).body.data.statistics,
  ];
  const before = await shown();
  const runner = database.source.createQueryRunner();
  const m = migratorOn(runner, database.dialect, (work) => work());
  // Restore the old schema; no amount here has more than two decimals.
  for (const name of ['invoice_line', 'proposal_line']) {
    await m.addColumn(name, 'unit_price_minor', big().default(0));
    await database.run({ text: `UPDATE ${name} SET unit_price_minor = ROUND(unit_price * 100)`, params: [] });
    await m.dropColumn(name, 'unit_price');
  }
  await m.dropColumn('invoice_line', 'tax_ppm');
  for (const [name, columns] of Object.entries(before10))
    for (const column of columns)
      await database.run({ text: `UPDATE ${name} SET ${column} = ROUND(${column} / 10)`, params: [] });
  for (const each of GONE) await database.run({ text: `CREATE TABLE ${each} (n BIGINT)`, params: [] });
  await money.up(m);
  for (const each of GONE) await database.run({ text: `DROP TABLE ${each}`, params: [] });
  await runner.release();
  t.deepEqual(await shown(), before);
});

/** Counters that existed before the migration. */
const GONE = ['opportunity_value', 'opportunity_value_delta'];

const before10 = {
  billing_account: ['balance_minor'],
  billing_movement: ['amount_minor'],
  billing_statement: ['opening_minor', 'charges_minor', 'payments_minor', 'closing_minor'],
  invoice: ['subtotal_minor', 'tax_minor', 'total_minor', 'paid_minor', 'owed_minor'],
  invoice_line: ['amount_minor'],
  invoice_owed: ['n'],
  invoice_owed_delta: ['n'],
  payment: ['amount_minor'],
};
