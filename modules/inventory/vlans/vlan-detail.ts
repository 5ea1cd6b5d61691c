// VLAN detail with the switch ports that carry it (F-18, AS-13).
import { showOne, z, type Context } from '@keelson/core';
import { AssetNames, AssetPort, showsAssets } from '@keelson/modules/assets';
import { MOST_LINKS } from '../links.ts';
import type { Vlan } from './entities.ts';
import { VlanItem } from './vlans.ts';

const Port = z.object({ port_id: z.int(), asset_id: z.int(), machine_name: z.string(), port_name: z.string() });
export const VlanDetail = VlanItem.shape.extend({ ports: z.array(Port) });

export async function readVlan(ctx: Context, vlan: Vlan) {
  const { vlan_id } = vlan;
  const order = { asset_id: 'ASC', port_id: 'ASC' } as const;
  const found = !showsAssets(ctx) ? [] : await ctx.db.find(AssetPort, { where: { vlan_id }, order, take: MOST_LINKS });
  const names = await ctx.app.names.get(
    ctx.db,
    AssetNames,
    found.map((each) => each.asset_id),
  );
  const ports = found.map(({ port_id, asset_id, port_name }) => ({
    port_id,
    asset_id,
    machine_name: names.get(asset_id) ?? '',
    port_name,
  }));
  return { ...(await showOne(ctx, VlanItem, vlan)), ports };
}
