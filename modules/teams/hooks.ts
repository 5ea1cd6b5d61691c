import type { Context } from '@keelson/core';
import { hooked } from '@keelson/core/plugin';
import { TicketsWritten, type TicketWrite } from '@keelson/modules/tickets';
import { TeamTicketRanked, TeamTicketWaiting } from './events.ts';

export default [hooked(TicketsWritten, announceTickets)];

/** Emits events for tickets assigned to a team without an assignee, and for those whose priority may escalate. */
async function announceTickets(ctx: Context, writes: readonly TicketWrite[]): Promise<void> {
  for (const { before, after } of writes) {
    if (!after || after.team_id === null || after.status === 'closed') continue;
    const { ticket_id, team_id } = after;
    const given = team_id !== before?.team_id;
    if (given && after.assigned_to === null) ctx.emit(TeamTicketWaiting, { ticket_id, team_id });
    if (given || after.priority !== before.priority) ctx.emit(TeamTicketRanked, { ticket_id });
  }
}
