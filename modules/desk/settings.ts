import { setting, z } from '@keelson/core';

/** How the time of a timer becomes that of a time entry: at least so long, and rounded up to whole steps. */
export const TimeRounding = setting(
  'desk.time_rounding',
  z.object({ step_minutes: z.int().min(1).max(60), least_minutes: z.int().min(1).max(480) }),
  { step_minutes: 1, least_minutes: 1 },
);

/** Whether administrators want to see no more what is to be set up. */
export const SetUpHidden = setting('desk.set_up_hidden', z.boolean(), false);
