// An asset's page: its ports, its logins and their reveals, and its connections.
import type { Context } from '@keelson/core';
import { Asset } from '@keelson/modules/assets';
import anyTest from 'ava';
import {
  addCredential,
  changeCredential,
  readCredentials,
  removeCredential,
} from '../../modules/assets/credentials/credentials.ts';
import { raiseAlert } from '../../modules/monitoring/alerts.ts';
import { asStaff, axe, holds, openDesk, sideways, visit, type Desk } from './_desk.ts';
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

/** Opens the page of one of the first customer's machines. */
async function openAsset(machine_name: string) {
  const company_number = desk.made.customers[0]?.company.company_number ?? 0;
  const asset = await desk.app.run((ctx) => ctx.db.findOneBy(Asset, { machine_name, company_number }));
  const opened = await asStaff(desk, desk.made.staff.administrator);
  await visit(opened.page, `${desk.app.url}/admin/assets/${asset?.asset_number}`);
  opened.complaints.splice(0);
  return opened;
}

test('a port is added, connected to another asset’s port, drawn, edited and removed', async (t) => {
  const { page, complaints, context } = await openAsset('SERVER1');
  await page.getByRole('tab', { name: /^Ports/ }).click();
  await page.getByRole('button', { name: 'Add port' }).click();
  await page.getByLabel('Name', { exact: false }).first().fill('iDRAC');
  await page.getByLabel('Speed in Mbit/s').fill('1000');
  await page.getByRole('combobox', { name: /^Connected to/ }).fill('SWITCH1');
  await page.getByRole('option', { name: 'SWITCH1' }).click();
  await page.getByLabel('Remote port').selectOption({ label: '1/1/20' });
  await page.getByRole('dialog').getByRole('button', { name: 'Add port' }).click();
  const row = page.getByRole('row', { name: /iDRAC/ });
  await row.getByRole('link', { name: 'SWITCH1' }).waitFor();
  t.regex((await row.textContent()) ?? '', /1 Gbit\/s/);

  await page.getByRole('tab', { name: 'Topology' }).click();
  const drawn = page.getByRole('group', { name: 'Cables' }).getByRole('link', { name: 'SWITCH1' });
  await drawn.waitFor();
  t.deepEqual(await axe(page), []);
  await drawn.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'SWITCH1' }).waitFor();
  await page.goBack();

  await page.getByRole('tab', { name: /^Ports/ }).click();
  await page.getByRole('button', { name: 'Edit iDRAC' }).click();
  t.is(await page.getByLabel('Remote port').locator('option:checked').textContent(), '1/1/20');
  await page.getByLabel('Status').selectOption('up');
  await page.getByRole('button', { name: 'Save' }).click();
  await row.getByText('Up').waitFor();
  await page.getByRole('button', { name: 'Remove iDRAC' }).click();
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await row.waitFor({ state: 'detached' });
  t.deepEqual(complaints, []);
  await context.close();
});

test('a login is added, revealed after confirmation, and logged', async (t) => {
  const { page, complaints, context } = await openAsset('FIREWALL1');
  await page.getByRole('tab', { name: 'Credentials' }).click();
  for (const label of ['Root', 'Guest']) {
    await page.getByRole('button', { name: 'Add login' }).click();
    await page.getByRole('textbox', { name: 'Login' }).fill(label);
    await page.locator('input[name=password]').fill(`hunter ${label}`);
    await page.getByRole('dialog').getByRole('button', { name: 'Add login' }).click();
    await page.getByRole('row', { name: new RegExp(label) }).waitFor();
  }
  t.is(await page.getByText('hunter Root').count(), 0);
  await page.getByRole('button', { name: 'Reveal Root' }).click();
  const dialog = page.getByRole('dialog', { name: 'Confirm it’s you' });
  await dialog.getByLabel('Password').fill('not it');
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await dialog.getByText('Current password is incorrect').waitFor();
  t.deepEqual(await axe(page), []);
  await dialog.getByLabel('Password').fill(desk.made.staff.administrator.password);
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await page.getByText('hunter Root').waitFor();
  await page.getByRole('button', { name: 'Hide the password of Root' }).click();
  await page.getByRole('button', { name: 'Access log of Root' }).click();
  const told = page.getByRole('row', { name: /Password of Root of FIREWALL1 revealed/ });
  t.regex((await told.textContent()) ?? '', new RegExp(`^${desk.made.staff.administrator.name}`));
  t.deepEqual(await axe(page), []);
  await page.getByRole('button', { name: 'Close', exact: true }).click();
  await page.getByRole('button', { name: 'Delete Guest' }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).last().click();
  await page.getByRole('row', { name: /Guest/ }).waitFor({ state: 'detached' });
  t.is(await page.getByRole('button', { name: 'Reveal Root' }).count(), 1);
  // The browser logs both refusals: the missing proof and the wrong one.
  t.deepEqual(
    complaints.map((each) => /status of (\d+)/.exec(each)?.[1]),
    ['403', '400'],
  );
  await context.close();
});

test('saving a login keeps what a colleague changed in it meanwhile, and says if it was deleted', async (t) => {
  const company_number = desk.made.customers[0]?.company.company_number ?? 0;
  const asset = await desk.app.run(async (ctx) => {
    const found = await ctx.db.findOneBy(Asset, { machine_name: 'SERVER1', company_number });
    if (!found) throw new Error('The demo has no SERVER1');
    await addCredential(ctx, found, { label: 'Backup', username: 'old', password: 'hunter' });
    return found;
  });
  const login = async (ctx: Context) =>
    (await readCredentials(ctx, asset.asset_id)).find(({ label }) => label.startsWith('Backup'));
  const { page, context } = await openAsset('SERVER1');
  await page.getByRole('tab', { name: 'Credentials' }).click();
  await page.getByRole('button', { name: 'Edit Backup' }).click();
  await desk.app.run(async (ctx) => {
    const credential = await login(ctx);
    if (credential) await changeCredential(ctx, asset, credential, { username: 'new', provider_only: true });
  });
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Login' }).fill('Backup server');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  t.like(await desk.app.run(login), { label: 'Backup server', username: 'new', provider_only: true });

  await page.getByRole('button', { name: 'Edit Backup server' }).click();
  await desk.app.run(async (ctx) => {
    const credential = await login(ctx);
    if (credential) await removeCredential(ctx, credential);
  });
  await dialog.locator('input[name=password]').fill('hunter 2');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('credentials must list logins of the asset').waitFor();
  t.is(await dialog.locator('input[name=password]').inputValue(), 'hunter 2');
  await context.close();
});

test('a plugin column shows warranty expiry with one request per page', async (t) => {
  const { page, complaints, context } = await asStaff(desk, desk.made.staff.administrator);
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/warranty/expiry.php')) asked.push(request.url());
  });
  await visit(page, `${desk.app.url}/admin/assets?search=SERVER1`);
  complaints.splice(0);
  await page.getByRole('columnheader', { name: 'Warranty' }).waitFor();
  await page.locator('.table .badge time').first().waitFor();
  t.true((await page.locator('.table .sight > .row').count()) > 1);
  t.is(asked.length, 1);
  t.deepEqual(await axe(page), []);
  t.deepEqual(complaints, []);
  await context.close();
});

test('an administrator sets ignored identifiers and the limit of new devices', async (t) => {
  const { page, complaints, context } = await asStaff(desk, desk.made.staff.administrator);
  await visit(page, `${desk.app.url}/admin/discovery/settings`);
  await page.getByLabel('New devices per day').fill('12');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Saved').waitFor();
  const serials = page.getByLabel('Serial numbers');
  await t.notThrowsAsync(holds(serials, /To be filled by O\.E\.M\./i));
  await serials.fill(`${await serials.inputValue()}\nSPARE-0000`);
  await page.getByRole('button', { name: 'Save lists' }).click();
  await page.getByText('Lists saved').waitFor();
  await page.reload();
  await page.getByLabel('Serial numbers').waitFor();
  await t.notThrowsAsync(holds(page.getByLabel('Serial numbers'), /SPARE-0000$/));
  await t.notThrowsAsync(holds(page.getByLabel('New devices per day'), '12'));
  t.deepEqual(await axe(page), []);
  t.deepEqual(complaints, []);
  await context.close();
});

test('another tool’s export is dropped onto the page, mapped, validated row by row and imported', async (t) => {
  const { page, complaints, context } = await asStaff(desk, desk.made.staff.administrator);
  const [customer] = desk.made.customers;
  const { customer: company, company_number = 0 } = customer?.company ?? {};
  await visit(page, `${desk.app.url}/admin/assets/import`);
  complaints.splice(0);
  const rows = [
    'Asset Name;Serial;Type of box;Client;Bought;Primary user UPN',
    `IMP-1;IMP1;Laptop;${company};03/04/2024;${customer?.colleague.email}`,
    `IMP-2;IMP2;Laptop;${company};05/06/2024;nobody@example.com`,
    'IMP-3;IMP3;Laptop;Nowhere;05/06/2024;',
  ];
  const file = { name: 'export.csv', mimeType: 'text/csv', buffer: Buffer.from(rows.join('\r\n')) };
  await page.getByLabel('File').setInputFiles(file);
  const becomes = (column: string) => page.getByLabel(`${column} becomes`);
  await becomes('Asset Name').waitFor();
  const chosen = (column: string) =>
    becomes(column).evaluate((each) => (each as HTMLSelectElement).selectedOptions[0]?.text);
  t.deepEqual(
    [await chosen('Asset Name'), await chosen('Serial'), await chosen('Client'), await chosen('Type of box')],
    ['Name', 'Serial number', 'Company', 'Skip'],
  );
  await becomes('Type of box').selectOption({ label: 'Type' });
  await becomes('Bought').selectOption({ label: 'Purchased' });
  await page.getByLabel('Date format').selectOption({ label: 'Month, day, year' });
  t.deepEqual(await axe(page), []);
  await page.setViewportSize({ width: 390, height: 844 });
  t.true((await sideways(page)) <= 0);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.getByRole('button', { name: 'Check 3 rows' }).click();
  await page.getByText('1 new, 0 updated, 2 rejected, of 3 rows.').waitFor();
  await page.getByRole('region', { name: 'Rejected rows' }).getByText('Must be the name of a company').waitFor();
  const [report] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Report', exact: true }).click(),
  ]);
  t.is(report.suggestedFilename(), 'refused-rows.csv');
  await page.getByRole('button', { name: 'Import 1 row' }).click();
  await page.getByText('Import complete.').waitFor();
  const stored = await desk.app.run((ctx) => ctx.db.findOneBy(Asset, { machine_name: 'IMP-1' }));
  t.deepEqual(
    [stored?.company_number, stored?.purchase_date, stored?.asset_type, stored?.assigned_employee],
    [company_number, '2024-03-04', 'Laptop', customer?.colleague.employee_number],
  );
  // A file of the same kind keeps the previous column mapping.
  await visit(page, `${desk.app.url}/admin/assets/import`);
  await page.getByLabel('File').setInputFiles(file);
  await becomes('Bought').waitFor();
  t.deepEqual([await chosen('Bought'), await chosen('Type of box')], ['Purchased', 'Type']);
  t.deepEqual(complaints, []);
  await context.close();
});

test('an alert links to its asset, its other alerts and a pre-filled ticket', async (t) => {
  const company_number = desk.made.customers[0]?.company.company_number ?? 0;
  const [alert_id, asset_name] = await desk.app.run(async (ctx) => {
    const asset = await ctx.db.findOneBy(Asset, { machine_name: 'SERVER1', company_number });
    const raise = (key: string, message: string) =>
      raiseAlert(ctx, key, {
        alert_type: 'disk_full',
        severity: 'critical',
        message,
        company_number,
        asset_id: asset?.asset_id,
      });
    await raise('disk-d', 'D: is full');
    return [(await raise('disk-c', 'C: has 2 % left')).row.alert_id, asset?.machine_name ?? ''] as const;
  });
  const { page, complaints, context } = await asStaff(desk, desk.made.staff.administrator);
  await visit(page, `${desk.app.url}/admin/alerts/${alert_id}`);
  complaints.splice(0);
  await page.getByRole('link', { name: asset_name }).waitFor();
  await page.getByRole('region', { name: 'Other alerts' }).getByRole('link', { name: 'D: is full' }).waitFor();
  t.deepEqual(await axe(page), []);
  await page.getByRole('button', { name: 'Mute for…' }).click();
  await page.getByRole('menuitem', { name: '4 hours' }).click();
  await page.getByText('Muted until').waitFor();

  // By machine, without what is muted.
  await page.getByRole('link', { name: 'Back to alerts' }).click();
  await page.getByRole('link', { name: 'By machine' }).click();
  await page.getByRole('heading', { name: `${asset_name} (1)` }).waitFor();
  t.is(await page.getByRole('link', { name: 'C: has 2 % left' }).count(), 0);
  t.deepEqual(await axe(page), []);
  await page.goBack();
  await page.goBack();
  await page.getByRole('button', { name: 'Mute for…' }).click();
  await page.getByRole('menuitem', { name: 'Unmute' }).click();
  await page.getByText('Muted until').waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Create ticket' }).click();
  await page.getByLabel('Subject').waitFor();
  await t.notThrowsAsync(holds(page.getByLabel('Subject'), 'Disk full: C: has 2 % left'));
  await page.getByRole('button', { name: 'Create ticket' }).click();
  await page.locator('.linked').getByRole('link', { name: asset_name }).waitFor();

  // Navigation sections collapse and stay collapsed.
  const section = page.getByRole('button', { name: 'Customers' });
  await section.click();
  await page.reload();
  await section.waitFor();
  t.is(await section.getAttribute('aria-expanded'), 'false');
  t.is(await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Contacts' }).count(), 0);
  await section.click();
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Contacts' }).waitFor();
  t.deepEqual(complaints, []);
  await context.close();
});
