// Slot fills: inventory data shown on records of other modules.
import {
  In,
  is,
  IsNull,
  LessThanOrEqual,
  MoreThanOrEqual,
  pageOf,
  show,
  type Context,
  type OutOf,
} from '@keelson/core';
import { fill } from '@keelson/core/plugin';
import { isEmployee } from '@keelson/core/surfaces';
import {
  AddressNetworks,
  Asset,
  AssetAddress,
  AssetContracts,
  AssetLicenses,
  KnownVlans,
  mayBeAt,
} from '@keelson/modules/assets';
import { Ticket, TicketAsset, TicketContracts } from '@keelson/modules/tickets';
import { CompanyContract, ShortContract } from './contracts/contracts.ts';
import { Contract, ContractAsset } from './contracts/entities.ts';
import { License, LicenseAsset } from './licenses/entities.ts';
import { LicenseItem, PortalLicense } from './licenses/licenses.ts';
import { Network } from './networks/entities.ts';
import { ReadContracts, ReadLicenses, ReadNetworks } from './permissions.ts';
import { Vlan } from './vlans/entities.ts';

/** Returns the licenses of assets, by name (F-08). */
async function readLicensesOf(ctx: Context, asset_id: readonly number[]) {
  const links = await ctx.db.findBy(LicenseAsset, { asset_id: In(asset_id) });
  const ids = { license_id: In(links.map((each) => each.license_id)), deleted_at: IsNull() };
  const rows = links.length === 0 ? [] : await ctx.db.find(License, { where: ids, order: { name: 'ASC' } });
  const items = await show(ctx, isEmployee(ctx.actor) ? PortalLicense : LicenseItem, rows);
  return byAsset(links, items, ({ license_id }) => license_id);
}

/** Returns the contracts that name assets (F-08). */
async function readContractsOf(ctx: Context, asset_id: readonly number[]) {
  const links = await ctx.db.findBy(ContractAsset, { asset_id: In(asset_id) });
  const ids = { contract_id: In(links.map((each) => each.contract_id)), deleted_at: IsNull() };
  const rows = links.length === 0 ? [] : await ctx.db.find(Contract, { where: ids, order: { name: 'ASC' } });
  return byAsset(links, await show(ctx, ShortContract, rows), ({ contract_id }) => contract_id);
}

function byAsset<Link extends { readonly asset_id: number }, Item>(
  links: readonly Link[],
  items: readonly Item[],
  idOf: (each: Link | Item) => number,
): Map<number, Item[]> {
  const assetsOf = Map.groupBy(links, idOf);
  const found = items.flatMap((item) => (assetsOf.get(idOf(item)) ?? []).map(({ asset_id }) => ({ asset_id, item })));
  const grouped = Map.groupBy(found, ({ asset_id }) => asset_id);
  return new Map([...grouped].map(([asset_id, all]) => [asset_id, all.map(({ item }) => item)]));
}

/**
 * Returns the smallest network containing each address (F-73), but not one of another site than the asset's. Of equal
 * ranges, the one of the asset's site counts.
 */
async function readNetworksOf(ctx: Context, address_id: readonly number[]) {
  const addresses = await ctx.db.findBy(AssetAddress, { address_id: In(address_id) });
  const owners = await ctx.db.findBy(Asset, { asset_id: In([...new Set(addresses.map((each) => each.asset_id))]) });
  const assets = new Map(owners.map((each) => [each.asset_id, each]));
  const keys = addresses.map((each) => each.address_key).toSorted();
  const networks = await ctx.db.findBy(Network, {
    company_number: In([...new Set(addresses.map((each) => each.company_number))]),
    first_key: LessThanOrEqual(keys.at(-1) ?? ''),
    last_key: MoreThanOrEqual(keys[0] ?? ''),
    deleted_at: IsNull(),
  });
  return new Map(
    addresses.flatMap(({ address_id: id, asset_id, company_number, address_key }) => {
      const asset = assets.get(asset_id);
      if (!asset) return [];
      const isElsewhere = (each: Network) => Number(each.site_number !== asset.site_number);
      const [network] = networks
        .filter((each) => each.company_number === company_number && mayBeAt(asset, each.site_number))
        .filter((each) => each.first_key <= address_key && address_key <= each.last_key)
        // The smallest network starts last or else ends first.
        .toSorted(
          (a, b) =>
            b.first_key.localeCompare(a.first_key) ||
            a.last_key.localeCompare(b.last_key) ||
            isElsewhere(a) - isElsewhere(b),
        );
      return network ? [[id, { network_id: network.network_id, network_description: network.description }]] : [];
    }),
  );
}

async function readVlans(ctx: Context, vlan_id: readonly number[]) {
  const vlans = await ctx.db.findBy(Vlan, { vlan_id: In(vlan_id), deleted_at: IsNull() });
  return new Map(vlans.map((each) => [each.vlan_id, { company_number: each.company_number, name: each.name }]));
}

/** Upper bound for a company's active contracts. */
const MOST_COVERING = 1000;

/**
 * Returns the active contracts that cover a ticket: those naming one of its assets, and those naming none, which cover
 * the whole company (T-12).
 */
async function readCovering(ctx: Context, ticket_id: readonly number[]) {
  const tickets = await ctx.db.findBy(Ticket, { ticket_id: In(ticket_id) });
  const company_number = [...new Set(tickets.map((each) => each.company_number))];
  const where = [is('company_number', company_number)];
  // Avoid whole rows, whose texts may be long.
  const asked = { status: 'active', page: 1, size: MOST_COVERING } as const;
  const { rows: contracts } = await pageOf(ctx, CompanyContract, asked, { where });
  if (contracts.length === 0) return new Map();
  const about = Map.groupBy(await ctx.db.findBy(TicketAsset, { ticket_id: In(ticket_id) }), (each) => each.ticket_id);
  const links = await ctx.db.findBy(ContractAsset, { contract_id: In(contracts.map((each) => each.contract_id)) });
  const named = Map.groupBy(links, (each) => each.contract_id);
  const byName = contracts.toSorted((a, b) => a.name.localeCompare(b.name));
  return new Map(
    tickets.map((ticket) => {
      const assets = new Set((about.get(ticket.ticket_id) ?? []).map((each) => each.asset_id));
      const covers = ({ contract_id }: { readonly contract_id: number }) =>
        named.get(contract_id)?.some((each) => assets.has(each.asset_id)) ?? true;
      const own = byName.filter((each) => each.company_number === ticket.company_number).filter(covers);
      return [ticket.ticket_id, own.map(shortOf)];
    }),
  );
}

/** Omits the company. */
function shortOf({ contract_id, name, contract_type, status, start_date, end_date }: OutOf<typeof CompanyContract>) {
  return { contract_id, name, contract_type, status, start_date, end_date };
}

export default [
  fill(AssetLicenses, readLicensesOf, ReadLicenses),
  fill(AssetContracts, readContractsOf, ReadContracts),
  fill(AddressNetworks, readNetworksOf, ReadNetworks),
  fill(KnownVlans, readVlans),
  fill(TicketContracts, readCovering, ReadContracts),
];
