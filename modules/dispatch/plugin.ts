import { definePlugin } from '@keelson/core';
import { Appointment } from './appointments/entities.ts';
import consolePages from './console/pages.ts';
import events from './events.ts';
import live from './live.ts';
import mailTemplates from './mail-templates.ts';
import portalPages from './portal/pages.ts';
import boardRoutes from './routes/admin/board.ts';
import helpdeskRoutes from './routes/helpdesk.ts';
import pageRoutes from './routes/pages.ts';
import subscribers from './subscribers.ts';

export default definePlugin({
  id: 'dispatch',
  title: 'Dispatch',
  requires: ['accounts', 'directory', 'levels', 'teams', 'tickets'],
  entities: [Appointment],
  events,
  mailTemplates,
  subscribers,
  routes: [...boardRoutes, ...helpdeskRoutes, ...pageRoutes],
  console: consolePages,
  portal: portalPages,
  live,
});
