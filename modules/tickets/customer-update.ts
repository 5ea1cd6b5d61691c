// How a customer's person changes a ticket: less than the provider may, and never past an approval.
import { changesBetween, conflict, type Context, type EmployeeActor } from '@keelson/core';
import { addApproval } from './approval-need.ts';
import { checkCustomerMove, type Changes } from './change.ts';
import type { Ticket } from './entities.ts';
import { resolveJobType } from './job-types.ts';
import { storeChange, type TicketUpdate } from './update.ts';

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
  const changes: Changes = { ...rest };
  if (job_type !== undefined) changes.job_type = (await resolveJobType(ctx, job_type)).name;
  checkAgreed(ctx, ticket, changes);
  const changesOf = await addApproval(ctx, [ticket], changes);
  return storeChange(ctx, ticket, changesOf(ticket));
}

/** What a manager agreed to stays what it was, unless a manager or IT admin changes it. */
function checkAgreed({ actor }: Context<EmployeeActor>, ticket: Ticket, { subject, job_type }: Changes): void {
  if (ticket.approval_status !== 'approved' || actor.ismgr || actor.it_privileges) return;
  if (Object.keys(changesBetween(ticket, { subject, job_type })).length > 0)
    throw conflict('An approved ticket keeps its subject and job type');
}
