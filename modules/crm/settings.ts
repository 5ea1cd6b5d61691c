import { setting, z, type Context } from '@keelson/core';

/** The currency of the tenant's amounts (V-08), ISO 4217. */
export const Currency = setting('crm.currency', z.string().regex(/^[A-Z]{3}$/), 'USD');

export function readCurrency(ctx: Context): Promise<string> {
  return ctx.app.settings.get(ctx, Currency);
}
