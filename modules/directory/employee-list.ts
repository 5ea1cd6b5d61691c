// Lists of people, by name (P-11), and one person with what belongs to them.
import {
  by,
  defineList,
  is,
  matching,
  readStatistics,
  readPage,
  type Context,
  type EmployeeActor,
  type Filter,
  type Page,
} from '@keelson/core';
import { Employee, EmployeeCount } from './entities/employee.ts';
import { readGroupsOf } from './group-people.ts';
import { CompanyNames, SiteNames } from './names.ts';
import type { Colleague, Contact, EmployeeOption } from './employee-shapes.ts';

const EmployeeList = defineList({
  table: Employee,
  columns: [
    'employee_number',
    'company_number',
    'site_number',
    'first_name',
    'last_name',
    'email',
    'phone',
    'mobile',
    'title',
    'department',
    'status',
    'ismgr',
    'it_privileges',
    'can_create_tickets',
    'can_view_billing',
    'asset_edit',
    'created_at',
    'updated_at',
  ],
  counters: [EmployeeCount],
  sorts: { name: by('last_name', 'first_name') },
});
type Listed = NonNullable<(typeof EmployeeList)['Row']>;

export interface EmployeeFilter {
  readonly company_number?: number | undefined;
  readonly search?: string | undefined;
  readonly status?: Employee['status'] | undefined;
  readonly department?: string | undefined;
}
type Paged = { readonly page: number; readonly size: number };

const noRights = Object.freeze({
  ismgr: undefined,
  it_privileges: undefined,
  can_create_tickets: undefined,
  can_view_billing: undefined,
  asset_edit: undefined,
});

/** Where a word is looked for: by technicians (P-26), and by colleagues. */
const searchedByAll = Object.freeze(['employee.first_name', 'employee.last_name', 'employee.email']);
const searchedByStaff = Object.freeze([...searchedByAll, 'employee.phone', 'employee.mobile']);

/** A page of all contacts. */
export async function listContacts(ctx: Context, asked: EmployeeFilter & Paged): Promise<Page<Contact>> {
  const { rows, total } = await readEmployees(ctx, asked, searchedByStaff);
  return { rows: await withPlaces(ctx, rows), total };
}

/** A page of the caller's colleagues; what they may do is for IT admins' eyes (Z-12). */
export async function listColleagues(
  ctx: Context<EmployeeActor>,
  asked: EmployeeFilter & Paged,
): Promise<Page<Colleague>> {
  const { company_number, it_privileges } = ctx.actor;
  const { rows, total } = await readEmployees(ctx, { ...asked, company_number }, searchedByAll);
  const people = await withPlaces(ctx, rows);
  return { rows: it_privileges ? people : people.map(withoutRights), total };
}

/** The active colleagues, to choose from (F-05). */
export async function listOptions(
  ctx: Context<EmployeeActor>,
  asked: Pick<EmployeeFilter, 'search'> & Paged,
): Promise<Page<EmployeeOption>> {
  const { company_number } = ctx.actor;
  const { rows, total } = await readEmployees(ctx, { ...asked, company_number, status: 'Active' }, searchedByAll);
  const option = ({ employee_number, first_name, last_name }: Listed) => ({
    value: employee_number,
    label: `${first_name} ${last_name}`,
    employee_number,
  });
  return { rows: rows.map(option), total };
}

/** A person with groups, assets and open tickets (F-02). */
export async function readContact(ctx: Context, employee: Employee) {
  const { employee_number } = employee;
  const [person] = await withPlaces(ctx, [employee]);
  if (!person) throw new Error('One row has one place');
  const groups = await readGroupsOf(ctx, employee_number);
  const figuresOf = await readStatistics(ctx, Employee, [employee_number], ['open_tickets']);
  const manager_groups = groups.map(({ code, name, role }) => ({ code, name, role }));
  return { ...person, manager_groups, assets: [], ...figuresOf(employee_number) };
}

/** The same as a colleague may see it. */
export async function readColleague(ctx: Context<EmployeeActor>, employee: Employee) {
  const person = await readContact(ctx, employee);
  return ctx.actor.it_privileges ? person : withoutRights(person);
}

function readEmployees(
  ctx: Context,
  asked: EmployeeFilter & Paged,
  searched: readonly string[],
): Promise<Page<Listed>> {
  const { company_number, status, department, search, page, size } = asked;
  const equal = Object.entries({ company_number, status, department });
  const where: Filter[] = equal.flatMap(([column, value]) => (value === undefined ? [] : [is(column, value)]));
  if (search) where.push(matching(search, searched));
  return readPage(ctx.db, EmployeeList, { where, sort: 'name', direction: 'asc', page, size });
}

async function withPlaces<E extends Listed>(ctx: Context, rows: readonly E[]) {
  const companies = await ctx.app.names.get(
    ctx.db,
    CompanyNames,
    rows.map((each) => each.company_number),
  );
  const sites = await ctx.app.names.get(
    ctx.db,
    SiteNames,
    rows.map((each) => each.site_number),
  );
  return rows.map((each) => ({
    ...each,
    contact_id: each.employee_number,
    company_name: companies.get(each.company_number) ?? '',
    site_name: (each.site_number !== null && sites.get(each.site_number)) || null,
  }));
}

function withoutRights<E extends Contact>(person: E) {
  return { ...person, ...noRights };
}
