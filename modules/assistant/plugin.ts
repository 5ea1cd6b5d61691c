import { definePlugin } from '@keelson/core';
import { AssistantUsage } from './entities.ts';
import jobs from './jobs.ts';
import { TokensPerDay } from './settings.ts';

export default definePlugin({
  id: 'assistant',
  title: 'Assistant',
  requires: ['kb', 'outages', 'tickets'],
  entities: [AssistantUsage],
  settings: [TokensPerDay],
  jobs,
});
