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
/** What a line was made of: by hand, time entries, a period of a subscription, a product. */
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
    currency: text(3),
    notes: text().default(''),
    sent_at: when().nullable(),
    paid_at: when().nullable(),
    /** It was sent: only then do customers see it, even when it is void. */
    issued: flag().default(false).hidden(),
    /** Whether it is in the currency that the tenant had: only those are added up for a company. */
    home: flag().default(true).hidden(),
    /** What the company's balance due has of it. */
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
    /** Its exact decimal text, with up to six decimals: `0.02925`. */
    unit_price: text(24).default('0'),
    amount_minor: big(),
    taxable: flag().default(true),
    /** The line's own rate; null where the invoice's applies. */
    tax_ppm: int().nullable(),
    source: choice(...lineSources).default('hand'),
    /** The subscription or product; null for lines by hand. The entries of a line are in `invoice_line_entry`. */
    source_id: int().nullable(),
    /** The period of a subscription that the line is for. */
    period_start: day().nullable(),
    period_end: day().nullable(),
    /** What was worked, and what contracts include of it; null for lines of something else. */
    worked_minutes: int().nullable(),
    covered_minutes: int().nullable(),
  },
  [['invoice_id', 'position']],
);
export type InvoiceLine = Row<typeof InvoiceLine>;

/** The time entries of a line. While it bills one, `billing_id` is that entry: its key makes sure that none is billed twice. */
export const InvoiceLineEntry = table(
  'invoice_line_entry',
  {
    line_item_id: ref(InvoiceLine).primary(),
    time_entry_id: int().primary(),
    invoice_id: ref(Invoice),
    /** Null once the invoice is void: the line remembers what it was made of, and the entry can be billed again. */
    billing_id: int().nullable().unique(),
  },
  [['invoice_id', 'line_item_id', 'time_entry_id']],
);

/** A mail with an invoice that somebody asked for, with recipients or words of their own. */
export const InvoiceMail = table(
  'invoice_mail',
  {
    mail_id: id(),
    invoice_id: ref(Invoice),
    /** People of the company; those who usually get its invoices when there are none. */
    employee_numbers: json(z.array(z.int())),
    /** The sender’s own words; the template's alone when empty. */
    message: text().default(''),
    asked_by: text(255),
    created_at: when(),
  },
  [['invoice_id']],
);
export type InvoiceMail = Row<typeof InvoiceMail>;

/** What contracts include of the time on a line. */
export const InvoiceLineCoverage = table(
  'invoice_line_coverage',
  {
    line_item_id: ref(InvoiceLine).primary(),
    time_entry_id: int().primary(),
    contract_id: int().primary(),
    invoice_id: ref(Invoice),
    /** The first day of the contract's month, quarter or year whose hours these are. */
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

/** The next number of each kind of document. Its row is locked until the number is used, so that there are no gaps. */
export const BillingSequence = table('billing_sequence', { name: key(40).primary(), next: int() });
