import { consolePart } from '@keelson/core';
import { ReadNetworks, WriteNetworks } from '@keelson/modules/inventory';

export default consolePart(import.meta.dirname, {
  lists: [
    {
      path: '/discovery',
      title: 'Discovery',
      access: ReadNetworks,
      nav: { section: 'infrastructure', icon: 'radar', order: 60 },
      list: 'GET /discovery/queue.php',
      id: 'job_id',
      columns: [
        'subnet',
        'company_name',
        'site_name',
        'job_type',
        'status',
        'devices_found',
        'created_at',
        'finished_at',
      ],
      filters: ['status'],
      open: '/discovery/:id',
      empty: 'Scans of customers’ networks are listed here. A collector on site does them.',
      create: { title: 'Start a scan', operation: 'POST /discovery/scan.php', access: WriteNetworks },
    },
    {
      path: '/discovery/results',
      title: 'Found devices',
      access: ReadNetworks,
      nav: { section: 'infrastructure', icon: 'cpu', order: 61 },
      list: 'GET /discovery/results.php',
      id: 'result_id',
      columns: [
        'hostname',
        'ip_address',
        'mac_address',
        'vendor',
        'operating_system',
        'state',
        'matched_by',
        'discovered_at',
      ],
      filters: ['state'],
      empty: 'Devices that collectors have found are listed here, with the asset each was taken for.',
    },
  ],
  sheets: [
    {
      path: '/discovery/:id',
      title: 'Discovery job',
      access: ReadNetworks,
      read: 'GET /discovery/queue.php?id={id}',
      heading: 'subnet',
      facts: [
        'company_name',
        'site_name',
        'job_type',
        'scan_type',
        'status',
        'devices_found',
        'error',
        'created_at',
        'started_at',
        'finished_at',
      ],
      related: [
        {
          title: 'Found devices',
          list: 'GET /discovery/results.php',
          with: { job_id: 'job_id' },
          columns: ['hostname', 'ip_address', 'mac_address', 'vendor', 'state', 'matched_by', 'matched_value'],
        },
      ],
    },
  ],
});
