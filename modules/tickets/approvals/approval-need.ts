// Decides which tickets need a manager's approval before work starts (T-01).
import type { Context, EmployeeActor } from '@keelson/core';
import { readApprovalRules, type ApprovalRule } from '@keelson/modules/directory';
import type { Ticket } from '../entities.ts';
import { jobTypeKey, resolveJobType } from '../ticket/job-types.ts';
import type { TicketChanges } from '../ticket/tickets.ts';

/** The fields that decide: requester and job type. */
export type Request = Pick<Ticket, 'requester_employee_number' | 'job_type'>;

/**
 * Returns the requests that need approval: those by members of groups that require it, for the job types the group
 * lists (T-01). Runs one statement, regardless of the number of requests.
 */
export async function findNeedingApproval<R extends Request>(
  ctx: Context,
  requests: readonly R[],
): Promise<ReadonlySet<R>> {
  const requesters = new Set(requests.flatMap((each) => each.requester_employee_number ?? []));
  const rulesOf = await readApprovalRules(ctx, [...requesters]);
  const needing = new Set<R>();
  for (const request of requests) {
    const rules = rulesOf.get(request.requester_employee_number ?? 0) ?? [];
    if (rules.length > 0 && requiresApproval(rules, await resolveJobType(ctx, request.job_type))) needing.add(request);
  }
  return needing;
}

/**
 * Returns the changes to store for each ticket when a customer changes it. A reopened ticket, or one with a new job
 * type, becomes `pending` if it now needs approval (M-03, T-01).
 */
export async function addApproval(
  ctx: Context<EmployeeActor>,
  tickets: readonly Ticket[],
  changes: TicketChanges,
): Promise<(ticket: Ticket) => TicketChanges> {
  const { job_type } = changes;
  const candidates = tickets.filter((each) => isNewRequest(each, changes));
  const needing = await findNeedingApproval(
    ctx,
    candidates.map((each) => ({ ...each, job_type: job_type ?? each.job_type })),
  );
  const pending = new Set([...needing].map((each) => each.ticket_id));
  return ({ ticket_id }) => (pending.has(ticket_id) ? { ...changes, approval_status: 'pending' } : changes);
}

function requiresApproval(
  rules: readonly ApprovalRule[],
  jobType: { name: string; requires_approval: boolean },
): boolean {
  const key = jobTypeKey(jobType.name);
  return jobType.requires_approval || rules.some((rule) => rule.length === 0 || rule.map(jobTypeKey).includes(key));
}

function isNewRequest(ticket: Ticket, { status = ticket.status, job_type = ticket.job_type }: TicketChanges): boolean {
  if (ticket.approval_status !== 'none' || status === 'closed') return false;
  return ticket.status === 'closed' || jobTypeKey(job_type) !== jobTypeKey(ticket.job_type);
}
