import { searchable, view } from '@keelson/core';
import { CompanyNames } from '@keelson/modules/directory';
import { ReadNetworks } from '@keelson/modules/inventory';
import { collectorNoun } from './collectors/collector-list.ts';
import { Collector, DiscoveryResult } from './entities.ts';
import { resultNoun } from './scans/job-list.ts';

const collectorColumns = ['collector_id', 'name', 'status'] as const;
const deviceColumns = ['result_id', 'hostname', 'ip_address', 'mac_address', 'serial_number', 'asset_id'] as const;

// Searchable on the administrative surface only.
export default [
  searchable(Collector, {
    name: ['name', 'collector_id'],
    title: ({ name, collector_id }) => name || collector_id,
    subtitle: ({ status }) => status,
    found: {
      admin: {
        type: 'collectors',
        access: ReadNetworks,
        view: view(collectorNoun, {
          only: collectorColumns,
          more: (its) => ({ company_name: its.name(CompanyNames, 'company_number') }),
        }),
      },
    },
  }),
  searchable(DiscoveryResult, {
    name: ['hostname', 'serial_number'],
    main: ['ip_address', 'mac_address', 'vendor', 'operating_system'],
    title: ({ hostname, ip_address }) => hostname || ip_address,
    subtitle: ({ ip_address, vendor }) => `${ip_address} ${vendor}`.trim(),
    found: {
      admin: {
        type: 'devices',
        access: ReadNetworks,
        view: view(resultNoun, {
          only: deviceColumns,
          more: (its) => ({ company_name: its.name(CompanyNames, 'company_number') }),
        }),
      },
    },
  }),
];
