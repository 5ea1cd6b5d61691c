import { definePlugin } from '@keelson/core';
import consolePages from './console/pages.ts';
import { Collector, CollectorCommand, DiscoveryJob, DiscoveryResult } from './entities.ts';
import { CollectorMoved, CollectorSynced, CommandEnded } from './events.ts';
import identities from './identities.ts';
import jobs from './jobs.ts';
import live from './live.ts';
import reports from './reports.ts';
import adminRoutes from './routes/admin.ts';
import programRoutes from './routes/programs.ts';
import search from './search.ts';

export default definePlugin({
  id: 'discovery',
  title: 'Discovery',
  requires: ['directory', 'system', 'assets', 'inventory'],
  entities: [Collector, DiscoveryJob, CollectorCommand, DiscoveryResult],
  events: [CollectorSynced, CollectorMoved, CommandEnded],
  identities,
  console: consolePages,
  routes: [...adminRoutes, ...programRoutes],
  jobs,
  search,
  reports,
  live,
});
