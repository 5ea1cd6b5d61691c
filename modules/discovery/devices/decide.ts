// Manual decisions on waiting devices and on devices whose asset was deleted (MO-27, MO-29).
import { announceChange, conflict, invalid, lockAll, type Context } from '@keelson/core';
import { addFoundAssets, Assets, readIdentifiers, restoreAsset } from '@keelson/modules/assets';
import { DiscoveryResult } from '../entities.ts';
import { filledIn, foundAsset } from './device-asset.ts';

/**
 * Adds an asset for a waiting device, or for one that was taken for a deleted asset.
 * @throws conflict() if it is neither, or another asset has its serial number
 */
export async function addWaiting(ctx: Context, result: DiscoveryResult): Promise<DiscoveryResult> {
  if (result.state !== 'seen_again') refuseDecided(result);
  const [asset] = await addFoundAssets(ctx, [foundAsset(ctx, placeOf(result), deviceOf(result))]);
  if (!asset) throw new Error('No asset was added');
  return decided(ctx, result, {
    asset_id: asset.asset_id,
    state: 'new',
    what: `Device ${asset.machine_name} added as an asset`,
  });
}

/**
 * Merges a waiting device into an asset of its company, by default the suggested one.
 * @throws conflict() if it is not waiting; invalid() without such an asset
 */
export async function mergeWaiting(
  ctx: Context,
  result: DiscoveryResult,
  asset_id = result.suggested_asset_id,
): Promise<DiscoveryResult> {
  refuseDecided(result);
  if (asset_id === null) throw invalid('asset_id is required');
  const [asset] = await lockAll(ctx, Assets, [asset_id]);
  if (asset?.company_number !== result.company_number) throw invalid('asset_id must be an asset of the company');
  return decided(ctx, result, {
    asset_id,
    state: 'matched',
    matched_by: 'person',
    what: `Device ${result.hostname || result.ip_address} matched to asset ${asset.machine_name}`,
  });
}

/**
 * Restores the deleted asset of a device and fills in the data found since.
 * @throws conflict() if the asset was not deleted
 */
export async function bringBack(ctx: Context, result: DiscoveryResult): Promise<DiscoveryResult> {
  const { asset_id, state } = result;
  if (asset_id === null || state !== 'seen_again') throw conflict('The asset of this device is not deleted');
  const identifiers = await readIdentifiers(ctx);
  const asset = await restoreAsset(ctx, asset_id, (before) => ({
    ...filledIn(before, deviceOf(result), identifiers),
    last_seen_at: result.discovered_at,
  }));
  // It may have been found under several names since.
  const others = await ctx.db.find(DiscoveryResult, {
    where: { asset_id, state: 'seen_again' },
    lock: { mode: 'pessimistic_write' },
  });
  await ctx.db.update(DiscoveryResult, { asset_id, state: 'seen_again' }, { state: 'matched', content_hash: '' });
  for (const row of others) announceChange(ctx, { of: DiscoveryResult, row, kind: 'changed' });
  return decided(ctx, result, { asset_id, state: 'matched', what: `Asset ${asset.machine_name} restored` });
}

function refuseDecided({ state }: DiscoveryResult): void {
  if (state !== 'waiting') throw conflict('The device is not awaiting review');
}

const placeOf = ({ company_number, site_number }: DiscoveryResult) => ({ company_number, site_number });
const deviceOf = (result: DiscoveryResult) => ({ ...result, asset_type: '', model: '', manufacturer: result.vendor });

interface Decision {
  readonly asset_id: number;
  readonly state: DiscoveryResult['state'];
  readonly matched_by?: DiscoveryResult['matched_by'];
  readonly what: string;
}

async function decided(ctx: Context, result: DiscoveryResult, decision: Decision): Promise<DiscoveryResult> {
  const { asset_id, state, matched_by = result.matched_by, what } = decision;
  // Clear the hash so that the next report is processed in full, with programs and ports.
  const set = { asset_id, state, matched_by, reason: '', suggested_asset_id: null, content_hash: '' };
  await ctx.db.update(DiscoveryResult, { result_id: result.result_id }, set);
  announceChange(ctx, { of: DiscoveryResult, row: result, kind: 'changed' });
  ctx.record({
    action: 'update',
    entity_type: 'discovery_result',
    entity_id: result.result_id,
    description: what,
    changes: { asset_id: [result.asset_id, asset_id], state: [result.state, state] },
  });
  return { ...result, ...set };
}
