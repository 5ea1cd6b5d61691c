import { definePlugin } from '@keelson/core';
import { WidgetMessage, WidgetReply, WidgetSession } from './entities.ts';
import jobs from './jobs.ts';
import { UseWidget } from './permissions.ts';
import crmRoutes from './routes/crm.ts';
import pageRoutes from './routes/pages.ts';

export default definePlugin({
  id: 'widget',
  title: 'Chat widget',
  description: 'The chat on customers’ websites.',
  requires: ['accounts', 'assistant', 'chat', 'system'],
  entities: [WidgetSession, WidgetMessage, WidgetReply],
  permissions: [UseWidget],
  routes: [...crmRoutes, ...pageRoutes],
  jobs,
});
