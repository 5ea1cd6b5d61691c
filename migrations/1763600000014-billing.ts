// The tables of the module billing.
import { z } from 'zod';
import { migration } from '../packages/database/migration/migrate.ts';
import { big, day, flag, id, int, json, key, ref, text, when } from '../packages/database/schema/table.ts';

export default migration('1763600000014-billing', async (m) => {
  await m.createTable(
    'invoice',
    {
      invoice_id: id(),
      invoice_number: text(64),
      number_key: key().unique(),
      company_number: ref('company.company_number'),
      status: text(40).default('draft'),
      issue_date: day(),
      due_date: day(),
      subtotal_minor: big().default(0),
      tax_ppm: int().default(0),
      tax_minor: big().default(0),
      total_minor: big().default(0),
      paid_minor: big().default(0),
      currency: text(3),
      notes: text(),
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
  await m.createTable(
    'invoice_line',
    {
      line_item_id: id(),
      invoice_id: ref('invoice.invoice_id'),
      position: int(),
      description: text(),
      quantity_parts: big(),
      unit_price: text(24).default('0'),
      amount_minor: big(),
      taxable: flag().default(true),
      tax_ppm: int().nullable(),
      source: text(40).default('hand'),
      source_id: int().nullable(),
      period_start: day().nullable(),
      period_end: day().nullable(),
      worked_minutes: int().nullable(),
      covered_minutes: int().nullable(),
    },
    [['invoice_id', 'position']],
  );
  await m.createTable(
    'invoice_line_entry',
    {
      line_item_id: ref('invoice_line.line_item_id').primary(),
      time_entry_id: int().primary(),
      invoice_id: ref('invoice.invoice_id'),
      billing_id: int().unique().nullable(),
    },
    [['invoice_id', 'line_item_id', 'time_entry_id']],
  );
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
  await m.createTable(
    'invoice_mail',
    {
      mail_id: id(),
      invoice_id: ref('invoice.invoice_id'),
      employee_numbers: json(z.unknown()),
      message: text(),
      asked_by: text(255),
      created_at: when(),
    },
    [['invoice_id']],
  );
  await m.createTable('billing_sequence', {
    name: key(40).primary(),
    next: int(),
  });
  await m.createTable(
    'payment',
    {
      payment_id: id(),
      invoice_id: ref('invoice.invoice_id'),
      company_number: ref('company.company_number'),
      amount_minor: big(),
      currency: text(3),
      method: text(40).default('other'),
      reference: text(255).default(''),
      paid_at: day(),
      notes: text(),
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
  await m.createTable(
    'billing_movement',
    {
      movement_id: id(),
      company_number: ref('company.company_number'),
      currency: text(3),
      kind: text(40),
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
  await m.createTable(
    'marketplace_product',
    {
      product_id: id(),
      name: text(255),
      description: text(),
      vendor: text(255).default(''),
      category: text(255).default(''),
      price_minor: big(),
      currency: text(3),
      billing_cycle: text(40).default('monthly'),
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
  await m.createTable(
    'proposal',
    {
      proposal_id: id(),
      proposal_number: text(64),
      company_number: ref('company.company_number'),
      title: text(255),
      description: text(),
      status: text(40).default('draft'),
      total_minor: big().default(0),
      currency: text(3),
      valid_until: day().nullable(),
      sent_at: when().nullable(),
      responded_at: when().nullable(),
      responded_by: text(255).default(''),
      responded_by_employee: ref('employee.employee_number').nullable(),
      rejection_reason: text(),
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
  await m.createTable(
    'proposal_line',
    {
      line_item_id: id(),
      proposal_id: ref('proposal.proposal_id'),
      position: int(),
      description: text(),
      quantity_parts: big(),
      unit_price: text(24).default('0'),
      amount_minor: big(),
    },
    [['proposal_id', 'position']],
  );
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
      billing_cycle: text(40),
      status: text(40).default('active'),
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
  await m.createTable('invoice_count', {
    company_number: int().primary(),
    status: text(40).primary(),
    issued: flag().primary(),
    n: int(),
  });
  await m.createTable('invoice_count_delta', {
    delta_id: id(),
    company_number: int(),
    status: text(40),
    issued: flag(),
    n: int(),
  });
  await m.createTable('invoice_owed', {
    company_number: int().primary(),
    n: big(),
  });
  await m.createTable('invoice_owed_delta', {
    delta_id: id(),
    company_number: int(),
    n: big(),
  });
});
