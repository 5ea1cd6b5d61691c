// The network ports of assets, and the cables between them (F-09).
import {
  by,
  change,
  changeAll,
  create,
  findOr404,
  invalid,
  lockAll,
  noun,
  notFound,
  record,
  remove,
  sql,
  view,
  IsNull,
  In,
  type Context,
  type Given,
  type Wanted,
} from '@keelson/core';
import { referSlot } from '@keelson/core/plugin';
import { announceParts } from '../assets/announce.ts';
import { Asset } from '../entities/asset.ts';
import { AssetPort } from '../entities/parts.ts';
import { KnownVlans } from '../slots.ts';

const MOST = 5000;

const portNoun = noun(AssetPort, { title: 'Port', sorts: { port_number: by('port_number') }, order: 'asc' });

export const Ports = record(portNoun, {
  type: 'asset_port',
  call: portName,
  taken: ({ port_number }) => `port_number ${port_number} already exists`,
  prepare(_ctx, { port_number, port_name }) {
    if (port_number === null && port_name === '') throw invalid('port_number or port_name is required');
  },
  created: (ctx, port) => tellAssets(ctx, [port]),
  changed: (ctx, changes) =>
    tellAssets(
      ctx,
      changes.map(({ after }) => after),
    ),
  removed: (ctx, ports) => tellAssets(ctx, ports),
});

export const PortItem = view(Ports);

type Link = Pick<AssetPort, 'connected_asset_id' | 'connected_port_id'>;
type NewPort = Omit<Given<typeof Ports>, 'asset_id'>;
type PortUpdate = Omit<Wanted<typeof Ports>, 'asset_id' | 'port_id'>;

export function portName({ port_number, port_name }: Pick<AssetPort, 'port_number' | 'port_name'>): string {
  return port_name || String(port_number);
}

/** Returns the ports of an asset by number; those without one come last. */
export async function readPorts(ctx: Context, asset_id: number): Promise<AssetPort[]> {
  const order = { port_id: 'ASC' } as const;
  const ports = await ctx.db.find(AssetPort, { where: { asset_id }, order });
  return ports.toSorted((a, b) => (a.port_number ?? Infinity) - (b.port_number ?? Infinity) || a.port_id - b.port_id);
}

/** Finds a port of this asset. @throws notFound() for another asset's */
export async function findPort(ctx: Context, { asset_id }: Asset, port_id: number): Promise<AssetPort> {
  const port = await findOr404(ctx, Ports, port_id);
  if (port.asset_id !== asset_id) throw notFound('Port');
  return port;
}

/** Adds a port to an asset that was locked in the same transaction. @throws invalid(), duplicate() for its number */
export async function addPort(ctx: Context, asset: Asset, given: NewPort): Promise<AssetPort> {
  const { asset_id } = asset;
  if ((await ctx.db.countBy(AssetPort, { asset_id })) >= MOST) throw invalid(`An asset has at most ${MOST} ports`);
  await checkVlan(ctx, asset, given.vlan_id);
  const link = await linkOf(ctx, asset, given);
  const port = await create(ctx, Ports, { ...given, ...link, asset_id });
  await joinEnds(ctx, port);
  return port;
}

/** Changes a port of an asset that was locked in the same transaction. @throws invalid(), duplicate() for its number */
export async function changePort(
  ctx: Context,
  asset: Asset,
  before: AssetPort,
  wanted: PortUpdate,
): Promise<AssetPort> {
  if (wanted.vlan_id !== before.vlan_id) await checkVlan(ctx, asset, wanted.vlan_id);
  const link = await linkOf(ctx, asset, wanted, before);
  const after = await change(ctx, Ports, before, { ...wanted, ...link });
  if (link) await joinEnds(ctx, after);
  return after;
}

/** Removes a port. Disconnects the other end of its cable and the addresses on the port. */
export async function removePort(ctx: Context, port: AssetPort): Promise<void> {
  await joinEnds(ctx, { ...port, connected_port_id: null });
  await ctx.db.run(sql`UPDATE asset_address SET port_id = NULL WHERE port_id = ${port.port_id}`);
  await remove(ctx, Ports, port);
}

async function checkVlan(ctx: Context, { company_number }: Asset, vlan_id: number | null | undefined): Promise<void> {
  if (!vlan_id) return;
  const vlan = (await referSlot(ctx, KnownVlans, [vlan_id]))(vlan_id);
  if (vlan?.company_number !== company_number) throw invalid('vlan_id must be a VLAN of the company');
}

/** Returns the requested cable end, or undefined when none is requested. A port implies its asset. @throws invalid() */
async function linkOf(
  ctx: Context,
  { company_number }: Asset,
  wanted: Partial<Link>,
  before?: AssetPort,
): Promise<Link | undefined> {
  const { connected_asset_id: to, connected_port_id: at } = wanted;
  if (to === undefined && at === undefined) return undefined;
  if (at) {
    const [port] = await lockAll(ctx, Ports, [at]);
    if (!port || (to && port.asset_id !== to) || !(await isOf(ctx, company_number, port.asset_id)))
      throw invalid(`connected_port_id must be a port of ${to ? 'the connected asset' : 'an asset of the company'}`);
    if (port.port_id === before?.port_id) throw invalid('connected_port_id must be a different port');
    return { connected_asset_id: port.asset_id, connected_port_id: at };
  }
  const other = to === undefined ? (before?.connected_asset_id ?? null) : to;
  if (other !== null && !(await isOf(ctx, company_number, other)))
    throw invalid('connected_asset_id must be an asset of the company');
  const kept = at === undefined && other === before?.connected_asset_id ? (before?.connected_port_id ?? null) : null;
  return { connected_asset_id: other, connected_port_id: other === null ? null : kept };
}

async function isOf(ctx: Context, company_number: number, asset_id: number): Promise<boolean> {
  return (
    (await ctx.db.findOne(Asset, {
      where: { asset_id, company_number, deleted_at: IsNull() },
      lock: { mode: 'pessimistic_write' },
    })) !== null
  );
}

/**
 * Connects both ends of a cable: the other port refers back to this one, and ports previously at either end become
 * free.
 */
async function joinEnds(ctx: Context, { asset_id, port_id, connected_port_id: other }: AssetPort): Promise<void> {
  const free: Link = { connected_asset_id: null, connected_port_id: null };
  const formerly = await ctx.db.findBy(AssetPort, {
    connected_port_id: other === null ? In([port_id]) : In([port_id, other]),
  });
  const freed = formerly.filter((each) => each.port_id !== port_id && each.port_id !== other);
  await changeAll(ctx, Ports, freed, free);
  if (other === null) return;
  const [end] = await lockAll(ctx, Ports, [other]);
  if (end) await change(ctx, Ports, end, { connected_asset_id: asset_id, connected_port_id: port_id });
}

async function tellAssets(ctx: Context, ports: readonly AssetPort[]): Promise<void> {
  const asset_id = [...new Set(ports.map((each) => each.asset_id))];
  await announceParts(ctx, await ctx.db.findBy(Asset, { asset_id: In(asset_id), deleted_at: IsNull() }), 'ports');
}
