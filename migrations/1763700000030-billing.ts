// Initial invoices, payments and statements. Later changes are separate migrations.
import { migration, type Migrator } from '../core/database/migrate.ts';
import { big, choice, day, flag, id, int, key, ref, text, when } from '../core/database/table.ts';

export default migration('1763700000030-billing', async (m) => {
  await createInvoices(m);
  await createPayments(m);
  await createLedger(m);
});

async function createInvoices(m: Migrator): Promise<void> {
  await m.createTable(
    'invoice',
    {
      invoice_id: id(),
      invoice_number: text(64),
      number_key: key().unique(),
      company_number: ref('company.company_number'),
      status: choice('draft', 'sent', 'paid', 'overdue', 'void').default('draft'),
      issue_date: day(),
      due_date: day(),
      subtotal_minor: big().default(0),
      tax_ppm: int().default(0),
      tax_minor: big().default(0),
      total_minor: big().default(0),
      paid_minor: big().default(0),
      currency: text(3),
      notes: text().default(''),
      sent_at: when().nullable(),
      paid_at: when().nullable(),
      issued: flag().default(false),
      home: flag().default(true),
      owed_minor: big().default(0),
      created_at: when(),
      updated_at: when(),
    },
    [
      ['company_number', 'status', 'created_at', 'invoice_id'],
      ['company_number', 'issued', 'created_at', 'invoice_id'],
      ['company_number', 'created_at', 'invoice_id'],
      ['company_number', 'issue_date', 'invoice_id'],
      ['status', 'created_at', 'invoice_id'],
      ['status', 'due_date', 'invoice_id'],
      ['issue_date', 'invoice_id'],
      ['created_at', 'invoice_id'],
    ],
  );
  const counted = { company_number: int(), status: text(40), issued: flag() };
  await m.createTable('invoice_count', {
    company_number: int().primary(),
    status: text(40).primary(),
    issued: flag().primary(),
    n: int(),
  });
  await m.createTable('invoice_count_delta', { delta_id: id(), ...counted, n: int() });
  await m.createTable('invoice_owed', { company_number: int().primary(), n: big() });
  await m.createTable('invoice_owed_delta', { delta_id: id(), company_number: int(), n: big() });
  await m.createTable(
    'invoice_line',
    {
      line_item_id: id(),
      invoice_id: ref('invoice.invoice_id'),
      position: int(),
      description: text(),
      quantity_parts: big(),
      unit_price_minor: big(),
      amount_minor: big(),
      taxable: flag().default(true),
      source: choice('hand', 'entry', 'subscription_period', 'product').default('hand'),
      source_id: int().nullable(),
      period_start: day().nullable(),
      period_end: day().nullable(),
    },
    [['invoice_id', 'position']],
  );
  await m.createTable(
    'invoice_line_entry',
    {
      line_item_id: ref('invoice_line.line_item_id').primary(),
      time_entry_id: int().primary(),
      invoice_id: ref('invoice.invoice_id'),
      billing_id: int().nullable().unique(),
    },
    [['invoice_id', 'line_item_id', 'time_entry_id']],
  );
  await m.createTable('billing_sequence', { name: key(40).primary(), next: int() });
}

async function createPayments(m: Migrator): Promise<void> {
  await m.createTable(
    'payment',
    {
      payment_id: id(),
      invoice_id: ref('invoice.invoice_id'),
      company_number: ref('company.company_number'),
      amount_minor: big(),
      currency: text(3),
      method: choice('card', 'ach', 'check', 'cash', 'wire', 'other').default('other'),
      reference: text(255).default(''),
      paid_at: day(),
      notes: text().default(''),
      created_at: when(),
    },
    [
      ['invoice_id', 'payment_id'],
      ['company_number', 'created_at', 'payment_id'],
      ['company_number', 'paid_at', 'payment_id'],
      ['paid_at', 'payment_id'],
      ['created_at', 'payment_id'],
    ],
  );
  await m.createTable('payment_count', { company_number: int().primary(), n: int() });
  await m.createTable('payment_count_delta', { delta_id: id(), company_number: int(), n: int() });
}

async function createLedger(m: Migrator): Promise<void> {
  await m.createTable(
    'billing_movement',
    {
      movement_id: id(),
      company_number: ref('company.company_number'),
      currency: text(3),
      kind: choice('invoice', 'payment', 'void'),
      invoice_id: ref('invoice.invoice_id'),
      payment_id: ref('payment.payment_id').nullable(),
      amount_minor: big(),
      day: day(),
      created_at: when(),
    },
    [
      ['company_number', 'currency', 'day', 'movement_id'],
      ['invoice_id', 'movement_id'],
    ],
  );
  await m.createTable('billing_account', {
    company_number: ref('company.company_number').primary(),
    currency: key(3).primary(),
    balance_minor: big().default(0),
  });
  await m.createTable(
    'billing_statement',
    {
      statement_id: id(),
      company_number: ref('company.company_number'),
      currency: key(3),
      month: key(7),
      opening_minor: big(),
      charges_minor: big(),
      payments_minor: big(),
      closing_minor: big(),
      generated_at: when(),
    },
    [['company_number', 'month', 'statement_id']],
    { unique: [['company_number', 'currency', 'month']] },
  );
}
