// Ticket templates.
import {
  by,
  create,
  invalid,
  IsNull,
  normalised,
  param,
  record,
  view,
  z,
  type Context,
  type Given,
} from '@keelson/core';
import { matching } from '@keelson/core/list';
import { Technician, TechnicianNames } from '@keelson/modules/directory';
import { priorityLabels } from '@keelson/modules/tickets';
import { TemplateNames } from '../names.ts';
import { TicketTemplate } from './entities.ts';

export const Templates = record(TicketTemplate, {
  title: 'Ticket template',
  call: ({ name }) => name,
  filters: (its) => ({
    search: its.by(param.search(), (_ctx, text) => matching(text, ['ticket_template.name', 'ticket_template.subject'])),
  }),
  sorts: { name: by('name') },
  order: 'asc',
  names: TemplateNames,
  taken: ({ name }) => `name ${name} already exists`,
  held: ({ name }, others) => `${name} is used by ${others.join(', ')}`,
  derive: ({ name }) => ({ name_key: normalised(name) }),
  prepare: checkAssignee,
});

export const TemplateItemView = view(Templates, {
  more: (its) => ({
    assigned_name: its.name(TechnicianNames, 'assigned_to'),
    priority: its.from(z.int().meta({ 'x-labels': priorityLabels }), ['priority'], (row) => row.priority),
  }),
});

/** Adds a template. @throws duplicate() if the name is taken; invalid() for an inactive assignee */
export const createTemplate = (
  ctx: Context,
  { checklist = [], ...given }: Omit<Given<typeof Templates>, 'checklist'> & Partial<Pick<TicketTemplate, 'checklist'>>,
): Promise<TicketTemplate> => create(ctx, Templates, { ...given, checklist });

async function checkAssignee(
  { db }: Context,
  { assigned_to }: TicketTemplate,
  before: TicketTemplate | undefined,
): Promise<void> {
  if (assigned_to === null || assigned_to === before?.assigned_to) return;
  if (!(await db.existsBy(Technician, { user_id: assigned_to, active: true, deleted_at: IsNull() })))
    throw invalid('assigned_to must be an active technician');
}
