import { administrators, consolePart } from '@keelson/core';
import { ReadSettings, WriteSettings } from '@keelson/modules/system';
import { ReadReports, WriteReports } from '../permissions.ts';

export default consolePart(import.meta.dirname, {
  pages: [
    { path: '/reports/new', title: 'New report', file: 'create-report', access: WriteReports },
    { path: '/reports/:id/edit', title: 'Edit report', file: 'edit-report', access: WriteReports },
    { path: '/reports/:id', title: 'Report', file: 'report-page', access: ReadReports },
  ],
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
      createPage: { title: 'New report', path: '/reports/new' },
    },
    {
      path: '/spreadsheets',
      title: 'Spreadsheets',
      access: ReadSettings,
      nav: { section: 'administration', icon: 'file', order: 62 },
      list: 'GET /reports/spreadsheets.php',
      id: 'sheet_id',
      columns: ['name', 'company_name', 'spreadsheet_id', 'created_at'],
      open: '/spreadsheets/:id',
      empty: 'No spreadsheets yet. Add Google spreadsheets that customers can export reports to.',
      create: {
        title: 'New spreadsheet',
        operation: 'POST /reports/spreadsheets.php',
        access: administrators(WriteSettings),
        fields: ['company_number', 'name', 'spreadsheet_id'],
      },
    },
  ],
  sheets: [
    {
      path: '/spreadsheets/:id',
      title: 'Spreadsheet',
      access: ReadSettings,
      read: 'GET /reports/spreadsheets.php?id={id}',
      heading: 'name',
      facts: ['company_name', 'spreadsheet_id', 'created_at'],
      change: { operation: 'PUT /reports/spreadsheets.php?id={id}', access: administrators(WriteSettings) },
      remove: { operation: 'DELETE /reports/spreadsheets.php?id={id}', access: administrators(WriteSettings) },
    },
  ],
});
