// Body fields of absences.
import { input } from '@keelson/core';

export const absenceFields = {
  first_day: input.day(),
  last_day: input.day(),
  note: input.optionalText(255),
};
export const newAbsenceFields = { user_id: input.id() };
