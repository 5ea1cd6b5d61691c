// Request fields on both surfaces.
import { input, z } from '@keelson/core';
import { itemPriorities, itemStatuses, phaseStatuses, projectStatuses } from './entities.ts';

const dates = { start_date: input.clearable(input.day()), due_date: input.clearable(input.day()) };

export const projectFields = {
  name: input.text(255),
  description: input.optionalLongText(),
  status: input.optional(input.choice(projectStatuses)),
  project_manager_id: input.clearable(input.id()).meta({ 'x-record': 'technician' }),
  notes: input.optionalLongText(),
  ...dates,
};

export const phaseFields = {
  name: input.text(255),
  description: input.optionalLongText(),
  sort_order: input.optional(input.int(0, 1_000_000)),
  status: input.optional(input.choice(phaseStatuses)),
  ...dates,
};

export const milestoneFields = {
  name: input.text(255),
  description: input.optionalLongText(),
  phase_id: input.clearable(input.id()),
  due_date: input.clearable(input.day()),
  amount: input.clearable(input.money({ min: 0 })),
  notes: input.optionalLongText(),
};

/** Item fields the provider can change (NW-12). */
export const itemChanges = {
  status: input.choice(itemStatuses),
  assigned_to: input.clearable(input.text(255)),
  feedback: input.clearable(input.longText()),
};

export const newItem = {
  title: input.optionalText(255),
  location: input.optionalText(255),
  priority: input.optional(input.choice(itemPriorities)),
};
/** One item or several (PR-01). */
export const newItems = z
  .object({
    ...newItem,
    description: input.optional(input.longText()),
    items: z
      .array(z.object({ ...newItem, description: input.longText() }))
      .min(1, 'must contain between 1 and 50 items')
      .max(50, 'must contain between 1 and 50 items')
      .optional(),
  })
  .refine(({ items, description }) => items !== undefined || description !== undefined, 'description is required');

/** Accepts a question under any of its field names (M-10). */
export const question = z
  .object({
    message: input.optionalLongText(),
    question: input.optionalLongText(),
    reason: input.optionalLongText(),
  })
  .transform((given) => given.message || given.question || given.reason || '')
  .refine((text) => text !== '', 'message is required');

export const optionalComment = z.object({ comment: input.optionalLongText() }).optional();
