import { definePlugin } from '@keelson/core';
import consolePages from './console/pages.ts';
import { Report, ReportMailUse, Spreadsheet } from './entities.ts';
import { ReportDue } from './events.ts';
import jobs from './jobs.ts';
import live from './live.ts';
import { ScheduledReportMail } from './mail-templates.ts';
import { ReadReports, WriteReports } from './permissions.ts';
import portalPages from './portal/pages.ts';
import adminRoutes from './routes/admin.ts';
import helpdeskRoutes from './routes/helpdesk.ts';
import { GoogleAccount } from './settings.ts';
import subscribers from './subscribers.ts';

export default definePlugin({
  id: 'reports',
  title: 'Reports',
  description: 'Reports, metrics, exports and spreadsheets.',
  requires: ['accounts', 'directory', 'system', 'tickets'],
  perCompany: { default: true },
  entities: [Report, ReportMailUse, Spreadsheet],
  events: [ReportDue],
  mailTemplates: [ScheduledReportMail],
  settings: [GoogleAccount],
  subscribers,
  jobs,
  permissions: [ReadReports, WriteReports],
  console: consolePages,
  portal: portalPages,
  routes: [...adminRoutes, ...helpdeskRoutes],
  live,
});
