import { definePlugin, dependent, sql } from '@keelson/core';
import { fill } from '@keelson/core/plugin';
import { SeenAddresses } from '@keelson/modules/inventory';
import consolePages from './console/pages.ts';
import { readSeenAddresses } from './devices/seen-addresses.ts';
import { Collector, CollectorCommand, DiscoveryJob, DiscoveryResult } from './entities.ts';
import { CollectorMoved, CollectorSynced, CommandEnded } from './events.ts';
import identities from './identities.ts';
import jobs from './jobs.ts';
import live from './live.ts';
import reports from './reports.ts';
import adminRoutes from './routes/admin.ts';
import programRoutes from './routes/programs.ts';
import search from './search.ts';
import { NewDevicesPerDay } from './settings.ts';

const notRevoked = sql`collector.status <> 'revoked'`;

export default definePlugin({
  id: 'discovery',
  title: 'Discovery',
  description: 'Collectors in customers’ networks, scans and the devices they find.',
  requires: ['directory', 'system', 'assets', 'inventory'],
  entities: [Collector, DiscoveryJob, CollectorCommand, DiscoveryResult],
  dependents: [
    dependent(Collector, 'company_number', 'collectors', notRevoked),
    dependent(Collector, 'site_number', 'collectors', notRevoked),
  ],
  events: [CollectorSynced, CollectorMoved, CommandEnded],
  identities,
  fills: [fill(SeenAddresses, readSeenAddresses)],
  console: consolePages,
  routes: [...adminRoutes, ...programRoutes],
  jobs,
  settings: [NewDevicesPerDay],
  search,
  reports,
  live,
});
