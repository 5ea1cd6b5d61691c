import { definePlugin } from '@keelson/core';
import dropdowns from './dropdowns.ts';
import { ReadSettings, WriteSettings } from './permissions.ts';
import settingRoutes from './routes/admin/settings.ts';
import helpdeskRoutes from './routes/helpdesk.ts';
import { Branding, Colors } from './settings.ts';

export default definePlugin({
  id: 'system',
  title: 'System',
  permissions: [ReadSettings, WriteSettings],
  routes: [...helpdeskRoutes, ...settingRoutes],
  settings: [Branding, Colors],
  dropdowns,
});
