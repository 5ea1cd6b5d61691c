// Report sources: found devices and scans.
import { reportSource } from '@keelson/core';
import { ReadNetworks } from '@keelson/modules/inventory';
import { JobItem, ResultItem } from './scans/job-list.ts';

export default [
  reportSource('admin', 'devices', {
    title: 'Devices found',
    access: ReadNetworks,
    view: ResultItem,
    fields: {
      result_id: 'Result ID',
      hostname: 'Host name',
      ip_address: 'IP address',
      mac_address: 'MAC address',
      serial_number: 'Serial number',
      vendor: 'Vendor',
      operating_system: 'Operating system',
      state: 'State',
      matched_by: 'Matched by',
      matched_value: 'Matched value',
      asset_id: 'Asset ID',
      job_id: 'Job ID',
      company_number: 'Company number',
      site_number: 'Site number',
      discovered_at: 'Last found',
    },
  }),
  reportSource('admin', 'discovery_jobs', {
    title: 'Discovery jobs',
    access: ReadNetworks,
    view: JobItem,
    fields: {
      job_id: 'Job ID',
      job_type: 'Type',
      scan_type: 'Scan type',
      subnet: 'Subnet',
      status: 'Status',
      devices_found: 'Devices found',
      error: 'Error',
      collector_id: 'Collector ID',
      company_number: 'Company number',
      company_name: 'Company',
      site_number: 'Site number',
      site_name: 'Site',
      created_at: 'Created',
      started_at: 'Started',
      finished_at: 'Finished',
    },
  }),
];
