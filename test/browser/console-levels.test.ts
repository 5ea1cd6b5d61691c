// Service levels in the console: the queue column, the description of a ticket's clocks, the policy form, and teams.
import { IsNull, plus } from '@keelson/core';
import { LevelCalendar, LevelHoliday, LevelPolicy } from '@keelson/modules/levels';
import { createTicket, Ticket } from '@keelson/modules/tickets';
import anyTest from 'ava';
import type { Locator } from 'playwright-core';
import { asStaff, axe, openDesk, visit, type Desk } from './_desk.ts';
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

test('the queue shows due times, and a ticket explains them', async (t) => {
  const company_number = desk.made.customers[0]?.company.company_number ?? 0;
  const { ticket_number } = await desk.app.run((ctx) =>
    createTicket(ctx, { company_number, subject: 'Door is stuck' }),
  );
  const { page, complaints, context } = await asStaff(desk, desk.made.staff.technician);
  // Otherwise the browser uses the real time, long after the server's test clock.
  await page.clock.setSystemTime(desk.app.clock.now());
  await visit(page, `${desk.app.url}/admin/tickets`);
  await page.getByRole('columnheader', { name: 'Time left' }).waitFor();
  await visit(page, `${desk.app.url}/admin/tickets/${ticket_number}`);
  const section = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Service level' }) });
  await section.getByText('Standard support').waitFor();
  await section
    .getByText(/^Due in \d/)
    .first()
    .waitFor();
  await page.getByRole('textbox', { name: /^Reply to/ }).fill('We look into it');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await section.getByText(/^Met /).waitFor();
  await section.getByText(/^Paused since .* \(waiting for the customer\), .* left$/).waitFor();
  t.deepEqual(await axe(page), []);
  t.deepEqual(complaints, []);
  await context.close();
});

test('the times in a queue that is left open go on', async (t) => {
  const company_number = desk.made.customers[0]?.company.company_number ?? 0;
  await desk.app.run(async (ctx) => {
    const { ticket_id } = await createTicket(ctx, { company_number, subject: 'Left open' });
    await ctx.db.update(Ticket, { ticket_id }, { waiting_since: ctx.now });
  });
  const { page, context } = await asStaff(desk, desk.made.staff.technician);
  const opened = desk.app.clock.now();
  await page.clock.install({ time: opened });
  await page.clock.setFixedTime(opened);
  await visit(page, `${desk.app.url}/admin/tickets?search=Left%20open`);
  const row = page.locator('.sight .row', { hasText: 'Left open' });
  await row.getByText('now', { exact: true }).waitFor();
  const due = await row.getByText(/^in \d/).textContent();
  await page.clock.setFixedTime(plus(opened, { minutes: 20 }));
  await page.clock.fastForward('00:30');
  await row.getByText('20min ago', { exact: true }).waitFor();
  await row.getByText('Us, 20min ago').waitFor();
  t.not(await row.getByText(/^in \d/).textContent(), due);
  await context.close();
});

test('an administrator adds a policy with its targets', async (t) => {
  const { page, complaints, context } = await asStaff(desk, desk.made.staff.administrator);
  await visit(page, `${desk.app.url}/admin/service-levels`);
  await page.getByRole('button', { name: 'New policy' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name', { exact: true }).fill('Gold');
  await dialog.getByLabel('Priority').selectOption('Critical');
  await dialog.getByLabel(/^First response/).fill('15');
  await dialog.getByLabel(/^Resolution/).fill('240');
  await dialog.getByRole('button', { name: 'New policy' }).click();
  await page.getByRole('heading', { name: 'Gold' }).waitFor();
  await page.getByRole('cell', { name: '240' }).waitFor();
  await page.getByRole('cell', { name: 'Critical' }).waitFor();
  const policy = await desk.app.run((ctx) => ctx.db.findOneBy(LevelPolicy, { name: 'Gold' }));
  t.like(policy, { active: true, pause_on_hold: true, warnings: [{ percent: 50 }, { percent: 80 }] });
  t.deepEqual(complaints, []);
  await context.close();
});

test('deleting a policy asks the question of its page', async (t) => {
  const { page, context } = await asStaff(desk, desk.made.staff.administrator);
  const policy = await desk.app.run((ctx) => ctx.db.findOneBy(LevelPolicy, { name: 'Gold' }));
  await visit(page, `${desk.app.url}/admin/service-levels/${policy?.policy_id}`);
  await page.getByRole('button', { name: 'Delete' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Delete this policy? Its running clocks stop; past figures stay.').waitFor();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await page.waitForURL(/service-levels$/);
  t.is(await desk.app.run((ctx) => ctx.db.countBy(LevelPolicy, { name: 'Gold', deleted_at: IsNull() })), 0);
  await context.close();
});

test('the year of a calendar shows its holidays, however many earlier ones it has', async (t) => {
  const [calendar] = await desk.app.run((ctx) => ctx.db.find(LevelCalendar));
  const { calendar_id = 0 } = calendar ?? {};
  const year = desk.app.clock.now().slice(0, 4);
  const created_at = desk.app.clock.now();
  const early = Array.from({ length: 110 }, (_, index) => `${1900 + index}-05-01`);
  await desk.app.run(async (ctx) => {
    for (const day of [...early, `${year}-07-14`])
      await ctx.db.insert(LevelHoliday, { calendar_id, day, name: 'Fair', hours: [], created_at });
  });
  const { page, context } = await asStaff(desk, desk.made.staff.administrator);
  await page.clock.setSystemTime(created_at);
  await visit(page, `${desk.app.url}/admin/calendars/${calendar_id}`);
  await page.locator('.year-days').getByText('July').waitFor();
  t.is(await page.locator('.year td[title=Fair]').count(), 1);
  await context.close();
});

test('an administrator adds a member, an escalation step and an on-call override on the page of a team', async (t) => {
  const { page, complaints, context } = await asStaff(desk, desk.made.staff.administrator);
  await visit(page, `${desk.app.url}/admin/teams`);
  await page.getByRole('button', { name: 'New team' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name', { exact: true }).fill('Field');
  await dialog.getByRole('button', { name: 'New team' }).click();
  await page.getByRole('heading', { name: 'Field' }).waitFor();
  const choose = async () => {
    await dialog.getByRole('combobox', { name: 'Technician' }).fill('Priya');
    await page.getByRole('option', { name: 'Priya Raman' }).click();
  };
  await page.getByRole('button', { name: 'Add member' }).click();
  await choose();
  await dialog.getByLabel('Skills').fill('cabling, wifi');
  await dialog.getByRole('button', { name: 'Add member' }).click();
  await page.getByRole('cell', { name: 'cabling, wifi' }).waitFor();
  await page.getByRole('button', { name: 'Add step' }).click();
  await dialog.getByLabel('After (minutes)').fill('10');
  await dialog.getByRole('button', { name: 'Add step' }).click();
  await page.getByRole('heading', { name: 'Escalation steps (1)' }).waitFor();
  await page.getByRole('button', { name: 'Add override' }).click();
  await choose();
  await dialog.getByLabel('Starts').fill('2026-12-01T09:00');
  await dialog.getByLabel('Ends').fill('2026-12-02T09:00');
  await dialog.getByRole('button', { name: 'Add override' }).click();
  await page.getByRole('heading', { name: 'On-call overrides (1)' }).waitFor();
  t.deepEqual(complaints, []);
  await context.close();
});

test('what is wrong with a form is said at its fields, also at rows and groups of choices', async (t) => {
  const { page, context } = await asStaff(desk, desk.made.staff.administrator);
  const errorsIn = (within: Locator) => within.locator('.field-error').allInnerTexts();
  await visit(page, `${desk.app.url}/admin/calendars`);
  await page.getByRole('button', { name: 'New calendar' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name', { exact: true }).fill('Harbour office');
  await dialog.getByRole('combobox', { name: 'Time zone' }).fill('Lisbon');
  await dialog.getByRole('option', { name: /Lisbon/ }).click();
  await dialog.getByRole('button', { name: 'Add row' }).click();
  await dialog.getByRole('button', { name: 'Remove row 1' }).click();
  await dialog.getByLabel('From').fill('nine');
  await dialog.getByLabel('To', { exact: true }).fill('17:00');
  await dialog.getByRole('button', { name: 'New calendar' }).click();
  const from = dialog.locator('.field', { has: page.getByLabel('From') });
  await from.getByText('Must be a time (HH:MM)').waitFor();
  t.deepEqual(await errorsIn(dialog), ['Must be a time (HH:MM)', 'Must be after from']);
  await visit(page, `${desk.app.url}/admin/keys/new`);
  await page.getByLabel('Name', { exact: true }).fill('Bookkeeping');
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.locator('.choice-groups .field-error').waitFor();
  t.deepEqual(await errorsIn(page.locator('main')), ['Must name at least one permission']);
  await visit(page, `${desk.app.url}/admin/on-call`);
  await page.getByRole('button', { name: 'Add override' }).first().click();
  await dialog.getByRole('combobox', { name: 'Technician' }).fill('Hale');
  await dialog.getByRole('option', { name: /Hale/ }).click();
  await dialog.getByLabel('Starts').fill('2026-12-14T10:00');
  await dialog.getByLabel('Ends').fill('2026-12-14T10:00');
  await dialog.getByRole('button', { name: 'Add override' }).click();
  await dialog.locator('.field-error').waitFor();
  t.deepEqual(await errorsIn(dialog), ['Must be after “Starts”']);
  await context.close();
});
