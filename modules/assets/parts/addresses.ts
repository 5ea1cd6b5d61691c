// The IP addresses of an asset (F-73). The address in the asset's own columns is the primary one, and always in the
// list.
import { In, input, invalid, z, type Context, type z as Z } from '@keelson/core';
import type { New } from '@keelson/core/database';
import { addressKey } from '@keelson/core/kit';
import { changesBetween } from '@keelson/core/log';
import { showSlot } from '@keelson/core/plugin';
import type { Asset } from '../entities/asset.ts';
import { AssetAddress, assignmentTypes } from '../entities/parts.ts';
import { AddressNetworks } from '../slots.ts';

const MOST = 500;

const AddressInput = z.object({
  ip_address: input.ip(),
  mac_address: input.optionalMac(),
  assignment_type: input.optional(input.choice(assignmentTypes)),
  port_id: input.clearable(input.id()),
  is_primary: input.optional(input.flag()),
});
export type GivenAddress = Z.output<typeof AddressInput>;

/** All addresses of an asset. The request replaces the stored list. */
export const addressesField = z.array(AddressInput).max(MOST).optional();

const { ip_address, mac_address, assignment_type, port_id, is_primary } = AssetAddress.shape.shape;
export const AddressItem = z.object({
  ip_address,
  mac_address,
  network_id: z.int().nullable(),
  network_description: z.string().nullable(),
  assignment_type,
  port_id,
  is_primary,
});

/** Returns the addresses of an asset in address order, the primary one first. */
export async function readAddresses(ctx: Context, asset_id: number): Promise<Z.output<typeof AddressItem>[]> {
  const order = { is_primary: 'DESC', address_key: 'ASC' } as const;
  const rows = await ctx.db.find(AssetAddress, { where: { asset_id }, order });
  const networkOf = await showSlot(
    ctx,
    AddressNetworks,
    rows.map((each) => each.address_id),
  );
  return rows.map((row) => {
    const { network_id = null, network_description = null } = networkOf(row.address_id) ?? {};
    return { ...row, network_id, network_description };
  });
}

/**
 * Replaces the addresses. Returns the changes for the activity log. Writes the rows directly: this is a change of the
 * asset.
 * @throws invalid()
 */
export async function replaceAddresses(
  ctx: Context,
  { asset_id, company_number }: Asset,
  given: readonly GivenAddress[],
): Promise<Partial<ReturnType<typeof changesBetween>>> {
  const rows = given.map((each) => ({ ...filled(each), asset_id, company_number, created_at: ctx.now }));
  const keys = rows.map((each) => each.address_key);
  if (new Set(keys).size < keys.length) throw invalid('ip_addresses must not contain duplicates');
  const primary = Math.max(
    0,
    given.findIndex((each) => each.is_primary),
  );
  const wanted = rows.map((each, i) => ({ ...each, is_primary: i === primary }));
  const before = await ctx.db.findBy(AssetAddress, { asset_id });
  const changes = changesBetween({ ip_addresses: told(before) }, { ip_addresses: told(wanted) });
  if (Object.keys(changes).length === 0) return {};
  await ctx.db.delete(AssetAddress, { asset_id });
  await ctx.db.insert(AssetAddress, wanted);
  return changes;
}

/**
 * Makes the addresses in the assets' own columns the primary ones. Writes the rows directly: these are changes of the
 * assets.
 */
export async function followPrimary(ctx: Context, assets: readonly Asset[]): Promise<void> {
  if (assets.length === 0) return;
  const asset_id = assets.map((each) => each.asset_id);
  const known = Map.groupBy(await ctx.db.findBy(AssetAddress, { asset_id: In(asset_id) }), (each) => each.asset_id);
  const missing: New<typeof AssetAddress>[] = [];
  const stale: number[] = [];
  for (const asset of assets) {
    const rows = known.get(asset.asset_id) ?? [];
    const wanted = asset.ip_address === '' ? undefined : addressKey(asset.ip_address);
    const there = rows.find((each) => each.address_key === wanted);
    // Remove the previous primary address.
    stale.push(...rows.filter((each) => each.is_primary && each !== there).map((each) => each.address_id));
    if (there && there.is_primary && there.mac_address === asset.mac_address) continue;
    if (there) stale.push(there.address_id);
    if (wanted !== undefined)
      missing.push({
        ...primaryRow(asset),
        assignment_type: there?.assignment_type ?? 'static',
        port_id: there?.port_id ?? null,
      });
  }
  if (stale.length > 0) await ctx.db.delete(AssetAddress, { address_id: In(stale) });
  await ctx.db.insert(AssetAddress, missing);
}

/** Returns the row of an asset's own address. */
export function primaryRow({ asset_id, company_number, ip_address: text, mac_address: mac, updated_at }: Asset) {
  return {
    asset_id,
    company_number,
    ip_address: text,
    address_key: addressKey(text),
    mac_address: mac,
    is_primary: true,
    created_at: updated_at,
  };
}

function filled({
  ip_address: text,
  mac_address: mac = '',
  assignment_type: type = 'static',
  port_id: port = null,
}: GivenAddress) {
  return { ip_address: text, address_key: addressKey(text), mac_address: mac, assignment_type: type, port_id: port };
}

type Told = Pick<AssetAddress, 'ip_address' | 'mac_address' | 'assignment_type' | 'port_id' | 'is_primary'>;

/** Returns the addresses for the activity log, in a stable order. */
function told(rows: readonly Told[]) {
  return rows
    .map((row) => ({
      ip_address: row.ip_address,
      mac_address: row.mac_address,
      assignment_type: row.assignment_type,
      port_id: row.port_id,
      is_primary: row.is_primary,
    }))
    .toSorted((a, b) => a.ip_address.localeCompare(b.ip_address, 'en'));
}
