import { event, eventData, findOr404, z, type EventRecord } from '@keelson/core';
import { AssetItem, assetNoun } from './assets/asset-list.ts';

const record: EventRecord<AssetItem> = {
  type: 'asset',
  read: async (ctx, id) => eventData(ctx, AssetItem, await findOr404(ctx, assetNoun, id)),
};
const ofAsset = { webhook: 'admin', record } as const;

export const AssetCreated = event('asset.created', AssetItem.shape, ofAsset);
/** Fields, ports or software changed; excludes credentials and links (EV-19). */
export const AssetUpdated = event('asset.updated', AssetItem.shape, ofAsset);
/** A scan found a new asset (MO-10). */
export const AssetDiscovered = event('asset.discovered', AssetItem.shape, ofAsset);

/** An asset was deleted: links to it end (AS-05). */
export const AssetDeleted = event('assets.deleted', z.object({ asset_id: z.int(), company_number: z.int() }));
