import { definePlugin } from '@keelson/core';
import consolePages from './console/pages.ts';
import { Webhook } from './entities.ts';
import { WebhookDisabled, WebhookRestored } from './events.ts';
import jobs from './jobs.ts';
import live from './live.ts';
import { ManageWebhooks } from './permissions.ts';
import { receivers } from './receivers.ts';
import adminRoutes from './routes/admin.ts';
import crmRoutes from './routes/crm.ts';

export default definePlugin({
  id: 'webhooks',
  title: 'Webhooks',
  description: 'Receivers of events, and their deliveries.',
  requires: ['directory', 'system'],
  entities: [Webhook],
  permissions: [ManageWebhooks],
  events: [WebhookDisabled, WebhookRestored],
  console: consolePages,
  routes: [...adminRoutes, ...crmRoutes],
  receivers,
  jobs,
  live,
});
