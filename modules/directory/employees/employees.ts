// Customers' people: "employees" on the helpdesk surface, "contacts" on the administrative one (N-07).
import {
  by,
  change,
  create,
  invalid,
  IsNull,
  normalised,
  notFound,
  param,
  record,
  searched,
  type Context,
  type EmployeeActor,
  type Given,
  type Wanted,
} from '@keelson/core';
import { readSlot, worded } from '@keelson/core/plugin';
import type { Change } from '@keelson/core/record';
import { employeeName } from '@keelson/core/surfaces';
import { release } from '../address-claims.ts';
import { Employee } from '../entities/employee.ts';
import { ApproversChanged, EmployeeDeleted } from '../events.ts';
import { leaveGroups, managersAmong } from '../groups/memberships.ts';
import { EmployeeNames } from '../names.ts';
import { checkPlace } from '../references.ts';
import { addressChange, HasIdentity, tellEmployee } from '../sign-in/told.ts';
import { claimAddress, removeAddresses } from './addresses.ts';
import { rights } from './granted.ts';

export const MANAGES = 'ismgr must stay true while the employee manages a group';

/** Callers check company, site and role themselves: imports and bulk requests look them up for all rows at once. */
export const Employees = record(Employee, {
  title: 'Contact',
  type: 'contact',
  call: employeeName,
  filters: (its) => ({
    company_number: its.is('company_number'),
    site_number: its.is('site_number'),
    search: searched(Employee, 'more'),
    status: its.is('status'),
    department: its.is('department', param.text()),
  }),
  sorts: { name: by('last_name', 'first_name') },
  order: 'asc',
  names: EmployeeNames,
  // The email address is the login name, so it must be unique within the tenant (D-02).
  taken: () => 'email is already in use',
  derive: (after, before) => ({
    email_key: normalised(after.email),
    access_version: before && losesAccess(before, after) ? before.access_version + 1 : after.access_version,
  }),
  follow: (_ctx, before, { status }) =>
    before.awaits_technician && status === 'Active' ? { awaits_technician: false } : {},
  erased: { password_hash: null },
  changed(ctx, changes) {
    notifyApprovers(ctx, changes);
    return tellChanges(ctx, changes);
  },
  /** Ends group memberships; tickets keep the name (D-06). */
  async removed(ctx, people) {
    await removeAddresses(ctx, people);
    await leaveGroups(ctx, people);
    for (const { employee_number, company_number } of people)
      ctx.emit(EmployeeDeleted, { employee_number, company_number });
    for (const company_number of new Set(people.map((each) => each.company_number)))
      ctx.emit(ApproversChanged, { company_number });
  },
});

export type NewEmployee = Given<typeof Employees>;
export type EmployeeChanges = Omit<Wanted<typeof Employees>, 'employee_number' | 'company_number' | 'password_hash'>;

/** Finds a person who is not deleted; locked inside a transaction. @throws notFound */
export async function findEmployee(ctx: Context, employee_number: number): Promise<Employee> {
  const lock = ctx.tx && ({ mode: 'pessimistic_write' } as const);
  const employee = await ctx.db.findOne(Employee, { where: { employee_number, deleted_at: IsNull() }, lock });
  if (!employee) throw notFound('Employee');
  return employee;
}

/** Finds one of the caller's colleagues; locked inside a transaction. @throws notFound */
export async function findColleague(ctx: Context<EmployeeActor>, employee_number: number): Promise<Employee> {
  const employee = await findEmployee(ctx, employee_number);
  if (employee.company_number !== ctx.actor.company_number) throw notFound('Employee');
  return employee;
}

/** Creates an employee of a customer. @throws invalid() for an unknown company or site; duplicate() for the address */
export async function createEmployee(ctx: Context, given: NewEmployee): Promise<Employee> {
  await checkPlace(ctx, { company_number: given.company_number, site_number: given.site_number ?? null });
  await claimAddress(ctx, given.email);
  return create(ctx, Employees, withDefaults(given));
}

/** Applies defaults: managers and IT admins may see billing (Z-07). */
export function withDefaults(given: NewEmployee): NewEmployee {
  return { ...given, can_view_billing: given.can_view_billing ?? (given.ismgr || given.it_privileges || false) };
}

/** Changes a person who was locked in the same transaction. Returns the updated row. */
export async function updateEmployee(ctx: Context, before: Employee, wanted: EmployeeChanges): Promise<Employee> {
  if (wanted.site_number)
    await checkPlace(ctx, { company_number: before.company_number, site_number: wanted.site_number });
  if (wanted.ismgr === false && before.ismgr) await checkManagesNone(ctx, before);
  if (wanted.email !== undefined && normalised(wanted.email) !== before.email_key)
    await claimAddress(ctx, wanted.email, before.employee_number);
  const after = await change(ctx, Employees, before, wanted);
  if (after.email_key !== before.email_key) await release(ctx, [before.email_key], 'contact');
  return after;
}

/** Becoming inactive (M-36) or changing the address ends every session, token and mailed link. */
function losesAccess(before: Employee, after: Employee): boolean {
  const leaves = after.status === 'Inactive' && before.status === 'Active';
  return leaves || normalised(after.email) !== before.email_key;
}

/** Someone who became inactive may have been the last approver of tickets (T-03). */
function notifyApprovers(ctx: Context, changes: readonly Change<typeof Employee>[]): void {
  const left = changes.filter(({ before, after }) => before.status === 'Active' && after.status === 'Inactive');
  for (const company_number of new Set(left.map(({ after }) => after.company_number)))
    ctx.emit(ApproversChanged, { company_number });
}

/** Notifies people who can sign in of what others changed about their account. */
async function tellChanges(ctx: Context, changes: readonly Change<typeof Employee>[]): Promise<void> {
  const told = changes.filter(
    ({ before, after }) => isMoved(before, after) || isReactivated(before, after) || hasOtherRights(before, after),
  );
  const withoutPassword = told.filter(({ after }) => after.password_hash === null);
  const numbers = withoutPassword.map(({ after }) => after.employee_number);
  const hasIdentity = await readSlot(ctx, HasIdentity, numbers);
  for (const { before, after } of told) {
    if (after.password_hash !== null || hasIdentity(after.employee_number)) tellChange(ctx, before, after);
  }
}

/** Mails an address change to both the old and the new address. */
function tellChange(ctx: Context, before: Employee, after: Employee): void {
  const { name } = ctx.author;
  if (isMoved(before, after)) {
    const change = addressChange(before.email, after.email);
    for (const each of [before, after]) tellEmployee(ctx, each, change);
  }
  if (isReactivated(before, after)) tellEmployee(ctx, after, worded('{name} reactivated your account.', { name }));
  if (hasOtherRights(before, after))
    tellEmployee(ctx, after, worded('{name} changed your rights in the support portal.', { name }));
}

const isMoved = (before: Employee, after: Employee): boolean => before.email_key !== after.email_key;

const isReactivated = (before: Employee, after: Employee): boolean =>
  before.status === 'Inactive' && after.status === 'Active';

const hasOtherRights = (before: Employee, after: Employee): boolean =>
  rights.some((each) => before[each] !== after[each]);

/** Requires that the person manages no group, because group managers stay managers (D-11). @throws invalid() */
async function checkManagesNone(ctx: Context, { employee_number }: Employee): Promise<void> {
  if ((await managersAmong(ctx, [employee_number])).size > 0) throw invalid(MANAGES);
}
