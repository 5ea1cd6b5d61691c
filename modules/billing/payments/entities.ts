import { big, choice, day, id, ref, table, text, when, type Row } from '@keelson/core';
import { Company } from '@keelson/modules/directory';
import { Invoice } from '../invoices/entities.ts';

export const paymentMethods = ['card', 'ach', 'check', 'cash', 'wire', 'other'] as const;

export const Payment = table(
  'payment',
  {
    payment_id: id(),
    invoice_id: ref(Invoice),
    company_number: ref(Company),
    amount_minor: big(),
    /** The invoice's currency. */
    currency: text(3),
    method: choice(...paymentMethods).default('other'),
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
export type Payment = Row<typeof Payment>;
