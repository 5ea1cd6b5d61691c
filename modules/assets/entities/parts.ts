// The parts of an asset, which are deleted with it.
import { choice, day, flag, id, int, key, ref, table, text, when, type Row } from '@keelson/core';
import { Asset } from './asset.ts';

export const portStatuses = ['up', 'down', 'disabled', 'unknown'] as const;

/** A network port (F-09). */
export const AssetPort = table(
  'asset_port',
  {
    port_id: id(),
    asset_id: ref(Asset),
    port_number: int().nullable(),
    port_name: text(255).default(''),
    port_type: text(100).default(''),
    mac_address: text(17).default(''),
    speed_mbps: int().nullable(),
    /** A VLAN; another module owns the rows. */
    vlan_id: int().nullable(),
    /** The other end of the cable. When the port is known, both ends refer to each other. */
    connected_asset_id: ref(Asset).nullable(),
    connected_port_id: int().nullable(),
    status: choice(...portStatuses).default('unknown'),
    notes: text().default(''),
    created_at: when(),
    updated_at: when(),
  },
  [
    ['asset_id', 'connected_asset_id'],
    ['connected_asset_id', 'asset_id'],
    ['connected_port_id'],
    ['vlan_id', 'asset_id', 'port_id'],
  ],
  { unique: [['asset_id', 'port_number']] },
);
export type AssetPort = Row<typeof AssetPort>;

export const assignmentTypes = ['static', 'dhcp', 'reserved'] as const;

/** An IP address of an asset (F-73). `asset.ip_address` is the primary one. */
export const AssetAddress = table(
  'asset_address',
  {
    address_id: id(),
    asset_id: ref(Asset),
    company_number: int(),
    ip_address: text(45),
    /** Sorts in address order, so that a network is a range. */
    address_key: key(33).hidden(),
    mac_address: text(17).default(''),
    assignment_type: choice(...assignmentTypes).default('static'),
    port_id: int().nullable(),
    is_primary: flag().default(false),
    created_at: when(),
  },
  [['company_number', 'address_key', 'asset_id'], ['company_number', 'mac_address', 'asset_id'], ['port_id']],
  { unique: [['asset_id', 'address_key']] },
);
export type AssetAddress = Row<typeof AssetAddress>;

/** A credential of an asset (F-10). */
export const AssetCredential = table(
  'asset_credential',
  {
    /** From the allocator, because the password is sealed for this id before the row is inserted. */
    login_id: id(),
    asset_id: ref(Asset),
    label: text(255),
    username: text(255).default(''),
    /** The sealed password; null without one (AS-06). */
    password: text().nullable().hidden(),
    url: text(2048).default(''),
    notes: text().default(''),
    /** Hidden from customers entirely. */
    provider_only: flag().default(false),
    updated_by: text(255),
    created_at: when(),
    updated_at: when(),
  },
  [['asset_id', 'label', 'login_id']],
);
export type AssetCredential = Row<typeof AssetCredential>;

export const softwareSources = ['collector', 'manual'] as const;

/** Software installed on an asset (F-74). */
export const AssetSoftware = table(
  'asset_software',
  {
    software_id: id(),
    asset_id: ref(Asset),
    name: text(255),
    version: text(100).default(''),
    publisher: text(255).default(''),
    installed_at: day().nullable(),
    source: choice(...softwareSources).default('manual'),
  },
  [['asset_id', 'name', 'software_id']],
);
export type AssetSoftware = Row<typeof AssetSoftware>;
