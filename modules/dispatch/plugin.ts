import { definePlugin } from '@keelson/core';
import { Appointment } from './appointments/entities.ts';
import consolePages from './console/pages.ts';
import events from './events.ts';
import { CalendarFeed } from './feeds/entities.ts';
import hooks from './hooks.ts';
import jobs from './jobs.ts';
import live from './live.ts';
import mailTemplates from './mail-templates.ts';
import portalPages from './portal/pages.ts';
import boardRoutes from './routes/admin/board.ts';
import feedRoutes from './routes/admin/feeds.ts';
import settingRoutes from './routes/admin/settings.ts';
import helpdeskRoutes from './routes/helpdesk.ts';
import pageRoutes from './routes/pages.ts';
import { ContactsMoveAppointments } from './settings.ts';
import subscribers from './subscribers.ts';

export default definePlugin({
  id: 'dispatch',
  title: 'Dispatch',
  description: 'Who does what when: the dispatch board, appointments with customers, and calendar feeds.',
  requires: ['accounts', 'directory', 'levels', 'system', 'teams', 'tickets'],
  entities: [Appointment, CalendarFeed],
  settings: [ContactsMoveAppointments],
  events,
  hooks,
  jobs,
  mailTemplates,
  subscribers,
  routes: [...boardRoutes, ...feedRoutes, ...helpdeskRoutes, ...pageRoutes, ...settingRoutes],
  console: consolePages,
  portal: portalPages,
  live,
});
