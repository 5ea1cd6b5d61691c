// Creates the people of the demo through the product's own functions.
import { plus, secret, type App, type Context, type Row } from '@keelson/core';
import { theSystem } from '@keelson/core/log';
import { contextOf, type Role } from '@keelson/core/system';
import { newHash } from '@keelson/modules/accounts';
import {
  changeModules,
  createCompany,
  createEmployee,
  createGroup,
  createSite,
  createTechnician,
  type Company,
  type Employee,
  type Technician,
} from '@keelson/modules/directory';
import type { PersonStory, Story } from './stories/story.ts';

type TechnicianRow = Row<typeof Technician> & { readonly password: string };
export type Person = Row<typeof Employee> & { readonly password: string };

export interface Staff {
  readonly administrator: TechnicianRow;
  readonly technician: TechnicianRow;
}

export interface Customer {
  readonly company: Row<typeof Company>;
  readonly sites: readonly [number, number];
  readonly it_admin: Person;
  readonly manager: Person;
  /** A member of the group: requests need the manager's approval. */
  readonly employee: Person;
  /** In no group, so no approval is needed; has no password. */
  readonly colleague: Row<typeof Employee>;
}

/** Creates an administrator and a technician of the provider. */
export async function addStaff(app: App): Promise<Staff> {
  return {
    administrator: await addTechnician(app, 'Morgan Hale', 'morgan.hale@harbour-it.example', 'administrator'),
    technician: await addTechnician(app, 'Priya Raman', 'priya.raman@harbour-it.example', 'technician'),
  };
}

/** Creates a customer company with sites, people, a manager group and modules, dated two months ago. */
export async function addCustomer(app: App, story: Story): Promise<Customer> {
  const { it_admin, manager, employee, colleague } = story.people;
  const passwords = { it_admin: secret(12), manager: secret(12), employee: secret(12) };
  const hashes = {
    it_admin: await newHash(app.system(), passwords.it_admin, { email: it_admin.email }),
    manager: await newHash(app.system(), passwords.manager, { email: manager.email }),
    employee: await newHash(app.system(), passwords.employee, { email: employee.email }),
  };
  return twoMonthsAgo(app).transaction(async (ctx) => {
    const company = await createCompany(ctx, story.company);
    const { company_number } = company;
    const sites = await addSites(ctx, company_number, story);
    const add = (person: PersonStory, more: object) =>
      createEmployee(ctx, { ...person, company_number, site_number: sites[0], ...more });
    const people = {
      it_admin: await add(it_admin, { password_hash: hashes.it_admin, it_privileges: true, asset_edit: 'Modify' }),
      manager: await add(manager, { password_hash: hashes.manager, ismgr: true, asset_edit: 'Read Only' }),
      employee: await add(employee, { password_hash: hashes.employee }),
      colleague: await add(colleague, {}),
    };
    await createGroup(ctx, company_number, {
      ...story.group,
      managers: [people.manager.employee_number],
      members: [people.employee.employee_number],
    });
    await switchModules(ctx, company, story.off);
    return {
      company,
      sites,
      it_admin: { ...people.it_admin, password: passwords.it_admin },
      manager: { ...people.manager, password: passwords.manager },
      employee: { ...people.employee, password: passwords.employee },
      colleague: people.colleague,
    };
  });
}

function twoMonthsAgo(app: App): Context {
  return contextOf({ app, actor: undefined, author: theSystem, now: plus(app.clock.now(), { days: -60 }) });
}

async function addTechnician(app: App, name: string, email: string, role: Role): Promise<TechnicianRow> {
  const password = secret(12);
  const password_hash = await newHash(app.system(), password, { email });
  const row = await twoMonthsAgo(app).transaction((ctx) => createTechnician(ctx, { name, email, role, password_hash }));
  return { ...row, password };
}

async function addSites(ctx: Context, company_number: number, { sites }: Story): Promise<readonly [number, number]> {
  const first = await createSite(ctx, { ...sites[0], company_number, is_primary: true });
  const second = await createSite(ctx, { ...sites[1], company_number });
  return [first.site_number, second.site_number];
}

async function switchModules(ctx: Context, company: Row<typeof Company>, off: readonly string[]): Promise<void> {
  const modules = Object.keys(ctx.app.switches.defaults());
  await changeModules(ctx, company, Object.fromEntries(modules.map((each) => [each, !off.includes(each)])));
}
