import { definePlugin } from '@keelson/core';
import consolePages from './console/pages.ts';
import { CompanyService, Outage, OutageHistory, OutageService, OutageSubscriber } from './entities.ts';
import { OutageNotice, OutageResolved, OutageStarted } from './events.ts';
import jobs from './jobs.ts';
import live from './live.ts';
import { OutageUpdateMail } from './mail-templates.ts';
import pauses from './outages/pauses.ts';
import portalPages from './portal/pages.ts';
import reports from './reports.ts';
import adminRoutes from './routes/admin.ts';
import helpdeskRoutes from './routes/helpdesk.ts';
import pageRoutes from './routes/pages.ts';
import search from './search.ts';
import { installServices } from './status/services.ts';
import subscribers from './subscribers.ts';

export default definePlugin({
  id: 'outages',
  title: 'Outages',
  description: 'Services, their outages, and notices to customers.',
  requires: ['directory', 'levels', 'tickets'],
  entities: [OutageService, CompanyService, Outage, OutageHistory, OutageSubscriber],
  events: [OutageStarted, OutageResolved, OutageNotice],
  fills: pauses,
  mailTemplates: [OutageUpdateMail],
  console: consolePages,
  portal: portalPages,
  routes: [...adminRoutes, ...helpdeskRoutes, ...pageRoutes],
  subscribers,
  search,
  reports,
  jobs,
  live,
  start: installServices,
});
