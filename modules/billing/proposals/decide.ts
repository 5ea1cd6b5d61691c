// The customer's decision on a proposal (B-08 to B-10). The row is locked, so that the second of two clicks finds it
// decided.
import {
  change,
  changeAll,
  conflict,
  In,
  IsNull,
  LessThan,
  lockAll,
  Not,
  today,
  type Context,
  type EmployeeActor,
} from '@keelson/core';
import { batchesApart, cutTo } from '@keelson/core/kit';
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

/**
 * Expires unanswered proposals (M-13), after midnight in the tenant's time zone.
 * @throws AggregateError naming the proposals that failed, once the others are done
 */
export async function expireProposals(outside: Context<undefined>): Promise<void> {
  const late = { status: 'sent', valid_until: LessThan(today(outside)), deleted_at: IsNull() } as const;
  await batchesApart<Proposal>({
    size: AT_ONCE,
    read: (failed) =>
      outside.db.find(Proposal, {
        where: { ...late, proposal_id: Not(In(failed.map((each) => each.proposal_id))) },
        order: { proposal_id: 'ASC' },
        take: AT_ONCE,
      }),
    nameOf: ({ proposal_number }) => `proposal ${proposal_number}`,
    work: (proposals) => outside.transaction((ctx) => expireAll(ctx, proposals)),
  });
}

async function expireAll(ctx: Context, proposals: readonly Proposal[]): Promise<void> {
  const ids = proposals.map((each) => each.proposal_id);
  // They may have been decided or changed before they were locked.
  const late = (await lockAll(ctx, Proposals, ids)).filter(
    ({ status, valid_until }) => status === 'sent' && isPast(ctx, valid_until),
  );
  await changeAll(ctx, Proposals, late, { status: 'expired' });
}
