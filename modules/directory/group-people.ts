import { changed, invalid, listed, notFound, sql, type Context, type Row } from '@keelson/core';
import { Employee } from './entities/employee.ts';
import { ManagerGroup, ManagerGroupPerson } from './entities/group.ts';
import { ApproversChanged } from './events.ts';

type GroupRow = Row<typeof ManagerGroup>;
export type GroupRole = 'manager' | 'member';

/**
 * Puts an active employee of the company into the group; in the other role they leave that one (D-10).
 * Answers the employee, and whether anything changed (D-09).
 */
export async function addPerson(ctx: Context, group: GroupRow, employeeNumber: number, role: GroupRole) {
  const [employee] = await activeEmployees(ctx, group, [employeeNumber], 'employee_id');
  if (!employee) throw invalid('employee_id must be an active employee of the company');
  const at = { group_id: group.group_id, employee_number: employeeNumber };
  const present = await ctx.db.one(ManagerGroupPerson, at);
  if (present?.role === role) return { employee, added: false };
  await ctx.db.remove(ManagerGroupPerson, at);
  await ctx.db.insert(ManagerGroupPerson, { ...at, role, created_at: ctx.now });
  await touch(ctx, group);
  if (role === 'manager' || present) await followManagers(ctx, [employeeNumber]);
  recordPeople(ctx, group, `${employee.first_name} ${employee.last_name} added as ${role}`);
  // Whoever changes sides leaves somebody without a manager, or is nobody's to decide on any more (T-03).
  if (present) ctx.emit(ApproversChanged, { company_number: group.company_number });
  return { employee, added: true };
}

/** Takes somebody out of the group. @throws notFound when they are not in it in that role (D-12) */
export async function removePerson(ctx: Context, group: GroupRow, employeeNumber: number, role: GroupRole) {
  const removed = await ctx.db.remove(ManagerGroupPerson, {
    group_id: group.group_id,
    employee_number: employeeNumber,
    role,
  });
  if (removed === 0) throw notFound(role === 'manager' ? 'Manager' : 'Member');
  await touch(ctx, group);
  if (role === 'manager') await followManagers(ctx, [employeeNumber]);
  recordPeople(ctx, group, `Employee ${employeeNumber} removed as ${role}`);
  ctx.emit(ApproversChanged, { company_number: group.company_number });
}

/** Replaces the group's people by the lists that are given (D-08). Answers whether anything changed. */
export async function replacePeople(
  ctx: Context,
  group: GroupRow,
  wanted: { readonly managers?: readonly number[] | undefined; readonly members?: readonly number[] | undefined },
): Promise<boolean> {
  const before = await ctx.db.find(ManagerGroupPerson, { group_id: group.group_id });
  const next = new Map<number, GroupRole>(before.map((each) => [each.employee_number, each.role]));
  for (const role of ['manager', 'member'] as const) {
    const given = wanted[`${role}s`];
    if (!given) continue;
    await activeEmployees(ctx, group, given, `${role}s`);
    for (const [employee, held] of next) if (held === role && !given.includes(employee)) next.delete(employee);
    for (const employee of given) next.set(employee, role);
  }
  const both = wanted.managers?.find((each) => wanted.members?.includes(each));
  if (both !== undefined) throw invalid(`managers and members must not both name ${both}`);
  const gone = before.filter((each) => next.get(each.employee_number) !== each.role);
  const come = [...next].filter(
    ([employee, role]) => !before.some((each) => each.employee_number === employee && each.role === role),
  );
  if (gone.length === 0 && come.length === 0) return false;
  const leaving = gone.map((each) => each.employee_number);
  if (leaving.length > 0)
    await ctx.db.remove(ManagerGroupPerson, { group_id: group.group_id, employee_number: leaving });
  const rows = come.map(([employee_number, role]) => ({
    group_id: group.group_id,
    employee_number,
    role,
    created_at: ctx.now,
  }));
  await ctx.db.insertMany(ManagerGroupPerson, rows);
  const former = gone.filter((each) => each.role === 'manager').map((each) => each.employee_number);
  const added = rows.filter((each) => each.role === 'manager').map((each) => each.employee_number);
  await followManagers(ctx, [...former, ...added]);
  return true;
}

/** Takes somebody who is leaving out of all groups (D-06). */
export async function leaveGroups(ctx: Context, { employee_number, first_name, last_name }: Row<typeof Employee>) {
  const groups = await readGroupsOf(ctx, employee_number);
  if (groups.length === 0) return;
  await ctx.db.remove(ManagerGroupPerson, { employee_number });
  const left = { group_id: groups.map((each) => each.group_id) };
  await ctx.db.update(ManagerGroup, left, { updated_at: ctx.now });
  for (const group of groups) recordPeople(ctx, group, `${first_name} ${last_name} removed as ${group.role}`);
}

/** The groups somebody is in, by name. */
export async function readGroupsOf(ctx: Context, employee_number: number): Promise<GroupOf[]> {
  return ctx.db.query<GroupOf>(sql`SELECT g.group_id, g.code, g.name, p.role FROM manager_group_person p
    JOIN manager_group g ON g.group_id = p.group_id AND g.deleted_at IS NULL
    WHERE p.employee_number = ${employee_number} ORDER BY g.name, g.group_id`);
}

interface GroupOf extends Pick<GroupRow, 'group_id' | 'code' | 'name'> {
  readonly role: GroupRole;
}

/** Those of the employees who manage a group. */
export async function managersAmong(ctx: Context, employees: readonly number[]): Promise<ReadonlySet<number>> {
  if (employees.length === 0) return new Set();
  const rows = await ctx.db.query<{ employee_number: number }>(sql`
    SELECT p.employee_number FROM manager_group_person p
    JOIN manager_group g ON g.group_id = p.group_id AND g.deleted_at IS NULL
    WHERE p.role = 'manager' AND p.employee_number IN ${listed(employees)}`);
  return new Set(rows.map((each) => each.employee_number));
}

/**
 * Of people who became or were managers of a group: sets `ismgr` for those who manage one now, and clears it for those who
 * manage none any more. Being a member says nothing about it (D-11).
 */
async function followManagers(ctx: Context, employees: readonly number[]): Promise<void> {
  if (employees.length === 0) return;
  const managers = await managersAmong(ctx, employees);
  const rows = await ctx.db.find(Employee, { employee_number: [...employees] });
  for (const ismgr of [true, false]) {
    const changing = rows.filter((each) => each.ismgr !== ismgr && managers.has(each.employee_number) === ismgr);
    const numbers = changing.map((each) => each.employee_number);
    if (numbers.length === 0) continue;
    await ctx.db.update(Employee, { employee_number: numbers }, { ismgr, updated_at: ctx.now });
    changed(ctx, Employee);
    for (const entity_id of numbers) {
      const description = ismgr ? 'Became a manager' : 'Manages no group any more';
      ctx.record({
        action: 'update',
        entity_type: 'contact',
        entity_id,
        description,
        changes: { ismgr: [!ismgr, ismgr] },
      });
    }
  }
}

/** The employees with these numbers. @throws invalid when one is not an active one of the company (D-14) */
async function activeEmployees(ctx: Context, group: GroupRow, numbers: readonly number[], field: string) {
  if (numbers.length === 0) return [];
  const rows = await ctx.db.find(Employee, {
    employee_number: [...numbers],
    company_number: group.company_number,
    status: 'Active',
    deleted_at: null,
  });
  if (rows.length === new Set(numbers).size) return rows;
  throw invalid(`${field} must name active employees of the company`);
}

async function touch(ctx: Context, group: GroupRow): Promise<void> {
  await ctx.db.update(ManagerGroup, { group_id: group.group_id }, { updated_at: ctx.now });
}

function recordPeople(ctx: Context, group: Pick<GroupRow, 'code'>, description: string): void {
  ctx.record({ action: 'update', entity_type: 'manager_group', entity_id: group.code, description });
}
