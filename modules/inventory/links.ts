// Asset links of contracts and licenses (AS-12).
import { In, input, invalid, IsNull, sql, z, type Context } from '@keelson/core';
import { changesBetween } from '@keelson/core/log';
import { Asset, showsAssets } from '@keelson/modules/assets';

export const LinkedAsset = z.object({
  asset_id: z.int(),
  machine_name: z.string(),
  asset_type: z.string(),
  status: z.string(),
});
export type LinkedAsset = z.infer<typeof LinkedAsset>;

/** Maximum number of assets in a detail. */
export const MOST_LINKS = 1000;

/** Request field that replaces the linked assets. */
export const assetIds = z.array(input.id()).max(MOST_LINKS).optional();

/** Returns the linked assets by id, excluding deleted ones; none without the permission for assets. */
export async function readLinkedAssets(ctx: Context, asset_ids: readonly number[]): Promise<LinkedAsset[]> {
  if (asset_ids.length === 0 || !showsAssets(ctx)) return [];
  const where = { asset_id: In([...new Set(asset_ids)]), deleted_at: IsNull() };
  const assets = await ctx.db.find(Asset, { where, order: { asset_id: 'ASC' }, take: MOST_LINKS });
  return assets.map(({ asset_id, machine_name, asset_type, status }) => ({
    asset_id,
    machine_name,
    asset_type,
    status,
  }));
}

export interface LinkChange {
  readonly before: readonly number[];
  readonly after: readonly number[];
  readonly added: readonly number[];
  readonly removed: readonly number[];
}

/** Plans the changes from `linked` to `wanted`. @throws invalid() unless all are assets of the company (V-21) */
export async function planLinks(
  ctx: Context,
  company_number: number,
  linked: readonly number[],
  wanted: readonly number[],
): Promise<LinkChange> {
  const [before, after] = [new Set(linked), new Set(wanted)];
  const added = [...after.difference(before)];
  if (added.length > 0) {
    // Lock them so that none is deleted before its link is stored.
    const where = { asset_id: In(added), company_number, deleted_at: IsNull() };
    const found = await ctx.db.find(Asset, { where, order: { asset_id: 'ASC' }, lock: { mode: 'pessimistic_write' } });
    if (found.length < added.length) throw invalid('asset_ids must be assets of the company');
  }
  const inOrder = (ids: ReadonlySet<number>) => [...ids].toSorted((a, b) => a - b);
  return { before: inOrder(before), after: inOrder(after), added, removed: [...before.difference(after)] };
}

/** Returns the link changes for the activity log. */
export function changedLinks({ before, after }: LinkChange) {
  return changesBetween({ asset_ids: before }, { asset_ids: after });
}

/** List filters by linked asset. */
export const licensesOn = (asset_id: number) => [
  sql`license.license_id IN (SELECT license_id FROM license_asset WHERE asset_id = ${asset_id})`,
];
export const contractsOn = (asset_id: number) => [
  sql`contract.contract_id IN (SELECT contract_id FROM contract_asset WHERE asset_id = ${asset_id})`,
];
