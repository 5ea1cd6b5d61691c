import { admin, nounRoutes } from '@keelson/core';
import { ReadTickets } from '@keelson/modules/tickets';
import { WritePlanned } from '../../permissions.ts';
import { templateFields } from '../../templates/fields.ts';
import { createTemplate, TemplateItemView, Templates } from '../../templates/templates.ts';

export default nounRoutes(admin, '/ticket-templates.php?id={id}', Templates, {
  addition: true,
  titles: {
    list: 'List ticket templates',
    create: 'Create a ticket template',
    read: 'Read a ticket template',
    update: 'Change a ticket template',
    delete: 'Delete a ticket template',
  },
  read: ReadTickets,
  write: WritePlanned,
  view: TemplateItemView,
  fields: templateFields,
  create: createTemplate,
});
