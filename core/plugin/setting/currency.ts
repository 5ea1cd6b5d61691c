// The tenant's currency, shown next to every amount (V-08).
import { z } from 'zod';
import type { Context } from '../context.ts';
import { setting } from './settings.ts';

const codes: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/** Whether a text is the ISO 4217 code of a currency. */
export const isCurrency = (code: string): boolean => codes.has(code);

/** ISO 4217 code. */
export const Currency = setting('tenant.currency', z.string().regex(/^[A-Z]{3}$/), 'USD');

/** Returns the tenant's currency: `USD`. */
export function readCurrency({ app, db }: Context): Promise<string> {
  return app.settings.get({ db }, Currency);
}

/** Returns the currency as a view member: `currency: its.lookup(z.string(), 'contract_id', sameCurrency, '')`. */
export async function sameCurrency(ctx: Context): Promise<{ get(id: number): string }> {
  const currency = await readCurrency(ctx);
  return { get: () => currency };
}
