// Body fields of teams.
import { input, z } from '@keelson/core';
import { assignmentRules } from './entities.ts';

const timeField = z
  .string()
  .overwrite((text) => text.trim())
  .refine((text) => /^(?:[01]\d|2[0-3]):[0-5]\d$/.test(text), 'must be a time (HH:MM)')
  .meta({ maxLength: 5 });

export const teamFields = {
  name: input.text(255, { compared: true }),
  calendar_id: input.clearable(input.id()),
  assignment: input.optional(input.choice(assignmentRules)),
  rota_from: input.clearable(input.day()),
  handover_time: input.optional(timeField),
};
