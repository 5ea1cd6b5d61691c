// Planned work in the console: a ticket from a template, its checklist, and a recurring ticket with its next dates.
import { RecurringOccurrence, RecurringTicket } from '@keelson/modules/planned';
import { createTicket } from '@keelson/modules/tickets';
import anyTest from 'ava';
import { addItems, changeItem, findItem, readChecklist } from '../../modules/planned/checklists/checklist.ts';
import { asStaff, axe, holds, openDesk, visit, type Desk } from './_desk.ts';
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

test('a template fills the form for a new ticket, whose checklist must be done before it is closed', async (t) => {
  const company = desk.made.customers[0]?.company.company_number ?? 0;
  const { page, complaints, context } = await asStaff(desk, desk.made.staff.technician);
  await visit(page, `${desk.app.url}/admin/tickets/new?company=${company}`);
  await page.getByRole('combobox', { name: 'Template' }).fill('patch');
  await page.getByRole('option', { name: 'Monthly patch day' }).click();
  const subject = page.getByRole('textbox', { name: 'Subject' });
  await holds(subject, 'Install the monthly updates');
  t.is(await page.getByLabel('Priority').inputValue(), '4');
  await page.getByRole('button', { name: 'Create ticket' }).click();
  const section = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Checklist' }) });
  await section.getByText('0 of 4').waitFor();
  await section.getByRole('checkbox', { name: /^Check the backups/ }).click();
  await section.getByText('1 of 4').waitFor();
  await section.getByRole('button', { name: 'Add checklist item' }).click();
  await section.getByLabel('Item', { exact: false }).first().fill('Tell the customer');
  await section.getByRole('button', { name: 'Save' }).click();
  await section.getByText('1 of 5').waitFor();
  await section.getByRole('button', { name: 'Add items from a template' }).click();
  await section.getByRole('combobox', { name: 'Template' }).fill('patch');
  await section.getByRole('option', { name: 'Monthly patch day' }).click();
  await section.getByRole('button', { name: 'Save' }).click();
  await section.getByText('1 of 9').waitFor();
  t.deepEqual(await axe(page), []);
  complaints.length = 0;
  await page.locator('body').press('e');
  await page.getByText(/Complete the required checklist items before closing the ticket/).waitFor();
  await context.close();
});

test('a ticket is split into child tickets, which are closed with it', async (t) => {
  const company = desk.made.customers[0]?.company.company_number ?? 0;
  const { page, complaints, context } = await asStaff(desk, desk.made.staff.technician);
  await visit(page, `${desk.app.url}/admin/tickets/new?company=${company}`);
  await page.getByRole('textbox', { name: 'Subject' }).fill('New office');
  await page.getByRole('button', { name: 'Create ticket' }).click();
  await page.getByRole('button', { name: 'New child ticket' }).click();
  await page.getByRole('textbox', { name: 'Subject' }).fill('Cabling');
  await page.getByRole('button', { name: 'Create ticket' }).click();
  const above = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Parent ticket' }) });
  await above.getByRole('link', { name: /New office/ }).click();
  await page.getByText('0 of 1 closed').waitFor();
  await page.getByRole('button', { name: 'Add checklist item' }).click();
  await page.getByLabel('Item', { exact: false }).first().fill('Measure the rooms');
  await page.getByRole('combobox', { name: 'Assignee' }).fill(desk.made.staff.technician.name);
  await page.getByRole('option', { name: desk.made.staff.technician.name }).first().click();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('0 of 1', { exact: true }).waitFor();
  t.deepEqual(await axe(page), []);
  await page.locator('body').press('e');
  await page.getByRole('button', { name: 'Close all' }).click();
  await page.getByText('1 of 1 closed').waitFor();
  t.deepEqual(complaints, []);
  await context.close();
});

test('a recurring ticket shows its next dates before it is saved, and keeps what a colleague changes meanwhile', async (t) => {
  const { page, complaints, context } = await asStaff(desk, desk.made.staff.administrator);
  await page.clock.setSystemTime(desk.app.clock.now());
  await visit(page, `${desk.app.url}/admin/recurring-tickets`);
  await page.getByText('Every month on the second Tuesday').waitFor();
  await page.getByRole('link', { name: 'New recurring ticket' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Quarterly review');
  await pick('Template', 'Monthly', /Monthly patch day/);
  await pick('Companies', 'Northwind', /Northwind/);
  await page.getByLabel('Every', { exact: true }).fill('3');
  await page.getByLabel('Unit').selectOption({ label: 'months' });
  await page.getByLabel('Day', { exact: true }).selectOption({ label: 'on the last weekday, Monday to Friday' });
  await page.getByText('Every 3 months on the last weekday').waitFor();
  t.is(await page.locator('.next-dates li').count(), 5);
  t.deepEqual(await axe(page), []);
  await page.getByRole('button', { name: 'Create recurring ticket' }).click();
  await page.getByRole('heading', { name: 'Quarterly review' }).waitFor();
  await page.getByRole('heading', { name: 'Next dates' }).waitFor();
  t.deepEqual(await axe(page), []);
  await page.getByRole('link', { name: 'Edit', exact: true }).click();
  await page.getByText('Every 3 months on the last weekday').waitFor();
  await page.getByLabel('Day', { exact: true }).selectOption({ label: 'on a date' });
  await desk.app.run((ctx) => ctx.db.update(RecurringTicket, { name: 'Quarterly review' }, { on_closed_days: 'skip' }));
  // The form's preview shows the same words.
  await page.getByText('Every 3 months on the 1st').waitFor();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('link', { name: 'Edit', exact: true }).waitFor();
  await page.getByText('Every 3 months on the 1st').waitFor();
  const stored = await desk.app.run((ctx) => ctx.db.findOneBy(RecurringTicket, { name: 'Quarterly review' }));
  t.like(stored, { rrule: 'FREQ=MONTHLY;INTERVAL=3;BYMONTHDAY=1', time: '09:00', on_closed_days: 'skip' });
  t.deepEqual(complaints, []);
  await context.close();

  async function pick(label: string, text: string, found: RegExp) {
    await page.getByLabel(label).first().fill(text);
    await page.getByRole('option', { name: found }).first().click();
  }
});

test('an item that is renamed keeps an assignee the person cannot look up, and what a colleague changes meanwhile', async (t) => {
  const company_number = desk.made.customers[0]?.company.company_number ?? 0;
  const { user_id: assigned_to } = desk.made.staff.administrator;
  const ticket = await desk.app.run(async (ctx) => {
    const made = await createTicket(ctx, { company_number, subject: 'Move in' });
    await addItems(ctx, made, [{ title: 'Order desks', assigned_to }]);
    return made;
  });
  const { page, context } = await asStaff(desk, desk.made.staff.technician);
  await intercept(page, '**/console.php', async (route) => {
    const response = await route.fetch();
    const json = (await response.json()) as { data: { records: { type: string }[] } };
    json.data.records = json.data.records.filter(({ type }) => type !== 'technician');
    return route.fulfill({ response, json });
  });
  await visit(page, `${desk.app.url}/admin/tickets/${ticket.ticket_number}`);
  await page.getByRole('button', { name: 'Edit Order desks' }).click();
  const due_date = '2026-03-09';
  await desk.app.run(async (ctx) => {
    const [opened] = await readChecklist(ctx, ticket.ticket_id);
    await changeItem(ctx, ticket, await findItem(ctx, ticket, opened?.item_id ?? 0), { due_date });
  });
  await page.getByRole('textbox', { name: /^Item/ }).fill('Order desks and chairs');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Edit Order desks and chairs' }).waitFor();
  const [item] = await desk.app.run((ctx) => readChecklist(ctx, ticket.ticket_id));
  t.like(item, { title: 'Order desks and chairs', assigned_to, due_date });
  await context.close();
});

test('a recurring ticket shows the latest of its tickets, and older ones on request', async (t) => {
  const { database } = desk.app.app;
  const company_number = desk.made.customers[0]?.company.company_number ?? 0;
  const [recurring] = await database.find(RecurringTicket);
  const { ticket_id } = await desk.app.run((ctx) => createTicket(ctx, { company_number, subject: 'Look' }));
  const recurring_id = recurring?.recurring_id ?? 0;
  const MANY = 130;
  const occurrences = Array.from({ length: MANY }, (_, n) => {
    const created_at = new Date(Date.UTC(2019, 0, 1 + n)).toISOString();
    return { recurring_id, company_number, ticket_id, created_at, day: created_at.slice(0, 10) };
  });
  await database.insert(RecurringOccurrence, occurrences);
  const total = await database.countBy(RecurringOccurrence, { recurring_id });
  const { page, context } = await asStaff(desk, desk.made.staff.technician);
  await visit(page, `${desk.app.url}/admin/recurring-tickets/${recurring_id}`);
  const rows = page.getByRole('region', { name: 'Tickets' }).locator('tbody tr');
  await rows.nth(24).waitFor();
  t.is(await rows.count(), 25);
  const more = page.getByRole('button', { name: 'Show more' });
  const refusals: string[] = [];
  const PAGE_2 = /[?&]page=2&/;
  await intercept(page, PAGE_2, (route) => {
    refusals.push(route.request().url());
    return route.fulfill({ status: 400, json: { success: false, error: 'Not now' } });
  });
  for (let shown = 50; shown < total + 25; shown += 25) {
    await more.click();
    if (shown === 125) {
      await page.getByText('Not now').waitFor();
      await page.unroute(PAGE_2);
      await page.getByRole('button', { name: 'Try again' }).click();
    }
    await rows.nth(Math.min(shown, total) - 1).waitFor();
  }
  t.is(await more.count(), 0);
  t.is(refusals.length, 1);
  t.regex((await rows.last().textContent()) ?? '', /Jan 1, 2019/);
  await context.close();
});
