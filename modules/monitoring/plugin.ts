import { definePlugin } from '@keelson/core';
import { Alert, AlertCount } from './entities.ts';
import { AlertAcknowledged, AlertCreated, AlertResolved } from './events.ts';
import jobs from './jobs.ts';
import { ReadAssets, WriteAssets } from './permissions.ts';
import adminRoutes from './routes/admin.ts';
import subscribers from './subscribers.ts';

export default definePlugin({
  id: 'monitoring',
  title: 'Monitoring',
  requires: ['directory', 'webhooks', 'discovery'],
  entities: [Alert],
  counters: [AlertCount],
  permissions: [ReadAssets, WriteAssets],
  events: [AlertCreated, AlertAcknowledged, AlertResolved],
  routes: adminRoutes,
  subscribers,
  jobs,
});
