// Warranty end dates for a column of the asset list, fetched per page.
import { dayOf, In, IsNull, plus, z, type Context } from '@keelson/core';
import { Asset } from '@keelson/modules/assets';

/** Days before its end at which a warranty needs attention. */
const SOON_DAYS = 60;

export const Expiry = z.object({
  asset_id: z.int(),
  until: z.iso.date(),
  state: z.enum(['valid', 'expiring', 'expired']),
});

/** Returns a row for each asset with a warranty end date. */
export async function readExpiry(ctx: Context, ids: readonly number[]): Promise<z.input<typeof Expiry>[]> {
  const assets = await ctx.db.findBy(Asset, { asset_id: In(ids), deleted_at: IsNull() });
  const today = dayOf(ctx.now);
  const soon = dayOf(plus(ctx.now, { days: SOON_DAYS }));
  return assets.flatMap(({ asset_id, warranty_expires: until }) =>
    until === null ? [] : [{ asset_id, until, state: until < today ? 'expired' : until < soon ? 'expiring' : 'valid' }],
  );
}
