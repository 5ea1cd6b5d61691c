// Body fields of escalation steps.
import { input } from '@keelson/core';
import { audiences } from './entities.ts';

/** Labels for fields whose name is not clear enough. */
export const titles = { by_sms: 'By text message' } as const;

const MOST_MINUTES = 10_080;

export const stepFields = {
  after_minutes: input.int(0, MOST_MINUTES),
  notify: input.choice(audiences),
  user_id: input.clearable(input.id()).meta({ title: 'Technician' }),
  by_mail: input.optional(input.flag()),
  by_sms: input.optional(input.flag()).meta({ title: titles.by_sms }),
  to_channel: input.optional(input.flag()),
};
export const newStepFields = { team_id: input.id() };
