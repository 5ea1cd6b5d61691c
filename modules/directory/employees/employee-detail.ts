// Views of people: for technicians, for the IT admins of their company, and for their colleagues.
import { is, pageOf, showOne, view, z, type Context, type EmployeeActor, type View } from '@keelson/core';
import { readStatistics, type Filter } from '@keelson/core/list';
import { showSlot, slot } from '@keelson/core/plugin';
import type { AskedOf } from '@keelson/core/record';
import { whereSearched } from '@keelson/core/search';
import { Employee } from '../entities/employee.ts';
import { readGroupsOf } from '../groups/memberships.ts';
import { CompanyNames, SiteNames } from '../names.ts';
import { Employees } from './employees.ts';

const plain = [
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
] as const;
const stamps = ['created_at', 'updated_at'] as const;
const rights = ['ismgr', 'it_privileges', 'can_create_tickets', 'can_view_billing', 'asset_edit'] as const;
const ownCompany = ({ actor }: Context<EmployeeActor>) => [is('company_number', actor.company_number)];

/** A person as technicians see them (F-01). */
export const Contact = view(Employees, {
  more: (its) => ({
    contact_id: its.column('employee_number'),
    company_name: its.name(CompanyNames, 'company_number'),
    site_name: its.name(SiteNames, 'site_number'),
  }),
});

/** A person as the IT admins of their company see them. */
export const ManagedColleague = view(Employees, {
  only: [...plain, ...rights, ...stamps],
  more: (its) => ({
    company_name: its.name(CompanyNames, 'company_number'),
    site_name: its.name(SiteNames, 'site_number'),
  }),
  visible: ownCompany,
});

/** A person as colleagues see them; only IT admins see rights (Z-12). */
const PlainColleague = view(Employees, {
  only: [...plain, ...stamps],
  more: (its) => ({
    company_name: its.name(CompanyNames, 'company_number'),
    site_name: its.name(SiteNames, 'site_number'),
  }),
  visible: ownCompany,
});

/** A person in search results. */
export const ColleagueFound = view(Employees, {
  only: ['employee_number', 'first_name', 'last_name', 'email'],
  visible: ownCompany,
});

/** Dropdown options (F-05). */
export const EmployeeOption = view(Employees, {
  only: ['employee_number'],
  more: (its) => ({
    value: its.column('employee_number'),
    label: its.from(z.string(), ['first_name', 'last_name'], (row) => `${row.first_name} ${row.last_name}`),
  }),
  visible: ownCompany,
});

/** The assets assigned to a person, by employee number (F-02). */
export const EmployeeAssets = slot(
  'employee.assets',
  z.array(z.object({ asset_id: z.int(), machine_name: z.string(), asset_type: z.string(), status: z.string() })),
  [],
);

const detail = {
  manager_groups: z.array(z.object({ code: z.string(), name: z.string(), role: z.enum(['manager', 'member']) })),
  assets: EmployeeAssets.shape,
  open_tickets: z.int(),
};
const rightsShape = ManagedColleague.shape.pick({
  ismgr: true,
  it_privileges: true,
  can_create_tickets: true,
  can_view_billing: true,
  asset_edit: true,
});
export const ContactDetail = Contact.shape.extend(detail);
export const EmployeeDetail = ManagedColleague.shape.extend(detail);
export const Colleague = PlainColleague.shape.extend(rightsShape.partial().shape);
export const ColleagueDetail = Colleague.extend(detail);

type ColleaguesAsked = Omit<AskedOf<typeof PlainColleague>, 'company_number'>;

/** Lists a page of the caller's colleagues. */
export async function listColleagues(ctx: Context<EmployeeActor>, { search, ...asked }: ColleaguesAsked) {
  const where = await searchedFor(ctx, search);
  if (ctx.actor.it_privileges) return pageOf(ctx, ManagedColleague, asked, { where });
  return pageOf(ctx, PlainColleague, asked, { where });
}

/** Lists a page of active colleagues as dropdown options. */
export async function listOptions(ctx: Context<EmployeeActor>, { search, page, size }: ColleaguesAsked) {
  const where = await searchedFor(ctx, search);
  return pageOf(ctx, EmployeeOption, { status: 'Active', page, size }, { where });
}

/** Returns a person with groups, assets and open tickets (F-02). */
export const readContact = (ctx: Context, employee: Employee) => readDetail(ctx, Contact, employee);

/** Returns a person's detail as a colleague may see it. */
export async function readColleague(ctx: Context<EmployeeActor>, employee: Employee) {
  if (ctx.actor.it_privileges) return readDetail(ctx, ManagedColleague, employee);
  const detail = await readDetail(ctx, PlainColleague, employee);
  // Without access to assets, hide assignments too (Z-10).
  return ctx.actor.asset_edit === 'None' ? { ...detail, assets: [] } : detail;
}

/** Colleagues search fewer fields than technicians: no phone numbers. */
export async function searchedFor(ctx: Context, text: string | undefined): Promise<Filter[]> {
  return text ? [await whereSearched(ctx, Employee, text)] : [];
}

async function readDetail<V extends View<typeof Employees>>(ctx: Context, of: V, employee: Employee) {
  const { employee_number } = employee;
  const person = await showOne(ctx, of, employee);
  const manager_groups = await readGroupsOf(ctx, employee_number);
  const figuresOf = await readStatistics(ctx, Employee, [employee_number], ['open_tickets']);
  const assets = (await showSlot(ctx, EmployeeAssets, [employee_number]))(employee_number);
  return { ...person, manager_groups, assets, ...figuresOf(employee_number) };
}
