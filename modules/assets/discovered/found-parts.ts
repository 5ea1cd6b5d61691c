// Software and ports that scans find on assets, for many assets at once (AS-15, MO-07).
import { changeAll, In, type Context } from '@keelson/core';
import type { New } from '@keelson/core/database';
import { announceParts } from '../assets/announce.ts';
import type { Asset } from '../entities/asset.ts';
import { AssetPort, AssetSoftware } from '../entities/parts.ts';
import { sameAs, type GivenSoftware } from '../parts/software.ts';
import { Ports } from '../ports/ports.ts';

export interface FoundPort {
  readonly port_number: number;
  readonly port_name?: string | undefined;
  readonly port_type?: string | undefined;
  readonly mac_address?: string | undefined;
  readonly speed_mbps?: number | undefined;
  readonly status?: AssetPort['status'] | undefined;
}

export interface FoundOn<Part> {
  readonly asset: Asset;
  readonly found: readonly Part[];
}

/**
 * Replaces software reported by collectors; manually entered software stays (MO-12). Returns the assets that changed.
 */
export async function replaceFoundSoftware(
  ctx: Context,
  on: readonly FoundOn<GivenSoftware>[],
): Promise<readonly Asset[]> {
  if (on.length === 0) return [];
  const asset_id = on.map(({ asset }) => asset.asset_id);
  const known = Map.groupBy(await ctx.db.findBy(AssetSoftware, { asset_id: In(asset_id) }), (each) => each.asset_id);
  const gone: number[] = [];
  const added: New<typeof AssetSoftware>[] = [];
  const changed = new Set<Asset>();
  for (const { asset, found } of on) {
    const left = Map.groupBy(known.get(asset.asset_id) ?? [], sameAs);
    const fresh = found.filter((each) => left.get(sameAs(each))?.pop() === undefined);
    const old = [...left.values()].flat().filter(({ source }) => source === 'collector');
    if (fresh.length === 0 && old.length === 0) continue;
    changed.add(asset);
    gone.push(...old.map((each) => each.software_id));
    added.push(...fresh.map((each) => ({ ...each, asset_id: asset.asset_id, source: 'collector' as const })));
  }
  if (gone.length > 0) await ctx.db.delete(AssetSoftware, { software_id: In(gone) });
  await ctx.db.insert(AssetSoftware, added);
  if (changed.size > 0) await announceParts(ctx, [...changed], 'software');
  return [...changed];
}

/**
 * Adds ports with new numbers. For known ports, refreshes the status and fills blank fields (MO-12). Returns the assets
 * that changed.
 */
export async function mergeFoundPorts(ctx: Context, on: readonly FoundOn<FoundPort>[]): Promise<readonly Asset[]> {
  if (on.length === 0) return [];
  const asset_id = on.map(({ asset }) => asset.asset_id);
  const ports = await ctx.db.find(AssetPort, {
    where: { asset_id: In(asset_id) },
    lock: { mode: 'pessimistic_write' },
  });
  const known = new Map(ports.map((each) => [keyOf(each.asset_id, each.port_number), each]));
  const wanted = new Map<AssetPort, Partial<AssetPort>>();
  const added = new Map<string, FoundPort & { asset_id: number }>();
  const changed = new Set<Asset>();
  for (const { asset, found } of on)
    for (const each of found) {
      const key = keyOf(asset.asset_id, each.port_number);
      const port = known.get(key);
      if (port) wanted.set(port, refreshed(port, each));
      else if (!added.has(key)) {
        added.set(key, { ...each, asset_id: asset.asset_id });
        changed.add(asset);
      }
    }
  const stamps = { created_at: ctx.now, updated_at: ctx.now };
  await ctx.db.insert(
    AssetPort,
    [...added.values()].map((each) => ({ ...each, ...stamps })),
  );
  const refreshedPorts = await changeAll(ctx, Ports, [...wanted.keys()], (port) => wanted.get(port) ?? {});
  if (changed.size > 0) await announceParts(ctx, [...changed], 'ports');
  const touched = new Set(refreshedPorts.map((each) => each.asset_id));
  return on.flatMap(({ asset }) => (changed.has(asset) || touched.has(asset.asset_id) ? [asset] : []));
}

const keyOf = (asset_id: number, port_number: number | null): string => `${asset_id}:${port_number}`;

function refreshed(port: AssetPort, { port_name, port_type, mac_address, speed_mbps, status }: FoundPort) {
  return {
    port_name: port.port_name || port_name,
    port_type: port.port_type || port_type,
    mac_address: port.mac_address || mac_address,
    speed_mbps: speed_mbps ?? port.speed_mbps,
    status: status ?? port.status,
  };
}
