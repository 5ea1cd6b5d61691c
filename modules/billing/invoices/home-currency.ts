// Totals are sums of invoices in the tenant's currency, so it stays as it is once there are any.
import { conflict, type Context } from '@keelson/core';
import { Invoice } from './entities.ts';

/** @throws conflict() once there are invoices */
export async function keepInvoiceCurrency(ctx: Context): Promise<void> {
  if (await ctx.db.existsBy(Invoice, {})) throw conflict('The currency cannot be changed once there are invoices');
}
