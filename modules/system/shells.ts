// Start data of console and portal: the signed-in person and their pages.
import type { Admin, Context, EmployeeActor } from '@keelson/core';
import { readCurrency } from '@keelson/core/plugin';
import { employeeName } from '@keelson/core/surfaces';
import { metRules, shownPages } from '@keelson/core/system';
import { readBranding } from './branding/branding.ts';

async function readTenant(ctx: Context) {
  return { name: (await readBranding(ctx)).company_name, currency: await readCurrency(ctx) };
}

/** Returns the technician or key with the console's pages. */
export async function readConsole(ctx: Context<Admin>) {
  const { app, actor } = ctx;
  const { name, role } = actor;
  const person = actor.kind === 'technician' ? { id: actor.user_id, email: actor.email } : { id: null, email: null };
  return {
    person: { ...person, name, role },
    tenant: await readTenant(ctx),
    language: actor.kind === 'technician' ? await app.languageOf(ctx, { user_id: actor.user_id }) : app.language,
    // Keys of this surface have no CRM permissions.
    permissions: metRules(app, 'console', actor, actor.kind === 'technician' ? ['admin', 'crm'] : ['admin']),
    ...(await shownPages(app, 'console', actor)),
  };
}

/** Returns the employee with the portal's pages, excluding modules switched off for the company. */
export async function readPortal(ctx: Context<EmployeeActor>) {
  const { app, actor } = ctx;
  const { employee_number, email, ismgr, it_privileges, can_create_tickets, can_view_billing, asset_edit } = actor;
  const states = await app.switches.of(ctx, actor.company_number);
  const off = new Set(Object.keys(states).filter((each) => !states[each]));
  const rights = { ismgr, it_privileges, can_create_tickets, can_view_billing };
  const company = { company_number: actor.company_number, name: actor.company_name };
  return {
    person: { employee_number, name: employeeName(actor), email, company, ...rights, asset_edit },
    tenant: await readTenant(ctx),
    language: await app.languageOf(ctx, { employee_number }),
    permissions: [
      ...Object.entries(rights).flatMap(([name, held]) => (held ? [name] : [])),
      ...metRules(app, 'portal', actor, ['helpdesk']),
    ],
    ...(await shownPages(app, 'portal', actor, off)),
  };
}
