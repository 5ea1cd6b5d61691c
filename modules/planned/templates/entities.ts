import { id, int, json, key, ref, table, text, when, z, type Row } from '@keelson/core';
import { Technician } from '@keelson/modules/directory';

/** A checklist item that a template adds to a ticket. */
export const TemplateItem = z.object({
  title: z.string(),
  /** Whether it must be done before the ticket can be closed. */
  required: z.boolean(),
});
export type TemplateItem = z.infer<typeof TemplateItem>;

/** A ticket template: the initial values of a new ticket. */
export const TicketTemplate = table(
  'ticket_template',
  {
    template_id: id(),
    name: text(255),
    name_key: key().nullable().unique().hidden(),
    subject: text(255),
    description: text().default(''),
    /** Empty for the default category. */
    job_type: text(255).default(''),
    priority: int().default(3),
    assigned_to: ref(Technician).nullable(),
    /** Days from the ticket's creation to its due date; null for none. */
    due_in_days: int().nullable(),
    checklist: json(z.array(TemplateItem)),
    created_at: when(),
    updated_at: when(),
    deleted_at: when().nullable().hidden(),
  },
  [
    ['name', 'template_id', 'deleted_at'],
    ['assigned_to', 'template_id'],
  ],
);
export type TicketTemplate = Row<typeof TicketTemplate>;
