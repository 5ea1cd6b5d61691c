// The dispatch board: a ticket is dragged onto the board, moved by keyboard, and planned with the form.
import { plus } from '@keelson/core';
import { Appointment } from '@keelson/modules/dispatch';
import anyTest from 'ava';
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

const planned = () => desk.app.run((ctx) => ctx.db.find(Appointment, { order: { appointment_id: 'DESC' } }));

test('hours are numbers in German, and day and week stay beside each other on a phone', async (t) => {
  const { page, context } = await asStaff(desk, desk.made.staff.technician, {
    viewport: { width: 390, height: 844 },
    locale: 'de-DE',
  });
  await visit(page, `${desk.app.url}/admin/dispatch`);
  t.is(await page.locator('.dispatch-hours span').first().textContent(), '07');
  const boxOf = (name: string) => page.getByRole('button', { name, exact: true }).boundingBox();
  t.is((await boxOf('Tag'))?.y, (await boxOf('Woche'))?.y);
  await context.close();
});

test('the portal says the day of a visit once, and aligns amounts', async (t) => {
  const [customer] = desk.made.customers;
  if (!customer) throw new Error('The demo has no customer');
  const ticket_id = (await planned()).find(({ kind }) => kind === 'visit')?.ticket_id;
  const { page, context } = await asCustomer(desk, customer.it_admin);
  await visit(page, `${desk.app.url}/helpdesk/tickets/${ticket_id}`);
  const said = (await page.locator('.appointment p').first().textContent()) ?? '';
  t.is(said.match(/\b20\d\d\b/g)?.length, 1, said);
  await visit(page, `${desk.app.url}/helpdesk/billing`);
  const heading = page.locator('th', { hasText: 'Balance due' });
  t.is(await heading.evaluate((cell) => getComputedStyle(cell).textAlign), 'end');
  await context.close();
});

test('tickets are planned by dragging and by keyboard', async (t) => {
  const { page, complaints, context } = await asStaff(desk, desk.made.staff.technician);
  await page.clock.setSystemTime(desk.app.clock.now());
  await visit(page, `${desk.app.url}/admin/dispatch`);
  const ticket = page.locator('.dispatch-unplanned li').first();
  const lane = page.locator('.dispatch-lane').first();
  await ticket.waitFor();
  await lane.waitFor();
  await ticket.dragTo(lane.locator('.dispatch-slot').nth(4));
  // The demo's own appointments of the day are travel and a visit.
  const block = page.locator('.dispatch-block[data-kind=work]').first();
  await block.waitFor();
  const [first] = await planned();
  await block.focus();
  await page.keyboard.press('Shift+ArrowRight');
  await page.getByText('Moved').first().waitFor();
  const [moved] = await planned();
  t.is(Date.parse(moved?.starts_at ?? '') - Date.parse(first?.starts_at ?? ''), 1_800_000);
  t.deepEqual(await axe(page), []);
  await page
    .getByRole('button', { name: /^Plan…/ })
    .first()
    .click();
  const form = page.getByRole('dialog');
  const technician = form.getByRole('combobox', { name: 'Technician' });
  await technician.clear();
  await technician.fill(desk.made.staff.technician.name);
  await page.getByRole('option', { name: desk.made.staff.technician.name }).first().click();
  await form.getByLabel('Kind').selectOption({ label: 'Visit' });
  const boxOf = (label: string) => form.getByLabel(label).boundingBox();
  t.is((await boxOf('Starts'))?.y, (await boxOf('Ends'))?.y, 'start and end are beside each other');
  t.deepEqual(await axe(page), []);
  const visits = page.locator('.dispatch-block[data-kind=visit]');
  const before = await visits.count();
  await form.getByRole('button', { name: 'Plan', exact: true }).click();
  await visits.nth(before).waitFor();
  await page.getByRole('button', { name: 'Week' }).click();
  await page.locator('.dispatch-week .dispatch-block').first().waitFor();
  t.deepEqual(await axe(page), []);
  t.deepEqual(complaints, []);
  await context.close();
});

test('an appointment that is edited before its ticket is loaded keeps its contact and what a colleague moved', async (t) => {
  const booked = (await planned()).find(({ kind }) => kind === 'visit');
  if (!booked) throw new Error('The demo has no visit');
  const { appointment_id } = booked;
  const employee_number = desk.made.customers[0]?.employee.employee_number ?? 0;
  const set = (to: Partial<Appointment>) =>
    desk.app.run(async (ctx) => void (await ctx.db.update(Appointment, { appointment_id }, to)));
  await set({ employee_number, confirmation: 'confirmed' });
  const { page, context } = await asStaff(desk, desk.made.staff.technician);
  await page.clock.setSystemTime(booked.starts_at);
  await intercept(page, /tickets\.php\?id=/, () => undefined);
  await visit(page, `${desk.app.url}/admin/dispatch`);
  await page.locator('.dispatch-block[data-kind=visit]').first().click();
  const form = page.getByRole('dialog');
  await form.getByLabel('Note').fill('Ring at the back door');
  const ends_at = plus(booked.ends_at, { minutes: 30 });
  await set({ ends_at });
  await form.getByRole('button', { name: 'Save' }).click();
  await form.waitFor({ state: 'detached' });
  const stored = (await planned()).find((each) => each.appointment_id === appointment_id);
  t.like(stored, { note: 'Ring at the back door', employee_number, ends_at, confirmation: 'confirmed' });
  await context.close();
});

test('the start of an appointment is moved in the technician’s own time zone', async (t) => {
  const booked = (await planned()).find(({ kind }) => kind === 'visit');
  if (!booked) return t.fail('The demo has no visit');
  const { appointment_id, starts_at } = booked;
  const { page, context } = await asStaff(desk, desk.made.staff.technician, { timezoneId: 'Asia/Tokyo' });
  await page.clock.setSystemTime(starts_at);
  await visit(page, `${desk.app.url}/admin/dispatch`);
  await page.locator('.dispatch-block[data-kind=visit]').first().click();
  const form = page.getByRole('dialog');
  const start = form.getByLabel('Starts');
  const shown = await start.inputValue();
  const moved = plus(starts_at, { minutes: -15 });
  await start.fill(`${new Date(Date.parse(moved) + 9 * 3_600_000).toISOString().slice(0, 16)}`);
  await form.getByRole('button', { name: 'Save' }).click();
  await form.waitFor({ state: 'detached' });
  t.is(shown, new Date(Date.parse(starts_at) + 9 * 3_600_000).toISOString().slice(0, 16));
  const stored = (await planned()).find((each) => each.appointment_id === appointment_id);
  t.is(stored?.starts_at, moved);
  await context.close();
});
