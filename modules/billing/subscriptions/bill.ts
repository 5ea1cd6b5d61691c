// Bills subscription periods: one line each, plus a row whose unique key prevents billing a period twice.
import type { Context, Day } from '@keelson/core';
import { dayInWords } from '@keelson/core/kit';
import { createDraftInvoice } from '../invoices/create.ts';
import type { Invoice } from '../invoices/entities.ts';
import { priceOf, toParts } from '../money.ts';
import { SubscriptionInvoices } from '../settings.ts';
import { SubscriptionPeriod, type Subscription } from './entities.ts';
import { periodAt, type Period } from './periods.ts';
import { amountPerPeriod } from './subscription-list.ts';

export interface Billing {
  readonly subscription: Subscription;
  /** The unbilled periods, in order. */
  readonly periods: readonly Period[];
}

/** Returns the periods that have begun and have no invoice, at most `most`. */
export function duePeriods(subscription: Subscription, today: Day, most: number): Period[] {
  const due: Period[] = [];
  for (let index = subscription.periods_billed; due.length < most; index++) {
    const period = periodAt(subscription, index);
    const ended = subscription.end_date !== null && period.period_start > subscription.end_date;
    if (period.period_start > today || ended) break;
    due.push(period);
  }
  return due;
}

/**
 * Creates a draft invoice of periods in the caller's transaction. All subscriptions share one company and currency.
 * @throws DuplicateKey when one of the periods was already billed
 */
export async function invoicePeriods(ctx: Context, billings: readonly Billing[]): Promise<Invoice> {
  const [first] = billings;
  if (!first) throw new Error('There is nothing to bill');
  const { company_number, currency } = first.subscription;
  const all = billings.flatMap(({ subscription, periods }) => periods.map((period) => ({ subscription, period })));
  const lines = all.map(({ subscription: { subscription_id, name, quantity, unit_price_minor }, period }) => ({
    description: `${name}, ${dayInWords(period.period_start)} to ${dayInWords(period.period_end)}`,
    quantity_parts: toParts(quantity),
    unit_price: priceOf(unit_price_minor),
    source: 'subscription_period' as const,
    source_id: subscription_id,
    ...period,
  }));
  const { tax_ppm } = await ctx.app.settings.get(ctx, SubscriptionInvoices);
  const invoice = await createDraftInvoice(ctx, { company_number, currency, tax_ppm, lines });
  await ctx.db.insert(
    SubscriptionPeriod,
    all.map(({ subscription, period }) => ({
      ...period,
      subscription_id: subscription.subscription_id,
      company_number,
      invoice_id: invoice.invoice_id,
      quantity: subscription.quantity,
      unit_price_minor: subscription.unit_price_minor,
      amount_minor: amountPerPeriod(subscription),
      billed_at: ctx.now,
    })),
  );
  return invoice;
}
