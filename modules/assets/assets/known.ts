import { In, IsNull } from '@keelson/core';
import type { Context } from '@keelson/core';
import { Asset } from '../entities/asset.ts';

/** Returns the asset fields that tickets need, by id. */
export async function readKnownAssets(ctx: Context, ids: readonly number[]) {
  const rows = await ctx.db.findBy(Asset, { asset_id: In([...ids]), deleted_at: IsNull() });
  return new Map(
    rows.map(({ asset_id, machine_name, company_number, asset_type }) => [
      asset_id,
      { asset_id, machine_name, company_number, asset_type },
    ]),
  );
}
