import { definePlugin } from '@keelson/core';
import consolePages from './console/pages.ts';
import { AssistantUsage } from './entities.ts';
import jobs from './jobs.ts';
import adminRoutes from './routes/admin.ts';
import { StoredModel, TokensPerDay } from './settings.ts';

export default definePlugin({
  id: 'assistant',
  title: 'Assistant',
  description: 'The language model that answers in the chat.',
  requires: ['kb', 'outages', 'system', 'tickets'],
  entities: [AssistantUsage],
  settings: [StoredModel, TokensPerDay],
  console: consolePages,
  routes: adminRoutes,
  jobs,
});
