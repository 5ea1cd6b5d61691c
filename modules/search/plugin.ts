import { definePlugin } from '@keelson/core';
import adminRoutes from './routes/admin.ts';
import helpdeskRoutes from './routes/helpdesk.ts';

export default definePlugin({
  id: 'search',
  title: 'Search',
  routes: [...helpdeskRoutes, ...adminRoutes],
});
