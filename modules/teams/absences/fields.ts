// Body fields of absences.
import { input } from '@keelson/core';

export const titles = { hand_over: 'Hand over open tickets', substitute_id: 'Substitute' } as const;

export const absenceFields = {
  first_day: input.day(),
  last_day: input.day(),
  note: input.optionalText(255),
  hand_over: input.optional(input.flag()).meta({
    title: titles.hand_over,
    description: 'When the absence begins, to the substitute, or else by the rules of the teams.',
  }),
  substitute_id: input.clearable(input.id()).meta({ title: titles.substitute_id }),
};
export const newAbsenceFields = { user_id: input.id() };
