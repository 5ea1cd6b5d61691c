// Purchases a product of the marketplace (B-13): creates an active subscription, and a draft invoice for its first
// period.
import { conflict, create, invalid, IsNull, today, type Context } from '@keelson/core';
import type { Invoice } from '../invoices/entities.ts';
import { Product } from '../products/entities.ts';
import { invoicePeriods } from './bill.ts';
import type { Subscription } from './entities.ts';
import { periodAt, startOfPeriod } from './periods.ts';
import { Subscriptions } from './subscriptions.ts';

export interface Purchase {
  readonly product_id: number;
  readonly company_number: number;
  readonly quantity?: number | undefined;
}

/**
 * Purchases a product. Requires a transaction.
 * @throws invalid() for an unknown product or company; conflict() for one not sold (B-14)
 */
export async function purchase(
  ctx: Context,
  { product_id, company_number, quantity = 1 }: Purchase,
): Promise<{ readonly subscription: Subscription; readonly invoice: Invoice }> {
  const product = await ctx.db.findOne(Product, {
    where: { product_id, deleted_at: IsNull() },
    lock: { mode: 'pessimistic_write' },
  });
  if (!product) throw invalid('product_id must be an existing product');
  if (!product.active) throw conflict(`${product.name} is no longer sold`);
  const { name, price_minor: unit_price_minor, currency, billing_cycle } = product;
  const course = { start_date: today(ctx), billing_cycle };
  const subscription = await create(ctx, Subscriptions, {
    ...course,
    product_id,
    name,
    company_number,
    quantity,
    unit_price_minor,
    currency,
    periods_billed: 1,
    next_billing_date: startOfPeriod(course, 1),
  });
  const invoice = await invoicePeriods(ctx, [{ subscription, periods: [periodAt(course, 0)] }]);
  return { subscription, invoice };
}
