import { definePlugin } from '@keelson/core';
import consolePages from './console/pages.ts';
import { Notification, Preference, Presence, ReplyTemplate, SavedView, Timer } from './entities.ts';
import events from './events.ts';
import hooks from './hooks.ts';
import jobs from './jobs.ts';
import live from './live.ts';
import mailTemplates from './mail-templates.ts';
import { PushSubscription } from './push/entities.ts';
import adminRoutes from './routes/admin.ts';
import notificationRoutes from './routes/admin/notifications.ts';
import pushRoutes from './routes/admin/push.ts';
import templateRoutes from './routes/admin/reply-templates.ts';
import setUpRoutes from './routes/admin/set-up.ts';
import timerRoutes from './routes/admin/timers.ts';
import pageRoutes from './routes/pages.ts';
import { SetUpHidden, TimeRounding } from './settings.ts';
import subscribers from './subscribers.ts';

export default definePlugin({
  id: 'desk',
  title: 'Technician workspace',
  description: 'Saved views, timers, reply templates, notifications and preferences of technicians.',
  requires: ['accounts', 'directory', 'feedback', 'levels', 'mailbox', 'system', 'teams', 'tickets'],
  entities: [Presence, SavedView, Preference, Timer, ReplyTemplate, Notification, PushSubscription],
  events,
  hooks,
  routes: [
    ...adminRoutes,
    ...timerRoutes,
    ...templateRoutes,
    ...notificationRoutes,
    ...pushRoutes,
    ...setUpRoutes,
    ...pageRoutes,
  ],
  settings: [TimeRounding, SetUpHidden],
  subscribers,
  mailTemplates,
  jobs,
  live,
  console: consolePages,
});
