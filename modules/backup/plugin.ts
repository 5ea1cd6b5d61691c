import { definePlugin, dependent } from '@keelson/core';
import { DrillAttachments } from './attachments.ts';
import consolePages from './console/pages.ts';
import { BackupMachine, BackupRecord, BackupState, RestoreDrill, RestoreRequest } from './entities.ts';
import { BackupStatusChanged } from './events.ts';
import fills from './fills.ts';
import hooks from './hooks.ts';
import jobs from './jobs.ts';
import live from './live.ts';
import portalPages from './portal/pages.ts';
import reports from './reports.ts';
import adminRoutes from './routes/admin.ts';
import helpdeskRoutes from './routes/helpdesk.ts';
import search from './search.ts';
import subscribers from './subscribers.ts';

export default definePlugin({
  id: 'backup',
  title: 'Backup',
  description: 'Backups of customers’ systems, restore requests and restore drills.',
  requires: ['directory', 'tickets', 'assets', 'discovery', 'monitoring'],
  perCompany: { default: true },
  entities: [BackupMachine, BackupRecord, BackupState, RestoreRequest, RestoreDrill],
  dependents: [
    dependent(RestoreRequest, 'company_number', 'restore requests'),
    dependent(RestoreDrill, 'company_number', 'restore drills'),
  ],
  attachments: [DrillAttachments],
  events: [BackupStatusChanged],
  console: consolePages,
  portal: portalPages,
  routes: [...adminRoutes, ...helpdeskRoutes],
  subscribers,
  fills,
  hooks,
  search,
  reports,
  jobs,
  live,
});
