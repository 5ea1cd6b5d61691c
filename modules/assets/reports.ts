// Asset reports: all assets on the administrative surface, the company's own on the helpdesk surface.
import { reportSource } from '@keelson/core';
import { readsAssets } from './access.ts';
import { AssetItem, PortalAsset } from './assets/asset-list.ts';
import { ReadAssets } from './permissions.ts';

const fields = {
  asset_id: 'Asset ID',
  asset_number: 'Asset number',
  machine_name: 'Name',
  asset_type: 'Type',
  serial_number: 'Serial number',
  status: 'Status',
  site_name: 'Site',
  ip_address: 'IP address',
  mac_address: 'MAC address',
  manufacturer: 'Manufacturer',
  model: 'Model',
  operating_system: 'Operating system',
  location: 'Location',
  assigned_employee_name: 'Assigned to',
  purchase_date: 'Purchased',
  warranty_expires: 'Warranty until',
  source: 'Source',
  last_seen_at: 'Last seen',
  created_at: 'Created',
  updated_at: 'Updated',
} as const;

const AllAssets = reportSource('admin', 'assets', {
  title: 'Assets',
  access: ReadAssets,
  view: AssetItem,
  fields: { ...fields, company_number: 'Company number', company_name: 'Company' },
});

const OwnAssets = reportSource('helpdesk', 'assets', {
  title: 'Assets',
  access: readsAssets,
  view: PortalAsset,
  fields,
});

export default [AllAssets, OwnAssets];
