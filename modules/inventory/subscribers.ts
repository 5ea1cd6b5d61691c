import { subscriber } from '@keelson/core';
import { AssetDeleted } from '@keelson/modules/assets';
import { dropLicenseLinks } from './licenses/licenses.ts';

export default [
  subscriber('inventory.license-links', AssetDeleted, (ctx, { data }) => dropLicenseLinks(ctx, data.asset_id)),
];
