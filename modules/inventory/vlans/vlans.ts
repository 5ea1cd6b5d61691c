// VLANs of customers.
import { by, create, invalid, IsNull, param, record, view, type Context, type Given } from '@keelson/core';
import { checkPlace, CompanyNames, SiteNames } from '@keelson/modules/directory';
import { Network } from '../networks/entities.ts';
import { Vlan } from './entities.ts';

export const Vlans = record(Vlan, {
  title: 'VLAN',
  call: ({ vlan_number, name }) => `${vlan_number} (${name})`,
  filters: (its) => ({
    company_number: its.is('company_number'),
    site_number: its.is('site_number'),
    network_id: its.is('network_id', param.id()),
  }),
  sorts: { created_at: by('created_at') },
  taken: ({ vlan_number }) => `vlan_number ${vlan_number} already exists at this site`,
  derive: ({ site_number, vlan_number }) => ({ place_key: `${site_number ?? ''} ${vlan_number}` }),
  async prepare(ctx, after, before) {
    await checkPlace(ctx, after, before);
    if (after.network_id !== null && after.network_id !== before?.network_id) await checkNetwork(ctx, after);
  },
});

/** VLAN in lists (F-18). */
export const VlanItem = view(Vlans, {
  more: (its) => ({
    company_name: its.name(CompanyNames, 'company_number'),
    site_name: its.name(SiteNames, 'site_number'),
  }),
});

/** Adds a VLAN. The number must be unique at the site (V-27). */
export const createVlan = (ctx: Context, given: Given<typeof Vlans>) => create(ctx, Vlans, given);

async function checkNetwork(ctx: Context, { network_id, company_number }: Vlan): Promise<void> {
  const network = { network_id: network_id ?? 0, company_number, deleted_at: IsNull() };
  if (!(await ctx.db.findOne(Network, { where: network, lock: { mode: 'pessimistic_write' } })))
    throw invalid('network_id must be a network of the company');
}
