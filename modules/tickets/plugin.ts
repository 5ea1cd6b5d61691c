import { definePlugin, dependent } from '@keelson/core';
import { TicketAttachments } from './attachments.ts';
import consolePages from './console/pages.ts';
import { JobTypes } from './dropdowns.ts';
import entities, {
  AssigneeCount,
  ClosedCount,
  JobTypeCount,
  OpenTime,
  PendingCount,
  RequesterCount,
  Ticket,
  TicketCount,
} from './entities.ts';
import events from './events.ts';
import jobs from './jobs.ts';
import live from './live.ts';
import mailTemplates from './mail-templates.ts';
import { DeleteTickets, ReadTickets, WriteTickets } from './permissions.ts';
import portalPages from './portal/pages.ts';
import reports from './reports.ts';
import adminRoutes from './routes/admin.ts';
import helpdeskRoutes from './routes/helpdesk.ts';
import pageRoutes from './routes/pages.ts';
import search from './search.ts';
import subscribers from './subscribers.ts';
import workflowActions from './workflow-actions.ts';

export default definePlugin({
  id: 'tickets',
  title: 'Tickets',
  description: 'Tickets with comments, time entries, attachments, watchers and approvals.',
  requires: ['accounts', 'directory'],
  entities,
  counters: [TicketCount, AssigneeCount, JobTypeCount, RequesterCount, PendingCount, ClosedCount, OpenTime],
  dependents: [
    dependent(Ticket, 'company_number', 'tickets'),
    dependent(Ticket, 'site_number', 'tickets'),
    dependent(Ticket, 'requester_employee_number', 'tickets'),
  ],
  attachments: [TicketAttachments],
  permissions: [ReadTickets, WriteTickets, DeleteTickets],
  events,
  mailTemplates,
  search,
  dropdowns: [JobTypes],
  console: consolePages,
  portal: portalPages,
  routes: [...helpdeskRoutes, ...adminRoutes, ...pageRoutes],
  reports,
  subscribers,
  workflowActions,
  jobs,
  live,
});
