import { subscriber } from '@keelson/core';
import { AssetDeleted } from '@keelson/modules/assets';
import { dropContractLinks } from './contracts/contracts.ts';
import { dropLicenseLinks } from './licenses/licenses.ts';

export default [
  subscriber('inventory.contract-links', AssetDeleted, (ctx, { data }) => dropContractLinks(ctx, data.asset_id)),
  subscriber('inventory.license-links', AssetDeleted, (ctx, { data }) => dropLicenseLinks(ctx, data.asset_id)),
];
