import { definePlugin } from '@keelson/core';
import { TicketChecklistItem } from './checklists/entities.ts';
import consolePages from './console/pages.ts';
import fills from './fills.ts';
import hooks from './hooks.ts';
import live from './live.ts';
import { WritePlanned } from './permissions.ts';
import checklists from './routes/admin/checklists.ts';
import templates from './routes/admin/templates.ts';
import { TicketTemplate } from './templates/entities.ts';

export default definePlugin({
  id: 'planned',
  title: 'Planned work',
  requires: ['directory', 'tickets'],
  entities: [TicketTemplate, TicketChecklistItem],
  permissions: [WritePlanned],
  hooks,
  fills,
  routes: [...templates, ...checklists],
  console: consolePages,
  live,
});
