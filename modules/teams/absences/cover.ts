// Notifies the team when a customer replies to a ticket whose assignee is absent.
import { IsNull, type Context } from '@keelson/core';
import { Ticket } from '@keelson/modules/tickets';
import { TeamTicketAnswered } from '../events.ts';
import { readAvailable, teamsOf } from '../members/members.ts';
import { readAbsent } from './absent.ts';

interface Answered {
  readonly ticket_id: number;
  /** The assignee. */
  readonly user_id: number;
  readonly author_name: string;
}

/** Notifies the available members of the ticket's team; without a team, those of the assignee's teams. */
export async function coverAbsent(ctx: Context, { ticket_id, user_id, author_name }: Answered): Promise<void> {
  if (!(await readAbsent(ctx, [user_id])).has(user_id)) return;
  const ticket = await ctx.db.findOneBy(Ticket, { ticket_id, deleted_at: IsNull() });
  if (!ticket || ticket.status === 'closed') return;
  const teams = ticket.team_id === null ? await teamsOf(ctx, user_id) : [ticket.team_id];
  const told = new Set<number>();
  for (const team_id of teams) for (const member of await readAvailable(ctx, team_id)) told.add(member.user_id);
  if (told.size > 0) ctx.emit(TeamTicketAnswered, { ticket_id, user_ids: [...told], author_name });
}
