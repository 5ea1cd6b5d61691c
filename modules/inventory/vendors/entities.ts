import { choice, id, key, table, text, when, type Row } from '@keelson/core';

export const vendorStatuses = ['active', 'inactive'] as const;

export const Vendor = table(
  'vendor',
  {
    vendor_id: id(),
    name: text(255),
    name_key: key().nullable().unique().hidden(),
    contact_name: text(255).default(''),
    email: text(254).default(''),
    phone: text(32).default(''),
    website: text(2048).default(''),
    address: text(255).default(''),
    account_number: text(255).default(''),
    notes: text().default(''),
    status: choice(...vendorStatuses).default('active'),
    created_at: when(),
    updated_at: when(),
    deleted_at: when().nullable().hidden(),
  },
  [['name', 'vendor_id', 'deleted_at']],
);
export type Vendor = Row<typeof Vendor>;
