// The rows of what was found. They are written by hand, many at once, and told to the search and to open pages.
import { announceChange, listed, sql, type Context } from '@keelson/core';
import { DiscoveryResult } from './entities.ts';
import type { Place, Placed } from './store-devices.ts';

/** Stores each device as it was found now; those that are known keep their row. */
export async function storeResults(
  ctx: Context,
  place: Place,
  job_id: number | null,
  placed: readonly Placed[],
): Promise<void> {
  const rows = placed.map(({ device, device_key, content_hash, candidate, state, matched_by, matched_value }) => ({
    ip_address: device.ip_address ?? '',
    mac_address: device.mac_address ?? '',
    hostname: device.hostname ?? '',
    serial_number: device.serial_number ?? '',
    vendor: device.manufacturer ?? '',
    operating_system: device.operating_system ?? '',
    open_ports: device.open_ports ?? [],
    asset_id: candidate.asset?.asset_id ?? null,
    ...(job_id !== null && { job_id }),
    state,
    matched_by,
    matched_value,
    device_key,
    content_hash,
    discovered_at: ctx.now,
  }));
  const fresh = rows.filter((_, i) => !placed[i]?.known).map((each) => ({ job_id, ...each, ...place }));
  await ctx.db.insertMany(DiscoveryResult, fresh);
  for (const row of await storedAs(ctx, place, fresh))
    announceChange(ctx, { of: DiscoveryResult, row, kind: 'created' });
  for (const [i, row] of rows.entries()) {
    const known = placed[i]?.known;
    if (!known) continue;
    await ctx.db.update(DiscoveryResult, { result_id: known.result_id }, row);
    announceChange(ctx, { of: DiscoveryResult, row: known, kind: 'changed' });
  }
}

/** The ids that new rows were given. */
async function storedAs(
  ctx: Context,
  { company_number, site_number }: Place,
  rows: readonly Pick<DiscoveryResult, 'device_key'>[],
): Promise<Pick<DiscoveryResult, 'result_id' | 'company_number'>[]> {
  if (rows.length === 0) return [];
  const stored = await ctx.db.query<{ result_id: number }>(sql`SELECT result_id FROM discovery_result
    WHERE site_number = ${site_number} AND device_key IN ${listed(rows.map((each) => each.device_key))}`);
  return stored.map(({ result_id }) => ({ result_id: Number(result_id), company_number }));
}
