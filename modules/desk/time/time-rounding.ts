// Rounding of measured time, as configured by administrators.
import { changeSetting, input, type Context, type z } from '@keelson/core';
import { TimeRounding } from '../settings.ts';

type Rounding = z.output<(typeof TimeRounding)['shape']>;

export const roundingChanges = input.changes({ step_minutes: input.int(1, 60), least_minutes: input.int(1, 480) });

export const readRounding = (ctx: Context): Promise<Rounding> => ctx.app.settings.get(ctx, TimeRounding);

/** Changes the given values, for timers stopped from now on. */
export const changeRounding = (ctx: Context, wanted: z.output<typeof roundingChanges>): Promise<Rounding> =>
  changeSetting(ctx, TimeRounding, {
    next: (known) => ({
      step_minutes: wanted.step_minutes ?? known.step_minutes,
      least_minutes: wanted.least_minutes ?? known.least_minutes,
    }),
    description: 'Time rounding changed',
  });

/** Returns the minutes to log for a number of seconds. */
export function rounded(seconds: number, { step_minutes, least_minutes }: Rounding): number {
  return Math.ceil(Math.max(seconds / 60, least_minutes) / step_minutes) * step_minutes;
}
