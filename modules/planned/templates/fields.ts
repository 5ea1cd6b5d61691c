// Body fields of ticket templates.
import { input, z } from '@keelson/core';
import { optionalJobTypeField, priorityField } from '@keelson/modules/tickets';
import { MOST_ITEMS, titleField } from '../checklists/fields.ts';

const checklistField = z
  .array(z.object({ title: titleField, required: input.optional(input.flag()) }))
  .max(MOST_ITEMS, `must contain at most ${MOST_ITEMS} items`)
  .transform((items) => items.map(({ title, required = false }) => ({ title, required })));

export const templateFields = {
  name: input.text(255, { compared: true }),
  subject: input.text(255),
  description: input.optionalLongText(),
  job_type: optionalJobTypeField,
  priority: input.optional(priorityField),
  assigned_to: input.clearable(input.id()),
  due_in_days: input.clearable(input.int(0, 365)),
  checklist: input.optional(checklistField),
};
