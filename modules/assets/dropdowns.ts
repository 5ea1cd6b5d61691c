import { dropdown } from '@keelson/core';

/** Asset types offered; the field still accepts free text (AS-02). */
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

/** Asset statuses offered; the field still accepts free text (AS-02). */
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
