// Ticket fields that technicians write. Add a new one here, to the table and in a migration, and to the columns in
// export.ts if it is exported.
import { input, type z } from '@keelson/core';
import { priorityLabels, statuses } from '../entities.ts';
import { assetFields } from '../related/links.ts';
import { jobTypeField, optionalJobTypeField } from './job-types.ts';
import { tagsField } from './tags.ts';

export const priorityField = input.int(1, 5).meta({ 'x-labels': priorityLabels });
export const statusField = input.choice(statuses);

const ticketFields = {
  subject: input.text(255),
  description: input.optionalLongText(),
  priority: priorityField,
  job_type: jobTypeField,
  site_number: input.clearable(input.id()),
  assigned_to: input.clearable(input.id()),
  team_id: input.clearable(input.id()),
  employee_number: input.clearable(input.id()),
  parent_id: input.clearable(input.id()),
  start_date: input.clearable(input.day()),
  due_date: input.clearable(input.day()),
  estimate_minutes: input.clearable(input.int(1, 100_000)),
  tags: input.optional(tagsField),
  ...assetFields,
};

export const newTicketFields = {
  ...ticketFields,
  priority: input.optional(priorityField),
  job_type: optionalJobTypeField,
  company_number: input.id(),
};

export const ticketChanges = input.changes({
  ...ticketFields,
  status: statusField,
  /** Also closes the open child tickets. */
  close_children: input.flag(),
});

type NewFields = z.output<z.ZodObject<typeof newTicketFields>>;
/**
 * `priority` 1 is most urgent (N-28); `assigned_to` is a technician's `user_id`; `employee_number` is the requester's
 * (T-11); `team_id` is the responsible team; `parent_id` the parent ticket.
 */
export type TicketFields = Partial<NewFields> & Pick<NewFields, 'company_number' | 'subject'>;
/** Undefined fields are left unchanged. */
export type TicketUpdate = z.output<typeof ticketChanges>;
