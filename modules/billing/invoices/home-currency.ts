// Totals are sums of invoices in the tenant's currency, so it cannot change once there are any.
import { conflict, type Context } from '@keelson/core';
import { Invoice } from './entities.ts';

/**
 * Checks that the currency may change.
 * @throws conflict() once there are invoices
 */
export async function keepInvoiceCurrency(ctx: Context): Promise<void> {
  if (await ctx.db.existsBy(Invoice, {})) throw conflict('The currency cannot be changed once there are invoices');
}
