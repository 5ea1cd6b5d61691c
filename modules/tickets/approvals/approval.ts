// Manager approval before work starts (T-01 to T-05, M-03 to M-08).
import {
  change,
  changeAll,
  conflict,
  forbidden,
  invalid,
  is,
  lockAll,
  sql,
  type Context,
  type EmployeeActor,
} from '@keelson/core';
import type { Filter } from '@keelson/core/list';
import { countOf } from '@keelson/core/record';
import { hasApprover } from '@keelson/modules/directory';
import { addComment, addSystemComment } from '../comments/comments.ts';
import type { Ticket } from '../entities.ts';
import { PortalTicket } from '../ticket/list.ts';
import { Tickets } from '../ticket/tickets.ts';
import { visibleTickets } from '../ticket/visible.ts';

/**
 * Returns filters for the pending tickets the signed-in person may decide: those of others in the groups they manage
 * (T-05).
 */
export function pendingTickets(ctx: Context<EmployeeActor>): Filter[] {
  return [...pending, ...visibleTickets(ctx, 'team')];
}

/** Counts the tickets that await the signed-in person's decision (T-06). */
export async function countPending(
  ctx: Context<EmployeeActor>,
): Promise<{ is_manager: boolean; pending_count: number }> {
  if (!ctx.actor.ismgr) return { is_manager: false, pending_count: 0 };
  return { is_manager: true, pending_count: await countOf(ctx, PortalTicket, {}, { where: pendingTickets(ctx) }) };
}

/** Approves a ticket (M-05). @throws forbidden() for one's own ticket; conflict() if it is not pending */
export async function approveTicket(ctx: Context<EmployeeActor>, ticket: Ticket): Promise<Ticket> {
  checkDecidable(ctx, ticket);
  const decided = await change(ctx, Tickets, ticket, { approval_status: 'approved' });
  addSystemComment(ctx, decided, `Approved by ${ctx.author.name}`);
  return decided;
}

/** Rejects and closes a ticket. The reason becomes a comment visible to the requester (M-06). */
export async function rejectTicket(ctx: Context<EmployeeActor>, ticket: Ticket, reason: string): Promise<Ticket> {
  checkDecidable(ctx, ticket);
  if (reason === '') throw invalid('reason is required');
  const decided = await change(ctx, Tickets, ticket, {
    approval_status: 'rejected',
    status: 'closed',
    last_comment_by: 'customer',
  });
  addComment(ctx, decided, { comment: reason, is_internal: false });
  return decided;
}

/** Releases the company's pending tickets that have no approver left (T-03). */
export async function releasePending(ctx: Context, companyNumber: number): Promise<void> {
  const rows = await ctx.db.query<{ ticket_id: number }>(sql`SELECT ticket.ticket_id FROM ticket
    WHERE ticket.company_number = ${companyNumber} AND ticket.status IN ('open', 'in_progress', 'on_hold')
      AND ticket.approval_status = 'pending' AND ticket.deleted_at IS NULL
      AND NOT ${hasApprover(sql`ticket.requester_employee_number`)}`);
  const tickets = await lockAll(
    ctx,
    Tickets,
    rows.map((each) => each.ticket_id),
  );
  // Another request may have decided some of them before the lock.
  const undecided = tickets.filter((each) => each.approval_status === 'pending');
  await changeAll(ctx, Tickets, undecided, { approval_status: 'none' });
}

// Pending tickets are never closed, so the status filter excludes nothing: it only enables an index.
const pending: readonly Filter[] = [is('approval_status', 'pending'), is('status', ['open', 'in_progress', 'on_hold'])];

function checkDecidable({ actor }: Context<EmployeeActor>, ticket: Ticket): void {
  if (ticket.requester_employee_number === actor.employee_number)
    throw forbidden('You cannot approve or reject your own ticket');
  if (ticket.approval_status !== 'pending') throw conflict('Ticket is not pending approval');
}
