import { definePlugin } from '@keelson/core';
import { ContractAttachments } from './attachments.ts';
import consolePages from './console/pages.ts';
import { ContractImport } from './contracts/contract-import.ts';
import { Contract, ContractAsset, ContractCount } from './contracts/entities.ts';
import dependents from './dependents.ts';
import { DomainImport } from './domains/domain-import.ts';
import { Domain } from './domains/entities.ts';
import dropdowns from './dropdowns.ts';
import { ContractRenewed, InventoryExpiring, InventoryRenewed } from './events.ts';
import { ExpiryNotice } from './expiry/entities.ts';
import fills from './fills.ts';
import jobs from './jobs.ts';
import { License, LicenseAsset } from './licenses/entities.ts';
import { LicenseImport } from './licenses/license-import.ts';
import live from './live.ts';
import { Network } from './networks/entities.ts';
import permissions from './permissions.ts';
import portalPages from './portal/pages.ts';
import reports from './reports.ts';
import adminRoutes from './routes/admin.ts';
import helpdeskRoutes from './routes/helpdesk.ts';
import assetRoutes from './routes/helpdesk/assets.ts';
import search from './search.ts';
import { ExpiryDays } from './settings.ts';
import subscribers from './subscribers.ts';
import { Vendor } from './vendors/entities.ts';
import { NetworkVlanCount, Vlan } from './vlans/entities.ts';

export default definePlugin({
  id: 'inventory',
  title: 'Inventory',
  description: 'Networks, VLANs, licenses, contracts, domains and vendors.',
  requires: ['directory', 'tickets', 'assets'],
  perCompany: { default: true },
  entities: [Vendor, Contract, ContractAsset, License, LicenseAsset, Network, Vlan, Domain, ExpiryNotice],
  counted: [ContractCount, NetworkVlanCount],
  dependents,
  attachments: [ContractAttachments],
  imports: [ContractImport, DomainImport, LicenseImport],
  permissions,
  events: [InventoryExpiring, InventoryRenewed, ContractRenewed],
  console: consolePages,
  portal: portalPages,
  routes: [...adminRoutes, ...helpdeskRoutes, ...assetRoutes],
  fills,
  search,
  reports,
  subscribers,
  jobs,
  settings: [ExpiryDays],
  dropdowns,
  live,
});
