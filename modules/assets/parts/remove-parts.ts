import { In, listed, sql, type Context } from '@keelson/core';
import { AssetAddress, AssetCredential, AssetPort, AssetSoftware } from '../entities/parts.ts';

/**
 * Deletes the parts of deleted assets and destroys their secrets immediately (V-25). Writes the rows directly: the
 * asset's log entry covers it.
 */
export async function removeParts(ctx: Context, asset_id: readonly number[]): Promise<void> {
  await ctx.db.delete(AssetCredential, { asset_id: In(asset_id) });
  await ctx.db.delete(AssetAddress, { asset_id: In(asset_id) });
  await ctx.db.delete(AssetSoftware, { asset_id: In(asset_id) });
  await ctx.db.run(sql`UPDATE asset_port SET connected_asset_id = NULL, connected_port_id = NULL
    WHERE connected_asset_id IN ${listed(asset_id)}`);
  await ctx.db.delete(AssetPort, { asset_id: In(asset_id) });
}
