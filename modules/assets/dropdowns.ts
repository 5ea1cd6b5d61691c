import { dropdown } from '@keelson/core';

/** Types offered for assets; an asset's type is free text all the same (AS-02). */
export const AssetTypes = dropdown('asset_types', {
  title: 'Asset types',
  items: [
    'Workstation',
    'Laptop',
    'Server',
    'Printer',
    'Switch',
    'Router',
    'Firewall',
    'Access Point',
    'Phone',
    'Tablet',
    'UPS',
    'Other',
  ],
});

/** Statuses offered for assets; the status is free text, too (AS-02). */
export const AssetStatuses = dropdown('asset_statuses', {
  title: 'Asset statuses',
  items: [
    { value: 'active', label: 'Active' },
    { value: 'inactive', label: 'Inactive' },
    { value: 'in_repair', label: 'In repair' },
    { value: 'in_stock', label: 'In stock' },
    { value: 'retired', label: 'Retired' },
  ],
});
