import { addDays, In, LessThanOrEqual, MoreThanOrEqual, today, type Context, type Timestamp } from '@keelson/core';
import { dayIn } from '@keelson/core/kit';
import { startOfDay } from '@keelson/core/plugin';
import { Absence } from './entities.ts';

/** Returns the technicians among these who are absent today. */
export async function readAbsent(ctx: Context, user_ids: readonly number[]): Promise<ReadonlySet<number>> {
  if (user_ids.length === 0) return new Set();
  const day = today(ctx);
  const now = { first_day: LessThanOrEqual(day), last_day: MoreThanOrEqual(day) };
  const rows = await ctx.db.findBy(Absence, { user_id: In([...user_ids]), ...now });
  return new Set(rows.map(({ user_id }) => user_id));
}

/** The last day that can be stored: an absence without an end. */
const LAST_DAY = '9999-12-31';

/** Returns the absences that overlap a time span, as instants. */
export async function readAbsencesBetween(
  ctx: Context,
  user_ids: readonly number[],
  from: Timestamp,
  to: Timestamp,
): Promise<{ user_id: number; starts_at: Timestamp; ends_at: Timestamp; note: string }[]> {
  const { db, app } = ctx;
  const days = { last_day: MoreThanOrEqual(dayIn(app.zone, from)), first_day: LessThanOrEqual(dayIn(app.zone, to)) };
  const rows = await db.findBy(Absence, { user_id: In([...user_ids]), ...days });
  return rows
    .map(({ user_id, first_day, last_day, note }) => ({
      user_id,
      starts_at: startOfDay(ctx, first_day),
      ends_at: last_day === LAST_DAY ? `${LAST_DAY}T23:59:59.999Z` : startOfDay(ctx, addDays(last_day, 1)),
      note,
    }))
    .filter((each) => each.starts_at < to && each.ends_at > from);
}
