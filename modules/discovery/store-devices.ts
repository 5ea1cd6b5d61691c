// A batch of devices in one transaction. What has not changed since the last sync costs one look-up for all of it; the rest
// is matched, added or filled in (MO-09 to MO-12) with a fixed number of statements and one for each asset that changes.
import { lockAll, plus, type Context } from '@keelson/core';
import {
  addFoundAssets,
  Assets,
  changeFoundAssets,
  lockCandidates,
  mergeFoundPorts,
  noteSeen,
  replaceFoundSoftware,
  type Asset,
} from '@keelson/modules/assets';
import { foundAsset, filledIn, portsOf } from './device-asset.ts';
import { DiscoveryResult, type Collector, type MatchRule } from './entities.ts';
import { candidateOf, matcherAt, type Candidate } from './matching.ts';
import type { Device } from './shapes.ts';
import { storeResults } from './store-results.ts';

export interface FoundDevice {
  readonly device: Device;
  readonly device_key: string;
  readonly content_hash: string;
}

export interface StoredDevices {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
}

/** A device that was seen again is noted this often, so that syncs of the same write nothing. */
const NOTE_AFTER = { hours: -1 } as const;

/** A device with the asset it is, how that is known, and its row of before. */
export interface Placed extends FoundDevice {
  readonly candidate: Candidate;
  readonly state: 'new' | 'matched';
  readonly matched_by: MatchRule | null;
  readonly matched_value: string;
  readonly known: DiscoveryResult | undefined;
}

export type Place = Pick<Collector, 'company_number' | 'site_number'>;

export async function storeDevices(
  ctx: Context,
  { company_number, site_number }: Place,
  job_id: number | null,
  found: readonly FoundDevice[],
): Promise<StoredDevices> {
  const place = { company_number, site_number };
  // Of a device that was sent twice, the last one counts.
  const devices = [...new Map(found.map((each) => [each.device_key, each])).values()];
  const device_key = devices.map((each) => each.device_key);
  const rows = await ctx.db.find(DiscoveryResult, { site_number, device_key }, { lock: true });
  const known = new Map(rows.map((each) => [each.device_key, each]));
  const isKnown = (each: FoundDevice) => known.get(each.device_key)?.content_hash === each.content_hash;
  await noteKnown(
    ctx,
    job_id,
    devices.filter(isKnown).flatMap((each) => known.get(each.device_key) ?? []),
  );
  const news = devices.filter((each) => !isKnown(each));
  if (news.length === 0) return { created: 0, updated: 0, unchanged: found.length };
  const placed = await placeDevices(ctx, place, news, known);
  const created = await addNew(ctx, place, placed);
  const updated = await changeKnown(ctx, placed, created);
  await storeResults(ctx, place, job_id, placed);
  return { created: created.size, updated: updated.size, unchanged: found.length - created.size - updated.size };
}

/** Devices as they were: the scan that has found them now, and at times that they are still there. */
async function noteKnown(ctx: Context, job_id: number | null, known: readonly DiscoveryResult[]): Promise<void> {
  const late = plus(ctx.now, NOTE_AFTER);
  const stale = known.filter((each) => each.discovered_at < late || (job_id !== null && each.job_id !== job_id));
  if (stale.length === 0) return;
  const result_id = stale.map((each) => each.result_id);
  await ctx.db.update(DiscoveryResult, { result_id }, { discovered_at: ctx.now, ...(job_id !== null && { job_id }) });
  await noteSeen(
    ctx,
    stale.flatMap(({ asset_id }) => asset_id ?? []),
  );
}

/** What was decided for a device before stands, as long as there is the asset; a person's decision, too. */
async function placeDevices(
  ctx: Context,
  place: Place,
  devices: readonly FoundDevice[],
  known: ReadonlyMap<string, DiscoveryResult>,
): Promise<Placed[]> {
  const matcher = matcherAt(place.site_number);
  const ids = devices.flatMap(({ device_key }) => known.get(device_key)?.asset_id ?? []);
  const decided = new Map((await lockAll(ctx, Assets, ids)).map((each) => [each.asset_id, candidateOf(each)]));
  const candidates = await lockCandidates(
    ctx,
    place,
    devices.map(({ device }) => device),
  );
  for (const each of candidates) matcher.add(decided.get(each.asset_id) ?? candidateOf(each));
  return devices.map((each) => {
    const row = known.get(each.device_key);
    const before = decided.get(row?.asset_id ?? 0);
    if (row && before) {
      const { matched_by, matched_value } = row;
      return { ...each, candidate: before, state: 'matched', matched_by, matched_value, known: row };
    }
    const match = matcher.find(each.device);
    if (match) {
      match.candidate.serial_number ||= each.device.serial_number ?? '';
      return { ...each, ...match, state: 'matched', known: row };
    }
    const fresh = foundAsset(ctx, place, each.device);
    const { serial_number = '', mac_address = '' } = fresh;
    const candidate = { ...fresh, asset: undefined, serial_number, mac_address, site_number: place.site_number };
    matcher.add(candidate);
    return { ...each, candidate, state: 'new', matched_by: null, matched_value: '', known: row };
  });
}

/** Adds an asset for each new candidate (MO-10). */
async function addNew(ctx: Context, place: Place, placed: readonly Placed[]): Promise<ReadonlySet<Asset>> {
  const fresh = placed.filter(({ state }) => state === 'new');
  const assets = await addFoundAssets(
    ctx,
    fresh.map(({ device }) => foundAsset(ctx, place, device)),
  );
  for (const [i, { candidate }] of fresh.entries()) candidate.asset = assets[i];
  return new Set(assets);
}

/** Fills in what is blank, refreshes addresses, and stores programs and ports (MO-12). */
async function changeKnown(
  ctx: Context,
  placed: readonly Placed[],
  created: ReadonlySet<Asset>,
): Promise<ReadonlySet<number>> {
  const wanted = new Map<Asset, ReturnType<typeof filledIn>>();
  for (const { device, candidate, state } of placed)
    if (candidate.asset && state === 'matched' && !created.has(candidate.asset))
      wanted.set(candidate.asset, { ...filledIn(candidate.asset, device), ...wanted.get(candidate.asset) });
  const changed = await changeFoundAssets(ctx, [...wanted.keys()], (asset) => wanted.get(asset) ?? {});
  const on = placed.flatMap(({ device, candidate: { asset } }) => (asset ? [{ asset, device }] : []));
  const software = await replaceFoundSoftware(
    ctx,
    on.flatMap(({ asset, device }) => (device.software ? [{ asset, found: device.software }] : [])),
  );
  const ports = await mergeFoundPorts(
    ctx,
    on.flatMap(({ asset, device }) => (device.ports ? [{ asset, found: portsOf(device) }] : [])),
  );
  await noteSeen(
    ctx,
    [...wanted.keys()].map((each) => each.asset_id),
  );
  const fresh = new Set([...created].map((each) => each.asset_id));
  return new Set([...changed, ...software, ...ports].map((each) => each.asset_id)).difference(fresh);
}
