// Converts amounts to thousandths, for currencies with three decimals such as dinars. Lines get their own tax rate, and
// unit prices up to six decimals.
import { migration, type Migrator } from '../core/database/migrate.ts';
import { int, text } from '../core/database/table.ts';

const amounts = {
  billing_account: ['balance_minor'],
  billing_movement: ['amount_minor'],
  billing_statement: ['opening_minor', 'charges_minor', 'payments_minor', 'closing_minor'],
  contract: ['value_minor'],
  invoice: ['subtotal_minor', 'tax_minor', 'total_minor', 'paid_minor', 'owed_minor'],
  invoice_line: ['amount_minor'],
  invoice_owed: ['n'],
  invoice_owed_delta: ['n'],
  license: ['cost_minor'],
  marketplace_product: ['price_minor'],
  milestone: ['amount_minor'],
  opportunity: ['value_minor'],
  opportunity_value: ['n'],
  opportunity_value_delta: ['n'],
  payment: ['amount_minor'],
  proposal: ['total_minor'],
  proposal_line: ['amount_minor'],
  subscription: ['unit_price_minor'],
  subscription_period: ['unit_price_minor', 'amount_minor'],
};

export default migration('1763700000071-money', async (m) => {
  for (const [name, columns] of Object.entries(amounts)) {
    const update = `UPDATE ${name} SET ${columns.map((column) => `${column} = ${column} * 10`).join(', ')}`;
    await m.statement({ sqlite: update, mysql: update });
  }
  await m.addColumn('invoice_line', 'tax_ppm', int().nullable());
  for (const name of ['invoice_line', 'proposal_line']) await namePrices(m, name);
});

/** Replaces `unit_price_minor`, in hundredths, with `unit_price`, the exact decimal text. */
async function namePrices(m: Migrator, name: string): Promise<void> {
  await m.addColumn(name, 'unit_price', text(24).default('0'));
  await m.statement({
    sqlite: `UPDATE ${name} SET unit_price = CAST(unit_price_minor / 100.0 AS TEXT)`,
    mysql: `UPDATE ${name} SET unit_price = CAST(unit_price_minor / 100 AS CHAR)`,
  });
  await m.dropColumn(name, 'unit_price_minor');
}
