import { definePlugin } from '@keelson/core';
import dropdowns from './dropdowns.ts';
import { ReadSettings, WriteSettings } from './permissions.ts';
import helpdeskRoutes from './routes/helpdesk.ts';
import { Branding, Colors } from './settings.ts';

export default definePlugin({
  id: 'system',
  title: 'System',
  permissions: [ReadSettings, WriteSettings],
  routes: helpdeskRoutes,
  settings: [Branding, Colors],
  dropdowns,
});
