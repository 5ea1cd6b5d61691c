// Body fields of absences.
import { input } from '@keelson/core';

export const titles = { hand_over: 'Hand over open tickets', substitute_user_id: 'Substitute' } as const;

export const absenceFields = {
  first_day: input.day(),
  last_day: input.day(),
  note: input.optionalText(255),
  hand_over: input.optional(input.flag()).meta({ title: titles.hand_over }),
  substitute_user_id: input.clearable(input.id()).meta({
    title: titles.substitute_user_id,
    description: 'Takes over the open tickets. Without one, the team’s rule decides.',
  }),
};
export const newAbsenceFields = { user_id: input.id().meta({ title: 'Technician' }) };
