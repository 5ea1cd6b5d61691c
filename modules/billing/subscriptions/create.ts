// Creates subscriptions without a purchase. The hourly job bills their first period once it has begun.
import { create, dayOf, In, invalid, IsNull, plus, today, type Context, type Day } from '@keelson/core';
import { readCurrency } from '@keelson/core/plugin';
import { checkAmount } from '../money.ts';
import { Product, type BillingCycle } from '../products/entities.ts';
import type { Subscription } from './entities.ts';
import { Subscriptions } from './subscriptions.ts';

/** Days by which a subscription may begin in the past: its periods since then are billed at once. */
const MOST_DAYS_BACK = 366;

export interface NewSubscriptionLine {
  readonly product_id?: number | undefined;
  readonly name: string;
  readonly quantity: number;
  readonly unit_price_minor: number;
  /** Defaults to the rate of subscription invoices. */
  readonly tax_ppm?: number | undefined;
  readonly billing_cycle: BillingCycle;
}

export interface NewSubscriptions {
  readonly company_number: number;
  /** Defaults to today. */
  readonly start_date?: Day | undefined;
  readonly end_date?: Day | null | undefined;
  /** Defaults to the tenant's currency. */
  readonly currency?: string | undefined;
  readonly lines: readonly NewSubscriptionLine[];
}

/** Creates one subscription per line. @throws invalid() for unknown products, or invalid dates or prices */
export async function createSubscriptions(
  ctx: Context,
  { lines, company_number, end_date = null, ...given }: NewSubscriptions,
): Promise<Subscription[]> {
  const { start_date = today(ctx), currency = await readCurrency(ctx) } = given;
  const earliest = dayOf(plus(ctx.now, { days: -MOST_DAYS_BACK }));
  if (start_date < earliest) throw invalid(`start_date must not be before ${earliest}`);
  if (end_date !== null && end_date < start_date) throw invalid('end_date must not be before start_date');
  const product_ids = [...new Set(lines.flatMap(({ product_id }) => product_id ?? []))];
  const known = await ctx.db.countBy(Product, { product_id: In(product_ids), deleted_at: IsNull() });
  if (known < product_ids.length) throw invalid('product_id must be an existing product');
  const made: Subscription[] = [];
  for (const { product_id = null, tax_ppm = null, ...line } of lines) {
    checkAmount('unit_price', line.unit_price_minor, currency);
    const terms = { company_number, currency, start_date, end_date, next_billing_date: start_date };
    made.push(await create(ctx, Subscriptions, { ...line, ...terms, product_id, tax_ppm }));
  }
  return made;
}
