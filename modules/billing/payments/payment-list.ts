// List views of payments (F-32), on both surfaces.
import { by, fromMinor, noun, param, restrict, sql, view, z, type OutOf } from '@keelson/core';
import { CompanyNames } from '@keelson/modules/directory';
import { InvoiceNumbers } from '../names.ts';
import { ownCompany } from '../visible.ts';
import { Payment } from './entities.ts';

export const PaymentNoun = noun(Payment, {
  title: 'Payment',
  filters: (its) => ({
    company_number: its.is('company_number'),
    invoice_id: its.is('invoice_id'),
    date_from: its.by(param.day(), (_ctx, day) => sql`payment.paid_at >= ${day}`),
    date_to: its.by(param.day(), (_ctx, day) => sql`payment.paid_at <= ${day}`),
  }),
  sorts: { created_at: by('created_at') },
});

export const PaymentItem = view(PaymentNoun, {
  except: ['amount_minor'],
  more: (its) => ({
    invoice_number: its.name(InvoiceNumbers, 'invoice_id'),
    company_name: its.name(CompanyNames, 'company_number'),
    amount: its.from(z.number(), ['amount_minor'], ({ amount_minor }) => fromMinor(amount_minor)),
  }),
});
export type PaymentItem = OutOf<typeof PaymentItem>;

/** All payments on the company's invoices (B-15). */
export const PortalPayment = restrict(PaymentItem, ownCompany);
