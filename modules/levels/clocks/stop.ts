// Ends the measuring of tickets whose policy is removed. What has ended before stays in the figures.
import { In, IsNull } from '@keelson/core';
import type { Context } from '@keelson/core';
import type { LevelPolicy } from '../policies/entities.ts';
import { LevelClock, LevelTicket } from './entities.ts';

export async function stopClocks(ctx: Context, policies: readonly LevelPolicy[]): Promise<void> {
  const policy_id = policies.map((each) => each.policy_id);
  // Tickets before clocks, as everywhere, so that transactions wait for each other instead of deadlocking.
  await ctx.db.update(LevelTicket, { policy_id: In(policy_id), is_open: true }, { next_at: null });
  await ctx.db.delete(LevelClock, { policy_id: In(policy_id), met_at: IsNull() });
}
