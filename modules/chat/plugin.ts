import { definePlugin } from '@keelson/core';
import consolePages from './console/pages.ts';
import { Chat, ChatMessage } from './entities.ts';
import jobs from './jobs.ts';
import live from './live.ts';
import portalPages from './portal/pages.ts';
import reports from './reports.ts';
import adminRoutes from './routes/admin.ts';
import helpdeskRoutes from './routes/helpdesk.ts';
import { KeepDays } from './settings.ts';
import subscribers from './subscribers.ts';

export default definePlugin({
  id: 'chat',
  title: 'Chat',
  description: 'Chats between customers’ employees and technicians.',
  requires: ['accounts', 'assistant', 'directory', 'tickets'],
  perCompany: { default: true },
  entities: [Chat, ChatMessage],
  console: consolePages,
  portal: portalPages,
  routes: [...helpdeskRoutes, ...adminRoutes],
  settings: [KeepDays],
  subscribers,
  reports,
  jobs,
  live,
});
