// The ledger, and what is kept of it: each company's balance, and its months.
import { big, choice, day, id, key, ref, table, text, when, type Row } from '@keelson/core';
import { Company } from '@keelson/modules/directory';
import { Invoice } from '../invoices/entities.ts';
import { Payment } from '../payments/entities.ts';

export const movementKinds = ['invoice', 'payment', 'void'] as const;

/** Movements of what a company owes, in minor units: invoices add to it, payments and voids take from it. Only added to. */
export const BillingMovement = table(
  'billing_movement',
  {
    movement_id: id(),
    company_number: ref(Company),
    currency: text(3),
    kind: choice(...movementKinds),
    invoice_id: ref(Invoice),
    payment_id: ref(Payment).nullable(),
    amount_minor: big(),
    /** The invoice's issue date, the payment's date, or the day of the void. */
    day: day(),
    created_at: when(),
  },
  [
    ['company_number', 'currency', 'day', 'movement_id'],
    ['invoice_id', 'movement_id'],
  ],
);

/** What a company owes. Its row is locked by each movement, so that months are written in turns. */
export const BillingAccount = table('billing_account', {
  company_number: ref(Company).primary(),
  currency: key(3).primary(),
  balance_minor: big().default(0),
});

/** A month in which something has moved (B-12). Each opens with what the one before it closed with. */
export const Statement = table(
  'billing_statement',
  {
    statement_id: id(),
    company_number: ref(Company),
    currency: key(3),
    /** `2026-11`. */
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
