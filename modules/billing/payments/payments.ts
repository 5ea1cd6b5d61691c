// Payments: recorded one at a time per invoice, never above its balance (B-04).
import { change, create, eventData, invalid, record, today, type Context, type Given } from '@keelson/core';
import { PaymentRecorded } from '../events.ts';
import type { Invoice } from '../invoices/entities.ts';
import { balanceOf } from '../invoices/invoice-list.ts';
import { Invoices, isOwed } from '../invoices/invoices.ts';
import { checkAmount, formatterOf } from '../money.ts';
import { postMovement } from '../statements/ledger.ts';
import type { Payment } from './entities.ts';
import { PaymentItem, PaymentNoun } from './payment-list.ts';

export const Payments = record(PaymentNoun, {
  call: ({ payment_id }) => payment_id,
  async created(ctx, payment) {
    ctx.emit(PaymentRecorded, await eventData(ctx, PaymentItem, payment));
  },
});

type Fixed = 'payment_id' | 'company_number' | 'currency' | 'amount_minor' | 'paid_at';
export interface NewPayment extends Omit<Given<typeof Payments>, Fixed> {
  /** In minor units; above 0. */
  readonly amount: number;
  /** Defaults to today. */
  readonly paid_at?: string | undefined;
}

/** Records a payment on an invoice that was locked in the same transaction. @throws invalid() (B-04) */
export async function payInvoice(ctx: Context, invoice: Invoice, given: Omit<NewPayment, 'invoice_id'>) {
  const { amount, paid_at = today(ctx), ...more } = given;
  const { invoice_id, company_number, currency } = invoice;
  if (!isOwed(invoice))
    throw invalid(`invoice_id must be a sent or overdue invoice, but this one is ${invoice.status}`);
  const balance = balanceOf(invoice);
  if (amount <= 0) throw invalid('amount must be above 0');
  if (amount > balance) throw invalid(`amount must be at most ${formatterOf(currency)(balance)}, the balance due`);
  checkAmount('amount', amount, currency);
  const payment = await create(ctx, Payments, {
    ...more,
    invoice_id,
    company_number,
    currency,
    amount_minor: amount,
    paid_at,
  });
  await postMovement(ctx, invoice, {
    kind: 'payment',
    payment_id: payment.payment_id,
    amount_minor: -amount,
    day: paid_at,
  });
  const paid_minor = invoice.paid_minor + amount;
  const paid = amount === balance && ({ status: 'paid', paid_at: ctx.now } as const);
  return { payment, invoice: await change(ctx, Invoices, invoice, { paid_minor, ...paid }) };
}

/** Records a payment. Locks the invoice, so that concurrent payments never exceed its balance. */
export async function recordPayment(ctx: Context, { invoice_id, ...given }: NewPayment): Promise<Payment> {
  const invoice = await lockInvoice(ctx, invoice_id);
  return (await payInvoice(ctx, invoice, given)).payment;
}

/** Locks an invoice that a request names. @throws invalid() when there is none */
export async function lockInvoice(ctx: Context, invoice_id: number): Promise<Invoice> {
  const invoice = await ctx.db.findOne(Invoices.table, { where: { invoice_id }, lock: { mode: 'pessimistic_write' } });
  if (!invoice) throw invalid('invoice_id must be an existing invoice');
  return invoice;
}
