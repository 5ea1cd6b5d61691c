// Group memberships of people: read, and ended when a person is deleted.
import { announceChange, In, listed, sql, type Context, type Row } from '@keelson/core';
import type { Employee } from '../entities/employee.ts';
import { ManagerGroup, ManagerGroupPerson } from '../entities/group.ts';

type GroupRow = Row<typeof ManagerGroup>;
export type GroupRole = Row<typeof ManagerGroupPerson>['role'];

type ChangedGroup = Pick<GroupRow, 'group_id' | 'company_number' | 'code'>;

interface Membership extends Pick<GroupRow, 'group_id' | 'code' | 'name'> {
  readonly role: GroupRole;
}

/** Returns a person's groups, by name. */
export async function readGroupsOf(ctx: Context, employee_number: number): Promise<Membership[]> {
  return ctx.db.query<Membership>(sql`SELECT g.group_id, g.code, g.name, p.role FROM manager_group_person p
    JOIN manager_group g ON g.group_id = p.group_id AND g.deleted_at IS NULL
    WHERE p.employee_number = ${employee_number} ORDER BY g.name, g.group_id`);
}

/** Returns those of the employees who manage a group. */
export async function managersAmong(ctx: Context, employees: readonly number[]): Promise<ReadonlySet<number>> {
  if (employees.length === 0) return new Set();
  const rows = await ctx.db.query<{ employee_number: number }>(sql`
    SELECT p.employee_number FROM manager_group_person p
    JOIN manager_group g ON g.group_id = p.group_id AND g.deleted_at IS NULL
    WHERE p.role = 'manager' AND p.employee_number IN ${listed(employees)}`);
  return new Set(rows.map((each) => each.employee_number));
}

/** Removes a deleted person from all groups (D-06). */
export async function leaveGroups(ctx: Context, people: readonly Employee[]): Promise<void> {
  const employee_number = In(people.map((each) => each.employee_number));
  const members = new Set(
    (await ctx.db.findBy(ManagerGroupPerson, { employee_number })).map((each) => each.employee_number),
  );
  for (const each of people) if (members.has(each.employee_number)) await leaveOwn(ctx, each);
}

async function leaveOwn(ctx: Context, employee: Employee): Promise<void> {
  const { employee_number, company_number, first_name, last_name } = employee;
  const groups = await readGroupsOf(ctx, employee_number);
  if (groups.length === 0) return;
  await ctx.db.delete(ManagerGroupPerson, { employee_number });
  const left = { group_id: In(groups.map((each) => each.group_id)) };
  await ctx.db.update(ManagerGroup, left, { updated_at: ctx.now });
  for (const group of groups)
    recordPerson(ctx, { ...group, company_number }, `${first_name} ${last_name} removed as ${group.role}`);
}

/** Logs and announces explicitly: only the membership rows change, no column of the group. */
export function recordPerson(ctx: Context, group: ChangedGroup, description: string): void {
  announceChange(ctx, { of: ManagerGroup, row: group, kind: 'changed' });
  ctx.record({ action: 'update', entity_type: 'manager_group', entity_id: group.code, description });
}
