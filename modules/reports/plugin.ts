import { definePlugin } from '@keelson/core';
import { Report } from './entities.ts';
import { ReadReports, WriteReports } from './permissions.ts';
import adminRoutes from './routes/admin.ts';
import helpdeskRoutes from './routes/helpdesk.ts';

export default definePlugin({
  id: 'reports',
  title: 'Reports',
  requires: ['directory'],
  perCompany: { default: true },
  entities: [Report],
  permissions: [ReadReports, WriteReports],
  routes: [...adminRoutes, ...helpdeskRoutes],
});
