import { definePlugin } from '@keelson/core';
import dropdowns from './dropdowns.ts';
import helpdeskRoutes from './routes/helpdesk.ts';
import { Branding, Colors } from './settings.ts';

export default definePlugin({
  id: 'system',
  title: 'System',
  routes: helpdeskRoutes,
  settings: [Branding, Colors],
  dropdowns,
});
