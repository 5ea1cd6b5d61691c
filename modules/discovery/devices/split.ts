// Splitting a wrongly matched device into its own asset, permanently (our addition to MO-09).
import { announceChange, conflict, lockAll, notFound, type Context } from '@keelson/core';
import { addFoundAssets, Assets } from '@keelson/modules/assets';
import { DiscoveryResult } from '../entities.ts';
import { foundAsset } from './device-asset.ts';

/**
 * Gives the device of a result an asset of its own; later syncs keep it.
 * @throws notFound(); conflict() unless the device shares an asset
 */
export async function splitResult(ctx: Context, result: DiscoveryResult): Promise<DiscoveryResult> {
  const { result_id, asset_id, company_number, site_number, state } = result;
  if (asset_id === null || state === 'new' || result.matched_by === 'split')
    throw conflict('The device already has its own asset');
  const [before] = await lockAll(ctx, Assets, [asset_id]);
  if (!before) throw notFound('Asset');
  // Only one of them can keep the serial number; the person can correct it afterwards.
  const serial_number = before.serial_number === result.serial_number ? '' : result.serial_number;
  const found = foundAsset(
    ctx,
    { company_number, site_number },
    {
      ...result,
      asset_type: '',
      model: '',
      manufacturer: result.vendor,
      serial_number,
    },
  );
  const [asset] = await addFoundAssets(ctx, [found]);
  if (!asset) throw new Error('No asset was added');
  // Clear the hash so that the next report is processed in full, with programs and ports.
  const matched = { matched_by: 'split', matched_value: String(asset_id) } as const;
  const set = { ...matched, asset_id: asset.asset_id, content_hash: '' };
  await ctx.db.update(DiscoveryResult, { result_id }, set);
  announceChange(ctx, { of: DiscoveryResult, row: result, kind: 'changed' });
  ctx.record({
    action: 'update',
    entity_type: 'discovery_result',
    entity_id: result_id,
    description: `Device ${asset.machine_name} split from asset ${before.machine_name}`,
    changes: { asset_id: [asset_id, asset.asset_id] },
  });
  return { ...result, ...set };
}
