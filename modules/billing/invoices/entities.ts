import {
  big,
  choice,
  counterTable,
  day,
  flag,
  id,
  int,
  json,
  key,
  ref,
  statistic,
  table,
  text,
  when,
  z,
  type Row,
} from '@keelson/core';
import { Company } from '@keelson/modules/directory';

export const invoiceStatuses = ['draft', 'sent', 'paid', 'overdue', 'void'] as const;
export type InvoiceStatus = (typeof invoiceStatuses)[number];
/** The source of a line: entered by hand, time entries, a subscription period, or a product. */
export const lineSources = ['hand', 'entry', 'subscription_period', 'product'] as const;

/** Amounts are in minor units (V-08), rates in parts per million, quantities in ten-thousandths. */
export const Invoice = table(
  'invoice',
  {
    invoice_id: id(),
    invoice_number: text(64),
    number_key: key().unique().hidden(),
    company_number: ref(Company),
    status: choice(...invoiceStatuses).default('draft'),
    issue_date: day(),
    due_date: day(),
    subtotal_minor: big().default(0),
    tax_ppm: int().default(0),
    tax_minor: big().default(0),
    total_minor: big().default(0),
    paid_minor: big().default(0),
    /** What credit notes took off the balance. */
    credited_minor: big().default(0),
    currency: text(3),
    notes: text().default(''),
    sent_at: when().nullable(),
    paid_at: when().nullable(),
    /** Set once the invoice was sent. Only then is it visible to customers, even if voided later. */
    issued: flag().default(false).hidden(),
    /** The invoice is in the tenant's currency; only those are included in a company's totals. */
    home: flag().default(true).hidden(),
    /** The invoice's share of the company's balance due. */
    owed_minor: big().default(0).hidden(),
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
export type Invoice = Row<typeof Invoice>;

export const InvoiceCount = counterTable('invoice_count', {
  of: Invoice,
  dimensions: ['company_number', 'status', 'issued'],
  statistics: [statistic(Company, 'unpaid_invoices', { status: ['sent', 'overdue'] })],
});
export const InvoiceOwed = counterTable('invoice_owed', {
  of: Invoice,
  dimensions: ['company_number'],
  sum: 'owed_minor',
  statistics: [statistic(Company, 'balance_due')],
});

export const InvoiceLine = table(
  'invoice_line',
  {
    line_item_id: id(),
    invoice_id: ref(Invoice),
    position: int().hidden(),
    description: text(),
    quantity_parts: big(),
    /** Exact decimal text, with up to six decimals: `0.02925`. */
    unit_price: text(24).default('0'),
    amount_minor: big(),
    taxable: flag().default(true),
    /** The line's own rate; null where the invoice's applies. */
    tax_ppm: int().nullable(),
    source: choice(...lineSources).default('hand'),
    /** The subscription or product; null for manual lines. The time entries of a line are in `invoice_line_entry`. */
    source_id: int().nullable(),
    /** The subscription period that the line bills. */
    period_start: day().nullable(),
    period_end: day().nullable(),
    /** Worked minutes, and how many of them contracts include; null for lines without worked time. */
    worked_minutes: int().nullable(),
    covered_minutes: int().nullable(),
  },
  [['invoice_id', 'position']],
);
export type InvoiceLine = Row<typeof InvoiceLine>;

/**
 * The time entries of a line. `billing_id` is the entry's id while the line bills it; its unique key prevents billing
 * an entry twice.
 */
export const InvoiceLineEntry = table(
  'invoice_line_entry',
  {
    line_item_id: ref(InvoiceLine).primary(),
    time_entry_id: int().primary(),
    invoice_id: ref(Invoice),
    /** Null once the invoice is void: the line keeps its entries, which can be billed again. */
    billing_id: int().nullable().unique(),
  },
  [['invoice_id', 'line_item_id', 'time_entry_id']],
);

/** A requested mail of an invoice, with chosen recipients or a personal message. */
export const InvoiceMail = table(
  'invoice_mail',
  {
    mail_id: id(),
    invoice_id: ref(Invoice),
    /** Employees of the company; empty for the default recipients. */
    employee_numbers: json(z.array(z.int())),
    /** The sender's message; empty for the template alone. */
    message: text().default(''),
    asked_by: text(255),
    created_at: when(),
  },
  [['invoice_id']],
);
export type InvoiceMail = Row<typeof InvoiceMail>;

/** Contract coverage of the time on a line. */
export const InvoiceLineCoverage = table(
  'invoice_line_coverage',
  {
    line_item_id: ref(InvoiceLine).primary(),
    time_entry_id: int().primary(),
    contract_id: int().primary(),
    invoice_id: ref(Invoice),
    /** The first day of the contract's month, quarter or year that the hours belong to. */
    period_start: day(),
    minutes: int(),
    /** False once the invoice is void: the hours can be used again. */
    used: flag().default(true),
  },
  [
    ['contract_id', 'period_start'],
    ['invoice_id', 'line_item_id'],
  ],
);
export type InvoiceLineCoverage = Row<typeof InvoiceLineCoverage>;

/** The next number of each document type. Its row stays locked until the number is used, so that there are no gaps. */
export const BillingSequence = table('billing_sequence', { name: key(40).primary(), next: int() });
