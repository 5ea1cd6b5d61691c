// The currency of the tenant's amounts, which is shown beside each of them (V-08).
import { z } from 'zod';
import type { Context } from './context.ts';
import { setting } from './settings.ts';

/** ISO 4217. */
export const Currency = setting('tenant.currency', z.string().regex(/^[A-Z]{3}$/), 'USD');

/** The currency of the tenant's amounts: `USD`. */
export function readCurrency({ app, db }: Context): Promise<string> {
  return app.settings.get({ db }, Currency);
}

/** The same as a member of a view: `currency: its.lookup(z.string(), 'contract_id', sameCurrency, '')`. */
export async function sameCurrency(ctx: Context): Promise<{ get(id: number): string }> {
  const currency = await readCurrency(ctx);
  return { get: () => currency };
}
