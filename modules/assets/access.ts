// Access rules for assets on the helpdesk surface (Z-10, Z-11), and which assets are visible there.
import { findVisible, lock, notFound, type Access, type Context, type EmployeeActor } from '@keelson/core';
import { assetNoun, PortalAsset } from './assets/asset-list.ts';
import type { Asset } from './entities/asset.ts';
import { ReadAssets } from './permissions.ts';

const edits = ({ asset_edit, it_privileges }: EmployeeActor): boolean => it_privileges || asset_edit === 'Modify';

/** Access for employees who may see their company's assets. */
export const readsAssets: Access<EmployeeActor> = Object.freeze({
  title: 'asset_edit Read Only',
  allows: (actor: EmployeeActor) => edits(actor) || actor.asset_edit === 'Read Only',
  refusal: 'You do not have access to assets',
});

/** Access for employees who may change their company's assets. */
export const editsAssets: Access<EmployeeActor> = Object.freeze({
  title: 'asset_edit Modify',
  allows: edits,
  refusal: 'You do not have permission to change assets',
});

/** Returns true if the technician, key or job may see assets within other records (Z-15). */
export const showsAssets = ({ actor }: Context<unknown>): boolean =>
  actor === undefined || actor === null || (ReadAssets as Access<unknown>).allows(actor);

/** Returns true if the employee may see asset credentials. User names are sensitive too (AS-08). */
export const seesCredentials = edits;

/** Finds an asset of the caller's company. @throws notFound() for any other */
export const findPortalAsset = (ctx: Context<EmployeeActor>, asset_id: number): Promise<Asset> =>
  findVisible(ctx, PortalAsset, asset_id);

/** Locks an asset of the caller's company. @throws notFound() for any other */
export async function lockPortalAsset(ctx: Context<EmployeeActor>, asset_id: number): Promise<Asset> {
  await findPortalAsset(ctx, asset_id);
  const asset = await lock(ctx, assetNoun, asset_id);
  if (asset.company_number !== ctx.actor.company_number) throw notFound('Asset');
  return asset;
}
