import { big, choice, day, id, int, ref, table, text, when, type Row } from '@keelson/core';
import { Asset } from '@keelson/modules/assets';
import { Company } from '@keelson/modules/directory';

export const licenseStatuses = ['active', 'expired'] as const;

export const License = table(
  'license',
  {
    license_id: id(),
    name: text(255),
    vendor: text(255).default(''),
    /** Sealed; bound to the company and license. */
    product_key: text().nullable().hidden(),
    /** Last four characters, shown in place of the key (I-03). */
    key_end: text(8).nullable().hidden(),
    license_type: text(255).default(''),
    seats: int().nullable(),
    /** Number of assets it is installed on (I-04). */
    seats_used: int().default(0),
    company_number: ref(Company),
    /** Derived from `expires_at`, on every write and by a job after midnight. */
    status: choice(...licenseStatuses),
    purchase_date: day().nullable(),
    expires_at: day().nullable(),
    /** In minor units (V-08); shown as `cost` in responses. */
    cost_minor: big().nullable(),
    notes: text().default(''),
    /** Visible to customers; `notes` are internal to the provider (Z-15). */
    customer_notes: text().default(''),
    created_at: when(),
    updated_at: when(),
    deleted_at: when().nullable().hidden(),
  },
  [
    ['company_number', 'status', 'created_at', 'license_id', 'deleted_at'],
    ['company_number', 'created_at', 'license_id', 'deleted_at'],
    ['status', 'created_at', 'license_id', 'deleted_at'],
    ['created_at', 'license_id', 'deleted_at'],
    ['status', 'expires_at'],
    ['expires_at', 'license_id'],
  ],
);
export type License = Row<typeof License>;

/** Assets a license is installed on. */
export const LicenseAsset = table(
  'license_asset',
  { license_id: ref(License).primary(), asset_id: ref(Asset).primary() },
  [['asset_id', 'license_id']],
);
