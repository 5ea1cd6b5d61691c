// Body fields of teams.
import { input } from '@keelson/core';
import { assignmentRules } from './entities.ts';

export const teamFields = {
  name: input.text(255, { compared: true }),
  calendar_id: input.clearable(input.id()),
  assignment: input.optional(input.choice(assignmentRules)),
};
