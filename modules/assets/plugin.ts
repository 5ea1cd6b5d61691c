import { definePlugin, dependent } from '@keelson/core';
import { fill } from '@keelson/core/plugin';
import { EmployeeAssets } from '@keelson/modules/directory';
import { KnownAssets } from '@keelson/modules/tickets';
import { readAssetsOf } from './assets/asset-list.ts';
import { readKnownAssets } from './assets/known.ts';
import { AssetAttachments } from './attachments.ts';
import commands from './commands.ts';
import consolePages from './console/pages.ts';
import { AssetStatuses, AssetTypes } from './dropdowns.ts';
import { Asset, AssetChange, AssetCount, SiteAssetCount } from './entities/asset.ts';
import { AssetAddress, AssetCredential, AssetPort, AssetSoftware } from './entities/parts.ts';
import { AssetCreated, AssetDeleted, AssetDiscovered, AssetUpdated } from './events.ts';
import { AssetImport } from './import/import.ts';
import live from './live.ts';
import { DeleteAssets, ReadAssets, WriteAssets } from './permissions.ts';
import portalPages from './portal/pages.ts';
import reports from './reports.ts';
import adminRoutes from './routes/admin.ts';
import helpdeskRoutes from './routes/helpdesk.ts';
import search from './search.ts';
import { MeaninglessIdentifiers } from './settings.ts';
import subscribers from './subscribers.ts';

export default definePlugin({
  id: 'assets',
  title: 'Assets',
  description: 'Devices with their ports, software, stored passwords and history.',
  requires: ['directory', 'tickets'],
  perCompany: { default: true },
  entities: [Asset, AssetChange, AssetPort, AssetAddress, AssetCredential, AssetSoftware],
  counters: [AssetCount, SiteAssetCount],
  dependents: [
    dependent(Asset, 'company_number', 'assets'),
    dependent(Asset, 'site_number', 'assets'),
    dependent(Asset, 'assigned_employee', 'assigned assets'),
    dependent(AssetCredential, 'asset_id', 'stored credentials'),
  ],
  attachments: [AssetAttachments],
  imports: [AssetImport],
  permissions: [ReadAssets, WriteAssets, DeleteAssets],
  events: [AssetCreated, AssetUpdated, AssetDiscovered, AssetDeleted],
  dropdowns: [AssetTypes, AssetStatuses],
  fills: [fill(KnownAssets, readKnownAssets, ReadAssets), fill(EmployeeAssets, readAssetsOf, ReadAssets)],
  console: consolePages,
  portal: portalPages,
  routes: [...helpdeskRoutes, ...adminRoutes],
  settings: [MeaninglessIdentifiers],
  search,
  reports,
  subscribers,
  commands,
  live,
});
