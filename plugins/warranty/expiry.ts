// Until when assets are under warranty: the values of a column in the list of assets, a page of them at a time.
import { dayOf, plus, z, type Context } from '@keelson/core';
import { Asset } from '@keelson/modules/assets';

/** How long before its end a warranty wants attention. */
const SOON_DAYS = 60;

export const Expiry = z.object({
  asset_id: z.int(),
  until: z.iso.date(),
  state: z.enum(['valid', 'expiring', 'expired']),
});

/** A row for each of these assets whose warranty has an end. */
export async function readExpiry(ctx: Context, ids: readonly number[]): Promise<z.input<typeof Expiry>[]> {
  const assets = await ctx.db.find(Asset, { asset_id: ids, deleted_at: null });
  const today = dayOf(ctx.now);
  const soon = dayOf(plus(ctx.now, { days: SOON_DAYS }));
  return assets.flatMap(({ asset_id, warranty_expires: until }) =>
    until === null ? [] : [{ asset_id, until, state: until < today ? 'expired' : until < soon ? 'expiring' : 'valid' }],
  );
}
