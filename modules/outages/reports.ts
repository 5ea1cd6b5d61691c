// Report sources for outages.
import { reportSource } from '@keelson/core';
import { ReadTickets } from '@keelson/modules/tickets';
import { OutageItem } from './outages/outage-list.ts';

export default [
  reportSource('admin', 'outages', {
    title: 'Outages',
    access: ReadTickets,
    view: OutageItem,
    fields: {
      outage_id: 'Outage ID',
      title: 'Title',
      service_name: 'Service',
      company_number: 'Company number',
      severity: 'Severity',
      status: 'Status',
      description: 'Description',
      notes: 'Notes',
      started_at: 'Started',
      resolved_at: 'Resolved',
      scheduled_start: 'Planned start',
      scheduled_end: 'Planned end',
      created_by: 'Declared by',
      created_at: 'Created',
    },
  }),
];
