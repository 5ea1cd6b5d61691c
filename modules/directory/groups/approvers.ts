// Approval rules: who must approve a person's requests, and who may (T-01 to T-05). Approvers are the active managers
// of the groups the requester is a member of. The single source for all other modules.
import { listed, sql, z, type Context, type Sql } from '@keelson/core';
import { recipientsWhere, type Recipient } from '../employees/recipients.ts';

const JobTypeNames = z.array(z.string());

/** The job types for which a group requires approval; empty means all (F-03). */
export type ApprovalRule = readonly string[];

/**
 * Returns the approval rules for each employee's requests (T-01), from groups with another active manager. Employees
 * without rules are missing: managers, IT admins, and those in no such group.
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

/** SQL condition: someone may decide on requests of `requester` (an expression with an employee number). */
export function hasApprover(requester: Sql): Sql {
  return sql`EXISTS (SELECT 1 FROM manager_group_person AS member
    JOIN manager_group ON manager_group.group_id = member.group_id AND manager_group.deleted_at IS NULL
    WHERE member.employee_number = ${requester} AND member.role = 'member'
      AND EXISTS (SELECT 1 ${managersOf(sql`member.group_id`, sql`member.employee_number`)}))`;
}

/** SQL list of the employees whose requests a manager decides on (T-04), for `IN`. */
export function teamOf(manager: number): Sql {
  return sql`(SELECT member.employee_number
    FROM manager_group_person AS leads
    JOIN manager_group ON manager_group.group_id = leads.group_id AND manager_group.deleted_at IS NULL
    JOIN manager_group_person AS member ON member.group_id = leads.group_id AND member.role = 'member'
    WHERE leads.employee_number = ${manager} AND leads.role = 'manager')`;
}

/** Returns those who may decide on an employee's requests (T-05), as recipients. */
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
