// Warranty claims: creates a ticket for each, and reminds vendors who do not respond.
import { definePlugin } from '@keelson/core';
import { ClaimAttachments } from './attachments.ts';
import consolePages from './console/pages.ts';
import { Claim } from './entities.ts';
import { ClaimFiled } from './events.ts';
import jobs from './jobs.ts';
import migrations from './migrations.ts';
import { ReadClaims, WriteClaims } from './permissions.ts';
import portalPages from './portal/pages.ts';
import reports from './reports.ts';
import adminRoutes from './routes/admin.ts';
import helpdeskRoutes from './routes/helpdesk.ts';
import search from './search.ts';
import subscribers from './subscribers.ts';
import workflowActions from './workflow-actions.ts';

export default definePlugin({
  id: 'warranty',
  title: 'Warranty claims',
  description: 'Warranty expiry dates, and claims with vendors.',
  version: '1.0.0',
  requires: ['assets', 'directory', 'tickets'],
  perCompany: { default: true },
  entities: [Claim],
  migrations,
  permissions: [ReadClaims, WriteClaims],
  events: [ClaimFiled],
  routes: [...adminRoutes, ...helpdeskRoutes],
  attachments: [ClaimAttachments],
  console: consolePages,
  portal: portalPages,
  reports,
  search,
  subscribers,
  jobs,
  workflowActions,
});
