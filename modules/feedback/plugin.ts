import { definePlugin } from '@keelson/core';
import consolePages from './console/pages.ts';
import { TicketRating } from './entities.ts';
import events from './events.ts';
import fills from './fills.ts';
import hooks from './hooks.ts';
import reports from './reports.ts';
import adminRoutes from './routes/admin.ts';
import pageRoutes from './routes/pages.ts';
import { AskForRatings } from './settings.ts';

export default definePlugin({
  id: 'feedback',
  title: 'Ratings',
  description: 'Ratings of closed tickets.',
  requires: ['accounts', 'directory', 'system', 'tickets'],
  entities: [TicketRating],
  events,
  hooks,
  fills,
  settings: [AskForRatings],
  routes: [...adminRoutes, ...pageRoutes],
  console: consolePages,
  reports,
});
