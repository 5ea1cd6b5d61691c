import { choice, counterTable, day, id, int, key, ref, statistic, table, text, when, type Row } from '@keelson/core';
import { Company, Employee, Site } from '@keelson/modules/directory';

/** How the asset was first recorded (F-07). */
export const assetSources = ['manual', 'discovery', 'import'] as const;

// Lists are read in creation order. Each index ends with the remaining filter columns, so that non-matching rows are
// skipped without being read.
export const Asset = table(
  'asset',
  {
    asset_id: id(),
    /** The number people quote. Comes from the allocator, so there may be gaps. */
    asset_number: int().unique(),
    machine_name: text(255),
    /** The normalised host name without its domain, for looking up devices (MO-09). */
    host_key: key(63).default('').hidden(),
    asset_type: text(100).default(''),
    serial_number: text(255).default(''),
    /**
     * The normalised serial number, unique within the company. Null for deleted assets, and when the serial number is
     * missing or identifies nothing (V-27, AS-14, MO-30).
     */
    serial_key: key().nullable().hidden(),
    company_number: ref(Company),
    site_number: ref(Site).nullable(),
    status: text(100).default('active'),
    /** The primary address; `asset_address` has all of them. */
    ip_address: text(45).default(''),
    mac_address: text(17).default(''),
    manufacturer: text(255).default(''),
    model: text(255).default(''),
    operating_system: text(255).default(''),
    location: text(255).default(''),
    assigned_employee: ref(Employee).nullable(),
    purchase_date: day().nullable(),
    warranty_expires: day().nullable(),
    notes: text().default(''),
    source: choice(...assetSources).default('manual'),
    last_seen_at: when().nullable(),
    created_at: when(),
    updated_at: when(),
    deleted_at: when().nullable().hidden(),
  },
  [
    ['created_at', 'asset_id', 'status', 'asset_type', 'deleted_at'],
    ['company_number', 'created_at', 'asset_id', 'status', 'asset_type', 'deleted_at'],
    ['company_number', 'status', 'created_at', 'asset_id', 'asset_type', 'deleted_at'],
    ['company_number', 'asset_type', 'created_at', 'asset_id', 'status', 'deleted_at'],
    ['company_number', 'asset_type', 'status', 'created_at', 'asset_id', 'deleted_at'],
    ['company_number', 'machine_name', 'asset_id', 'deleted_at'],
    ['company_number', 'mac_address', 'deleted_at'],
    ['company_number', 'serial_number', 'deleted_at'],
    ['company_number', 'host_key', 'site_number', 'deleted_at'],
    ['site_number', 'created_at', 'asset_id', 'company_number', 'status', 'asset_type', 'deleted_at'],
    ['status', 'created_at', 'asset_id', 'asset_type', 'deleted_at'],
    ['asset_type', 'created_at', 'asset_id', 'status', 'deleted_at'],
    ['assigned_employee', 'company_number', 'created_at', 'asset_id', 'status', 'asset_type', 'deleted_at'],
  ],
  { unique: [['company_number', 'serial_key']] },
);
export type Asset = Row<typeof Asset>;

/** Counts assets by company, status, type and day, so that totals and deep pages have constant cost. */
export const AssetCount = counterTable('asset_count', {
  of: Asset,
  dimensions: ['company_number', 'status', 'asset_type'],
  day: 'created_at',
  statistics: [statistic(Company, 'asset_count')],
});

/** Counts assets by site. */
export const SiteAssetCount = counterTable('asset_site_count', {
  of: Asset,
  dimensions: ['site_number', 'company_number', 'status', 'asset_type'],
  statistics: [statistic(Site, 'asset_count')],
});

/** The change history of an asset, one row per field. */
export const AssetChange = table(
  'asset_change',
  {
    change_id: id(),
    asset_id: ref(Asset),
    field: text(40),
    /** In readable form: the name of a site or person, not its number. */
    before: text(255).default(''),
    after: text(255).default(''),
    changed_by: text(255),
    changed_at: when(),
  },
  [
    ['asset_id', 'changed_at', 'change_id'],
    ['asset_id', 'field', 'changed_at', 'change_id'],
  ],
);
export type AssetChange = Row<typeof AssetChange>;
