import { definePlugin } from '@keelson/core';
import { SavedSearch } from './entities.ts';
import adminRoutes from './routes/admin.ts';
import helpdeskRoutes from './routes/helpdesk.ts';
import subscribers from './subscribers.ts';

export default definePlugin({
  id: 'search',
  title: 'Search',
  description: 'Search in all records, and saved searches.',
  requires: ['directory'],
  entities: [SavedSearch],
  subscribers,
  routes: [...helpdeskRoutes, ...adminRoutes],
});
