// Addresses with an otherwise unknown host, by network (MO-26).
import { Between, In, type Context } from '@keelson/core';
import { Network } from '@keelson/modules/inventory';
import { DiscoveryResult } from '../entities.ts';

/** Maximum number shown per network. */
const MOST = 1000;

/** Returns the addresses by network. */
export async function readSeenAddresses(ctx: Context, network_id: readonly number[]) {
  const networks = await ctx.db.findBy(Network, { network_id: In(network_id) });
  const seen = new Map<number, { ip_address: string; address_key: string }[]>();
  for (const { network_id: id, company_number, site_number, first_key, last_key } of networks) {
    const range = { company_number, state: 'address', address_key: Between(first_key, last_key) } as const;
    const where = site_number === null ? range : { ...range, site_number };
    const rows = await ctx.db.find(DiscoveryResult, { where, order: { address_key: 'ASC' }, take: MOST });
    const byKey = new Map(
      rows.map((row) => [row.address_key, { ip_address: row.ip_address, address_key: row.address_key }]),
    );
    seen.set(id, [...byKey.values()]);
  }
  return seen;
}
