import { setting, z } from '@keelson/core';

/** How a timer's time becomes a time entry: at least the minimum, and rounded up to whole steps. */
export const TimeRounding = setting(
  'desk.time_rounding',
  z.object({ step_minutes: z.int().min(1).max(60), least_minutes: z.int().min(1).max(480) }),
  { step_minutes: 1, least_minutes: 1 },
);

/** Hides the set-up checklist from administrators. */
export const SetUpHidden = setting('desk.set_up_hidden', z.boolean(), false);
