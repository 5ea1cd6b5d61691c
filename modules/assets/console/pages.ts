import { consolePart } from '@keelson/core';
import { ReadAssets, WriteAssets } from '../permissions.ts';

export default consolePart(import.meta.dirname, {
  pages: [
    { path: '/assets/:quoted', title: 'Asset', file: 'asset-page', access: ReadAssets },
    { path: '/assets/import', title: 'Import assets', file: 'import-assets', access: WriteAssets },
  ],
  panels: [
    {
      slot: 'company.tab',
      title: 'Passwords',
      file: 'credentials-tab',
      access: ReadAssets,
      order: 40,
      total: { list: 'GET /assets/credentials.php' },
    },
  ],
  lists: [
    {
      path: '/assets',
      companyTab: 30,
      title: 'Assets',
      access: ReadAssets,
      nav: { section: 'infrastructure', icon: 'server', order: 10, key: 'g a' },
      list: 'GET /assets.php',
      id: 'asset_id',
      columns: ['machine_name', 'company_name', 'asset_type', 'status', 'ip_address', 'assigned_employee_name'],
      filters: ['type', 'status'],
      open: '/assets/:quoted',
      links: [{ title: 'Import', path: '/assets/import', icon: 'upload' }],
      empty: 'No assets yet. Add them manually, import them, or discover them with a collector.',
      create: {
        title: 'New asset',
        operation: 'POST /assets.php',
        access: WriteAssets,
        fields: [
          'company_number',
          'machine_name',
          'asset_type',
          'serial_number',
          'manufacturer',
          'model',
          'ip_address',
          'notes',
        ],
      },
    },
  ],
  records: [
    {
      type: 'asset',
      title: 'Asset',
      path: '/assets/:quoted',
      icon: 'server',
      access: ReadAssets,
      read: 'GET /assets.php?id={id}',
      find: 'GET /assets.php',
      name: 'machine_name',
      id: 'asset_id',
      search: 'assets',
    },
  ],
});
