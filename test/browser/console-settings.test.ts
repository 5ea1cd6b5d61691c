/// <reference lib="dom" />
// Settings of the business, as an administrator changes them.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCompany } from '@keelson/modules/directory';
import anyTest from 'ava';
import { changeDropdowns, readDropdowns } from '../../modules/system/dropdown-lists.ts';
import { client, startIssuer } from '../_issuer.ts';
import { startModel } from '../_model-server.ts';
import { until } from '../_until.ts';
import { password, seedTechnician } from '../accounts-seed.ts';
import { asStaff, axe, holds, openRoom, visit, type Room } from './_desk.ts';
import { browserPath } from './_website.ts';

const path = browserPath();
const test = path === undefined ? anyTest.serial.skip : anyTest.serial;

let room: Room;
let backupDir: string | undefined;
let boss: { readonly email: string; readonly password: string };

if (path !== undefined) {
  anyTest.before(async () => {
    backupDir = mkdtempSync(join(tmpdir(), 'backups-'));
    room = await openRoom(path, { config: { backupKey: randomBytes(32).toString('base64'), backupDir } });
    boss = { email: (await seedTechnician(room.app, 'administrator')).email, password };
  });
  anyTest.after.always(async () => {
    await room?.close();
    if (backupDir !== undefined) rmSync(backupDir, { recursive: true, force: true });
  });
}

test('the time zone and the currency are found by typing and saved', async (t) => {
  const { page, context, complaints } = await asStaff(room, boss, { timezoneId: 'America/Chicago' });
  await visit(page, `${room.app.url}/admin/settings`);
  const zone = page.getByRole('combobox', { name: 'Time zone' });
  // Suggested until one is saved.
  await t.notThrowsAsync(holds(zone, 'America/Chicago'));
  await zone.click();
  await page.keyboard.type('new york');
  t.deepEqual(await axe(page), []);
  await page.getByRole('option', { name: 'America/New York' }).click();
  const currency = page.getByRole('combobox', { name: 'Currency' });
  await currency.click();
  await page.keyboard.type('cad');
  await page.getByRole('option', { name: 'Canadian Dollar' }).click();
  const card = page.locator('.card', { has: page.getByRole('heading', { name: 'Time zone, currency and language' }) });
  await card.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved', { exact: true }).waitFor();
  await visit(page, `${room.app.url}/admin/settings`);
  await t.notThrowsAsync(holds(page.getByRole('combobox', { name: 'Time zone' }), 'America/New York'));
  await t.notThrowsAsync(holds(page.getByRole('combobox', { name: 'Currency' }), 'Canadian Dollar'));
  t.deepEqual(complaints, []);
  await context.close();
});

test('the language model is tested, saved, queried and removed', async (t) => {
  const model = await startModel(t);
  const { page, context, complaints } = await asStaff(room, boss);
  await visit(page, `${room.app.url}/admin/settings`);
  const card = page.locator('.card', { has: page.getByRole('heading', { name: 'Assistant', exact: true }) });
  await card.getByRole('textbox', { name: 'Base URL' }).fill(model.base);
  await card.getByRole('textbox', { name: 'Model' }).fill('small');
  await card.getByRole('button', { name: 'Test and save' }).click();
  await page.getByText('Language model saved').waitFor();
  model.speak(() => ({ content: 'Yes, I am here.' }));
  await card.getByRole('button', { name: 'Ask a test question' }).click();
  await page.getByText('The model answered: Yes, I am here.').waitFor();
  await card.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await card.getByText('No language model is set up').waitFor();
  t.deepEqual(complaints, []);
  await context.close();
});

test('backups are scheduled and turned off', async (t) => {
  const { page, context, complaints } = await asStaff(room, boss);
  await visit(page, `${room.app.url}/admin/settings`);
  const card = page.locator('.card', { has: page.getByRole('heading', { name: 'Backups', exact: true }) });
  await card.getByRole('combobox', { name: 'Days' }).selectOption('Monday to Friday');
  await card.getByLabel('Time').fill('02:15');
  await card.getByRole('button', { name: 'Test and save' }).click();
  await page.getByText('Backup schedule saved').waitFor();
  await card.getByText('Next backup').waitFor();
  t.deepEqual(await axe(page), []);
  await card.getByRole('button', { name: 'Turn off' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Turn off' }).click();
  await page.getByText('Scheduled backups turned off').waitFor();
  await card.getByText('Next backup').waitFor({ state: 'detached' });
  t.deepEqual(complaints, []);
  await context.close();
});

test('an identity provider is discovered, saved and removed', async (t) => {
  const issuer = await startIssuer(t, { sub: 'erin-1' });
  const { page, context, complaints } = await asStaff(room, boss);
  await visit(page, `${room.app.url}/admin/settings`);
  const card = page.locator('.card', { has: page.getByRole('heading', { name: 'Identity providers', exact: true }) });
  const row = card.getByRole('listitem').filter({ hasText: 'Okta' });
  await row.getByRole('button', { name: 'Set up' }).click();
  await card.getByRole('textbox', { name: 'Issuer' }).fill(issuer.url);
  await card.getByRole('textbox', { name: 'Client ID' }).fill(client.id);
  await card.getByLabel('Client secret').fill(client.secret);
  await card.getByRole('button', { name: 'Test and save' }).click();
  await card.getByText('The provider was found').waitFor();
  await card.getByText(`${issuer.url}/auth`).waitFor();
  await card.getByText('No customer can sign in with it for the first time yet').waitFor();
  t.deepEqual(await axe(page), []);
  // Companies are found by name.
  await room.app.run((ctx) => createCompany(ctx, { customer: 'Harbour Dental' }));
  await card.getByRole('combobox', { name: 'Companies' }).fill('harb');
  await page.getByRole('option', { name: 'Harbour Dental' }).click();
  await card.getByRole('list', { name: 'Companies' }).getByText('Harbour Dental').waitFor();
  await card.getByRole('button', { name: 'Test and save' }).click();
  await card.getByText('No one can sign in with it for the first time yet').waitFor({ state: 'detached' });
  await card.getByRole('button', { name: 'Remove', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await row.getByText('Not set up').waitFor();
  t.deepEqual(complaints, []);
  await context.close();
});

/** Opens the first mail template. Returns its address in the API, too. */
async function openTemplate() {
  const { page, context } = await asStaff(room, boss);
  await visit(page, `${room.app.url}/admin/settings/mails`);
  await page.locator('.table a').first().click();
  await page.waitForURL(/mails\/\d+$/);
  const address = `${room.app.url}/admin/api/v1/settings/email-templates.php?id=${page.url().split('/').at(-1)}`;
  return { page, context, headers: { 'X-Console': '1' }, address };
}

test('a mail template keeps what is typed while a colleague changes it, until its default text is restored', async (t) => {
  const { page, context, headers, address } = await openTemplate();
  const subject = page.getByLabel('Subject');
  const usual = await subject.inputValue();
  await subject.fill('Typed for a while');
  await page.request.put(address, { headers, data: { subject: 'By a colleague' } });
  // Read again, as when the window gets the focus.
  const read = page.waitForResponse((each) => each.url() === address && each.request().method() === 'GET');
  await page.clock.install();
  await page.clock.fastForward(60_000);
  await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
  await read;
  t.is(await subject.inputValue(), 'Typed for a while');
  await page.getByRole('button', { name: 'Restore default text' }).click();
  await page.getByText('Default text restored').waitFor();
  t.is(await subject.inputValue(), usual);
  await context.close();
});

test('saving the subject of a mail template keeps the text that a colleague changed meanwhile', async (t) => {
  const { page, context, headers, address } = await openTemplate();
  await page.getByLabel('Subject').fill('By me');
  await page.request.put(address, { headers, data: { body: 'By a colleague' } });
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved', { exact: true }).waitFor();
  const { data } = (await (await page.request.get(address, { headers })).json()) as { data: object };
  t.like(data, { subject: 'By me', body: 'By a colleague' });
  await context.close();
});

test('an edited dropdown list is saved in its order, without the others, which a colleague changed meanwhile', async (t) => {
  const { page, context, complaints } = await asStaff(room, boss);
  await visit(page, `${room.app.url}/admin/settings`);
  const card = page.locator('.card', { has: page.getByRole('heading', { name: 'Dropdown lists' }) });
  const types = card.getByLabel('Job types');
  const departments = card.getByLabel('Departments');
  const change = (name: string, values: readonly string[]) =>
    room.app.run((ctx) => changeDropdowns(ctx, { [name]: values }));
  const stored = async (name: string) =>
    ((await room.app.run((ctx) => readDropdowns(ctx)))[name] ?? []).map(({ label }) => label);
  await change('departments', ['Service desk', 'Projects']);
  const before = await stored('job_types');
  await types.fill(['Survey', ...before.toReversed()].join('\n'));
  await card.getByRole('button', { name: 'Save lists' }).click();
  await page.getByText('Lists saved').waitFor();
  t.deepEqual(await stored('job_types'), ['Survey', ...before.toReversed()]);
  t.deepEqual(await stored('departments'), ['Service desk', 'Projects']);
  // The first list was saved: only the second one is edited now.
  await change('job_types', ['Audit']);
  await departments.fill('Front desk');
  await card.getByRole('button', { name: 'Save lists' }).click();
  await until(async () => (await stored('departments')).join() === 'Front desk');
  t.deepEqual(await stored('job_types'), ['Audit']);
  t.deepEqual(complaints, []);
  await context.close();
});
