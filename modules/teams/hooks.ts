import type { Context } from '@keelson/core';
import { hooked } from '@keelson/core/plugin';
import { TicketsWritten, type TicketWrite } from '@keelson/modules/tickets';
import { endEscalationsOf } from './escalation/escalations.ts';
import { TeamTicketRanked, TeamTicketWaiting } from './events.ts';

export default [hooked(TicketsWritten, endChains), hooked(TicketsWritten, announceTickets)];

/** Ends the escalations of tickets that are closed, deleted or leave their team. */
async function endChains(ctx: Context, writes: readonly TicketWrite[]): Promise<void> {
  const left = writes.flatMap(({ before, after }) => {
    if (!before || before.team_id === null || before.status === 'closed') return [];
    return !after || after.status === 'closed' || after.team_id !== before.team_id ? before.ticket_id : [];
  });
  await endEscalationsOf(ctx, left);
}

/**
 * Emits events for tickets assigned to a team without an assignee, and for new, reopened and changed ones whose
 * priority may escalate.
 */
async function announceTickets(ctx: Context, writes: readonly TicketWrite[]): Promise<void> {
  for (const { before, after } of writes) {
    if (!after || after.team_id === null || after.status === 'closed') continue;
    const { ticket_id, team_id } = after;
    const given = team_id !== before?.team_id;
    if (given && after.assigned_to === null) ctx.emit(TeamTicketWaiting, { ticket_id, team_id });
    if (given || before.status === 'closed' || after.priority !== before.priority)
      ctx.emit(TeamTicketRanked, { ticket_id });
  }
}
