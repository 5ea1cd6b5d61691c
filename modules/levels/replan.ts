// Replans open tickets after a change to their policy or calendar. The change only schedules the replanning; a job does
// it once no process uses the old version.
import { In, IsNull, LessThanOrEqual, plus, type Context } from '@keelson/core';
import type { LevelCalendar } from './calendars/entities.ts';
import { LevelTicket } from './clocks/entities.ts';
import { PLANS_KEPT } from './plans.ts';
import { LevelPolicy } from './policies/entities.ts';

/** A process may have read its cached plan just before the change commits; the rest allows for clock skew. */
const WAIT = { seconds: PLANS_KEPT.seconds + 3 } as const;

/** Schedules replanning of the policies' open tickets in a few seconds. */
export async function replanPolicies(ctx: Context, policy_id: readonly number[]): Promise<void> {
  if (policy_id.length === 0) return;
  await ctx.db.update(LevelPolicy, { policy_id: In(policy_id) }, { replan_at: plus(ctx.now, WAIT) });
}

/** Schedules replanning of open tickets whose policies use a calendar, explicitly or as the default. */
export async function replanCalendar(ctx: Context, { calendar_id, is_default }: LevelCalendar): Promise<void> {
  const replan_at = plus(ctx.now, WAIT);
  await ctx.db.update(LevelPolicy, { calendar_id }, { replan_at });
  if (is_default) await ctx.db.update(LevelPolicy, { calendar_id: IsNull() }, { replan_at });
}

/** Schedules replanning of open tickets whose clocks pause during outages. */
export async function replanForOutages(ctx: Context): Promise<void> {
  const where = { pause_during_outages: true, deleted_at: IsNull() };
  await ctx.db.update(LevelPolicy, where, { replan_at: plus(ctx.now, WAIT) });
}

/** Marks open tickets of policies due for replanning as due now. */
export async function startReplans(outside: Context<undefined>): Promise<void> {
  const where = { replan_at: LessThanOrEqual(outside.now) };
  if (!(await outside.db.existsBy(LevelPolicy, where))) return;
  await outside.transaction(async (ctx) => {
    const due = await ctx.db.find(LevelPolicy, { where, lock: { mode: 'pessimistic_write' } });
    const policy_id = In(due.map((each) => each.policy_id));
    await ctx.db.update(LevelTicket, { policy_id, is_open: true }, { next_at: ctx.now });
    await ctx.db.update(LevelPolicy, { policy_id }, { replan_at: null });
  });
}
