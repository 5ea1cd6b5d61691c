// License detail with the assets it is installed on (F-11).
import { showOne, z, type Context } from '@keelson/core';
import { LinkedAsset, readLinkedAssets } from '../links.ts';
import type { License } from './entities.ts';
import { installedOn, LicenseItem } from './licenses.ts';

export const LicenseDetail = LicenseItem.shape.extend({ assets: z.array(LinkedAsset) });

export async function readLicense(ctx: Context, license: License) {
  const assets = await readLinkedAssets(ctx, await installedOn(ctx, license.license_id));
  return { ...(await showOne(ctx, LicenseItem, license)), assets };
}
