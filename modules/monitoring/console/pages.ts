import { consolePart } from '@keelson/core';
import { ReadAssets } from '@keelson/modules/assets';
import { ReadNetworks } from '@keelson/modules/inventory';

export default consolePart(import.meta.dirname, {
  pages: [
    { path: '/alerts/by-machine', title: 'Alerts by machine', file: 'by-machine', access: ReadAssets },
    { path: '/alerts/:id', title: 'Alert', file: 'alert-page', access: ReadAssets },
  ],
  panels: [{ slot: 'home.card', title: 'Alerts', file: 'alerts-panel', access: ReadAssets, order: 4 }],
  lists: [
    {
      path: '/alerts',
      companyTab: 110,
      title: 'Alerts',
      access: ReadAssets,
      nav: { section: 'work', icon: 'bell', order: 40 },
      list: 'GET /monitoring/alerts.php',
      id: 'alert_id',
      links: [{ title: 'By machine', path: '/alerts/by-machine', icon: 'server' }],
      columns: [
        'message',
        'machine_name',
        'company_name',
        'severity',
        'status',
        'alert_type',
        'occurrences',
        'last_raised_at',
      ],
      filters: ['status', 'severity', 'muted'],
      open: '/alerts/:id',
      empty: 'No alerts. Alerts from collectors and other tools appear here.',
    },
    {
      path: '/collectors',
      title: 'Collectors',
      access: ReadNetworks,
      nav: { section: 'infrastructure', icon: 'activity', order: 62 },
      list: 'GET /monitoring/collectors.php',
      id: 'collector_id',
      columns: ['name', 'company_name', 'site_name', 'status', 'version', 'open_alerts', 'last_seen_at', 'sync_status'],
      empty: 'No collectors yet. A collector scans a customer’s network from the inside.',
    },
  ],
  records: [
    {
      type: 'alert',
      title: 'Alert',
      path: '/alerts/:id',
      icon: 'bell',
      access: ReadAssets,
      read: 'GET /monitoring/alerts.php?id={id}',
      find: 'GET /monitoring/alerts.php',
      name: 'message',
      id: 'alert_id',
    },
  ],
});
