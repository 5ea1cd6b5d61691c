// Whether closed tickets were resolved in time, as judged by a module that measures them (T-24).
import type { Context } from '@keelson/core';
import { updateCounters } from '@keelson/core/list';
import { Ticket } from './entities.ts';

/**
 * Stores whether a ticket was resolved within its service level; null leaves the judgement to the fixed targets. Call it
 * in the transaction of the ticket's change.
 */
export async function keepOutcome(ctx: Context, ticket: Ticket, target_met: boolean | null): Promise<void> {
  if (ticket.target_met === target_met) return;
  const before = { ...ticket };
  await ctx.db.update(Ticket, { ticket_id: ticket.ticket_id }, { target_met });
  // The caller may change the same row again, and counts the difference to what it holds.
  ticket.target_met = target_met;
  updateCounters(ctx, Ticket, before, ticket);
}
