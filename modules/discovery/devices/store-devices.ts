// Stores a batch of devices in one transaction. Unchanged devices cost one lookup per batch. The rest is matched, added
// or filled in (MO-09 to MO-12) with a fixed number of statements plus one per changed asset.
import { In, IsNull, lockAll, Not, plus, type Context } from '@keelson/core';
import {
  addFoundAssets,
  Assets,
  changeFoundAssets,
  deletedAmong,
  deletedCandidates,
  hostKey,
  lockCandidates,
  mergeFoundPorts,
  noteSeen,
  replaceFoundSoftware,
  type Asset,
  type Identifiers,
} from '@keelson/modules/assets';
import { DiscoveryResult, type Collector, type MatchRule } from '../entities.ts';
import type { Device } from '../shapes.ts';
import type { Allowance } from './allowance.ts';
import { foundAsset, filledIn, portsOf } from './device-asset.ts';
import { combined, contentHash, isAddress } from './device-keys.ts';
import { candidateOf, createMatcher, type Candidate, type Doubt } from './matching.ts';
import { storeResults } from './store-results.ts';

export interface FoundDevice {
  /** Position in the report. */
  readonly index: number;
  readonly device: Device;
  readonly device_key: string;
  readonly content_hash: string;
}

/** Rules that match a device to an asset (MO-09). */
export const mergeRules = ['serial_number', 'mac_address', 'hostname'] as const;

export interface StoredDevices {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly merged: number;
  readonly merged_by: Readonly<Record<(typeof mergeRules)[number], number>>;
  readonly waiting: number;
  readonly seen_again: number;
  readonly addresses: number;
  /** Devices not stored because the collector exceeded its limit. */
  readonly refused: readonly number[];
}

/** Context for storing devices. */
export interface Storing {
  readonly collector: Pick<Collector, 'company_number' | 'site_number'>;
  readonly job_id: number | null;
  readonly allowance: Allowance;
  readonly identifiers: Identifiers;
  /** Assets deleted since they were found. */
  readonly gone: ReadonlySet<number>;
}

/** Minimum interval between writes for unchanged devices, so that repeated syncs write nothing. */
const NOTE_AFTER = { hours: -1 } as const;

/** Device with its asset, how it was matched, and its previous row. */
export interface Placed extends FoundDevice {
  /** Undefined while it is not an asset. */
  readonly candidate: Candidate | undefined;
  readonly state: DiscoveryResult['state'];
  readonly matched_by: MatchRule | null;
  readonly matched_value: string;
  readonly known: DiscoveryResult | undefined;
  readonly reason: string;
  /** The suggested or deleted asset. */
  readonly suggested: Candidate | undefined;
  /** Matched in this sync rather than earlier. */
  readonly merged: boolean;
}

export type Place = Pick<Collector, 'company_number' | 'site_number'>;

export async function storeDevices(
  ctx: Context,
  { collector: { company_number, site_number }, job_id, allowance, identifiers, gone }: Storing,
  found: readonly FoundDevice[],
): Promise<StoredDevices> {
  const place = { company_number, site_number };
  const devices = oncePerKey(found);
  const device_key = devices.map((each) => each.device_key);
  const rows = await ctx.db.find(DiscoveryResult, {
    where: { site_number, device_key: In(device_key) },
    lock: { mode: 'pessimistic_write' },
  });
  const known = new Map(rows.map((each) => [each.device_key, each]));
  const isKnown = (each: FoundDevice) => {
    const row = known.get(each.device_key);
    const asset_id = row?.asset_id ?? row?.suggested_asset_id ?? 0;
    return row?.content_hash === each.content_hash && !(gone.has(asset_id) && row.state !== 'seen_again');
  };
  const same = devices.filter(isKnown).flatMap((each) => known.get(each.device_key) ?? []);
  await noteKnown(ctx, job_id, same);
  const news = devices.filter((each) => !isKnown(each));
  const all = news.length === 0 ? [] : await placeDevices(ctx, place, news, { known, identifiers });
  const { placed, refused } = limited(all, allowance, found);
  const created = await addNew(ctx, place, placed);
  const updated = placed.length === 0 ? new Set() : await changeKnown(ctx, placed, { created, identifiers });
  if (placed.length > 0) await storeResults(ctx, place, job_id, placed);
  const states = [...same, ...placed].map(({ state }) => state);
  const count = (state: DiscoveryResult['state']) => states.filter((each) => each === state).length;
  const repeated = repetitions(found, devices);
  const repeatedBy = Map.groupBy(repeated, ({ device }) => mergeRules.find((rule) => device[rule]));
  const by = (rule: (typeof mergeRules)[number]) =>
    placed.filter((each) => each.merged && each.matched_by === rule).length + (repeatedBy.get(rule)?.length ?? 0);
  const others = { waiting: count('waiting'), seen_again: count('seen_again'), addresses: count('address') };
  const apart = others.waiting + others.seen_again + others.addresses + refused.length;
  return {
    created: created.size,
    updated: updated.size,
    unchanged: found.length - created.size - updated.size - apart,
    merged: placed.filter((each) => each.merged).length + repeated.length,
    merged_by: { serial_number: by('serial_number'), mac_address: by('mac_address'), hostname: by('hostname') },
    ...others,
    refused,
  };
}

/** Devices of a report that were combined with a later one. */
function repetitions(found: readonly FoundDevice[], devices: readonly FoundDevice[]): readonly FoundDevice[] {
  const kept = new Set(devices.map((each) => each.index));
  return found.filter((each) => !kept.has(each.index) && !isAddress(each.device));
}

/** Merges several entries of a report about the same device, so that nothing is lost. */
function oncePerKey(found: readonly FoundDevice[]): readonly FoundDevice[] {
  const known = new Map<string, FoundDevice>();
  for (const each of found) {
    const earlier = known.get(each.device_key);
    const device = earlier ? combined(earlier.device, each.device) : each.device;
    known.set(each.device_key, earlier ? { ...each, device, content_hash: contentHash(device) } : each);
  }
  return [...known.values()];
}

/** Updates unchanged devices: the scan that found them and, occasionally, the time. */
async function noteKnown(ctx: Context, job_id: number | null, known: readonly DiscoveryResult[]): Promise<void> {
  const late = plus(ctx.now, NOTE_AFTER);
  const stale = known.filter((each) => each.discovered_at < late || (job_id !== null && each.job_id !== job_id));
  if (stale.length === 0) return;
  const result_id = stale.map((each) => each.result_id);
  await ctx.db.update(
    DiscoveryResult,
    { result_id: In(result_id) },
    { discovered_at: ctx.now, ...(job_id !== null && { job_id }) },
  );
  await noteSeen(
    ctx,
    stale.flatMap(({ asset_id, state }) => (state === 'seen_again' ? [] : (asset_id ?? []))),
  );
}

interface Knowing {
  readonly known: ReadonlyMap<string, DiscoveryResult>;
  readonly identifiers: Identifiers;
}

/**
 * Places devices. Earlier decisions, including manual ones, remain valid while the asset exists. A deleted asset stays
 * deleted, whatever else has changed about the device (MO-29).
 */
async function placeDevices(
  ctx: Context,
  place: Place,
  devices: readonly FoundDevice[],
  { known, identifiers }: Knowing,
): Promise<Placed[]> {
  const ids = devices.flatMap(({ device_key }) => known.get(device_key)?.asset_id ?? []);
  const named = await assetsNamed(ctx, place, devices);
  const before = await lockAll(ctx, Assets, [...ids, ...named]);
  const found = await lockCandidates(
    ctx,
    place,
    devices.map(({ device }) => device),
  );
  const living = await candidatesOf(ctx, place, [...before, ...found], identifiers);
  const matcher = createMatcher();
  for (const asset_id of [...found.map((each) => each.asset_id), ...named]) {
    const candidate = living.get(asset_id);
    if (candidate) matcher.add(candidate);
  }
  const isDecided = ({ device_key }: FoundDevice) => living.has(known.get(device_key)?.asset_id ?? 0);
  const open = devices.filter((each) => !isDecided(each) && !isAddress(each.device));
  const wasDeleted = await deletedMatcher(ctx, place, { devices: open, named, known, identifiers });
  const matched = (each: FoundDevice, candidate: Candidate, by: Pick<Placed, 'matched_by' | 'matched_value'>) => {
    const { serial_number = '', hostname = '' } = each.device;
    candidate.serial_number ||= serial_number;
    if (hostname !== '') candidate.hosts.add(hostname);
    matcher.add(candidate);
    const row = known.get(each.device_key);
    return { ...each, ...nothing, ...by, candidate, state: 'matched' as const, known: row };
  };
  return devices.map((each): Placed => {
    const row = known.get(each.device_key);
    if (isAddress(each.device)) return { ...each, ...nothing, state: 'address', known: row };
    const decided = living.get(row?.asset_id ?? 0);
    if (row && decided) return matched(each, decided, row);
    const match = matcher.find(each.device);
    if (match && 'matched_by' in match) return { ...matched(each, match.candidate, match), merged: true };
    const deleted = wasDeleted(each);
    if (deleted && !(match && 'reason' in deleted))
      return { ...each, ...nothing, state: 'seen_again', known: row, suggested: deleted.candidate };
    if (match)
      return { ...each, ...nothing, state: 'waiting', known: row, reason: match.reason, suggested: match.candidate };
    if (row?.state === 'waiting') return { ...each, ...nothing, state: 'waiting', known: row, reason: row.reason };
    const fresh = foundAsset(ctx, place, each.device);
    const { serial_number = '', mac_address = '' } = fresh;
    const hosts = new Set(each.device.hostname ? [each.device.hostname] : []);
    const candidate = { ...fresh, asset: undefined, serial_number, mac_address, here: true, hosts };
    matcher.add(candidate);
    return { ...each, ...nothing, candidate, state: 'new', known: row };
  });
}

const nothing = {
  candidate: undefined,
  matched_by: null,
  matched_value: '',
  reason: '',
  suggested: undefined,
  merged: false,
} as const;

/** Returns the assets that were found at the site under one of the devices' host names. */
async function assetsNamed(ctx: Context, { site_number }: Place, devices: readonly FoundDevice[]): Promise<number[]> {
  const names = [...new Set(devices.map(({ device }) => hostKey(device.hostname ?? '')))].filter((each) => each !== '');
  if (names.length === 0) return [];
  const rows = await ctx.db.findBy(DiscoveryResult, { site_number, host_key: In(names), asset_id: Not(IsNull()) });
  return [...new Set(rows.flatMap(({ asset_id }) => asset_id ?? []))];
}

/** Returns candidates for assets, with the host names they were found under. */
async function candidatesOf(
  ctx: Context,
  { site_number }: Place,
  assets: readonly Asset[],
  identifiers: Identifiers,
): Promise<ReadonlyMap<number, Candidate>> {
  const asset_id = [...new Set(assets.map((each) => each.asset_id))];
  if (asset_id.length === 0) return new Map();
  const named = await ctx.db.findBy(DiscoveryResult, { asset_id: In(asset_id), hostname: Not('') });
  const names = Map.groupBy(named, (each) => each.asset_id);
  return new Map(
    assets.map((each) => {
      const found = names.get(each.asset_id) ?? [];
      return [each.asset_id, candidateOf(each, identifiers, { site_number, found })];
    }),
  );
}

interface Open extends Knowing {
  readonly devices: readonly FoundDevice[];
  /** Assets found under one of the devices' host names. */
  readonly named: readonly number[];
}

/**
 * Returns a function that finds a device's deleted asset: the one of its row, or a match. A match by name
 * alone, despite another MAC address, carries a reason for doubt. If several deleted assets match, the newest is used.
 */
async function deletedMatcher(
  ctx: Context,
  place: Place,
  { devices, named, known, identifiers }: Open,
): Promise<(each: FoundDevice) => { readonly candidate: Candidate } | Doubt | undefined> {
  const asset_id = devices.flatMap(({ device_key }) => known.get(device_key)?.asset_id ?? []);
  const own = await deletedAmong(ctx, [...asset_id, ...named]);
  const alike = await deletedCandidates(
    ctx,
    place,
    devices.map(({ device }) => device),
  );
  const all = await candidatesOf(ctx, place, [...own, ...alike], identifiers);
  const matcher = createMatcher();
  for (const id of [...alike.map((each) => each.asset_id), ...named]) {
    const candidate = all.get(id);
    if (candidate) matcher.add(candidate);
  }
  return ({ device, device_key }) => {
    const before = all.get(known.get(device_key)?.asset_id ?? 0);
    if (before) return { candidate: before };
    const match = matcher.find(device);
    return match && 'reason' in match && match.reason.includes('assets have') ? { candidate: match.candidate } : match;
  };
}

/** Applies the daily limit: new devices become assets up to the limit, further ones wait, and the excess is refused. */
function limited(
  all: readonly Placed[],
  allowance: Allowance,
  batch: object,
): { readonly placed: readonly Placed[]; readonly refused: readonly number[] } {
  const isFresh = ({ state, known }: Placed) =>
    state === 'new' || (!known && (state === 'waiting' || state === 'address'));
  const fresh = all.filter(isFresh);
  if (fresh.length === 0) return { placed: all, refused: [] };
  const { added, waiting } = allowance.take(batch, fresh.length);
  if (added === fresh.length) return { placed: all, refused: [] };
  const late = new Set(fresh.slice(added));
  const refused = new Set(fresh.slice(added + waiting).filter((each) => !each.known));
  // Devices matched to a device that now waits also wait.
  const lateCandidates = new Map([...late].flatMap((each) => (each.candidate ? [[each.candidate, each]] : [])));
  const placed = all.flatMap((each): Placed[] => {
    if (refused.has(each)) return [];
    const waits = each.state === 'new' ? late.has(each) : each.candidate && lateCandidates.has(each.candidate);
    if (!waits) return [each];
    const { index, device, device_key, content_hash, known } = each;
    return [{ index, device, device_key, content_hash, ...nothing, state: 'waiting', known, reason: TOO_MANY }];
  });
  return { placed, refused: [...refused].map((each) => each.index) };
}

const TOO_MANY = 'The collector had reached its daily limit of new devices';

/** Adds an asset for each new candidate (MO-10). */
async function addNew(ctx: Context, place: Place, placed: readonly Placed[]): Promise<ReadonlySet<Asset>> {
  const fresh = placed.filter(({ state }) => state === 'new');
  const assets = await addFoundAssets(
    ctx,
    fresh.map(({ device }) => foundAsset(ctx, place, device)),
  );
  for (const [i, { candidate }] of fresh.entries()) if (candidate) candidate.asset = assets[i];
  return new Set(assets);
}

/** Fills blank fields, refreshes addresses, and stores programs and ports (MO-12). */
async function changeKnown(
  ctx: Context,
  placed: readonly Placed[],
  { created, identifiers }: { readonly created: ReadonlySet<Asset>; readonly identifiers: Identifiers },
): Promise<ReadonlySet<number>> {
  const wanted = new Map<Asset, ReturnType<typeof filledIn>>();
  for (const { device, candidate, state } of placed)
    if (candidate?.asset && state === 'matched')
      wanted.set(candidate.asset, {
        ...filledIn(candidate.asset, device, identifiers),
        ...wanted.get(candidate.asset),
      });
  const changed = await changeFoundAssets(ctx, [...wanted.keys()], (asset) => wanted.get(asset) ?? {});
  const on = placed.flatMap(({ device, candidate }) => (candidate?.asset ? [{ asset: candidate.asset, device }] : []));
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
