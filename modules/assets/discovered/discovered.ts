// Assets found by scans: many of one company, in as few statements as possible (MO-10, MO-12).
import {
  changeAll,
  duplicate,
  DuplicateKey,
  eventDataFor,
  In,
  notFound,
  type Context,
  type Given,
  type Wanted,
} from '@keelson/core';
import { announceAllNew, announceNew, newRow } from '@keelson/core/record';
import { AssetItem } from '../assets/asset-list.ts';
import { assetIdOf, Assets, reserveAssetNumbers } from '../assets/assets.ts';
import { speller } from '../assets/references.ts';
import { Asset } from '../entities/asset.ts';
import { AssetAddress } from '../entities/parts.ts';
import { AssetCreated, AssetDiscovered } from '../events.ts';
import { readIdentifiers } from '../identifiers.ts';
import { AssetNames } from '../names.ts';
import { primaryRow } from '../parts/addresses.ts';

export type FoundAsset = Omit<Given<typeof Assets>, 'asset_id' | 'asset_number' | 'serial_key' | 'source'>;

/** Adds unknown assets in the given order. The caller must have checked company and site. */
export async function addFoundAssets(ctx: Context, found: readonly FoundAsset[]): Promise<Asset[]> {
  if (found.length === 0) return [];
  const spell = await speller(ctx);
  const { serialKey } = await readIdentifiers(ctx);
  const first = await reserveAssetNumbers(ctx, found.length);
  const rows = found.map((each, i) =>
    newRow(ctx, Assets, {
      ...each,
      asset_type: spell.type(each.asset_type ?? ''),
      serial_key: serialKey(each.serial_number ?? ''),
      source: 'discovery',
      asset_number: first + i,
      asset_id: assetIdOf(first + i),
    }),
  );
  await ctx.db.insert(Asset, rows);
  announceAllNew(ctx, Assets, rows, lineFor(rows));
  await ctx.db.insert(AssetAddress, rows.filter((each) => each.ip_address !== '').map(primaryRow));
  const dataOf = await eventDataFor(ctx, AssetItem, rows);
  for (const row of rows) {
    const data = dataOf(row);
    ctx.emit(AssetCreated, data);
    ctx.emit(AssetDiscovered, data);
  }
  return rows;
}

/** One log entry for all assets that a part of a scan adds (MO-10), as for imports. */
function lineFor(rows: readonly Asset[]) {
  const [first, last] = [rows[0], rows.at(-1)];
  if (first && first === last)
    return { entity_id: first.asset_id, description: `Asset ${first.machine_name} discovered` };
  const numbers = `numbers ${first?.asset_number} to ${last?.asset_number}`;
  return { entity_id: 'discovery', description: `${rows.length} assets discovered: ${numbers}` };
}

/** Changes assets that were locked in the same transaction. Returns those that differed. */
export async function changeFoundAssets(
  ctx: Context,
  assets: readonly Asset[],
  wantedOf: (asset: Asset) => FoundChange,
): Promise<Asset[]> {
  const { serialKey } = await readIdentifiers(ctx);
  return changeAll(ctx, Assets, assets, (asset) => {
    const wanted = wantedOf(asset);
    const { serial_number } = wanted;
    return serial_number === undefined ? wanted : { ...wanted, serial_key: serialKey(serial_number) };
  });
}

/** The asset fields that a scan may change. */
type FoundChange = Omit<Wanted<typeof Assets>, 'asset_id' | 'asset_number' | 'company_number' | 'serial_key'>;

/**
 * Restores a deleted asset with its current data. Its ports and credentials stay deleted.
 * @throws notFound() when no deleted asset has this id; duplicate() when another asset has its serial number now
 */
export async function restoreAsset(
  ctx: Context,
  asset_id: number,
  knownOf: (before: Asset) => FoundChange,
): Promise<Asset> {
  const before = await ctx.db.findOne(Asset, { where: { asset_id }, lock: { mode: 'pessimistic_write' } });
  if (!before || before.deleted_at === null) throw notFound('Deleted asset');
  const { serialKey } = await readIdentifiers(ctx);
  const given = Object.fromEntries(Object.entries(knownOf(before)).filter(([, value]) => value !== undefined));
  const asset: Asset = { ...before, ...given, deleted_at: null, updated_at: ctx.now };
  asset.serial_key = serialKey(asset.serial_number);
  const { asset_id: _, ...set } = asset;
  try {
    await ctx.db.update(Asset, { asset_id }, set);
  } catch (error) {
    if (error instanceof DuplicateKey) throw duplicate(`serial_number ${asset.serial_number} already exists`);
    throw error;
  }
  await ctx.app.names.changed(inTransaction(ctx), AssetNames, asset_id);
  await announceNew(ctx, Assets, asset);
  ctx.record({
    action: 'update',
    entity_type: 'asset',
    entity_id: asset_id,
    description: `Asset ${asset.machine_name} restored`,
  });
  return asset;
}

function inTransaction({ tx }: Context) {
  if (!tx) throw new Error('Restoring an asset requires a transaction');
  return tx;
}

/** Stores when assets were last seen. Updates the rows directly: this is not a user's change. */
export async function noteSeen(ctx: Context, assets: readonly number[]): Promise<void> {
  if (assets.length > 0) await ctx.db.update(Asset, { asset_id: In([...assets]) }, { last_seen_at: ctx.now });
}
