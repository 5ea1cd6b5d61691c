// The customer's decision on a proposal (B-08 to B-10). The row is locked, so that the second of two clicks finds it
// decided.
import { change, changeAll, conflict, IsNull, LessThan, today, type Context, type EmployeeActor } from '@keelson/core';
import { cutTo } from '@keelson/core/kit';
import { createTicket } from '@keelson/modules/tickets';
import { Proposal } from './entities.ts';
import { isPast, Proposals } from './proposals.ts';

export interface Decision {
  readonly action: 'accept' | 'reject';
  readonly reason?: string | undefined;
}

/** Decides a proposal that was locked in the same transaction. @throws conflict() when it is not open (M-13) */
export async function decideProposal(
  ctx: Context<EmployeeActor>,
  proposal: Proposal,
  { action, reason = '' }: Decision,
): Promise<Proposal> {
  if (proposal.status !== 'sent') throw conflict(`Proposal is already ${proposal.status}`);
  // The expiry job may not have run yet.
  if (isPast(ctx, proposal.valid_until)) throw conflict('Proposal is already expired');
  const responded = {
    responded_at: ctx.now,
    responded_by: ctx.author.name,
    responded_by_employee: ctx.actor.employee_number,
  };
  if (action === 'reject')
    return change(ctx, Proposals, proposal, { ...responded, status: 'rejected', rejection_reason: reason });
  const { ticket_id } = await openTicket(ctx, proposal, reason);
  return change(ctx, Proposals, proposal, { ...responded, status: 'accepted', ticket_id });
}

const MOST_SUBJECT = 255;

/** Opens a ticket, so that a technician acts on the decision (B-10). */
function openTicket(ctx: Context<EmployeeActor>, { proposal_number, title, company_number }: Proposal, reason: string) {
  const accepted = `${ctx.author.name} has accepted proposal ${proposal_number}, “${title}”.`;
  return createTicket(ctx, {
    company_number,
    subject: cutTo(`Proposal ${proposal_number}: ${title}`, MOST_SUBJECT),
    description: reason === '' ? accepted : `${accepted}\n\n${reason}`,
    job_type: 'Purchase',
    employee_number: ctx.actor.employee_number,
    decided: true,
  });
}

const AT_ONCE = 100;

/** Expires unanswered proposals (M-13), after midnight in the tenant's time zone. */
export async function expireProposals(outside: Context<undefined>): Promise<void> {
  while (await outside.transaction(expirePortion));
}

/** Returns true if there may be more. */
async function expirePortion(ctx: Context): Promise<boolean> {
  const late = { status: 'sent', valid_until: LessThan(today(ctx)), deleted_at: IsNull() } as const;
  const options = { order: { proposal_id: 'ASC' }, take: AT_ONCE, lock: { mode: 'pessimistic_write' } } as const;
  const proposals = await ctx.db.find(Proposal, { where: late, ...options });
  await changeAll(ctx, Proposals, proposals, { status: 'expired' });
  return proposals.length === AT_ONCE;
}
