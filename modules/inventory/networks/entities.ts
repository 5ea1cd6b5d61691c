import { flag, id, json, key, ref, table, text, when, z, type Row } from '@keelson/core';
import { ADDRESS_KEY } from '@keelson/core/kit';
import { Company, Site } from '@keelson/modules/directory';

export const Network = table(
  'network',
  {
    network_id: id(),
    description: text(255),
    network_address: text(45),
    /** `255.255.255.0` for IPv4, `/64` for IPv6. */
    subnet_mask: text(45),
    gateway: text(45).default(''),
    company_number: ref(Company),
    site_number: ref(Site).nullable(),
    dhcp_enabled: flag().default(false),
    dns_servers: json(z.array(z.string())).default([]),
    notes: text().default(''),
    /** Visible to customers; `notes` are internal to the provider (Z-15). */
    customer_notes: text().default(''),
    /** Site and first address; unique per company (V-27). */
    place_key: key().nullable().hidden(),
    /** Sort keys of the first and last address. */
    first_key: key(ADDRESS_KEY).hidden(),
    last_key: key(ADDRESS_KEY).hidden(),
    created_at: when(),
    updated_at: when(),
    deleted_at: when().nullable().hidden(),
  },
  [
    ['company_number', 'created_at', 'network_id', 'deleted_at'],
    ['company_number', 'site_number', 'created_at', 'network_id', 'deleted_at'],
    ['site_number', 'created_at', 'network_id', 'deleted_at'],
    ['created_at', 'network_id', 'deleted_at'],
    ['company_number', 'first_key', 'last_key', 'network_id', 'deleted_at'],
  ],
  { unique: [['company_number', 'place_key']] },
);
export type Network = Row<typeof Network>;
