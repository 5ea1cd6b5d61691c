// Ticket changes by customers: fewer fields than the provider, and none that bypass an approval.
import { change, conflict, invalid, Problem, type Context, type EmployeeActor } from '@keelson/core';
import { addApproval } from '../approvals/approval-need.ts';
import type { Status, Ticket } from '../entities.ts';
import { linkChanges, namedAssets } from '../related/links.ts';
import { checkClosing } from './closing.ts';
import type { TicketUpdate } from './inputs.ts';
import { resolveJobType } from './job-types.ts';
import { lockVisibleTicket, Tickets, type TicketChanges } from './tickets.ts';

export type CustomerUpdate = Pick<TicketUpdate, 'subject' | 'status' | 'priority' | 'job_type' | 'asset_id'>;

/**
 * Changes a ticket visible to the signed-in person and locked in the same transaction. It may need approval afterwards
 * (T-01).
 * @throws conflict() for a status change that customers may not make (M-02), for a ticket that must stay open, and for
 * a change of approved content
 */
export async function updateVisibleTicket(
  ctx: Context<EmployeeActor>,
  ticket: Ticket,
  { job_type, asset_id, ...rest }: CustomerUpdate,
): Promise<Ticket> {
  checkCustomerMove(ticket, rest.status);
  await checkClosing(ctx, ticket, rest.status);
  const changes: TicketChanges = { ...rest };
  if (job_type !== undefined) changes.job_type = (await resolveJobType(ctx, job_type)).name;
  checkApproved(ctx, ticket, changes);
  const changesOf = await addApproval(ctx, [ticket], changes);
  const named = visibleAssets(ctx, asset_id);
  return change(ctx, Tickets, ticket, changesOf(ticket), named && (await linkChanges(ctx, ticket, named)));
}

/**
 * Reopens a closed ticket that a customer has answered by mail, under the rules of the portal: watchers may not reopen
 * it, a rejected ticket stays closed, and a request that needs approval waits for it again. Returns the ticket.
 */
export async function reopenAnswered(ctx: Context<EmployeeActor>, ticket: Ticket): Promise<Ticket> {
  if (ticket.status !== 'closed') return ticket;
  try {
    const mine = await lockVisibleTicket(ctx, ticket.ticket_id, 'changed');
    return await updateVisibleTicket(ctx, mine, { status: 'open' });
  } catch (error) {
    if (error instanceof Problem) return ticket;
    throw error;
  }
}

/** Returns the asset named by a customer. @throws invalid() if they may not see assets (Z-10) */
export function visibleAssets({ actor }: Context<EmployeeActor>, asset_id: number | null | undefined) {
  if (asset_id && actor.asset_edit === 'None' && !actor.it_privileges)
    throw invalid('asset_id must be an asset of the company');
  return namedAssets({ asset_id });
}

/**
 * Checks a status change by a customer.
 * @throws conflict() naming the rule if customers may not make this status change (M-02)
 */
export function checkCustomerMove(ticket: Ticket, status: Status | undefined): void {
  if (status === undefined || status === ticket.status) return;
  if (ticket.approval_status === 'pending' && status !== 'closed')
    throw conflict('status can only be set to closed while approval is pending');
  if (ticket.status !== 'closed') return;
  if (ticket.approval_status === 'rejected') throw conflict('A rejected ticket cannot be reopened');
  if (status !== 'open') throw conflict('status of a closed ticket can only be set to open');
}

/** Only managers and IT admins may change approved content. */
function checkApproved({ actor }: Context<EmployeeActor>, ticket: Ticket, changes: TicketChanges): void {
  if (ticket.approval_status !== 'approved' || actor.ismgr || actor.it_privileges) return;
  const { subject = ticket.subject, job_type = ticket.job_type } = changes;
  if (subject !== ticket.subject || job_type !== ticket.job_type)
    throw conflict('The subject and job type of an approved ticket cannot be changed');
}
