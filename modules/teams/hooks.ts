import type { Context } from '@keelson/core';
import { hooked } from '@keelson/core/plugin';
import { TicketsWritten, type TicketWrite } from '@keelson/modules/tickets';
import { TeamTicketWaiting } from './events.ts';

export default [hooked(TicketsWritten, announceWaiting)];

/** Announces tickets that are given to a team without an assignee. */
async function announceWaiting(ctx: Context, writes: readonly TicketWrite[]): Promise<void> {
  for (const { before, after } of writes) {
    if (!after || after.team_id === null || after.team_id === before?.team_id) continue;
    if (after.assigned_to !== null || after.status === 'closed') continue;
    ctx.emit(TeamTicketWaiting, { ticket_id: after.ticket_id, team_id: after.team_id });
  }
}
