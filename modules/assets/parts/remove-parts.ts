import { sql, type Context, listed } from '@keelson/core';
import { AssetAddress, AssetCredential, AssetPort, AssetSoftware } from '../entities/parts.ts';

/**
 * Deletes the parts of deleted assets and destroys their secrets immediately (V-25). Writes the rows directly: the
 * asset's log entry covers it.
 */
export async function removeParts(ctx: Context, asset_id: readonly number[]): Promise<void> {
  await ctx.db.remove(AssetCredential, { asset_id });
  await ctx.db.remove(AssetAddress, { asset_id });
  await ctx.db.remove(AssetSoftware, { asset_id });
  await ctx.db.run(sql`UPDATE asset_port SET connected_asset_id = NULL, connected_port_id = NULL
    WHERE connected_asset_id IN ${listed(asset_id)}`);
  await ctx.db.remove(AssetPort, { asset_id });
}
