import { consolePart } from '@keelson/core';
import { ReadReports, WriteReports } from '../permissions.ts';

export default consolePart(import.meta.dirname, {
  pages: [{ path: '/reports/:id', title: 'Report', file: 'report-page', access: ReadReports }],
  panels: [{ slot: 'home.card', title: 'Figures', file: 'figures-panel', access: ReadReports, order: 5 }],
  lists: [
    {
      path: '/reports',
      title: 'Reports',
      access: ReadReports,
      nav: { section: 'knowledge', icon: 'chart', order: 30 },
      list: 'GET /reports.php',
      id: 'report_id',
      columns: ['name', 'source', 'schedule', 'last_run_at', 'updated_at'],
      open: '/reports/:id',
      create: {
        title: 'New report',
        operation: 'POST /reports.php',
        access: WriteReports,
        fields: ['name', 'source', 'description', 'fields', 'group_by', 'shared'],
      },
    },
  ],
});
