import { announceChange, eventDataFor, type Context } from '@keelson/core';
import { Asset } from '../entities/asset.ts';
import { AssetUpdated } from '../events.ts';
import { AssetItem } from './asset-list.ts';

/** Emits an update event for each changed asset: its fields or its parts (EV-19). */
export async function announceUpdates(
  ctx: Context,
  changes: readonly { readonly after: Asset; readonly changed: readonly string[] }[],
): Promise<void> {
  const dataOf = await eventDataFor(
    ctx,
    AssetItem,
    changes.map(({ after }) => after),
  );
  for (const { after, changed } of changes) ctx.emit(AssetUpdated, dataOf(after), { changed });
}

/** Announces that parts of assets changed. */
export async function announceParts(ctx: Context, assets: readonly Asset[], part: 'ports' | 'software'): Promise<void> {
  for (const row of assets) announceChange(ctx, { of: Asset, row, kind: 'changed' });
  await announceUpdates(
    ctx,
    assets.map((after) => ({ after, changed: [part] })),
  );
}
