// The people of a manager group, and the manager flag that follows from it (D-08 to D-14).
import { changeAll, In, invalid, IsNull, lockAll, notFound, type Context, type Row } from '@keelson/core';
import { Employees } from '../employees/employees.ts';
import { Employee } from '../entities/employee.ts';
import { ManagerGroup, ManagerGroupPerson } from '../entities/group.ts';
import { ApproversChanged } from '../events.ts';
import { managersAmong, recordPerson, type GroupRole } from './memberships.ts';

type GroupRow = Row<typeof ManagerGroup>;

/**
 * Adds an active employee of the company to the locked group. Someone with the other role changes roles (D-10). Returns
 * the employee, and whether anything changed (D-09).
 */
export async function addPerson(ctx: Context, group: GroupRow, employeeNumber: number, role: GroupRole) {
  const [employee] = await activeEmployees(ctx, group, [employeeNumber]);
  if (!employee) throw invalid('employee_id must be an active employee of the company');
  const at = { group_id: group.group_id, employee_number: employeeNumber };
  const present = await ctx.db.findOneBy(ManagerGroupPerson, at);
  if (present?.role === role) return { employee, added: false };
  if (present) await ctx.db.delete(ManagerGroupPerson, at);
  await ctx.db.insert(ManagerGroupPerson, { ...at, role, created_at: ctx.now });
  await touch(ctx, group);
  if (role === 'manager' || present) await followManagers(ctx, [employeeNumber]);
  recordPerson(ctx, group, `${employee.first_name} ${employee.last_name} added as ${role}`);
  // A role change in either direction may leave tickets without an approver (T-03).
  if (present) ctx.emit(ApproversChanged, { company_number: group.company_number });
  return { employee, added: true };
}

/** Removes a person from the group. @throws notFound when they do not have that role in it (D-12) */
export async function removePerson(ctx: Context, group: GroupRow, employeeNumber: number, role: GroupRole) {
  const { affected: removed } = await ctx.db.delete(ManagerGroupPerson, {
    group_id: group.group_id,
    employee_number: employeeNumber,
    role,
  });
  if (removed === 0) throw notFound(role === 'manager' ? 'Manager' : 'Member');
  await touch(ctx, group);
  if (role === 'manager') await followManagers(ctx, [employeeNumber]);
  recordPerson(ctx, group, `Employee ${employeeNumber} removed as ${role}`);
  ctx.emit(ApproversChanged, { company_number: group.company_number });
}

export interface GroupPeople {
  readonly managers?: readonly number[] | undefined;
  readonly members?: readonly number[] | undefined;
}

/**
 * Replaces the group's people with the given lists (D-08). Those who have become inactive may stay (D-14). Returns true
 * if anything changed.
 */
export async function replacePeople(ctx: Context, group: GroupRow, wanted: GroupPeople): Promise<boolean> {
  const { group_id } = group;
  const before = await ctx.db.findBy(ManagerGroupPerson, { group_id });
  const after = new Map<number, GroupRole>(before.map((each) => [each.employee_number, each.role]));
  for (const role of ['manager', 'member'] as const) {
    const field = `${role}s` as const;
    const given = wanted[field];
    if (!given) continue;
    const added = given.filter((each) => after.get(each) !== role);
    const active = new Set((await activeEmployees(ctx, group, added)).map((each) => each.employee_number));
    const others = added.filter((each) => !active.has(each));
    if (others.length > 0)
      throw invalid(`${field} must contain active employees of the company, not ${others.join(', ')}`);
    for (const [employee, held] of after) if (held === role && !given.includes(employee)) after.delete(employee);
    for (const employee of given) after.set(employee, role);
  }
  const both = wanted.managers?.find((each) => wanted.members?.includes(each));
  if (both !== undefined) throw invalid(`managers and members must not both contain ${both}`);
  const roles = new Map(before.map((each) => [each.employee_number, each.role]));
  const leaving = before.filter((each) => after.get(each.employee_number) !== each.role);
  const joining = [...after]
    .filter(([employee_number, role]) => roles.get(employee_number) !== role)
    .map(([employee_number, role]) => ({ group_id, employee_number, role, created_at: ctx.now }));
  if (leaving.length === 0 && joining.length === 0) return false;
  const employee_number = leaving.map((each) => each.employee_number);
  if (leaving.length > 0) await ctx.db.delete(ManagerGroupPerson, { group_id, employee_number: In(employee_number) });
  await ctx.db.insert(ManagerGroupPerson, joining);
  const managers = [...leaving, ...joining].filter((each) => each.role === 'manager');
  await followManagers(
    ctx,
    managers.map((each) => each.employee_number),
  );
  return true;
}

/**
 * Updates `ismgr` of people who are or were managers of a group: set for those who manage any group, cleared for the
 * rest. Membership alone does not affect it (D-11).
 */
async function followManagers(ctx: Context, employees: readonly number[]): Promise<void> {
  if (employees.length === 0) return;
  const managers = await managersAmong(ctx, employees);
  const people = await lockAll(ctx, Employees, employees);
  await changeAll(ctx, Employees, people, ({ employee_number }) => ({ ismgr: managers.has(employee_number) }));
}

/** Returns those of these employees who are active and of the group's company. */
async function activeEmployees(ctx: Context, { company_number }: GroupRow, numbers: readonly number[]) {
  if (numbers.length === 0) return [];
  const people = { employee_number: In([...numbers]), company_number, status: 'Active', deleted_at: IsNull() } as const;
  return ctx.db.findBy(Employee, people);
}

async function touch(ctx: Context, { group_id }: GroupRow): Promise<void> {
  await ctx.db.update(ManagerGroup, { group_id }, { updated_at: ctx.now });
}
