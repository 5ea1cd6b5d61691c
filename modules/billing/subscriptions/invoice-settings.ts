// Settings for subscription invoices.
import { changeSetting, z, type Context } from '@keelson/core';
import { fromRate } from '../money.ts';
import { SubscriptionInvoices } from '../settings.ts';

export const InvoiceSettings = z.object({ status: z.enum(['draft', 'sent']), tax_rate: z.number() });
type Stored = z.infer<(typeof SubscriptionInvoices)['shape']>;

export async function readInvoiceSettings(ctx: Context): Promise<z.infer<typeof InvoiceSettings>> {
  return shown(await ctx.app.settings.get(ctx, SubscriptionInvoices));
}

/** Changes the given settings, from the next invoice on. */
export async function changeInvoiceSettings(
  ctx: Context,
  { status, tax_ppm }: { readonly [K in keyof Stored]?: Stored[K] | undefined },
): Promise<z.infer<typeof InvoiceSettings>> {
  const after = await changeSetting(ctx, SubscriptionInvoices, {
    next: (known) => ({ status: status ?? known.status, tax_ppm: tax_ppm ?? known.tax_ppm }),
    description: 'Subscription invoice settings changed',
  });
  return shown(after);
}

const shown = ({ status, tax_ppm }: Stored) => ({ status, tax_rate: fromRate(tax_ppm) });
