// Ticket actions, using the same functions as changes by people.
import { invalid, IsNull, type Context } from '@keelson/core';
import { Company, Technician } from '@keelson/modules/directory';
import {
  checkTeam,
  commentOnTicket,
  createTicket,
  findTicket,
  lockTicket,
  updateTicket,
  type Ticket,
  type TicketUpdate,
} from '@keelson/modules/tickets';
import type { Action } from '../definitions/fields.ts';
import { numberOf, ticketOf, type Facts } from '../runs/facts.ts';
import type { Plan } from './planned-action.ts';
import { renderText, renderLine } from './words.ts';

type Of<T extends Action['type']> = Extract<Action, { type: T }>;

export async function planChange(ctx: Context, facts: Facts, changes: TicketUpdate): Promise<Plan> {
  const ticket = await ticketFor(ctx, facts);
  return {
    shown: { ...about(ticket), ...changes },
    act: (tx) => updateTicket(tx, ticket, changes),
  };
}

export async function planAssignment(ctx: Context, facts: Facts, assigned_to: number | null): Promise<Plan> {
  if (assigned_to !== null) await requireTechnician(ctx, assigned_to);
  return planChange(ctx, facts, { assigned_to });
}

export async function planTeam(ctx: Context, facts: Facts, team_id: number | null): Promise<Plan> {
  await checkTeam(ctx, team_id);
  return planChange(ctx, facts, { team_id });
}

export async function planComment(ctx: Context, facts: Facts, action: Of<'add_comment'>): Promise<Plan> {
  const ticket = await ticketFor(ctx, facts);
  const comment = renderText(ctx, facts, action.comment);
  if (comment === '') throw invalid('comment is empty');
  const input = { comment, is_internal: action.is_internal ?? false };
  return { shown: { ...about(ticket), ...input }, act: (tx) => commentOnTicket(tx, ticket, input) };
}

export async function planNewTicket(ctx: Context, facts: Facts, action: Of<'create_ticket'>): Promise<Plan> {
  const company_number = action.company_number ?? numberOf(facts, 'company_number');
  if (company_number === null) throw invalid('company_number is required: the record has no company');
  const company = await ctx.db.findOneBy(Company, { company_number, deleted_at: IsNull() });
  if (!company) throw invalid('company_number must be an existing company');
  return planCreation(ctx, facts, action, { company_number });
}

export async function planChild(ctx: Context, facts: Facts, action: Of<'create_child'>): Promise<Plan> {
  const parent = await ticketFor(ctx, facts);
  const { company_number, ticket_id: parent_id } = parent;
  if (parent.parent_id !== null) throw invalid(`Ticket ${parent.ticket_number} is a child ticket itself`);
  return planCreation(ctx, facts, action, { company_number, parent_id });
}

async function planCreation(
  ctx: Context,
  facts: Facts,
  action: Of<'create_ticket' | 'create_child'>,
  of: { readonly company_number: number; readonly parent_id?: number },
): Promise<Plan> {
  if (action.assigned_to !== undefined) await requireTechnician(ctx, action.assigned_to);
  if (action.team_id !== undefined) await checkTeam(ctx, action.team_id);
  const subject = renderLine(ctx, facts, action.subject, 255);
  if (subject === '') throw invalid('subject is empty');
  const ticket = {
    ...of,
    subject,
    description: renderText(ctx, facts, action.description ?? ''),
    priority: action.priority ?? 3,
    job_type: action.job_type ?? '',
    assigned_to: action.assigned_to ?? null,
    team_id: action.team_id ?? null,
  };
  return { shown: ticket, act: (tx) => createTicket(tx, { ...ticket, source: 'workflow' }) };
}

/** Returns the current ticket of the run. @throws notFound() if deleted */
export function ticketFor(ctx: Context, facts: Facts): Promise<Ticket> {
  return ctx.tx ? lockTicket(ctx, ticketOf(facts)) : findTicket(ctx, ticketOf(facts));
}

async function requireTechnician(ctx: Context, user_id: number): Promise<void> {
  const found = await ctx.db.findOneBy(Technician, { user_id, active: true, deleted_at: IsNull() });
  if (!found) throw invalid('assigned_to must be an active technician');
}

const about = ({ ticket_id, ticket_number }: Ticket) => ({ ticket_id, ticket_number });
