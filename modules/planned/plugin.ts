import { definePlugin, dependent } from '@keelson/core';
import { TicketChecklistItem } from './checklists/entities.ts';
import consolePages from './console/pages.ts';
import fills from './fills.ts';
import hooks from './hooks.ts';
import jobs from './jobs.ts';
import live from './live.ts';
import mailTemplates from './mail-templates.ts';
import { WritePlanned } from './permissions.ts';
import { RecurringOccurrence, RecurringTicket } from './recurring/entities.ts';
import checklists from './routes/admin/checklists.ts';
import recurring from './routes/admin/recurring.ts';
import templates from './routes/admin/templates.ts';
import { TicketTemplate } from './templates/entities.ts';
import workflowActions from './workflow-actions.ts';

export default definePlugin({
  id: 'planned',
  title: 'Planned work',
  description: 'Ticket templates, checklists and recurring tickets.',
  requires: ['directory', 'dispatch', 'levels', 'tickets'],
  entities: [TicketTemplate, TicketChecklistItem, RecurringTicket, RecurringOccurrence],
  dependents: [
    dependent(RecurringTicket, 'template_id', 'recurring tickets'),
    dependent(RecurringTicket, 'calendar_id', 'recurring tickets'),
  ],
  permissions: [WritePlanned],
  mailTemplates,
  jobs,
  hooks,
  fills,
  workflowActions,
  routes: [...templates, ...checklists, ...recurring],
  console: consolePages,
  live,
});
