// The pages of a site and of a manager group: the site's places, and the people of both.
import { Asset } from '@keelson/modules/assets';
import { createEmployee, createGroup, ManagerGroup, ManagerGroupPerson } from '@keelson/modules/directory';
import anyTest from 'ava';
import type { Page } from 'playwright-core';
import { asCustomer, asStaff, axe, openDesk, visit, type Desk } from './_desk.ts';
import { intercept } from './_intercept.ts';
import { browserPath } from './_website.ts';

const path = browserPath();
const test = path === undefined ? anyTest.serial.skip : anyTest.serial;

let desk: Desk;

if (path !== undefined) {
  anyTest.before(async () => {
    desk = await openDesk(path);
  });
  anyTest.after.always(() => desk?.close());
}

/** Adds a place through the button's dialog. */
async function addPlace(page: Page, button: string, name: string): Promise<void> {
  await page.getByRole('button', { name: button, exact: true }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill(name);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: `Rename ${name}` }).waitFor();
}

test('places of a site are added down to zones, renamed and removed with their contents', async (t) => {
  const { page, complaints, context } = await asStaff(desk, desk.made.staff.administrator);
  const site = desk.made.customers[1]?.sites[0];
  const address = `${desk.app.url}/admin/sites/${site}`;
  await visit(page, address);
  complaints.splice(0);
  await addPlace(page, 'Add building', 'East wing');
  await addPlace(page, 'Add floor to East wing', 'Cellar');
  await addPlace(page, 'Add room to Cellar', 'Archive');
  await addPlace(page, 'Add zone to Archive', 'Rack 1');
  t.deepEqual(await axe(page), []);
  await page.getByRole('button', { name: 'Rename Cellar' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Lower floor');
  await page.getByLabel('Level').fill('-1');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Level -1').waitFor();
  await visit(page, address);
  t.is(await page.getByText('Rack 1', { exact: true }).count(), 1);
  await page.getByRole('button', { name: 'Remove Lower floor' }).click();
  await page.getByText(/^This also removes 1 room/).waitFor();
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await page.getByText('Rack 1', { exact: true }).waitFor({ state: 'detached' });
  t.is(await page.getByText('East wing', { exact: true }).count(), 1);
  await page.getByRole('tab', { name: /^People/ }).click();
  const colleague = desk.made.customers[1]?.employee;
  await page.getByRole('link', { name: `${colleague?.first_name} ${colleague?.last_name}` }).waitFor();
  await page.getByRole('tab', { name: /^Assets/ }).click();
  await page.getByRole('link', { name: 'SERVER1' }).waitFor();
  t.deepEqual(complaints, []);
  await context.close();
});

test('managers and members are added to a group and removed', async (t) => {
  const [customer] = desk.made.customers;
  if (!customer) return t.fail('The demo has no customers');
  const { page, complaints, context } = await asStaff(desk, desk.made.staff.administrator);
  await visit(page, `${desk.app.url}/admin/manager-groups?company_number=${customer.company.company_number}`);
  complaints.splice(0);
  await page.locator('.table .cell a').first().click();
  const { it_admin } = customer;
  const name = `${it_admin.first_name} ${it_admin.last_name}`;
  await page.getByRole('button', { name: 'Add member' }).click();
  await page.getByRole('combobox', { name: /^Person/ }).fill(it_admin.last_name);
  await page.getByRole('option', { name }).click();
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('button', { name: `Remove ${name} from members` }).waitFor();
  const { employee_number } = it_admin;
  const entries = () => desk.app.run((ctx) => ctx.db.findBy(ManagerGroupPerson, { employee_number }));
  const [entry, ...others] = await entries();
  if (!entry) return t.fail('The member was not added');
  t.deepEqual(others, []);
  t.deepEqual(await axe(page), []);
  // By a colleague, which the page does not know yet.
  const { company_number } = customer.company;
  const person = { company_number, first_name: 'Ada', last_name: 'Added', email: 'ada.added@example.com' };
  const added = await desk.app.run(async (ctx) => {
    const its = { ...entry, employee_number: (await createEmployee(ctx, person)).employee_number };
    await ctx.db.insert(ManagerGroupPerson, its);
    return its;
  });
  await page.getByRole('button', { name: `Remove ${name} from members` }).click();
  await page.getByRole('button', { name: `Remove ${name} from members` }).waitFor({ state: 'detached' });
  t.is((await entries()).length, 0);
  t.is((await desk.app.run((ctx) => ctx.db.findBy(ManagerGroupPerson, added))).length, 1);
  t.deepEqual(complaints, []);
  await context.close();
});

for (const [why, status] of [
  ['are still loading', undefined],
  ['cannot be read', 403],
] as const)
  test(`choices of a record are kept when it is saved while the lists ${why}`, async (t) => {
    const company_number = desk.made.customers[0]?.company.company_number ?? 0;
    const approval_job_types = ['Hardware', 'Cables, plugs'];
    const { group_id, code } = await desk.app.run((ctx) =>
      createGroup(ctx, company_number, { name: why, approval_job_types }),
    );
    const { page, context } = await asStaff(desk, desk.made.staff.administrator);
    const { promise: saved, resolve: go } = Promise.withResolvers<void>();
    await intercept(page, '**/settings/dropdowns.php', async (route) => {
      if (status) return route.fulfill({ status, json: { success: false, error: 'You may not read the lists' } });
      await saved;
      return route.continue();
    });
    await visit(page, `${desk.app.url}/admin/manager-groups/${code}?company_number=${company_number}`);
    await page.getByRole('button', { name: 'Edit' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(/^Description/).fill('Approves new hardware');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    go();
    const [group] = await desk.app.run((ctx) => ctx.db.findBy(ManagerGroup, { group_id }));
    t.like(group, { description: 'Approves new hardware', approval_job_types });
    await context.close();
  });

test('a contact is invited by a copied link, chooses a password and signs in', async (t) => {
  const company_number = desk.made.customers[0]?.company.company_number ?? 0;
  const person = { company_number, first_name: 'Nora', last_name: 'New', email: 'nora.new@northwind-dental.example' };
  const { employee_number } = await desk.app.run((ctx) => createEmployee(ctx, person));
  const { page, complaints, context } = await asStaff(desk, desk.made.staff.administrator);
  await visit(page, `${desk.app.url}/admin/contacts/${employee_number}`);
  complaints.splice(0);
  await page.getByText('Cannot sign in yet.').waitFor();
  await page.getByRole('button', { name: 'Invite to portal' }).click();
  const link = await page.locator('.secret code').textContent();
  await page.getByRole('button', { name: 'Resend invitation' }).waitFor();
  t.deepEqual(await axe(page), []);
  t.deepEqual(complaints, []);

  const other = await desk.browser.newContext();
  const theirs = await other.newPage();
  const path = new URL(link ?? '').pathname + new URL(link ?? '').search;
  await theirs.goto(desk.app.url + path);
  await theirs.getByLabel(/^Password/).fill('a walk along the river');
  await theirs.getByRole('button', { name: 'Save password' }).click();
  await theirs.goto(`${desk.app.url}/helpdesk/sign-in`);
  await theirs.getByLabel('Email address').fill(person.email);
  await theirs.getByLabel('Password').fill('a walk along the river');
  await theirs.getByRole('button', { name: 'Sign in' }).click();
  await theirs.waitForURL(`${desk.app.url}/helpdesk`);
  await other.close();

  await page.reload();
  await page.getByText('Can sign in.').waitFor();
  t.is(await page.getByRole('button', { name: /^Invite/ }).count(), 0);
  await context.close();
});

test('an IT admin invites a colleague', async (t) => {
  const [customer] = desk.made.customers;
  if (!customer) throw new Error('The demo has no customers');
  const { company_number } = customer.company;
  const person = { company_number, first_name: 'Otto', last_name: 'Ohm', email: 'otto.ohm@northwind-dental.example' };
  const { employee_number } = await desk.app.run((ctx) => createEmployee(ctx, person));
  const { page, complaints, context } = await asCustomer(desk, customer.it_admin);
  await visit(page, `${desk.app.url}/helpdesk/people/${employee_number}`);
  complaints.splice(0);
  await page.getByRole('button', { name: 'Invite to portal' }).click();
  await page.locator('.secret code').waitFor();
  t.deepEqual(await axe(page), []);
  t.deepEqual(complaints, []);
  await context.close();
});

test('a company page has a tab for each kind of record and creates new ones', async (t) => {
  const { page, complaints, context } = await asStaff(desk, desk.made.staff.administrator);
  const company_number = desk.made.customers[0]?.company.company_number ?? 0;
  await visit(page, `${desk.app.url}/admin/companies/${company_number}`);
  complaints.splice(0);
  const tab = (name: RegExp) => page.getByRole('tab', { name });
  const wanted = [
    'Contacts',
    'Sites',
    'Tickets',
    'Assets',
    'Passwords',
    'Networks',
    'Contracts',
    'Licenses',
    'Domains',
  ];
  for (const name of [...wanted, 'Projects', 'Invoices', 'Proposals', 'Subscriptions', 'Restore drills', 'Alerts'])
    t.is(await tab(new RegExp(`^${name}`)).count(), 1, name);
  await tab(/^Assets 10$/).click();
  const assets = page.getByRole('region', { name: 'Assets' });
  await assets.getByRole('link', { name: 'SERVER1' }).waitFor();
  t.true(page.url().endsWith('?tab=assets'), 'a link leads to the tab');
  await page.getByRole('searchbox', { name: 'Search assets' }).fill('FIREWALL');
  await assets.getByRole('link', { name: 'SERVER1' }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'New asset' }).click();
  const dialog = page.getByRole('dialog', { name: 'New asset' });
  await dialog.getByLabel('Machine').fill('NAS-2');
  await dialog.getByRole('button', { name: 'New asset' }).click();
  await page.getByRole('heading', { name: 'NAS-2' }).waitFor();
  const asset = await desk.app.run((ctx) => ctx.db.findOneBy(Asset, { machine_name: 'NAS-2' }));
  t.is(asset?.company_number, company_number);
  await page.goBack();
  await tab(/^Assets 11$/).waitFor();
  await tab(/^Passwords/).click();
  await page.getByRole('region', { name: 'Passwords' }).getByText('••••••••').first().waitFor();
  t.deepEqual(await axe(page), []);
  // What a panel lists is counted, too.
  await tab(/^Passwords [1-9]/).waitFor();
  await tab(/^Tickets [1-9]/).waitFor();
  await tab(/^Backups 3$/).click();
  await page
    .getByRole('region', { name: 'Last backup failed' })
    .getByRole('button', { name: /: Failed/ })
    .waitFor();
  const region = page.getByRole('region', { name: 'Backed up' });
  t.is(
    await region.getByText(desk.made.customers[0]?.company.customer ?? '').count(),
    0,
    'the company is not repeated',
  );
  t.deepEqual(await axe(page), []);
  await tab(/^Files$/).click();
  const plan = { name: 'floor-plan.txt', mimeType: 'text/plain', buffer: Buffer.from('Ground floor: reception') };
  await page.locator('input[type=file]').setInputFiles(plan);
  await page.getByRole('link', { name: 'floor-plan.txt' }).waitFor();
  t.deepEqual(await axe(page), []);
  t.deepEqual(complaints, []);
  await context.close();
});

test('the activity of a company leads to the records that changed', async (t) => {
  const { page, complaints, context } = await asStaff(desk, desk.made.staff.administrator);
  const { company_number } = desk.made.customers[0]?.company ?? {};
  await visit(page, `${desk.app.url}/admin/companies/${company_number}?tab=activity`);
  complaints.splice(0);
  await page.getByRole('tabpanel').getByRole('listitem').nth(24).waitFor();
  t.deepEqual(await axe(page), []);
  await page.getByRole('button', { name: 'Show more' }).click();
  await page.getByRole('tabpanel').getByRole('listitem').nth(25).waitFor();
  await page
    .getByRole('link', { name: /of ticket/ })
    .first()
    .click();
  await page.waitForURL(/\/tickets\//);
  t.deepEqual(complaints, []);
  await context.close();
  const narrow = { locale: 'de-DE', viewport: { width: 390, height: 800 } };
  const german = await asStaff(desk, desk.made.staff.administrator, narrow);
  await visit(german.page, `${desk.app.url}/admin/companies/${company_number}?tab=activity`);
  await german.page.getByRole('button', { name: 'Mehr anzeigen' }).waitFor();
  const selected = await german.page.getByRole('tab', { selected: true }).boundingBox();
  t.true(selected !== null && selected.x >= 0 && selected.x + selected.width <= 390, 'the selected tab is in sight');
  await german.context.close();
});

for (const [what, address, read] of [
  ['company', '/companies/1', '/companies.php?id=1'],
  ['vendor', '/vendors/1', '/vendors.php?id=1'],
] as const)
  test(`saving a ${what} keeps what a colleague changed in it meanwhile`, async (t) => {
    const { page, context } = await asStaff(desk, desk.made.staff.administrator);
    const api = `${desk.app.url}/admin/api/v1${read}`;
    const headers = { 'X-Console': '1' };
    await visit(page, `${desk.app.url}/admin${address}`);
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox').first().fill('Wharf Street');
    const answer = await page.request.put(api, { headers, data: { phone: '+44 20 7946 0123' } });
    t.is(answer.status(), 200, await answer.text());
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Wharf Street' }).waitFor();
    await page.getByText('+44 20 7946 0123').first().waitFor();
    // Saving without an edit changes nothing, and is no error.
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    const { data } = (await (await page.request.get(api, { headers })).json()) as { data: Record<string, unknown> };
    t.is(data['phone'], '+44 20 7946 0123');
    await context.close();
  });
