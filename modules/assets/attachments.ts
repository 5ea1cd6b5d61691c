// Attachments of assets: pictures, invoices, warranty papers.
import { attachments } from '@keelson/core';
import { editsAssets, readsAssets } from './access.ts';
import { AssetItem, PortalAsset } from './assets/asset-list.ts';
import { Assets } from './assets/assets.ts';
import { ReadAssets, WriteAssets } from './permissions.ts';

export const AssetAttachments = attachments(Assets, {
  company: (asset) => asset.company_number,
  call: (asset) => asset.asset_number,
  admin: { path: '/assets.php', read: ReadAssets, write: WriteAssets, view: AssetItem },
  helpdesk: { path: '/assets', read: readsAssets, write: editsAssets, view: PortalAsset },
});
