// Views of manager groups, with their people or the counts.
import {
  listed,
  pageOf,
  showOne,
  sql,
  view,
  z,
  type Context,
  type EmployeeActor,
  type OutOf,
  type Row,
} from '@keelson/core';
import type { AskedOf } from '@keelson/core/record';
import { searchedFor } from '../employees/employee-detail.ts';
import { Employees } from '../employees/employees.ts';
import type { ManagerGroup } from '../entities/group.ts';
import { CompanyGroupItem, GroupItem } from './groups.ts';
import type { GroupRole } from './memberships.ts';

type GroupRow = Row<typeof ManagerGroup>;

const PersonItem = view(Employees, { only: ['employee_number', 'first_name', 'last_name', 'email'] });
type Person = OutOf<typeof PersonItem>;

const counts = { manager_count: z.int(), member_count: z.int() };
const people = { managers: z.array(PersonItem.shape), members: z.array(PersonItem.shape) };

export const Group = GroupItem.shape.omit({ group_id: true, company_number: true }).extend(counts);
export const GroupDetail = Group.extend(people);
export const CompanyGroup = CompanyGroupItem.shape.omit({ group_id: true }).extend(counts);
export const CompanyGroupDetail = CompanyGroup.extend(people);

/** A person added to a group. The record is unchanged if the person was already there (D-09). */
export const GroupPerson = PersonItem.shape.extend({ code: z.string(), role: z.enum(['manager', 'member']) });
export const AvailableEmployee = view(Employees, {
  only: ['employee_number', 'first_name', 'last_name', 'email', 'department', 'title'],
});

interface Paged {
  readonly page: number;
  readonly size: number;
}

/** Lists a page of the groups of the caller's company. */
export async function listGroups(ctx: Context<EmployeeActor>, paged: Paged) {
  const { company_number } = ctx.actor;
  const { rows, total } = await pageOf(ctx, GroupItem, { ...paged, company_number });
  return { rows: await withCounts(ctx, rows), total };
}

/** Lists a page of the groups of all companies. */
export async function listCompanyGroups(ctx: Context, asked: AskedOf<typeof CompanyGroupItem>) {
  const { rows, total } = await pageOf(ctx, CompanyGroupItem, asked);
  return { rows: await withCounts(ctx, rows), total };
}

/** Returns a group with its people. */
export async function readGroup(ctx: Context, group: GroupRow) {
  return { ...group, ...(await readPeople(ctx, group)) };
}

/** Returns a group with its people and company. */
export async function readCompanyGroup(ctx: Context, group: GroupRow) {
  return { ...(await showOne(ctx, CompanyGroupItem, group)), ...(await readPeople(ctx, group)) };
}

/** Lists a page of the company's active employees who are not in the group (D-13), by name. */
export async function listAvailable(
  ctx: Context,
  { group_id, company_number }: GroupRow,
  { search, page, size }: Paged & { readonly search?: string | undefined },
) {
  const elsewhere = sql`NOT EXISTS (SELECT 1 FROM manager_group_person p
    WHERE p.group_id = ${group_id} AND p.employee_number = employee.employee_number)`;
  const asked = { company_number, status: 'Active', page, size } as const;
  return pageOf(ctx, AvailableEmployee, asked, { where: [elsewhere, ...(await searchedFor(ctx, search))] });
}

async function readPeople(ctx: Context, { group_id }: GroupRow) {
  const found = await ctx.db.query<Person & { readonly role: GroupRole }>(sql`
    SELECT p.role, e.employee_number, e.first_name, e.last_name, e.email
    FROM manager_group_person p JOIN employee e ON e.employee_number = p.employee_number
    WHERE p.group_id = ${group_id} AND e.deleted_at IS NULL
    ORDER BY e.last_name, e.first_name, e.employee_number`);
  const managers = found.filter((each) => each.role === 'manager');
  const members = found.filter((each) => each.role === 'member');
  return { managers, members, manager_count: managers.length, member_count: members.length };
}

interface PeopleCount {
  readonly group_id: number;
  readonly role: GroupRole;
  readonly n: number;
}

async function withCounts<G extends { readonly group_id: number }>(ctx: Context, groups: readonly G[]) {
  if (groups.length === 0) return [];
  const counted = await ctx.db.query<PeopleCount>(sql`
    SELECT p.group_id, p.role, COUNT(*) AS n FROM manager_group_person p
    JOIN employee e ON e.employee_number = p.employee_number AND e.deleted_at IS NULL
    WHERE p.group_id IN ${listed(groups.map((each) => each.group_id))} GROUP BY p.group_id, p.role`);
  const countOf = (group: G, role: GroupRole) =>
    Number(counted.find((each) => each.group_id === group.group_id && each.role === role)?.n ?? 0);
  return groups.map((each) => ({
    ...each,
    manager_count: countOf(each, 'manager'),
    member_count: countOf(each, 'member'),
  }));
}
