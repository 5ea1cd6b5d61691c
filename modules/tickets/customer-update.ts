// How a customer's person changes a ticket: less than the provider may, and never past an approval.
import { change, conflict, type Context, type EmployeeActor } from '@keelson/core';
import { addApproval } from './approval-need.ts';
import type { Status, Ticket } from './entities.ts';
import type { TicketUpdate } from './inputs.ts';
import { resolveJobType } from './job-types.ts';
import { Tickets, type TicketChanges } from './tickets.ts';

export type CustomerUpdate = Pick<TicketUpdate, 'subject' | 'status' | 'priority' | 'job_type'>;

/**
 * Changes a ticket in the signed-in person's sight that was locked in the same transaction; it may wait for approval
 * then (T-01).
 * @throws conflict() for a move that customers may not make (M-02), and for changing what a manager agreed to
 */
export async function updateVisibleTicket(
  ctx: Context<EmployeeActor>,
  ticket: Ticket,
  { job_type, ...rest }: CustomerUpdate,
): Promise<Ticket> {
  checkCustomerMove(ticket, rest.status);
  const changes: TicketChanges = { ...rest };
  if (job_type !== undefined) changes.job_type = (await resolveJobType(ctx, job_type)).name;
  checkAgreed(ctx, ticket, changes);
  const changesOf = await addApproval(ctx, [ticket], changes);
  return change(ctx, Tickets, ticket, changesOf(ticket));
}

/**
 * The moves that customers may make themselves (M-02).
 * @throws conflict() saying which rule forbids it
 */
export function checkCustomerMove(ticket: Ticket, status: Status | undefined): void {
  if (status === undefined || status === ticket.status) return;
  if (ticket.approval_status === 'pending' && status !== 'closed')
    throw conflict('status may only become closed while approval is pending');
  if (ticket.status !== 'closed') return;
  if (ticket.approval_status === 'rejected') throw conflict('A rejected ticket cannot be reopened');
  if (status !== 'open') throw conflict('status of a closed ticket may only become open');
}

/** What a manager agreed to stays what it was, unless a manager or IT admin changes it. */
function checkAgreed({ actor }: Context<EmployeeActor>, ticket: Ticket, changes: TicketChanges): void {
  if (ticket.approval_status !== 'approved' || actor.ismgr || actor.it_privileges) return;
  const { subject = ticket.subject, job_type = ticket.job_type } = changes;
  if (subject !== ticket.subject || job_type !== ticket.job_type)
    throw conflict('An approved ticket keeps its subject and job type');
}
