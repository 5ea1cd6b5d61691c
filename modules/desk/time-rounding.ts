// Rounding of measured time, as configured by administrators.
import { input, type Context, type z } from '@keelson/core';
import { changesBetween } from '@keelson/core/log';
import { TimeRounding } from './settings.ts';

type Rounding = z.output<(typeof TimeRounding)['shape']>;

export const roundingChanges = input.changes({ step_minutes: input.int(1, 60), least_minutes: input.int(1, 480) });

export const readRounding = (ctx: Context): Promise<Rounding> => ctx.app.settings.get(ctx, TimeRounding);

/** Changes the given values, for timers stopped from now on. */
export async function changeRounding(ctx: Context, wanted: z.output<typeof roundingChanges>): Promise<Rounding> {
  const { before, after } = await ctx.app.settings.change(ctx, TimeRounding, (known) => ({
    step_minutes: wanted.step_minutes ?? known.step_minutes,
    least_minutes: wanted.least_minutes ?? known.least_minutes,
  }));
  const changes = changesBetween(before, after);
  const description = 'Time rounding changed';
  if (Object.keys(changes).length > 0)
    ctx.record({ action: 'update', entity_type: 'setting', entity_id: TimeRounding.name, description, changes });
  return after;
}

/** Returns the minutes to log for a number of seconds. */
export function rounded(seconds: number, { step_minutes, least_minutes }: Rounding): number {
  return Math.ceil(Math.max(seconds / 60, least_minutes) / step_minutes) * step_minutes;
}
