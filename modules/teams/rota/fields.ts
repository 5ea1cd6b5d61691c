// Body fields of overrides.
import { input } from '@keelson/core';

export const overrideFields = {
  user_id: input.id().meta({ title: 'Technician' }),
  starts_at: input.timestamp(),
  ends_at: input.timestamp(),
  note: input.optionalText(255),
};
export const newOverrideFields = { team_id: input.id() };
