// Network detail with VLANs and assigned addresses (F-17, AS-13).
import { IsNull, show, showOne, z, type Context } from '@keelson/core';
import { readSlot } from '@keelson/core/plugin';
import { AssetNames, readAssignedAddresses, showsAssets } from '@keelson/modules/assets';
import { MOST_LINKS } from '../links.ts';
import { SeenAddresses } from '../slots.ts';
import { Vlan } from '../vlans/entities.ts';
import { VlanItem } from '../vlans/vlans.ts';
import type { Network } from './entities.ts';
import { NetworkItem, PortalNetwork } from './networks.ts';

const Assignment = z.object({
  ip_address: z.string(),
  asset_id: z.int().nullable(),
  machine_name: z.string().nullable(),
  mac_address: z.string(),
  assignment_type: z.enum(['static', 'dhcp', 'reserved']),
});
const vlans = z.array(VlanItem.shape);
export const PortalNetworkDetail = PortalNetwork.shape.extend({ vlans });
export const NetworkDetail = NetworkItem.shape.extend({ vlans, ip_assignments: z.array(Assignment) });

export async function readPortalNetwork(ctx: Context, network: Network) {
  return { ...(await showOne(ctx, PortalNetwork, network)), vlans: await readVlans(ctx, network) };
}

async function readVlans(ctx: Context, { network_id }: Network) {
  const order = { vlan_number: 'ASC' } as const;
  return show(ctx, VlanItem, await ctx.db.find(Vlan, { where: { network_id, deleted_at: IsNull() }, order }));
}

export async function readNetwork(ctx: Context, network: Network) {
  return {
    ...(await showOne(ctx, NetworkItem, network)),
    vlans: await readVlans(ctx, network),
    ip_assignments: await readAssignments(ctx, network),
  };
}

/** Returns the network's assigned and responding addresses, lowest first. */
async function readAssignments(ctx: Context, network: Network): Promise<z.infer<typeof Assignment>[]> {
  const found = await readAssignedAddresses(ctx, network, MOST_LINKS);
  const shown = showsAssets(ctx);
  const names = await ctx.app.names.get(ctx.db, AssetNames, shown ? found.map((each) => each.asset_id) : []);
  const own = found.map(({ ip_address, address_key, asset_id, mac_address, assignment_type }) => ({
    ip_address,
    address_key,
    asset_id: shown ? asset_id : null,
    machine_name: names.get(asset_id) ?? null,
    mac_address: shown ? mac_address : '',
    assignment_type,
  }));
  const taken = new Set(own.map((each) => each.address_key));
  const seen = (await readSlot(ctx, SeenAddresses, [network.network_id]))(network.network_id)
    .filter((each) => !taken.has(each.address_key))
    .map((each) => ({
      ...each,
      asset_id: null,
      machine_name: null,
      mac_address: '',
      assignment_type: 'dhcp' as const,
    }));
  return [...own, ...seen].toSorted((a, b) => (a.address_key < b.address_key ? -1 : 1)).slice(0, MOST_LINKS);
}
