// Body fields of checklist items.
import { input } from '@keelson/core';

/** Maximum items per checklist. */
export const MOST_ITEMS = 100;

export const titleField = input.text(255);

const taskFields = { assigned_to: input.clearable(input.id()), due_date: input.clearable(input.day()) };

export const newItemFields = { title: titleField, required: input.optional(input.flag()), ...taskFields };

export const itemChanges = input.changes({
  title: titleField,
  required: input.flag(),
  done: input.flag(),
  ...taskFields,
});
