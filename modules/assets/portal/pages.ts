import { portalPart } from '@keelson/core';
import { editsAssets, readsAssets } from '../access.ts';

const fields = [
  'machine_name',
  'asset_type',
  'status',
  'serial_number',
  'manufacturer',
  'model',
  'operating_system',
  'ip_address',
  'location',
  'warranty_expires',
  'notes',
] as const;

export default portalPart(import.meta.dirname, {
  lists: [
    {
      path: '/equipment',
      title: 'Equipment',
      rows: 'devices',
      access: readsAssets,
      nav: { icon: 'server', order: 40 },
      list: 'GET /assets',
      id: 'asset_id',
      columns: ['machine_name', 'asset_type', 'assigned_employee_name', 'site_name', 'status'],
      filters: ['type', 'status'],
      open: '/equipment/:quoted',
      create: { title: 'New device', operation: 'POST /assets', access: editsAssets, fields },
    },
  ],
  sheets: [
    {
      path: '/equipment/:quoted',
      title: 'Device',
      access: readsAssets,
      read: 'GET /assets/{id}',
      heading: 'machine_name',
      facts: [
        'asset_number',
        'asset_type',
        'status',
        'assigned_employee_name',
        'site_name',
        'location',
        'manufacturer',
        'model',
        'serial_number',
        'operating_system',
        'ip_address',
        'purchase_date',
        'warranty_expires',
        'notes',
      ],
      change: { operation: 'PUT /assets/{id}', access: editsAssets, fields },
      remove: { operation: 'DELETE /assets/{id}', access: editsAssets },
      related: [
        {
          title: 'History',
          list: 'GET /assets/{id}/history',
          with: { id: 'asset_id' },
          columns: ['field', 'before', 'after', 'changed_by', 'changed_at'],
        },
      ],
    },
  ],
  records: [
    {
      type: 'asset',
      title: 'Device',
      path: '/equipment/:quoted',
      icon: 'server',
      access: readsAssets,
      read: 'GET /assets/{id}',
      find: 'GET /assets',
      name: 'machine_name',
      id: 'asset_id',
      search: 'assets',
    },
  ],
});
