// Lists and sums that are shown whole: rows past the first page of the server's answer count, too.
import type { Context } from '@keelson/core';
import { Asset, createAsset } from '@keelson/modules/assets';
import { createDrill } from '@keelson/modules/backup';
import { sendInvoice } from '@keelson/modules/billing';
import { changeModules, Company } from '@keelson/modules/directory';
import { createContract, createVlan } from '@keelson/modules/inventory';
import { createArticle } from '@keelson/modules/kb';
import { createTeam } from '@keelson/modules/teams';
import anyTest from 'ava';
import { addPort } from '../../modules/assets/ports/ports.ts';
import { password, seedEmployee, seedTechnician } from '../accounts-seed.ts';
import { attachTo, limitUploads } from '../attachments-seed.ts';
import { seedInvoice } from '../billing-seed.ts';
import { asCustomer, asStaff, openRoom, visit, type Room } from './_desk.ts';
import { browserPath } from './_website.ts';

const path = browserPath();
const test = path === undefined ? anyTest.serial.skip : anyTest.serial;

/** More than the server returns at once. */
const MANY = 105;
/** More than the portal asked for. */
const SOME = 30;

let room: Room;
let company_number: number;
let customer: { readonly email: string; readonly password: string };
let technician: { readonly email: string; readonly password: string };

if (path !== undefined) {
  anyTest.before(async () => {
    room = await openRoom(path);
    const employee = await seedEmployee(room.app, { can_view_billing: true, it_privileges: true, ismgr: true });
    ({ company_number } = employee);
    customer = { email: employee.email, password };
    technician = { email: (await seedTechnician(room.app)).email, password };
    const company = await room.app.app.database.findOneBy(Company, { company_number });
    if (!company) throw new Error('The company was not created');
    await room.app.run((ctx) => changeModules(ctx, company, { billing: true, backup: true }));
    await limitUploads(room.app, { record_files: 2 * MANY });
  });
  anyTest.after.always(() => room?.close());
}

/** Opens a page of the portal. */
async function inPortal(address: string) {
  const opened = await asCustomer(room, customer);
  await visit(opened.page, `${room.app.url}/helpdesk${address}`);
  return opened;
}

/** Opens a page of the console. */
async function inConsole(address: string) {
  const opened = await asStaff(room, technician);
  await visit(opened.page, `${room.app.url}/admin${address}`);
  return opened;
}

/** Creates records numbered from 1. */
const make = (count: number, create: (ctx: Context, n: number) => Promise<unknown>): Promise<void> =>
  room.app.run(async (ctx) => {
    for (let n = 1; n <= count; n++) await create(ctx, n);
  });

test('the portal sums and lists all invoices', async (t) => {
  for (let count = 1; count <= MANY; count++) {
    const draft = await seedInvoice(room.app, { company_number });
    await room.app.run((ctx) => sendInvoice(ctx, draft));
  }
  const { page, context } = await inPortal('/billing');
  await page.getByText('Balance due').first().waitFor();
  t.regex((await page.locator('.figures').textContent()) ?? '', /\$10,500\.00/);
  t.is(await page.getByRole('region', { name: 'Invoices' }).getByRole('row').count(), MANY + 1);
  await context.close();
});

test('the portal lists all articles, contracts and restore drills', async (t) => {
  await make(MANY, (ctx, n) => createArticle(ctx, { title: `Article ${n}`, content: 'Text', visibility: 'public' }));
  await make(MANY, (ctx, n) =>
    createContract(ctx, { company_number, name: `Contract ${n}`, start_date: '2026-01-05' }),
  );
  await make(SOME, (ctx, n) =>
    createDrill(ctx, { company_number, subject: `Drill ${n}`, tested_on: '2026-01-05', result: 'passed' }),
  );
  for (const [address, name, count] of [
    ['/help', 'Article', MANY],
    ['/services', 'Contract', MANY],
    ['/backup', 'Drill', SOME],
  ] as const) {
    const { page, context } = await inPortal(address);
    const each = page.getByText(new RegExp(`^${name} \\d+$`));
    await each.nth(count - 1).waitFor();
    t.is(await each.count(), count, address);
    await context.close();
  }
});

test('the card of a record’s files shows all of them, and a port any VLAN', async (t) => {
  const asset = await room.app.run((ctx) => createAsset(ctx, { company_number, machine_name: 'Core switch' }));
  for (let count = 1; count <= MANY; count++) await attachTo(room.app, Asset, { id: asset.asset_id, company_number });
  await make(MANY, async (ctx, n) => {
    const { vlan_id } = await createVlan(ctx, { company_number, vlan_number: n, name: `Floor ${n}` });
    if (n === MANY || n === 1) await addPort(ctx, asset, { port_name: `Port ${n}`, vlan_id });
  });
  const { page, context } = await inConsole(`/assets/${asset.asset_number}`);
  const files = page.locator('.file-list li');
  await files.nth(MANY - 1).waitFor();
  t.is(await files.count(), MANY);
  await page.getByRole('tab', { name: /^Ports/ }).click();
  for (const n of [1, MANY]) {
    await page.getByRole('button', { name: `Edit Port ${n}`, exact: true }).click();
    const field = page.getByLabel('VLAN');
    const choices = field.getByRole('option', { name: /Floor/ });
    await choices.nth(MANY - 1).waitFor({ state: 'attached' });
    t.is(await choices.count(), MANY);
    t.is(await field.locator('option:checked').textContent(), `${n} Floor ${n}`);
    await page.getByRole('button', { name: 'Cancel' }).click();
  }
  await context.close();
});

test('a new ticket can be given to any team', async (t) => {
  await make(MANY, (ctx, n) => createTeam(ctx, { name: `Team ${n}` }));
  const { page, context } = await inConsole('/tickets/new');
  const teams = page.getByLabel('Team').getByRole('option', { name: /^Team \d+$/ });
  await teams.nth(MANY - 1).waitFor({ state: 'attached' });
  t.is(await teams.count(), MANY);
  await context.close();
});
