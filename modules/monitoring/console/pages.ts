import { consolePart } from '@keelson/core';
import { ReadAssets, WriteAssets } from '@keelson/modules/assets';
import { ReadNetworks } from '@keelson/modules/inventory';

export default consolePart(import.meta.dirname, {
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
      columns: ['message', 'company_name', 'severity', 'status', 'alert_type', 'occurrences', 'last_raised_at'],
      filters: ['status', 'severity'],
      open: '/alerts/:id',
      empty: 'Nothing is wrong. What collectors and other tools report appears here.',
    },
    {
      path: '/collectors',
      title: 'Collectors',
      access: ReadNetworks,
      nav: { section: 'infrastructure', icon: 'activity', order: 62 },
      list: 'GET /monitoring/collectors.php',
      id: 'collector_id',
      columns: ['name', 'company_name', 'site_name', 'status', 'version', 'open_alerts', 'last_seen_at', 'sync_status'],
      empty: 'A collector scans a customer’s network from within.',
    },
  ],
  sheets: [
    {
      path: '/alerts/:id',
      title: 'Alert',
      access: ReadAssets,
      read: 'GET /monitoring/alerts.php?id={id}',
      heading: 'alert_type',
      facts: [
        'severity',
        'status',
        'company_name',
        'source',
        'occurrences',
        'created_at',
        'last_raised_at',
        'acknowledged_by',
        'acknowledged_at',
        'resolved_at',
      ],
      texts: ['message'],
      acts: [
        {
          title: 'Acknowledge',
          operation: 'POST /monitoring/alerts.php?action=acknowledge&id={id}',
          access: WriteAssets,
        },
      ],
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
