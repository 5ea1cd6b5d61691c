import { IsNull } from '@keelson/core';
import type { Context, EmployeeActor, Row } from '@keelson/core';
import { signedOut } from '@keelson/core/system';
import { Employee, Site, updateEmployee } from '@keelson/modules/directory';

/** The fields people may change themselves; only IT admins may change the others. */
export const ownFields = ['first_name', 'last_name', 'phone', 'mobile', 'title'] as const;
export type ProfileChanges = { readonly [Field in (typeof ownFields)[number]]?: string | undefined };

type EmployeeRow = Row<typeof Employee>;

/** Returns the caller's own profile. */
export async function readProfile(ctx: Context<EmployeeActor>) {
  return profileOf(ctx, await findSelf(ctx));
}

/** Changes the caller's own contact fields, nothing else. Opens its own transaction. */
export async function updateProfile(ctx: Context<EmployeeActor>, input: ProfileChanges) {
  const employee = await ctx.transaction(async (inside) => {
    const before = await findSelf(inside);
    const given = ownFields.filter((field) => input[field] !== undefined);
    return updateEmployee(inside, before, Object.fromEntries(given.map((field) => [field, input[field]])));
  });
  return profileOf(ctx, employee);
}

async function findSelf(ctx: Context<EmployeeActor>): Promise<EmployeeRow> {
  const { employee_number } = ctx.actor;
  const employee = await ctx.db.findOneBy(Employee, { employee_number, deleted_at: IsNull() });
  if (!employee) throw signedOut();
  return employee;
}

async function profileOf(ctx: Context<EmployeeActor>, employee: EmployeeRow) {
  const { company_number, site_number } = employee;
  const site = site_number === null ? undefined : await ctx.db.findOneBy(Site, { site_number });
  const modules = await ctx.app.switches.of(ctx, company_number);
  return {
    ...employee,
    company_name: ctx.actor.company_name,
    site_name: site?.site_name ?? null,
    permissions: {
      can_create_tickets: employee.can_create_tickets,
      can_view_assets: employee.asset_edit !== 'None' || employee.it_privileges,
      can_view_billing: (modules['billing'] ?? false) && employee.can_view_billing,
    },
  };
}
