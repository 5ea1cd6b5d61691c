// Plans open tickets anew after a change of their policy or calendar. The job does the work; here the tickets are only
// marked, with one statement.
import { In, IsNull } from '@keelson/core';
import type { Context } from '@keelson/core';
import type { LevelCalendar } from './calendars/entities.ts';
import { LevelTicket } from './clocks/entities.ts';
import { LevelPolicy } from './policies/entities.ts';

/** Marks the open tickets of a policy. */
export async function replanPolicies(ctx: Context, policy_id: readonly number[]): Promise<void> {
  if (policy_id.length === 0) return;
  await ctx.db.update(LevelTicket, { policy_id: In(policy_id), is_open: true }, { next_at: ctx.now });
}

/** Marks the open tickets of the policies that use a calendar, by name or as the default. */
export async function replanCalendar(ctx: Context, { calendar_id, is_default }: LevelCalendar): Promise<void> {
  const named = await ctx.db.findBy(LevelPolicy, { calendar_id });
  const usual = is_default ? await ctx.db.findBy(LevelPolicy, { calendar_id: IsNull() }) : [];
  await replanPolicies(
    ctx,
    [...named, ...usual].map((each) => each.policy_id),
  );
}
