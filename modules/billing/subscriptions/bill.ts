// Bills subscription periods: one line each, plus a row whose unique key prevents billing a period twice.
import type { Context, Day } from '@keelson/core';
import { dayInWords } from '@keelson/core/kit';
import { createDraftInvoice } from '../invoices/create.ts';
import type { Invoice } from '../invoices/entities.ts';
import { wordingFor } from '../invoices/pdf.ts';
import { priceOf, toParts } from '../money.ts';
import { SubscriptionInvoices } from '../settings.ts';
import { SubscriptionPeriod, type Subscription } from './entities.ts';
import { periodAt, type Period } from './periods.ts';
import { amountPerPeriod } from './subscription-list.ts';
import { periodsDone } from './subscriptions.ts';

/** Returns the unit price in the period that begins on this day. */
export function priceAt(
  { unit_price_minor, next_price_minor, next_price_from }: Subscription,
  period_start: Day,
): number {
  const changed = next_price_minor !== null && next_price_from !== null && period_start >= next_price_from;
  return changed ? next_price_minor : unit_price_minor;
}

export interface Billing {
  readonly subscription: Subscription;
  /** The unbilled periods, in order. */
  readonly periods: readonly Period[];
}

/** Returns the periods that have begun and have no invoice, at most `most`. */
export function duePeriods(subscription: Subscription, today: Day, most: number): Period[] {
  const due: Period[] = [];
  for (let index = periodsDone(subscription); due.length < most; index++) {
    const period = periodAt(subscription, index);
    const ended = subscription.end_date !== null && period.period_start > subscription.end_date;
    if (period.period_start > today || ended) break;
    due.push(period);
  }
  return due;
}

/** Maximum lines per invoice; the rest goes on the next one. */
export const MOST_PERIOD_LINES = 100;

/** Returns each period with its subscription and its price. */
function pricedPeriods(billings: readonly Billing[]) {
  return billings.flatMap(({ subscription, periods }) =>
    periods.map((period) => ({
      subscription,
      period,
      unit_price_minor: priceAt(subscription, period.period_start),
    })),
  );
}

/** Returns a line for each period, in the company's language. */
export async function linesOf(ctx: Context, company_number: number, billings: readonly Billing[]) {
  const { t, language } = await wordingFor(ctx, company_number);
  return pricedPeriods(billings).map(({ subscription, period, unit_price_minor }) => ({
    description: t('{name}, {first} to {last}', {
      name: subscription.name,
      first: dayInWords(period.period_start, language),
      last: dayInWords(period.period_end, language),
    }),
    quantity_parts: toParts(subscription.quantity),
    unit_price: priceOf(unit_price_minor),
    source: 'subscription_period' as const,
    source_id: subscription.subscription_id,
    tax_ppm: subscription.tax_ppm,
    ...period,
  }));
}

/**
 * Creates a draft invoice of periods in the caller's transaction. All subscriptions share one company and currency.
 * @throws DuplicateKey when one of the periods was already billed
 */
export async function invoicePeriods(ctx: Context, billings: readonly Billing[]): Promise<Invoice> {
  const [first] = billings;
  if (!first) throw new Error('There is nothing to bill');
  const { company_number, currency } = first.subscription;
  const lines = await linesOf(ctx, company_number, billings);
  const settings = await ctx.app.settings.get(ctx, SubscriptionInvoices);
  const invoice = await createDraftInvoice(ctx, { company_number, currency, tax_ppm: settings.tax_ppm, lines });
  await ctx.db.insert(
    SubscriptionPeriod,
    pricedPeriods(billings).map(({ subscription, period, unit_price_minor }) => ({
      ...period,
      subscription_id: subscription.subscription_id,
      company_number,
      invoice_id: invoice.invoice_id,
      quantity: subscription.quantity,
      unit_price_minor,
      amount_minor: amountPerPeriod({ ...subscription, unit_price_minor }),
      billed_at: ctx.now,
    })),
  );
  return invoice;
}
