// Assets that scans find: many at once, of one company, with as few statements as possible (MO-10, MO-12).
import { changeAll, eventDataFor, type Context, type Given, type Wanted } from '@keelson/core';
import { announceAllNew, newRow } from '@keelson/core/record';
import { AssetItem } from '../assets/asset-list.ts';
import { assetIdOf, Assets, reserveAssetNumbers } from '../assets/assets.ts';
import { speller } from '../assets/references.ts';
import { Asset } from '../entities/asset.ts';
import { AssetAddress } from '../entities/parts.ts';
import { AssetCreated, AssetDiscovered } from '../events.ts';
import { primaryRow } from '../parts/addresses.ts';

export type FoundAsset = Omit<Given<typeof Assets>, 'asset_id' | 'asset_number' | 'source'>;

/** Adds what was found and is not known, in the given order. Company and site must have been checked. */
export async function addFoundAssets(ctx: Context, found: readonly FoundAsset[]): Promise<Asset[]> {
  if (found.length === 0) return [];
  const spell = await speller(ctx);
  const first = await reserveAssetNumbers(ctx, found.length);
  const rows = found.map((each, i) =>
    newRow(ctx, Assets, {
      ...each,
      asset_type: spell.type(each.asset_type ?? ''),
      source: 'discovery',
      asset_number: first + i,
      asset_id: assetIdOf(first + i),
    }),
  );
  await ctx.db.insertMany(Asset, rows);
  announceAllNew(ctx, Assets, rows, lineFor(rows));
  await ctx.db.insertMany(AssetAddress, rows.filter((each) => each.ip_address !== '').map(primaryRow));
  const dataOf = await eventDataFor(ctx, AssetItem, rows);
  for (const row of rows) {
    const data = dataOf(row);
    ctx.emit(AssetCreated, data);
    ctx.emit(AssetDiscovered, data);
  }
  return rows;
}

/** One line in the log for all that a part of a scan adds (MO-10), as for the rows of an import. */
function lineFor(rows: readonly Asset[]) {
  const [first, last] = [rows[0], rows.at(-1)];
  if (first && first === last) return { entity_id: first.asset_id, description: `Asset ${first.machine_name} found` };
  const numbers = `numbers ${first?.asset_number} to ${last?.asset_number}`;
  return { entity_id: 'discovery', description: `${rows.length} assets found: ${numbers}` };
}

/** Changes assets that were locked in the same transaction; answers those that differed. */
export function changeFoundAssets(
  ctx: Context,
  assets: readonly Asset[],
  wantedOf: (asset: Asset) => Omit<Wanted<typeof Assets>, 'asset_id' | 'asset_number' | 'company_number'>,
): Promise<Asset[]> {
  return changeAll(ctx, Assets, assets, wantedOf);
}

/** Notes that assets were there. By hand: it is no change that anybody made. */
export async function noteSeen(ctx: Context, assets: readonly number[]): Promise<void> {
  if (assets.length > 0) await ctx.db.update(Asset, { asset_id: [...assets] }, { last_seen_at: ctx.now });
}
