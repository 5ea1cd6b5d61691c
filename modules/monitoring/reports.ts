// Report source: alerts of every status.
import { reportSource } from '@keelson/core';
import { ReadAssets } from '@keelson/modules/assets';
import { AlertItem } from './alert-list.ts';

export default [
  reportSource('admin', 'alerts', {
    title: 'Alerts',
    access: ReadAssets,
    view: AlertItem,
    fields: {
      alert_id: 'Alert ID',
      alert_type: 'Type',
      severity: 'Severity',
      status: 'Status',
      message: 'Message',
      company_number: 'Company number',
      company_name: 'Company',
      collector_id: 'Collector ID',
      asset_id: 'Asset ID',
      source: 'Reported by',
      occurrences: 'Times reported',
      created_at: 'Created',
      last_raised_at: 'Last reported',
      acknowledged_at: 'Acknowledged',
      acknowledged_by: 'Acknowledged by',
      resolved_at: 'Resolved',
    },
  }),
];
