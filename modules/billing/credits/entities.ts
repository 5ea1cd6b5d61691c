import { big, choice, day, id, int, ref, table, text, when, type Row } from '@keelson/core';
import { Company } from '@keelson/modules/directory';
import { Invoice, InvoiceLine } from '../invoices/entities.ts';
import { paymentMethods } from '../payments/entities.ts';

/** A credit for all or part of an issued invoice. As on paper, its own amounts and quantities are negative. */
export const CreditNote = table(
  'credit_note',
  {
    credit_note_id: id(),
    credit_note_number: text(64),
    /** The credited invoice. */
    invoice_id: ref(Invoice),
    company_number: ref(Company),
    /** The invoice's currency. */
    currency: text(3),
    issue_date: day(),
    reason: text().default(''),
    subtotal_minor: big(),
    tax_minor: big(),
    total_minor: big(),
    /** The amount applied to invoices or refunded; above 0. */
    used_minor: big().default(0),
    created_at: when(),
    updated_at: when(),
  },
  [
    ['company_number', 'created_at', 'credit_note_id'],
    ['invoice_id', 'credit_note_id'],
    ['created_at', 'credit_note_id'],
    ['issue_date', 'credit_note_id'],
  ],
);
export type CreditNote = Row<typeof CreditNote>;

/** Lines of the invoice, with the credited quantity. */
export const CreditNoteLine = table(
  'credit_note_line',
  {
    line_item_id: id(),
    credit_note_id: ref(CreditNote),
    invoice_id: ref(Invoice),
    invoice_line_id: ref(InvoiceLine),
    position: int().hidden(),
    description: text(),
    /** In ten-thousandths. */
    quantity_parts: big(),
    unit_price: text(24),
    amount_minor: big(),
    /** The rate of the invoice's line. */
    tax_ppm: int(),
  },
  [
    ['credit_note_id', 'position'],
    ['invoice_id', 'credit_note_id'],
  ],
);
export type CreditNoteLine = Row<typeof CreditNoteLine>;

export const creditUses = ['invoice', 'refund'] as const;

/** A use of a credit: applied to an invoice, or refunded. */
export const CreditUse = table(
  'credit_use',
  {
    use_id: id(),
    credit_note_id: ref(CreditNote),
    kind: choice(...creditUses),
    /** The invoice that the credit lowers; null for a refund. */
    invoice_id: ref(Invoice).nullable(),
    amount_minor: big(),
    day: day(),
    /** How a refund was paid. */
    method: choice(...paymentMethods).nullable(),
    reference: text(255).default(''),
    created_at: when(),
  },
  [
    ['credit_note_id', 'use_id'],
    ['invoice_id', 'use_id'],
  ],
);
export type CreditUse = Row<typeof CreditUse>;
