// Lists (F-66) of modules that do not exist yet; each will move to its module.
import { dropdown } from '@keelson/core';

/** Of the assets module (AS-02). */
const AssetTypes = dropdown('asset_types', {
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

/** Of the assets module (AS-02). */
const AssetStatuses = dropdown('asset_statuses', {
  title: 'Asset statuses',
  items: [
    { value: 'active', label: 'Active' },
    { value: 'inactive', label: 'Inactive' },
    { value: 'in_repair', label: 'In repair' },
    { value: 'in_stock', label: 'In stock' },
    { value: 'retired', label: 'Retired' },
  ],
});

/** Of the billing module (F-32). */
const PaymentMethods = dropdown('payment_methods', {
  title: 'Payment methods',
  items: [
    { value: 'card', label: 'Card' },
    { value: 'ach', label: 'ACH' },
    { value: 'check', label: 'Check' },
    { value: 'cash', label: 'Cash' },
    { value: 'wire', label: 'Wire' },
    { value: 'other', label: 'Other' },
  ],
});

export default [AssetTypes, AssetStatuses, PaymentMethods];
