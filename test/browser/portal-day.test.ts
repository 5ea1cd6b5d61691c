/// <reference lib="dom" />
// A customer's day in a real Chromium: an employee asks, the knowledge base helps, a manager approves with one tap.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createGroup, ManagerGroup } from '@keelson/modules/directory';
import { createArticle } from '@keelson/modules/kb';
import { openApp, type TestApp } from '@keelson/testing';
import anyTest from 'ava';
import type { Page } from 'playwright-core';
import { findGroup, updateGroup } from '../../modules/directory/groups/groups.ts';
import { password } from '../accounts-seed.ts';
import { seedTeam } from '../tickets-seed.ts';
import { holds } from './_desk.ts';
import { intercept } from './_intercept.ts';
import { browserPath, complaintsOf, openBrowser, type Windows } from './_website.ts';

const path = browserPath();
// Skip without a browser; CI has one (browserPath).
const test = path === undefined ? anyTest.serial.skip : anyTest.serial;
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

let app: TestApp;
let browser: Windows;
let team: Awaited<ReturnType<typeof seedTeam>>;

if (path !== undefined) {
  anyTest.before(async () => {
    app = await openApp({ web: true });
    team = await seedTeam(app, { require_approval: true });
    await app.run((ctx) =>
      createArticle(ctx, {
        title: 'Toner of the printer',
        content: 'Order it **here**.\n\n1. Open the lid\n2. Read the number',
        visibility: 'public',
      }),
    );
    browser = await openBrowser(path);
  });
  anyTest.after.always(async () => {
    await browser?.close();
    await app?.close();
  });
}

interface Visit {
  readonly page: Page;
  readonly complaints: string[];
}

/** Signs a person in on the page itself, on a phone or a desktop. */
async function visit({ email }: { email: string }, width = 1440): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width, height: 850 } });
  context.setDefaultTimeout(60_000);
  const page = await context.newPage();
  await page.goto(`${app.url}/helpdesk/sign-in`);
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(/helpdesk$/);
  return { page, complaints: complaintsOf(page) };
}

/** Returns axe violations: WCAG 2.2 AA and best practices. Policy violations caused by axe itself do not count. */
async function findings({ page, complaints }: Visit): Promise<string[]> {
  const before = complaints.length;
  await page.evaluate(axe);
  const found = await page.evaluate<string[]>(
    `axe.run({ preload: false }).then(({ violations }) => violations.map((each) => each.id + ': ' + each.nodes.map((node) => node.html).join(' ')))`,
  );
  complaints.length = before;
  return found;
}

test('An employee asks, sees suggested articles and creates a ticket, which the manager approves in one tap', async (t) => {
  const asking = await visit(team.member, 390);
  const { page } = asking;
  await page.getByRole('textbox', { name: 'What you need' }).fill('The printer wants new toner');
  t.deepEqual(await findings(asking), []);
  await page.getByRole('button', { name: 'Ask' }).click();
  await page.getByRole('link', { name: 'Toner of the printer' }).waitFor();
  await t.notThrowsAsync(holds(page.getByLabel('What is it about?'), 'The printer wants new toner'));
  t.deepEqual(await findings(asking), []);
  await page.getByLabel('What happened').fill('Black is empty.');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByRole('heading', { level: 1, name: 'The printer wants new toner' }).waitFor();
  await page.getByText('Awaiting approval').waitFor();
  t.deepEqual(await findings(asking), []);
  t.is(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), 0);

  const deciding = await visit(team.manager);
  await deciding.page.goto(`${app.url}/helpdesk/approvals`);
  const approve = deciding.page.getByRole('button', { name: 'Approve The printer wants new toner' });
  await approve.waitFor();
  t.deepEqual(await findings(deciding), []);
  await approve.click();
  await deciding.page
    .getByText('Nothing to do right now.')
    .or(deciding.page.getByText('No requests from your team'))
    .waitFor();
  await deciding.page.goto(`${app.url}/helpdesk`);
  await deciding.page.getByRole('heading', { level: 1, name: /^Hello Erin/ }).waitFor();
  t.deepEqual(await findings(deciding), []);

  // The requester's page updates by itself.
  await page.getByText('Awaiting approval').waitFor({ state: 'detached' });
  t.deepEqual([...asking.complaints, ...deciding.complaints], []);
});

test('A ticket gets its files even if its form is closed while it is created', async (t) => {
  const { page } = await visit(team.member);
  await page.getByRole('link', { name: 'New ticket' }).click();
  const { promise: waited, resolve: go } = Promise.withResolvers<void>();
  await intercept(page, '**/helpdesk/api/v1/tickets', async (route) => {
    if (route.request().method() === 'POST') await waited;
    return route.continue();
  });
  await page.getByLabel('What is it about?').fill('Paper jam');
  const file = { name: 'jam.txt', mimeType: 'text/plain', buffer: Buffer.from('Tray 2') };
  await page.locator('input[type=file]').setInputFiles(file);
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByLabel('What is it about?').waitFor({ state: 'detached' });
  go();
  // It is announced where the person is by then.
  await page.locator('.toast').getByText('created and sent to your manager').waitFor();
  t.is(new URL(page.url()).pathname, '/helpdesk');
  await page.getByRole('link', { name: 'Paper jam' }).click();
  await page.getByText('jam.txt').waitFor();
  t.pass();
});

test('An article is rendered and can be rated', async (t) => {
  const reading = await visit(team.colleague);
  const { page, complaints } = reading;
  await page.goto(`${app.url}/helpdesk/help`);
  await page.getByRole('link', { name: 'Toner of the printer' }).click();
  t.is(await page.locator('.rich-text strong').textContent(), 'here');
  t.is(await page.locator('.rich-text ol > li').count(), 2);
  t.deepEqual(await findings(reading), []);
  await page.getByRole('button', { name: 'Yes' }).click();
  await page.getByText('Thank you.').waitFor();
  t.deepEqual(complaints, []);
});

test('A group’s categories that need approval are kept before they are loaded, and a typed name while a member is added', async (t) => {
  const code = 'print-room';
  await app.run((ctx) =>
    createGroup(ctx, team.company_number, {
      name: 'Print room',
      code,
      approval_job_types: ['Hardware', 'Fax machines'],
    }),
  );
  const { page } = await visit(team.itAdmin);
  const { promise: saved, resolve: go } = Promise.withResolvers<void>();
  await intercept(page, '**/api/v1/job-types', async (route) => {
    await saved;
    return route.continue();
  });
  await page.goto(`${app.url}/helpdesk/people/groups/${code}`);
  await page.getByLabel('Name', { exact: true }).fill('Print shop');
  const added = `${team.member.first_name} ${team.member.last_name}`;
  await page.getByRole('button', { name: 'Add to: Members' }).click();
  await page
    .getByRole('button', { name: `Add ${added}` })
    .first()
    .click();
  await page.getByRole('button', { name: `Remove ${added}` }).waitFor();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'Print shop' }).waitFor();
  go();
  const [group] = await app.run((ctx) => ctx.db.findBy(ManagerGroup, { code }));
  t.like(group, { name: 'Print shop', approval_job_types: ['Hardware', 'Fax machines'] });
  await page.context().close();
});

test('A group that is renamed keeps the rules that a colleague changes meanwhile', async (t) => {
  const code = 'copy-room';
  await app.run((ctx) => createGroup(ctx, team.company_number, { name: 'Copy room', code, require_approval: false }));
  const { page } = await visit(team.itAdmin);
  await page.goto(`${app.url}/helpdesk/people/groups/${code}`);
  await page.getByLabel('Name', { exact: true }).fill('Copy shop');
  const changed = { require_approval: true, approval_job_types: ['Hardware'] };
  await app.run(async (ctx) => updateGroup(ctx, await findGroup(ctx, team.company_number, code), changed));
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'Copy shop' }).waitFor();
  const [group] = await app.run((ctx) => ctx.db.findBy(ManagerGroup, { code }));
  t.like(group, { name: 'Copy shop', ...changed });
  await page.context().close();
});
