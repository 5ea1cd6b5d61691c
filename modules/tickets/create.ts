// Raising a ticket. Few round trips: one read for all references, the number meanwhile, the row, and the rest with the
// commit (docs/architecture.md).
import { updateCounters, type App, type Context } from '@keelson/core';
import { findNeedingApproval } from './approval-need.ts';
import { Ticket, type Source } from './entities.ts';
import { TicketAssigned, TicketCreated } from './events.ts';
import { resolveJobType } from './job-types.ts';
import { notifyApprovers, notifyRequester } from './notices.ts';
import { toTicketItem } from './present.ts';
import { checkReferences, cachedReferences, type References, type Wanted } from './references.ts';
import { transactionOf } from './tickets.ts';

export interface NewTicket {
  readonly company_number: number;
  readonly subject: string;
  readonly description?: string | undefined;
  /** 1 is the most urgent (N-28). */
  readonly priority?: number | undefined;
  readonly job_type?: string | undefined;
  readonly site_number?: number | null | undefined;
  /** Where the requester works: their ticket is for it when no site is named, and for none when it fits no more. */
  readonly usual_site_number?: number | null | undefined;
  /** A technician's `user_id`. */
  readonly assigned_to?: number | null | undefined;
  /** Who asks for it (T-11). */
  readonly employee_number?: number | null | undefined;
  /** Where it came from; told by the author when absent. */
  readonly source?: Source | undefined;
}

const FIRST_NUMBER = 1001;

/** Ids run beside the numbers: known before the row is there, it needs no round trip of its own. */
export const ticketIdOf = (ticketNumber: number): number => ticketNumber - FIRST_NUMBER + 1;

/**
 * Raises a ticket in the caller's transaction. What a customer's person asks for may need a manager's approval first
 * (T-01): its `approval_status` is `pending` then.
 * @throws invalid() naming a company, site, technician or contact that does not fit
 */
export async function createTicket(ctx: Context, input: NewTicket): Promise<Ticket> {
  const tx = transactionOf(ctx);
  const jobType = await resolveJobType(ctx, input.job_type ?? '');
  const { wanted, references } = await refer(ctx, input);
  checkReferences(references, Object.keys(wanted));
  const request = { ...wanted, job_type: jobType.name };
  const asking = ctx.author.type === 'employee' ? [request] : [];
  const pending = (await findNeedingApproval(ctx, asking)).has(request);
  const ticket_number = await ctx.app.allocator.take(tx, 'ticket', FIRST_NUMBER);
  const ticket: Ticket = {
    ...request,
    ticket_id: ticketIdOf(ticket_number),
    ticket_number,
    subject: input.subject,
    description: input.description ?? '',
    status: 'open',
    priority: input.priority ?? 3,
    approval_status: pending ? 'pending' : 'none',
    source: input.source ?? usualSources[ctx.author.type],
    created_at: ctx.now,
    updated_at: ctx.now,
    closed_at: null,
    deleted_at: null,
  };
  tx.deferInsert(Ticket, ticket);
  updateCounters(ctx, Ticket, undefined, ticket);
  const item = toTicketItem(ticket, references.names);
  ctx.emit(TicketCreated, item);
  if (ticket.assigned_to !== null) ctx.emit(TicketAssigned, item, { changed: ['assigned_to'] });
  notifyRequester(ctx, ticket, 'created');
  if (pending) notifyApprovers(ctx, ticket);
  ctx.record({
    action: 'create',
    entity_type: 'ticket',
    entity_id: ticket.ticket_id,
    description: `Ticket ${ticket.ticket_number} created`,
  });
  return ticket;
}

/** Sets ticket numbers aside for a bulk load; answers the first. */
export function reserveTicketNumbers(app: App, n: number): Promise<number> {
  return app.allocator.reserve('ticket', n, FIRST_NUMBER);
}

async function refer(ctx: Context, input: NewTicket): Promise<{ wanted: Wanted; references: References }> {
  const wanted = {
    company_number: input.company_number,
    site_number: input.site_number ?? input.usual_site_number ?? null,
    assigned_to: input.assigned_to ?? null,
    requester_employee_number: input.employee_number ?? null,
  };
  const references = await cachedReferences(ctx, wanted);
  const named = input.site_number !== undefined && input.site_number !== null;
  if (named || !references.faults.has('site_number')) return { wanted, references };
  const elsewhere = { ...wanted, site_number: null };
  return { wanted: elsewhere, references: await cachedReferences(ctx, elsewhere) };
}

const usualSources = {
  technician: 'admin',
  api: 'admin',
  employee: 'portal',
  system: 'workflow',
  assistant: 'chat',
} as const;
