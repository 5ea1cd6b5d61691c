// Networks: a customer's address ranges by site.
import {
  by,
  change,
  changeAll,
  create,
  In,
  invalid,
  IsNull,
  param,
  record,
  restrict,
  searched,
  sql,
  view,
  z,
  type Context,
  type Given,
  type Wanted,
} from '@keelson/core';
import { blockOf, ipNetwork, maskBits, readAddress, addressKey, type IpNetwork } from '@keelson/core/kit';
import type { MembersOf } from '@keelson/core/record';
import { checkPlace, CompanyNames, SiteNames } from '@keelson/modules/directory';
import { ownCompany } from '../visible.ts';
import { Vlan } from '../vlans/entities.ts';
import { Vlans } from '../vlans/vlans.ts';
import { Network } from './entities.ts';

export const Networks = record(Network, {
  title: 'Network',
  call: ({ network_address, description }) => `${network_address} (${description})`,
  filters: (its) => ({
    company_number: its.is('company_number'),
    site_number: its.is('site_number'),
    search: searched(Network),
    /** Networks that contain an address. */
    address: its.by(param.text(45), (_ctx, text) => containing(text)),
  }),
  sorts: { created_at: by('created_at') },
  taken: ({ network_address }) => `network_address ${network_address} already exists at this site`,
  derive: ({ site_number, network_address, subnet_mask }) => {
    const { first_key, last_key } = networkOf(network_address, subnet_mask);
    return { first_key, last_key, place_key: `${site_number ?? ''} ${first_key}` };
  },
  prepare: checkPlace,
  /** Keeps the VLANs and clears their reference (V-26). */
  async removed(ctx, networks) {
    const where = { network_id: In(networks.map((each) => each.network_id)), deleted_at: IsNull() };
    await changeAll(ctx, Vlans, await ctx.db.find(Vlan, { where, lock: { mode: 'pessimistic_write' } }), {
      network_id: null,
    });
  },
});

const more = (its: MembersOf<typeof Network>) => ({
  company_name: its.name(CompanyNames, 'company_number'),
  site_name: its.name(SiteNames, 'site_number'),
  vlan_count: its.statistic('vlan_count'),
});

/** Network in lists (F-16). */
export const NetworkItem = view(Networks, { more });
/** Network as its company sees it, with the customer notes (Z-15). */
export const PortalNetwork = restrict(
  view(Networks, {
    except: ['notes', 'customer_notes'],
    more: (its) => ({
      ...more(its),
      notes: its.from(z.string(), ['customer_notes'], ({ customer_notes }) => customer_notes),
    }),
  }),
  ownCompany,
);

/** Columns of an address range. The address may include its mask, as in `10.1.0.0/16` (I-02). */
interface Range {
  readonly network_address: string;
  readonly subnet_mask?: string | undefined;
  readonly gateway?: string | undefined;
}
type Derived = 'subnet_mask' | 'gateway';

export async function createNetwork(
  ctx: Context,
  { network_address, subnet_mask, gateway, ...given }: Omit<Given<typeof Networks>, Derived> & Range,
): Promise<Network> {
  return create(ctx, Networks, { ...given, ...checkedRange({ network_address, subnet_mask, gateway }) });
}

/** Changes a network locked in the same transaction. @throws invalid() as createNetwork */
export async function updateNetwork(ctx: Context, network: Network, wanted: Wanted<typeof Networks>): Promise<Network> {
  const { network_address = network.network_address, gateway = network.gateway } = wanted;
  // A new address may include its own mask; otherwise the current mask is kept.
  const subnet_mask = wanted.subnet_mask ?? (network_address.includes('/') ? undefined : network.subnet_mask);
  return change(ctx, Networks, network, { ...wanted, ...checkedRange({ network_address, subnet_mask, gateway }) });
}

/** Returns the range in canonical form. @throws invalid() naming the invalid field (I-02) */
function checkedRange({ network_address, subnet_mask, gateway = '' }: Range) {
  const block = blockOf(network_address.trim());
  if (!block) throw invalid('network_address must be an IPv4 or IPv6 address, or a CIDR range');
  const family = block.address.kind();
  const bits = subnet_mask === undefined || subnet_mask === '' ? undefined : maskBits(subnet_mask, family);
  if (bits === undefined && subnet_mask) throw invalid(`subnet_mask must be a mask for ${familyNames[family]}`);
  const inAddress = network_address.includes('/') ? block.bits : undefined;
  if (bits === undefined && inAddress === undefined) throw invalid('subnet_mask is required');
  if (bits !== undefined && inAddress !== undefined && bits !== inAddress)
    throw invalid('subnet_mask must match network_address');
  const network = ipNetwork({ address: block.address, bits: bits ?? inAddress ?? 0 });
  if (network.address !== block.address.toString())
    throw invalid(`network_address must be the first address of its network, ${network.address}`);
  if (gateway !== '' && !contains(network, gateway)) throw invalid('gateway must be an address of the network');
  return { network_address: network.address, subnet_mask: network.mask, gateway: gateway && readAddress(gateway) };
}

const familyNames = { ipv4: 'IPv4', ipv6: 'IPv6' } as const;

/** Returns the network of a stored row. */
export function networkOf(network_address: string, subnet_mask: string): IpNetwork {
  const block = blockOf(network_address);
  const bits = block && maskBits(subnet_mask, block.address.kind());
  if (!block || bits === undefined) throw new Error(`${network_address} ${subnet_mask} is no network`);
  return ipNetwork({ address: block.address, bits });
}

function contains({ first_key, last_key }: IpNetwork, ip: string): boolean {
  if (readAddress(ip) === undefined) return false;
  const key = addressKey(ip);
  return first_key <= key && key <= last_key;
}

function containing(text: string) {
  const ip = readAddress(text);
  if (ip === undefined) throw invalid('address must be an IPv4 or IPv6 address');
  const key = addressKey(ip);
  return sql`network.first_key <= ${key} AND network.last_key >= ${key}`;
}
