// Assigns a team's new tickets to its members by the team's rule.
import { IsNull, type Context } from '@keelson/core';
import { explained } from '@keelson/core/kit';
import { readStatistics } from '@keelson/core/list';
import { Technician } from '@keelson/modules/directory';
import { assignTicket, readLastAssignees, Ticket } from '@keelson/modules/tickets';
import { TeamMember } from '../members/entities.ts';
import { readAvailable } from '../members/members.ts';
import { Team } from '../teams/entities.ts';
import { bestSkilled } from './skills.ts';

interface Choice {
  readonly member: TeamMember;
  /** Completes the sentence in the ticket's history: `by turn in team Network`. */
  readonly why: string;
}

/**
 * Assigns a ticket of a team, if the team has a rule and a member who can work today. Does nothing if the ticket was
 * assigned or moved to another team since.
 * @param reassign whether to reassign a ticket that already has an assignee
 */
export async function assignWaiting(
  ctx: Context,
  { ticket_id, team_id }: Pick<Ticket, 'ticket_id'> & Pick<Team, 'team_id'>,
  { reassign = false } = {},
) {
  const lock = { mode: 'pessimistic_write' } as const;
  const waiting = { ticket_id, team_id, deleted_at: IsNull(), ...(!reassign && { assigned_to: IsNull() }) };
  const ticket = await ctx.db.findOne(Ticket, { where: waiting, lock });
  if (!ticket || ticket.status === 'closed') return;
  await assignByRule(ctx, ticket, team_id, { isRuled: true });
}

/**
 * Assigns a locked ticket to another member of a team who can work today, and returns whether there was one. Teams
 * without a rule take turns, unless only those with a rule are wanted.
 */
export async function assignByRule(
  ctx: Context,
  ticket: Ticket,
  team_id: number,
  { isRuled = false } = {},
): Promise<boolean> {
  const lock = { mode: 'pessimistic_write' } as const;
  // Locked until the commit, so that no two tickets get the same turn.
  const team = await ctx.db.findOne(Team, { where: { team_id, deleted_at: IsNull() }, lock });
  if (!team || (isRuled && team.assignment === 'off')) return false;
  const available = (await readAvailable(ctx, team_id)).filter(({ user_id }) => user_id !== ticket.assigned_to);
  const choice = await choose(ctx, team, ticket, byTurn(available));
  if (!choice) return false;
  const turn = team.turn + 1;
  await ctx.db.update(Team, { team_id }, { turn });
  await ctx.db.update(TeamMember, { member_id: choice.member.member_id }, { turn });
  await assignTicket(ctx, ticket, choice.member.user_id, explained(`${choice.why} in team ${team.name}`));
  return true;
}

const byTurn = (members: readonly TeamMember[]): TeamMember[] =>
  members.toSorted((a, b) => a.turn - b.turn || a.member_id - b.member_id);

/** Chooses among members in round-robin order. Rules without a match fall back to round-robin. */
async function choose(
  ctx: Context,
  { assignment }: Team,
  ticket: Ticket,
  members: readonly TeamMember[],
): Promise<Choice | undefined> {
  const [next] = members;
  if (!next) return undefined;
  const chosen =
    assignment === 'least_loaded'
      ? await leastLoaded(ctx, members)
      : assignment === 'skill'
        ? bestSkilled(ticket, members)
        : assignment === 'sticky'
          ? await lastAssignee(ctx, ticket, members)
          : undefined;
  return chosen ?? { member: next, why: 'by turn' };
}

async function leastLoaded(ctx: Context, members: readonly TeamMember[]): Promise<Choice | undefined> {
  const ids = members.map(({ user_id }) => user_id);
  const figuresOf = await readStatistics(ctx, Technician, ids, ['open_tickets']);
  const openOf = ({ user_id }: TeamMember) => figuresOf(user_id).open_tickets;
  // The sort is stable, so ties keep the round-robin order.
  const [member] = members.toSorted((a, b) => openOf(a) - openOf(b));
  return member && { member, why: 'by fewest open tickets' };
}

async function lastAssignee(
  ctx: Context,
  { requester_employee_number }: Ticket,
  members: readonly TeamMember[],
): Promise<Choice | undefined> {
  if (requester_employee_number === null) return undefined;
  const of = new Map(members.map((each) => [each.user_id, each]));
  const last = (await readLastAssignees(ctx, requester_employee_number)).find((each) => of.has(each));
  const member = last === undefined ? undefined : of.get(last);
  return member && { member, why: 'by the requester’s last ticket' };
}
