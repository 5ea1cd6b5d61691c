import { definePlugin, dependent } from '@keelson/core';
import { LevelCalendar, LevelHoliday } from './calendars/entities.ts';
import { LevelClock, LevelStep, LevelTicket } from './clocks/entities.ts';
import consolePages from './console/pages.ts';
import events from './events.ts';
import fills from './fills.ts';
import hooks from './hooks.ts';
import jobs from './jobs.ts';
import live from './live.ts';
import { LevelPolicy } from './policies/entities.ts';
import portalPages from './portal/pages.ts';
import calendars from './routes/admin/calendars.ts';
import figures from './routes/admin/figures.ts';
import policies from './routes/admin/policies.ts';
import helpdeskRoutes from './routes/helpdesk.ts';
import workflowFields from './workflow-fields.ts';

export default definePlugin({
  id: 'levels',
  title: 'Service levels',
  description: 'Service level policies, calendars, targets and compliance.',
  requires: ['directory', 'inventory', 'system', 'tickets'],
  entities: [LevelCalendar, LevelHoliday, LevelPolicy, LevelTicket, LevelStep, LevelClock],
  dependents: [
    dependent(LevelPolicy, 'calendar_id', 'service level policies'),
    dependent(LevelPolicy, 'company_number', 'service level policies'),
    dependent(LevelPolicy, 'contract_id', 'service level policies'),
    dependent(LevelPolicy, 'site_number', 'service level policies'),
  ],
  events,
  hooks,
  fills,
  routes: [...calendars, ...policies, ...figures, ...helpdeskRoutes],
  console: consolePages,
  portal: portalPages,
  jobs,
  live,
  workflowFields,
});
