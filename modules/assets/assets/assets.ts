// Assets: what a company owns. Creates, changes and deletes them together with their parts.
import { change, create, eventData, lock, record, remove, type Context, type Given, type Wanted } from '@keelson/core';
import { Asset } from '../entities/asset.ts';
import { AssetCreated, AssetDeleted } from '../events.ts';
import { storeChanges } from '../history/history.ts';
import { hostKey } from '../host-names.ts';
import { readIdentifiers } from '../identifiers.ts';
import { AssetNames } from '../names.ts';
import { followPrimary, replaceAddresses, type GivenAddress } from '../parts/addresses.ts';
import { removeParts } from '../parts/remove-parts.ts';
import { replaceSoftware, type GivenSoftware } from '../parts/software.ts';
import { announceUpdates } from './announce.ts';
import { AssetItem, assetNoun } from './asset-list.ts';
import { checkPlace, spelled } from './references.ts';

export const Assets = record(assetNoun, {
  call: ({ machine_name }) => machine_name,
  names: AssetNames,
  taken: ({ serial_number }) => `serial_number ${serial_number} already exists`,
  log: { omit: ['serial_key'] },
  derive: ({ machine_name }) => ({ host_key: hostKey(machine_name) }),
  async created(ctx, asset) {
    await followPrimary(ctx, [asset]);
    ctx.emit(AssetCreated, await eventData(ctx, AssetItem, asset));
  },
  async changed(ctx, changes) {
    const moved = changes.filter(({ changed }) => changed.includes('ip_address') || changed.includes('mac_address'));
    await followPrimary(
      ctx,
      moved.map(({ after }) => after),
    );
    await storeChanges(ctx, changes);
    await announceUpdates(ctx, changes);
  },
  /** Deletes ports, credentials and addresses too. Tickets keep their text (AS-05). */
  async removed(ctx, assets) {
    await removeParts(
      ctx,
      assets.map((each) => each.asset_id),
    );
    for (const { asset_id, company_number } of assets) ctx.emit(AssetDeleted, { asset_id, company_number });
  },
});

type Columns = Omit<Given<typeof Assets>, 'asset_id' | 'asset_number' | 'serial_key'>;
export interface Parts {
  readonly ip_addresses?: readonly GivenAddress[] | undefined;
  readonly software?: readonly GivenSoftware[] | undefined;
}
export type NewAsset = Columns & Parts;
export type AssetUpdate = Omit<Wanted<typeof Assets>, 'asset_id' | 'asset_number' | 'serial_key' | 'company_number'> &
  Parts;

const FIRST_NUMBER = 1001;
const SEQUENCE = 'asset';

/** Derives the id from the number, so that the id is known before the row is inserted. */
export const assetIdOf = (assetNumber: number): number => assetNumber - FIRST_NUMBER + 1;

/** Reserves the numbers of `n` new assets. Returns the first. */
export const reserveAssetNumbers = ({ app, tx }: Context, n: number): Promise<number> =>
  app.allocator.reserve(SEQUENCE, n, FIRST_NUMBER, tx);

/** Creates an asset. @throws invalid() for an unknown company, site or person; duplicate() for its serial number */
export async function createAsset(ctx: Context, { ip_addresses, software, ...given }: NewAsset): Promise<Asset> {
  await checkPlace(ctx, given);
  const asset_number = await ctx.app.allocator.take(ctx.db, SEQUENCE, FIRST_NUMBER);
  const primary = ip_addresses && primaryOf(ip_addresses);
  const columns = { ...given, ...(await spelled(ctx, given)), ...(await keyed(ctx, given)), ...primary };
  return create(
    ctx,
    Assets,
    { ...columns, asset_number, asset_id: assetIdOf(asset_number) },
    { store: (asset) => storeParts(ctx, asset, { ip_addresses, software }) },
  );
}

/** Changes an asset that was locked in the same transaction. @throws invalid() for an unknown site or person */
export async function updateAsset(
  ctx: Context,
  asset: Asset,
  { ip_addresses, software, ...wanted }: AssetUpdate,
): Promise<Asset> {
  await checkPlace(ctx, { ...asset, ...differing(wanted) }, asset);
  const primary = ip_addresses && primaryOf(ip_addresses);
  const columns = { ...wanted, ...(await spelled(ctx, wanted)), ...(await keyed(ctx, wanted)), ...primary };
  const addresses = ip_addresses && (await replaceAddresses(ctx, asset, ip_addresses));
  const installed = software && (await replaceSoftware(ctx, asset.asset_id, software, 'manual'));
  return change(ctx, Assets, asset, columns, { extra: { ...addresses, ...installed } });
}

/** Returns the key of a serial number, or no key without one. */
export async function keyed(ctx: Context, { serial_number }: { readonly serial_number?: string | undefined }) {
  return serial_number === undefined ? {} : { serial_key: (await readIdentifiers(ctx)).serialKey(serial_number) };
}

export const deleteAsset = (ctx: Context, asset: Asset): Promise<void> => remove(ctx, Assets, asset);

export const lockAsset = (ctx: Context, asset_id: number): Promise<Asset> => lock(ctx, Assets, asset_id);

async function storeParts(ctx: Context, asset: Asset, { ip_addresses, software }: Parts): Promise<void> {
  if (ip_addresses) await replaceAddresses(ctx, asset, ip_addresses);
  if (software) await replaceSoftware(ctx, asset.asset_id, software, 'manual');
}

/** Returns the asset's own address: the primary one of its list, or the first. */
function primaryOf(addresses: readonly GivenAddress[]): { ip_address: string; mac_address?: string } {
  const primary = addresses.find((each) => each.is_primary) ?? addresses[0];
  if (!primary) return { ip_address: '' };
  return { ip_address: primary.ip_address, ...(primary.mac_address && { mac_address: primary.mac_address }) };
}

/** Drops undefined values, which leave a field unchanged. */
function differing<W extends object>(wanted: W): Partial<W> {
  return Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined)) as Partial<W>;
}
