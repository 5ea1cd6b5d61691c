import { counted, id, int, key, ref, statistic, table, text, when, type Row } from '@keelson/core';
import { Company, Site } from '@keelson/modules/directory';
import { Network } from '../networks/entities.ts';

export const Vlan = table(
  'vlan',
  {
    vlan_id: id(),
    vlan_number: int(),
    name: text(255),
    description: text().default(''),
    network_id: ref(Network).nullable(),
    company_number: ref(Company),
    site_number: ref(Site).nullable(),
    /** Site and number; unique per company (V-27). */
    place_key: key().nullable().hidden(),
    created_at: when(),
    updated_at: when(),
    deleted_at: when().nullable().hidden(),
  },
  [
    ['company_number', 'created_at', 'vlan_id', 'deleted_at'],
    ['company_number', 'site_number', 'created_at', 'vlan_id', 'deleted_at'],
    ['site_number', 'created_at', 'vlan_id', 'deleted_at'],
    ['created_at', 'vlan_id', 'deleted_at'],
    ['network_id', 'vlan_number', 'deleted_at'],
  ],
  { unique: [['company_number', 'place_key']] },
);
export type Vlan = Row<typeof Vlan>;

export const NetworkVlanCount = counted({
  of: Vlan,
  dimensions: ['network_id'],
  statistics: [statistic(Network, 'vlan_count')],
});
