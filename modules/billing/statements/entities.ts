// The ledger and its summaries: each company's balance and monthly statements.
import { big, choice, day, id, int, key, ref, table, text, when, type Row } from '@keelson/core';
import { Company } from '@keelson/modules/directory';
import { Invoice } from '../invoices/entities.ts';
import { Payment } from '../payments/entities.ts';

export const movementKinds = ['invoice', 'payment', 'void', 'credit', 'refund'] as const;

/**
 * Movements of a company's balance, in minor units: invoices and refunds increase it; payments, voids and
 * credit notes reduce it. Append-only.
 */
export const BillingMovement = table(
  'billing_movement',
  {
    movement_id: id(),
    company_number: ref(Company),
    currency: text(3),
    kind: choice(...movementKinds),
    invoice_id: ref(Invoice),
    payment_id: ref(Payment).nullable(),
    credit_note_id: int().nullable(),
    amount_minor: big(),
    /** The invoice's issue date, the payment's date, the credit note's issue date, or the day of the void. */
    day: day(),
    created_at: when(),
  },
  [
    ['company_number', 'currency', 'day', 'movement_id'],
    ['invoice_id', 'movement_id'],
  ],
);

/** A company's balance. Each movement locks its row, so that statements are updated one at a time. */
export const BillingAccount = table('billing_account', {
  company_number: ref(Company).primary(),
  currency: key(3).primary(),
  balance_minor: big().default(0),
});

/** A month with movements (B-12). Each opens with the previous month's closing balance. */
export const Statement = table(
  'billing_statement',
  {
    statement_id: id(),
    company_number: ref(Company),
    currency: key(3),
    /** Such as `2026-11`. */
    month: key(7).hidden(),
    opening_minor: big(),
    charges_minor: big(),
    payments_minor: big(),
    closing_minor: big(),
    generated_at: when(),
  },
  [['company_number', 'month', 'statement_id']],
  { unique: [['company_number', 'currency', 'month']] },
);
export type Statement = Row<typeof Statement>;
