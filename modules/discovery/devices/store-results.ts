// Stores result rows in bulk, bypassing the record, and notifies the search index and open pages.
import { announceChange, type Context } from '@keelson/core';
import { addressKey } from '@keelson/core/kit';
import { hostKey } from '@keelson/modules/assets';
import { DiscoveryResult } from '../entities.ts';
import type { Place, Placed } from './store-devices.ts';

/** Sequence for the ids, which are known before the rows are stored. */
const SEQUENCE = 'discovery_result';

/** Stores each device as found now. Known devices keep their row. */
export async function storeResults(
  ctx: Context,
  place: Place,
  job_id: number | null,
  placed: readonly Placed[],
): Promise<void> {
  const rows = placed.map(({ device, device_key, content_hash, candidate, suggested, known, ...each }) => ({
    ip_address: device.ip_address ?? '',
    mac_address: device.mac_address ?? '',
    hostname: device.hostname ?? '',
    serial_number: device.serial_number ?? '',
    vendor: device.manufacturer ?? '',
    operating_system: device.operating_system ?? '',
    open_ports: device.open_ports ?? [],
    // A deleted asset is still referenced.
    asset_id: (each.state === 'seen_again' ? suggested : candidate)?.asset?.asset_id ?? null,
    suggested_asset_id:
      each.state === 'waiting' ? (suggested?.asset?.asset_id ?? known?.suggested_asset_id ?? null) : null,
    host_key: hostKey(device.hostname ?? ''),
    address_key: device.ip_address ? addressKey(device.ip_address) : '',
    reason: each.reason,
    ...(job_id !== null && { job_id }),
    state: each.state,
    matched_by: each.matched_by,
    matched_value: each.matched_value,
    device_key,
    content_hash,
    discovered_at: ctx.now,
  }));
  const unknown = rows.filter((_, i) => !placed[i]?.known);
  if (unknown.length > 0) {
    const first = await ctx.app.allocator.reserve(SEQUENCE, unknown.length, 1, ctx.tx);
    const fresh = unknown.map((each, i) => ({ job_id, ...each, ...place, result_id: first + i }));
    await ctx.db.insert(DiscoveryResult, fresh);
    for (const row of fresh) announceChange(ctx, { of: DiscoveryResult, row, kind: 'created' });
  }
  for (const [i, row] of rows.entries()) {
    const known = placed[i]?.known;
    if (!known) continue;
    await ctx.db.update(DiscoveryResult, { result_id: known.result_id }, row);
    announceChange(ctx, { of: DiscoveryResult, row: known, kind: 'changed' });
  }
}
