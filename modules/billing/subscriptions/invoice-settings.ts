// Settings for subscription invoices.
import { z, type Context } from '@keelson/core';
import { changesBetween } from '@keelson/core/log';
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
  const { before, after } = await ctx.app.settings.change(ctx, SubscriptionInvoices, (known) => ({
    status: status ?? known.status,
    tax_ppm: tax_ppm ?? known.tax_ppm,
  }));
  const changes = changesBetween(before, after);
  if (Object.keys(changes).length > 0) {
    const description = 'Subscription invoice settings changed';
    ctx.record({
      action: 'update',
      entity_type: 'setting',
      entity_id: SubscriptionInvoices.name,
      description,
      changes,
    });
  }
  return shown(after);
}

const shown = ({ status, tax_ppm }: Stored) => ({ status, tax_rate: fromRate(tax_ppm) });
