import { In, LessThanOrEqual, MoreThanOrEqual, today, type Context } from '@keelson/core';
import { Absence } from './entities.ts';

/** Returns those of the technicians who are absent today. */
export async function readAbsent(ctx: Context, user_ids: readonly number[]): Promise<ReadonlySet<number>> {
  if (user_ids.length === 0) return new Set();
  const day = today(ctx);
  const now = { first_day: LessThanOrEqual(day), last_day: MoreThanOrEqual(day) };
  const rows = await ctx.db.findBy(Absence, { user_id: In([...user_ids]), ...now });
  return new Set(rows.map(({ user_id }) => user_id));
}
