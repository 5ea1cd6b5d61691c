// Stops the clocks of tickets whose policy is removed. Clocks that have already ended stay in the statistics.
import { In, IsNull } from '@keelson/core';
import type { Context } from '@keelson/core';
import { forgetTargets } from '@keelson/modules/tickets';
import type { LevelPolicy } from '../policies/entities.ts';
import { LevelClock, LevelTicket } from './entities.ts';

export async function stopClocks(ctx: Context, policies: readonly LevelPolicy[]): Promise<void> {
  const policy_id = policies.map((each) => each.policy_id);
  const open = { policy_id: In(policy_id), is_open: true };
  const measured = await ctx.db.findBy(LevelTicket, open);
  // Lock tickets before clocks, as everywhere else, so that transactions wait for each other instead of deadlocking.
  await forgetTargets(
    ctx,
    measured.map((each) => each.ticket_id),
  );
  await ctx.db.update(LevelTicket, open, { next_at: null });
  await ctx.db.delete(LevelClock, { policy_id: In(policy_id), met_at: IsNull() });
}
