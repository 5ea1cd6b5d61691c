// Initial proposals, products and subscriptions. Later changes are separate migrations.
import { migration, type Migrator } from '../core/database/migrate.ts';
import { big, choice, day, flag, id, int, ref, text, when, type Columns } from '../core/database/table.ts';

export default migration('1763700000033-sales', async (m) => {
  await createProducts(m);
  await createSubscriptions(m);
  await createProposals(m);
});

async function createProducts(m: Migrator): Promise<void> {
  await m.createTable(
    'marketplace_product',
    {
      product_id: id(),
      name: text(255),
      description: text().default(''),
      vendor: text(255).default(''),
      category: text(255).default(''),
      price_minor: big(),
      currency: text(3),
      billing_cycle: choice('monthly', 'quarterly', 'annual').default('monthly'),
      active: flag().default(true),
      created_at: when(),
      updated_at: when(),
      deleted_at: when().nullable(),
    },
    [
      ['name', 'product_id', 'deleted_at'],
      ['active', 'name', 'product_id', 'deleted_at'],
      ['category', 'name', 'product_id', 'deleted_at'],
    ],
  );
  await createCounter(m, 'marketplace_product_count', { active: flag() });
}

async function createSubscriptions(m: Migrator): Promise<void> {
  await m.createTable(
    'subscription',
    {
      subscription_id: id(),
      product_id: ref('marketplace_product.product_id').nullable(),
      name: text(255),
      company_number: ref('company.company_number'),
      quantity: int(),
      unit_price_minor: big(),
      currency: text(3),
      billing_cycle: choice('monthly', 'quarterly', 'annual'),
      status: choice('active', 'cancelled', 'expired').default('active'),
      start_date: day(),
      next_billing_date: day().nullable(),
      end_date: day().nullable(),
      periods_billed: int().default(0),
      created_at: when(),
      updated_at: when(),
    },
    [
      ['company_number', 'status', 'created_at', 'subscription_id'],
      ['company_number', 'created_at', 'subscription_id'],
      ['status', 'created_at', 'subscription_id'],
      ['created_at', 'subscription_id'],
      ['product_id', 'subscription_id'],
      ['status', 'next_billing_date', 'company_number'],
      ['status', 'end_date', 'subscription_id'],
    ],
  );
  await createCounter(m, 'subscription_count', { company_number: int(), status: text(40) });
  await m.createTable(
    'subscription_period',
    {
      subscription_id: ref('subscription.subscription_id').primary(),
      period_start: day().primary(),
      period_end: day(),
      invoice_id: ref('invoice.invoice_id'),
      quantity: int(),
      unit_price_minor: big(),
      billed_at: when(),
    },
    [['invoice_id', 'subscription_id']],
  );
}

async function createProposals(m: Migrator): Promise<void> {
  await m.createTable(
    'proposal',
    {
      proposal_id: id(),
      proposal_number: text(64),
      company_number: ref('company.company_number'),
      title: text(255),
      description: text().default(''),
      status: choice('draft', 'sent', 'accepted', 'rejected', 'expired').default('draft'),
      total_minor: big().default(0),
      currency: text(3),
      valid_until: day().nullable(),
      sent_at: when().nullable(),
      responded_at: when().nullable(),
      responded_by: text(255).default(''),
      responded_by_employee: ref('employee.employee_number').nullable(),
      rejection_reason: text().default(''),
      ticket_id: ref('ticket.ticket_id').nullable(),
      created_at: when(),
      updated_at: when(),
      deleted_at: when().nullable(),
    },
    [
      ['company_number', 'status', 'created_at', 'proposal_id', 'deleted_at'],
      ['company_number', 'created_at', 'proposal_id', 'deleted_at'],
      ['status', 'created_at', 'proposal_id', 'deleted_at'],
      ['created_at', 'proposal_id', 'deleted_at'],
      ['status', 'valid_until', 'proposal_id'],
    ],
  );
  await createCounter(m, 'proposal_count', { company_number: int(), status: text(40) });
  await m.createTable(
    'proposal_line',
    {
      line_item_id: id(),
      proposal_id: ref('proposal.proposal_id'),
      position: int(),
      description: text(),
      quantity_parts: big(),
      unit_price_minor: big(),
      amount_minor: big(),
    },
    [['proposal_id', 'position']],
  );
}

async function createCounter(m: Migrator, name: string, dimensions: Columns): Promise<void> {
  const keys = Object.fromEntries(Object.entries(dimensions).map(([each, column]) => [each, column.primary()]));
  await m.createTable(name, { ...keys, n: int() });
  await m.createTable(`${name}_delta`, { delta_id: id(), ...dimensions, n: int() });
}
