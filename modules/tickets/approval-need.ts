// When a manager must agree before work starts (T-01).
import { listed, sql, z, type Context, type EmployeeActor, type Sql } from '@keelson/core';
import type { Changes } from './change.ts';
import type { Ticket } from './entities.ts';
import { jobTypeKey, resolveJobType } from './job-types.ts';

/** What the need depends on: who asks, and for what. */
export type Request = Pick<Ticket, 'requester_employee_number' | 'job_type'>;

/**
 * Of these requests, those that a manager must agree to: only what members of groups that ask for it request, and only
 * what those groups name (T-01). One statement, however many there are.
 */
export async function findNeedingApproval<R extends Request>(
  ctx: Context,
  requests: readonly R[],
): Promise<ReadonlySet<R>> {
  const rulesOf = await readRules(ctx, requests);
  const needing = new Set<R>();
  for (const request of requests) {
    const rules = rulesOf.get(request.requester_employee_number) ?? [];
    if (rules.length > 0 && isNamed(rules, await resolveJobType(ctx, request.job_type))) needing.add(request);
  }
  return needing;
}

/**
 * What a customer's change does to each of the tickets: nobody agreed to one that is reopened, or that is for something
 * else now, so it waits for approval when it needs it (M-03, T-01).
 */
export async function addApproval(
  ctx: Context<EmployeeActor>,
  tickets: readonly Ticket[],
  changes: Changes,
): Promise<(ticket: Ticket) => Changes> {
  const { job_type } = changes;
  const asking = tickets.filter((each) => isAsking(each, changes));
  const needing = await findNeedingApproval(
    ctx,
    asking.map((each) => ({ ...each, job_type: job_type ?? each.job_type })),
  );
  const pending = new Set([...needing].map((each) => each.ticket_id));
  return ({ ticket_id }) => (pending.has(ticket_id) ? { ...changes, approval_status: 'pending' } : changes);
}

/** The active managers of a group other than the requester: `FROM …` of a query. */
export function approversOf(group: Sql, requester: Sql): Sql {
  return sql`FROM manager_group_person AS decider
    JOIN employee ON employee.employee_number = decider.employee_number
      AND employee.status = 'Active' AND employee.deleted_at IS NULL
    WHERE decider.group_id = ${group} AND decider.role = 'manager' AND decider.employee_number <> ${requester}`;
}

const JobTypeNames = z.array(z.string());
/** The job types that a group names; none means all. */
type Rule = readonly string[];

async function readRules(ctx: Context, requests: readonly Request[]): Promise<ReadonlyMap<number | null, Rule[]>> {
  const requesters = new Set(requests.flatMap((each) => each.requester_employee_number ?? []));
  const rules = new Map<number, Rule[]>();
  if (requesters.size === 0) return rules;
  const rows = await ctx.db.query<{ employee_number: number; approval_job_types: string }>(sql`
    SELECT member.employee_number, manager_group.approval_job_types
    FROM manager_group_person AS member
    JOIN employee AS requester ON requester.employee_number = member.employee_number
      AND NOT requester.ismgr AND NOT requester.it_privileges
    JOIN manager_group ON manager_group.group_id = member.group_id
      AND manager_group.require_approval AND manager_group.deleted_at IS NULL
    WHERE member.employee_number IN ${listed([...requesters])} AND member.role = 'member'
      AND EXISTS (SELECT 1 ${approversOf(sql`member.group_id`, sql`member.employee_number`)})`);
  for (const { employee_number, approval_job_types } of rows) {
    const rule = JobTypeNames.parse(JSON.parse(approval_job_types));
    rules.set(employee_number, [...(rules.get(employee_number) ?? []), rule]);
  }
  return rules;
}

function isNamed(rules: readonly Rule[], jobType: { name: string; requires_approval: boolean }): boolean {
  const key = jobTypeKey(jobType.name);
  return jobType.requires_approval || rules.some((rule) => rule.length === 0 || rule.map(jobTypeKey).includes(key));
}

function isAsking(ticket: Ticket, { status = ticket.status, job_type = ticket.job_type }: Changes): boolean {
  if (ticket.approval_status !== 'none' || status === 'closed') return false;
  return ticket.status === 'closed' || jobTypeKey(job_type) !== jobTypeKey(ticket.job_type);
}
