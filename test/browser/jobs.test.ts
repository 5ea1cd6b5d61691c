// Further tasks of technicians and customers: triage, on-site work, call preparation, own bills.
import { createActivity, Opportunity, Prospect } from '@keelson/modules/crm';
import { Ticket, TicketComment, TicketTimeEntry } from '@keelson/modules/tickets';
import anyTest from 'ava';
import { In } from 'typeorm';
import { until } from '../_until.ts';
import { addTickets, asCustomer, asStaff, axe, openDesk, visit, type Desk } from './_desk.ts';
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

function customer() {
  const [first] = desk.made.customers;
  if (!first) throw new Error('The demo has no customers');
  return first;
}

test('a dispatcher triages fifty tickets with a few keystrokes', async (t) => {
  const ids = await addTickets(desk, 50, 'Sort me');
  const { page, complaints, context } = await asStaff(desk, desk.made.staff.administrator);
  await visit(page, `${desk.app.url}/admin/tickets?search=Sort+me&status=all`);
  complaints.splice(0);
  const { technician } = desk.made.staff;
  const tickets = () => desk.app.run((ctx) => ctx.db.findBy(Ticket, { ticket_id: In(ids) }));
  const change = async (menu: string, choice: string) => {
    await page.getByLabel('Select first 100 rows').check();
    await page.getByText('50 selected').waitFor();
    await page.getByRole('button', { name: new RegExp(`^${menu}`) }).click();
    await page.locator('.menu:popover-open [role^=menuitem]', { hasText: choice }).click();
    await page.getByRole('button', { name: 'Change 50 tickets' }).click();
    await page.getByText('50 selected').waitFor({ state: 'detached' });
  };
  await change('Assign selected to', technician.name);
  await change('Priority of selected', 'High');
  const sorted = await tickets();
  t.deepEqual([...new Set(sorted.map((each) => each.assigned_to))], [technician.user_id]);
  t.deepEqual([...new Set(sorted.map((each) => each.priority))], [2]);
  t.deepEqual(complaints, []);
  await context.close();
});

test('a technician on site calls the customer and records the work offline', async (t) => {
  const [ticket_id = 0] = await addTickets(desk, 1, 'On site');
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
  const { page, context } = await asStaff(desk, desk.made.staff.technician, phone);
  await visit(page, `${desk.app.url}/admin/tickets/${1000 + ticket_id}`);
  await page.locator('a[href^="tel:"]').first().waitFor();
  await page.getByRole('textbox', { name: /^Reply to/ }).waitFor();
  await context.setOffline(true);
  await page.getByText('You’re offline.').waitFor();
  await page.getByRole('textbox', { name: /^Reply to/ }).tap();
  await page.getByRole('button', { name: /^Internal note/ }).tap();
  await page.getByRole('textbox', { name: 'Internal note' }).fill('Changed the cable');
  await page.getByLabel('Minutes worked').fill('20');
  const send = page.getByRole('button', { name: 'Add note' });
  const box = await send.boundingBox();
  t.true((box?.y ?? 0) > 422 && (box?.height ?? 0) >= 32, `within reach of a thumb: ${JSON.stringify(box)}`);
  await send.tap();
  await page.getByText('One change is waiting to be sent.').waitFor();
  await context.setOffline(false);
  await page.locator('.conversation').getByText('Changed the cable').waitFor();
  await page.getByText('You’re offline.').waitFor({ state: 'detached' });
  const logged = () => desk.app.run((ctx) => ctx.db.findBy(TicketTimeEntry, { ticket_id }));
  await t.notThrowsAsync(until(async () => (await logged()).length > 0));
  const comments = await desk.app.run((ctx) => ctx.db.findBy(TicketComment, { ticket_id }));
  const entries = await logged();
  t.deepEqual(
    [comments.map((each) => [each.comment, each.is_internal]), entries.map((each) => each.duration_minutes)],
    [[['Changed the cable', true]], [20]],
  );
  await context.close();
});

test('a call is prepared on one page: contacts, offers and history', async (t) => {
  const { page, complaints, context } = await asStaff(desk, desk.made.staff.administrator);
  const [opportunity] = await desk.app.run((ctx) => ctx.db.findBy(Opportunity, { status: 'open' }));
  const prospect_id = opportunity?.prospect_id ?? 0;
  const prospect = await desk.app.run((ctx) => ctx.db.findOneBy(Prospect, { prospect_id }));
  const said = {
    type: 'call',
    entity_type: 'prospect',
    entity_id: prospect_id,
    subject: 'They ask for a date',
  } as const;
  await desk.app.run((ctx) => createActivity(ctx, said));
  await visit(page, `${desk.app.url}/admin/prospects/${prospect_id}`);
  complaints.splice(0);
  await page.getByRole('heading', { level: 1, name: prospect?.name ?? '' }).waitFor();
  for (const [part, text] of [
    ['Opportunities', opportunity?.name ?? ''],
    ['Activities', said.subject],
  ] as const)
    await page.getByRole('region', { name: part }).getByText(text).first().waitFor();
  t.deepEqual(await axe(page), []);
  t.deepEqual(complaints, []);
  await context.close();
});

test('an IT admin looks up device owners, unpaid invoices and service status', async (t) => {
  const { page, complaints, context } = await asCustomer(desk, customer().it_admin);
  await visit(page, `${desk.app.url}/helpdesk`);
  complaints.splice(0);
  await page.getByRole('link', { name: 'Equipment' }).click();
  await page.getByRole('link', { name: /LT-DANA/ }).click();
  await page.getByRole('heading', { level: 1, name: /LT-DANA/ }).waitFor();
  await page.getByText('Dana Whitfield').first().waitFor();
  await page.getByRole('link', { name: 'Billing' }).click();
  await page.getByText('Balance due').first().waitFor();
  await page.getByRole('link', { name: 'INV-000001' }).click();
  const file = await page.getByRole('link', { name: 'PDF' }).getAttribute('href');
  const answer = await page.request.get(new URL(file ?? '', page.url()).href);
  t.is(answer.headers()['content-type'], 'application/pdf');
  t.is((await answer.body()).subarray(0, 5).toString(), '%PDF-');
  t.deepEqual(complaints, []);
  await context.close();
});
