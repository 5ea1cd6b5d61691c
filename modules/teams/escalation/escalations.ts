// Lifecycle of escalations: start, acknowledgement, end.
import { announceChange, by, In, IsNull, noun, notFound, param, sql, view, z, type Context } from '@keelson/core';
import { TechnicianNames } from '@keelson/modules/directory';
import { Ticket } from '@keelson/modules/tickets';
import { TeamNames } from '../names.ts';
import { Team } from '../teams/entities.ts';
import { Escalation, EscalationStep, type Cause } from './entities.ts';
import { dueAt, nextStep } from './next-step.ts';

const Escalations = noun(Escalation, {
  title: 'Escalation',
  filters: (its) => ({
    team_id: its.is('team_id'),
    ticket_id: its.is('ticket_id'),
    open: its.by(param.flag(), (_ctx, open) =>
      open ? sql`escalation.ended_at IS NULL` : sql`escalation.ended_at IS NOT NULL`,
    ),
  }),
  sorts: { started_at: by('started_at') },
});

export const EscalationItem = view(Escalations, {
  more: (its) => ({
    team_name: its.name(TeamNames, 'team_id'),
    acknowledged_name: its.name(TechnicianNames, 'acknowledged_by'),
    ticket_subject: its.lookup(z.string(), 'ticket_id', readSubjects, ''),
  }),
});

async function readSubjects({ db }: Context, ids: readonly number[]) {
  const tickets = await db.findBy(Ticket, { ticket_id: In([...ids]) });
  return new Map(tickets.map(({ ticket_id, ticket_number, subject }) => [ticket_id, `${ticket_number} ${subject}`]));
}

const lock = { mode: 'pessimistic_write' } as const;

/**
 * Starts the escalation chain of the ticket's team, if the team escalates for this cause and has steps. A ticket has at
 * most one open escalation.
 */
export async function startEscalation(ctx: Context, ticket_id: number, cause: Cause): Promise<void> {
  const ticket = await ctx.db.findOne(Ticket, { where: { ticket_id, deleted_at: IsNull() }, lock });
  if (!ticket || ticket.team_id === null || ticket.status === 'closed') return;
  const { team_id } = ticket;
  const team = await ctx.db.findOneBy(Team, { team_id, deleted_at: IsNull() });
  if (!team || !escalates(team, ticket, cause)) return;
  // The ticket is locked, so that only one of two concurrent causes starts it.
  if (await ctx.db.existsBy(Escalation, { open_ticket: ticket_id })) return;
  const first = nextStep(await readSteps(ctx, team_id), { last_minutes: -1, last_step: 0 });
  if (!first) return;
  const started_at = ctx.now;
  const next_at = dueAt(started_at, first);
  await ctx.db.insert(Escalation, { team_id, ticket_id, cause, open_ticket: ticket_id, started_at, next_at });
  recordOn(ctx, ticket_id, `Escalation in team ${team.name} started`);
  announceChange(ctx, { of: Ticket, row: ticket, kind: 'changed', internal: true });
}

function escalates(team: Team, { priority }: Ticket, cause: Cause): boolean {
  if (cause === 'sla_warned') return team.escalate_warned;
  if (cause === 'sla_breached') return team.escalate_breached;
  if (cause === 'workflow') return true;
  return team.escalate_priority !== null && priority <= team.escalate_priority;
}

/** Returns the steps of a team in order. */
export const readSteps = ({ db }: Context, team_id: number): Promise<EscalationStep[]> =>
  db.find(EscalationStep, { where: { team_id }, order: { after_minutes: 'ASC', step_id: 'ASC' } });

/** Locks and returns an escalation. @throws notFound() */
export async function lockEscalation({ db }: Context, escalation_id: number): Promise<Escalation> {
  const found = await db.findOne(Escalation, { where: { escalation_id }, lock });
  if (!found) throw notFound('Escalation');
  return found;
}

/**
 * Acknowledges a locked escalation, so that no further step runs. Does nothing if it has ended. Returns the row.
 * @param acknowledged_by null for an integration
 */
export async function acknowledge(
  ctx: Context,
  escalation: Escalation,
  acknowledged_by: number | null,
): Promise<Escalation> {
  if (escalation.ended_at !== null) return escalation;
  const { escalation_id, ticket_id } = escalation;
  const changes = { acknowledged_at: ctx.now, acknowledged_by };
  await endEscalation(ctx, escalation_id, changes);
  recordOn(ctx, ticket_id, 'Escalation acknowledged');
  return { ...escalation, ...changes, ended_at: ctx.now, next_at: null, open_ticket: null };
}

/** Ends an escalation. */
export async function endEscalation(
  { db, now }: Context,
  escalation_id: number,
  changes: Partial<Pick<Escalation, 'acknowledged_at' | 'acknowledged_by'>> = {},
): Promise<void> {
  await db.update(Escalation, { escalation_id }, { ...changes, ended_at: now, next_at: null, open_ticket: null });
}

/** Ends the open escalations of tickets, also those whose last step has run. */
export async function endEscalationsOf(ctx: Context, ticket_ids: readonly number[]): Promise<void> {
  if (ticket_ids.length === 0) return;
  const open = await ctx.db.findBy(Escalation, { open_ticket: In([...ticket_ids]) });
  for (const { escalation_id } of open) await endEscalation(ctx, escalation_id);
}

/** Adds a line to a ticket's history. */
export function recordOn(ctx: Context, entity_id: number, description: string): void {
  ctx.record({ action: 'update', entity_type: Ticket.name, entity_id, description });
}
