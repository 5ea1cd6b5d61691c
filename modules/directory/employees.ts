import {
  changed,
  changesBetween,
  DuplicateKey,
  duplicate,
  invalid,
  listed,
  normalised,
  notFound,
  sql,
  updateCounters,
  type Context,
  type EmployeeActor,
  type New,
} from '@keelson/core';
import { Company } from './entities/company.ts';
import { Employee } from './entities/employee.ts';
import { Site } from './entities/site.ts';
import { ApproversChanged, EmployeeDeleted } from './events.ts';
import { leaveGroups, managersAmong } from './group-people.ts';
import { EmployeeNames } from './names.ts';

export type NewEmployee = Omit<
  New<typeof Employee>,
  'employee_number' | 'email_key' | 'access_version' | 'created_at' | 'updated_at' | 'deleted_at'
>;
type Changeable = Omit<NewEmployee, 'company_number' | 'password_hash'>;
export type EmployeeChanges = { readonly [K in keyof Changeable]?: Changeable[K] | undefined };

/** Anybody who is not deleted; locked inside a transaction. @throws notFound */
export async function findEmployee(ctx: Context, employee_number: number): Promise<Employee> {
  const lock = ctx.tx !== undefined;
  const employee = await ctx.db.one(Employee, { employee_number, deleted_at: null }, { lock });
  if (!employee) throw notFound('Employee');
  return employee;
}

/** The same among the caller's colleagues. @throws notFound */
export async function findColleague(ctx: Context<EmployeeActor>, employee_number: number): Promise<Employee> {
  const employee = await findEmployee(ctx, employee_number);
  if (employee.company_number !== ctx.actor.company_number) throw notFound('Employee');
  return employee;
}

/** Adds a customer's person; the e-mail address is the login name, so it must be free in the whole tenant (D-02). */
export async function createEmployee(ctx: Context, values: NewEmployee): Promise<Employee> {
  await checkPlace(ctx, values.company_number, values.site_number ?? null);
  const employeeNumber = await ctx.db.insert(Employee, newRow(ctx, values)).catch(emailTaken);
  ctx.record({
    action: 'create',
    entity_type: 'contact',
    entity_id: employeeNumber,
    description: `Contact ${values.first_name} ${values.last_name} created`,
  });
  const employee = await ctx.db.one(Employee, { employee_number: employeeNumber });
  if (!employee) throw new Error(`Employee ${employeeNumber} is missing right after its insert`);
  updateCounters(ctx, Employee, undefined, employee);
  return employee;
}

/** A new person's row; rights that are not named follow Z-07. */
export function newRow(ctx: Context, values: NewEmployee): New<typeof Employee> {
  return {
    ...values,
    can_view_billing: values.can_view_billing ?? (values.ismgr || values.it_privileges || false),
    email_key: normalised(values.email),
    created_at: ctx.now,
    updated_at: ctx.now,
  };
}

/** Changes an employee's fields; answers the row as it is then. A change of nothing changes nothing (V-16). */
export async function updateEmployee(ctx: Context, before: Employee, wanted: EmployeeChanges): Promise<Employee> {
  if (wanted.site_number) await checkPlace(ctx, before.company_number, wanted.site_number);
  await checkRole(ctx, before, wanted);
  const [after = before] = await updateEmployees(ctx, [before], wanted);
  return after;
}

/** Gives several people the same values, which were checked; answers them as they are then. */
export async function updateEmployees(
  ctx: Context,
  people: readonly Employee[],
  wanted: EmployeeChanges,
): Promise<Employee[]> {
  const after = await storeChanges(ctx, people, wanted);
  notifyApprovers(ctx, people, after);
  return after;
}

/**
 * The same without a word to those who wait for approval: for imports, which tell them once. Rights hold from the next
 * request on; who becomes inactive (M-36) or has another address loses every session, token and link in a mail.
 */
export async function storeChanges(
  ctx: Context,
  people: readonly Employee[],
  wanted: EmployeeChanges,
): Promise<Employee[]> {
  const set: Partial<Employee> = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined));
  const changing = people.filter((each) => Object.keys(changesBetween(each, set)).length > 0);
  if (changing.length === 0) return [...people];
  const stored = { ...set, ...(set.email !== undefined && { email_key: normalised(set.email) }), updated_at: ctx.now };
  const ending = changing.filter((each) => losesAccess(each, set));
  await ctx.db.update(Employee, { employee_number: numbersOf(changing) }, stored).catch(emailTaken);
  await endAccess(ctx, ending);
  for (const before of changing) await note(ctx, before, set);
  changed(ctx, Employee);
  const next = (each: Employee): Employee => ({
    ...each,
    ...stored,
    access_version: each.access_version + (ending.includes(each) ? 1 : 0),
  });
  return people.map((each) => (changing.includes(each) ? next(each) : each));
}

function losesAccess(before: Employee, { status, email }: Partial<Employee>): boolean {
  const leaves = status === 'Inactive' && before.status === 'Active';
  return leaves || (email !== undefined && normalised(email) !== before.email_key);
}

/** Says in which companies somebody became inactive, who may have been the last to approve tickets (T-03). */
export function notifyApprovers(ctx: Context, before: readonly Employee[], after: readonly Employee[]): void {
  const left = before.filter((each, i) => each.status === 'Active' && after[i]?.status === 'Inactive');
  for (const company_number of new Set(left.map((each) => each.company_number)))
    ctx.emit(ApproversChanged, { company_number });
}

/** Deletes a contact: the login ends, memberships of groups end, tickets keep the name (D-06, V-25). */
export async function deleteEmployee(ctx: Context, employee: Employee): Promise<void> {
  const { employee_number, company_number } = employee;
  await leaveGroups(ctx, employee);
  const gone = { deleted_at: ctx.now, email_key: null, password_hash: null } as const;
  await ctx.db.update(Employee, { employee_number }, gone);
  await endAccess(ctx, [employee]);
  ctx.record({
    action: 'delete',
    entity_type: 'contact',
    entity_id: employee_number,
    description: `Contact ${employee.first_name} ${employee.last_name} deleted`,
  });
  updateCounters(ctx, Employee, employee, undefined);
  changed(ctx, Employee);
  ctx.emit(EmployeeDeleted, { employee_number, company_number });
  ctx.emit(ApproversChanged, { company_number });
}

/** Company and site must exist and belong together (V-21), and neither is deleted meanwhile. @throws invalid() */
async function checkPlace(ctx: Context, company_number: number, site_number: number | null): Promise<void> {
  const lock = { lock: true } as const;
  const company = await ctx.db.one(Company, { company_number, deleted_at: null }, lock);
  if (!company) throw invalid('company_number must be an existing company');
  const at = { site_number: site_number ?? 0, company_number, deleted_at: null };
  const site = site_number !== null && (await ctx.db.one(Site, at, lock));
  if (site_number !== null && !site) throw invalid('site_number must be a site of the company');
}

/** Whoever manages a group is a manager (D-11). @throws invalid() */
async function checkRole(ctx: Context, { employee_number, ismgr }: Employee, wanted: EmployeeChanges): Promise<void> {
  if (wanted.ismgr !== false || !ismgr) return;
  if ((await managersAmong(ctx, [employee_number])).size > 0) throw invalid(MANAGES);
}

export const MANAGES = 'ismgr must be true while the employee manages a group';

/** Ends all sessions and tokens of people: they were made under an older access version. */
async function endAccess(ctx: Context, people: readonly Employee[]): Promise<void> {
  if (people.length === 0) return;
  await ctx.db.run(sql`UPDATE employee SET access_version = access_version + 1
    WHERE employee_number IN ${listed(numbersOf(people))}`);
}

async function note(ctx: Context, before: Employee, set: Partial<Employee>): Promise<void> {
  const { employee_number, first_name, last_name } = before;
  ctx.record({
    action: 'update',
    entity_type: 'contact',
    entity_id: employee_number,
    description: `Contact ${first_name} ${last_name} changed`,
    changes: changesBetween(before, set),
  });
  const after = { ...before, ...set };
  updateCounters(ctx, Employee, before, after);
  const renamed = after.first_name !== first_name || after.last_name !== last_name;
  if (ctx.tx && renamed) await ctx.app.names.changed(ctx.tx, EmployeeNames, employee_number);
}

function numbersOf(people: readonly Employee[]): number[] {
  return people.map((each) => each.employee_number);
}

function emailTaken(error: unknown): never {
  if (error instanceof DuplicateKey) throw duplicate('email is already in use');
  throw error;
}
