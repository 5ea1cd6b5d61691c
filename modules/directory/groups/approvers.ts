// Who must agree to what somebody asks for, and who may (T-01 to T-05): the active managers of the groups that the
// requester is a member of. Every other module asks here.
import { listed, sql, z, type Context, type Sql } from '@keelson/core';
import { recipientsWhere, type Recipient } from '../employees/recipients.ts';

const JobTypeNames = z.array(z.string());

/** The job types for which a group asks for approval; none means all of them (F-03). */
export type ApprovalRule = readonly string[];

/**
 * For each of these employees, the rules of the groups that ask for approval of what the employee requests (T-01): groups
 * with another active manager. Employees without one are missing: managers and IT admins, and whoever is in no such group.
 */
export async function readApprovalRules(
  ctx: Context,
  requesters: readonly number[],
): Promise<ReadonlyMap<number, readonly ApprovalRule[]>> {
  const rules = new Map<number, ApprovalRule[]>();
  if (requesters.length === 0) return rules;
  const rows = await ctx.db.query<{ employee_number: number; approval_job_types: string }>(sql`
    SELECT member.employee_number, manager_group.approval_job_types
    FROM manager_group_person AS member
    JOIN employee AS requester ON requester.employee_number = member.employee_number
      AND NOT requester.ismgr AND NOT requester.it_privileges
    JOIN manager_group ON manager_group.group_id = member.group_id
      AND manager_group.require_approval AND manager_group.deleted_at IS NULL
    WHERE member.employee_number IN ${listed(requesters)} AND member.role = 'member'
      AND EXISTS (SELECT 1 ${managersOf(sql`member.group_id`, sql`member.employee_number`)})`);
  for (const { employee_number, approval_job_types } of rows) {
    const rule = JobTypeNames.parse(JSON.parse(approval_job_types));
    rules.set(employee_number, [...(rules.get(employee_number) ?? []), rule]);
  }
  return rules;
}

/** A condition: somebody may decide on what `requester` (an expression with an employee number) asks for. */
export function hasApprover(requester: Sql): Sql {
  return sql`EXISTS (SELECT 1 FROM manager_group_person AS member
    JOIN manager_group ON manager_group.group_id = member.group_id AND manager_group.deleted_at IS NULL
    WHERE member.employee_number = ${requester} AND member.role = 'member'
      AND EXISTS (SELECT 1 ${managersOf(sql`member.group_id`, sql`member.employee_number`)}))`;
}

/** The employees whose requests a manager decides on (T-04): a list of numbers for `IN`. */
export function teamOf(manager: number): Sql {
  return sql`(SELECT member.employee_number
    FROM manager_group_person AS leads
    JOIN manager_group ON manager_group.group_id = leads.group_id AND manager_group.deleted_at IS NULL
    JOIN manager_group_person AS member ON member.group_id = leads.group_id AND member.role = 'member'
    WHERE leads.employee_number = ${manager} AND leads.role = 'manager')`;
}

/** Who may decide on what an employee asks for (T-05), as recipients. */
export function readApprovers(ctx: Context, requester: number): Promise<Recipient[]> {
  const groups = sql`SELECT member.group_id FROM manager_group_person AS member
    JOIN manager_group ON manager_group.group_id = member.group_id AND manager_group.deleted_at IS NULL
    WHERE member.employee_number = ${requester} AND member.role = 'member'`;
  const managers = sql`SELECT manager.employee_number FROM manager_group_person AS manager
    WHERE manager.group_id IN (${groups}) AND manager.role = 'manager'`;
  return recipientsWhere(
    ctx,
    sql`employee.employee_number IN (${managers}) AND employee.employee_number <> ${requester}`,
  );
}

// `FROM …` of a query: the active managers of a group other than the requester.
function managersOf(group: Sql, requester: Sql): Sql {
  return sql`FROM manager_group_person AS manager
    JOIN employee AS active ON active.employee_number = manager.employee_number
      AND active.status = 'Active' AND active.deleted_at IS NULL
    WHERE manager.group_id = ${group} AND manager.role = 'manager' AND manager.employee_number <> ${requester}`;
}
