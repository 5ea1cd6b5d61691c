// A technician's day on tickets, by keyboard alone, with its failures.
import { createInvoiceFromTime } from '@keelson/modules/billing';
import { lockTicket, logTime, Ticket, TicketComment, TicketTimeEntry, updateTicket } from '@keelson/modules/tickets';
import anyTest from 'ava';
import type { Page } from 'playwright-core';
import { In } from 'typeorm';
import { full } from '../_random.ts';
import { until } from '../_until.ts';
import { addTickets, asStaff, holds, openDesk, settled, visit, type Desk } from './_desk.ts';
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

/** Presses keys in sequence. */
async function press(page: Page, ...keys: readonly string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}

test('tickets are answered, timed and closed by keyboard alone', async (t) => {
  t.timeout(300_000);
  const ids = await addTickets(desk, full ? 20 : 5, 'Scanner does not start');
  const { page, complaints, context } = await asStaff(desk, desk.made.staff.technician);
  const asked = new URLSearchParams({
    search: 'Scanner does not start',
    status: 'all',
    sort: 'ticket_id',
    order: 'asc',
  });
  await visit(page, `${desk.app.url}/admin/tickets?${asked.toString()}`);
  complaints.splice(0);
  for (const [index] of ids.entries()) {
    await page.locator('.table').waitFor();
    await press(page, ...Array.from({ length: index }, () => 'j'), 'Enter');
    const composer = page.getByRole('textbox', { name: /^Reply to/ });
    await composer.waitFor();
    await press(page, 'r');
    await page.keyboard.type('Restart it, please.');
    await press(page, 'Tab');
    await page.keyboard.type('15');
    const menu = page.getByRole('button', { name: /^Status after sending/ });
    while (!(await menu.evaluate((element) => element === document.activeElement))) await press(page, 'Tab');
    await press(page, 'Enter', 'End', 'Enter', 'ControlOrMeta+Enter');
    await page.locator('.conversation').getByText('Restart it, please.').waitFor();
    await press(page, 'Escape');
  }
  await t.notThrowsAsync(until(() => allClosed(ids), 60));
  const comments = await desk.app.run((ctx) => ctx.db.findBy(TicketComment, { ticket_id: In(ids) }));
  const entries = await desk.app.run((ctx) => ctx.db.findBy(TicketTimeEntry, { ticket_id: In(ids) }));
  t.is(comments.length, ids.length);
  t.deepEqual([entries.length, new Set(entries.map((each) => each.duration_minutes))], [ids.length, new Set([15])]);
  t.deepEqual(complaints, []);
  await context.close();
});

const allClosed = async (ids: readonly number[]): Promise<boolean> => {
  const tickets = await desk.app.run((ctx) => ctx.db.findBy(Ticket, { ticket_id: In(ids) }));
  return tickets.every((each) => each.status === 'closed');
};

test('opening a ticket reads each of its parts once, and marks it as read in the list', async (t) => {
  await addTickets(desk, 1, 'Read once');
  const { page, context } = await asStaff(desk, desk.made.staff.technician);
  await visit(page, `${desk.app.url}/admin/tickets?search=Read+once`);
  await page.locator('[data-unread]', { hasText: 'Read once' }).waitFor();
  const read: string[] = [];
  page.on('request', (each) => {
    if (each.method() === 'GET' && /tickets\.php\?.*\bid=/.test(each.url())) read.push(each.url());
  });
  const marked = page.waitForResponse((each) => each.url().includes('action=read'));
  await page.keyboard.press('Enter');
  await page.getByRole('textbox', { name: /^Reply to/ }).waitFor();
  await marked;
  await page.keyboard.press('Escape');
  await page.getByText('Read once').first().waitFor();
  await page.locator('[data-unread]', { hasText: 'Read once' }).waitFor({ state: 'detached' });
  t.true(read.length > 2);
  t.deepEqual(read, [...new Set(read)]);
  await context.close();
});

test('a rejected change is reverted with the server’s message', async (t) => {
  const [id] = await addTickets(desk, 1, 'Refused');
  const { page, context } = await asStaff(desk, desk.made.staff.technician);
  await visit(page, `${desk.app.url}/admin/tickets/${1000 + (id ?? 0)}`);
  await intercept(page, '**/tickets.php?id=*', (route) =>
    route.request().method() === 'PUT'
      ? route.fulfill({ status: 400, json: { success: false, error: 'The ticket is locked' } })
      : route.continue(),
  );
  const status = page.getByRole('button', { name: /^Status:/ });
  await status.waitFor();
  await press(page, 'h');
  await page.getByText('The ticket is locked').waitFor();
  t.regex((await status.textContent()) ?? '', /Open/);
  await context.close();
});

test('a lost response is retried, and the reply appears once', async (t) => {
  const [id] = await addTickets(desk, 1, 'Lost answer');
  const { page, context } = await asStaff(desk, desk.made.staff.technician);
  await visit(page, `${desk.app.url}/admin/tickets/${1000 + (id ?? 0)}`);
  let lost = false;
  await intercept(page, '**/tickets.php?action=reply*', async (route) => {
    if (lost) return route.continue();
    lost = true;
    // The server completes the request; the response never arrives.
    await route.fetch();
    return route.abort();
  });
  await press(page, 'n');
  await page.keyboard.type('Noted once');
  await press(page, 'ControlOrMeta+Enter');
  await page.getByText('Noted once').waitFor();
  await t.notThrowsAsync(until(async () => lost && (await notesOf(id)).length > 0));
  await settled(page);
  const comments = await desk.app.run((ctx) => ctx.db.findBy(TicketComment, { ticket_id: id ?? 0 }));
  t.deepEqual([lost, comments.map((each) => [each.comment, each.is_internal])], [true, [['Noted once', true]]]);
  await context.close();
});

test('a draft survives a reload and an expired session, and sign-in returns to the same page', async (t) => {
  const [id] = await addTickets(desk, 1, 'Draft');
  const { page, context } = await asStaff(desk, desk.made.staff.technician);
  const address = `${desk.app.url}/admin/tickets/${1000 + (id ?? 0)}`;
  await visit(page, address);
  await press(page, 'r');
  await page.keyboard.type('Half a sentence');
  await page.reload();
  await t.notThrowsAsync(holds(page.getByRole('textbox', { name: /^Reply to/ }), 'Half a sentence'));
  // An open page may redirect to the sign-in at any moment, which would interrupt the navigation.
  await page.goto('about:blank');
  await context.clearCookies();
  await page.goto(address, { waitUntil: 'commit' });
  await page.waitForURL(/\/admin\/login\?next=/);
  await page.getByLabel('Email address').fill(desk.made.staff.technician.email);
  await page.getByLabel('Password').fill(desk.made.staff.technician.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(address);
  await t.notThrowsAsync(holds(page.getByRole('textbox', { name: /^Reply to/ }), 'Half a sentence'));
  await context.close();
});

test('two people on one ticket: the second is warned before replying twice, but may send anyway', async (t) => {
  const [id] = await addTickets(desk, 1, 'Two people');
  const address = `${desk.app.url}/admin/tickets/${1000 + (id ?? 0)}`;
  const first = await asStaff(desk, desk.made.staff.technician);
  const second = await asStaff(desk, desk.made.staff.administrator);
  // The first page gets no live changes of the second.
  await intercept(first.page, '**/live.php', (route) => route.abort());
  await visit(first.page, address);
  await visit(second.page, address);
  const add = async (page: Page, text: string) => {
    await press(page, 'n');
    await page.keyboard.type(text);
    await press(page, 'ControlOrMeta+Enter');
  };
  await add(second.page, 'I have it');
  await second.page.locator('.conversation').getByText('I have it').waitFor();
  await add(first.page, 'So do I');
  await first.page.getByText('has commented since').waitFor();
  await t.notThrowsAsync(holds(first.page.getByRole('textbox', { name: 'Internal note' }), 'So do I'));
  t.deepEqual(await notesOf(id), ['I have it']);
  await first.page.locator('.conversation').getByText('I have it').waitFor();
  await first.page.getByRole('button', { name: 'Send anyway' }).click();
  await first.page.locator('.conversation').getByText('So do I').waitFor();
  t.deepEqual(await notesOf(id), ['I have it', 'So do I']);
  await first.context.close();
  await second.context.close();
});

async function notesOf(id = 0): Promise<string[]> {
  const rows = await desk.app.run((ctx) => ctx.db.findBy(TicketComment, { ticket_id: id }));
  return rows.map((each) => each.comment);
}

test('a file dropped on an internal note is internal like the note', async (t) => {
  const [id] = await addTickets(desk, 1, 'Internal file');
  const { page, context } = await asStaff(desk, desk.made.staff.technician);
  await visit(page, `${desk.app.url}/admin/tickets/${1000 + (id ?? 0)}`);
  await press(page, 'n');
  await page.getByLabel('Files to attach').setInputFiles({
    name: 'passwords.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from('not for the customer'),
  });
  await page.keyboard.type('What the firewall says');
  await press(page, 'ControlOrMeta+Enter');
  await page.getByRole('link', { name: /passwords.txt/ }).waitFor();
  const comments = await desk.app.run((ctx) => ctx.db.findBy(TicketComment, { ticket_id: id ?? 0 }));
  t.deepEqual(
    comments.map((each) => each.is_internal),
    [true],
  );
  const files = await page.evaluate(async (ticket) => {
    const answer = await fetch(`/admin/api/v1/tickets.php?action=attachments&id=${ticket}`);
    return ((await answer.json()) as { data: readonly { filename: string; comment_id: number | null }[] }).data;
  }, id);
  t.deepEqual(
    files.map((each) => [each.filename, each.comment_id]),
    [['passwords.txt', comments[0]?.comment_id ?? 0]],
  );
  await context.close();
});

test('billed time is corrected in place, and the correction deleted again', async (t) => {
  const [ticket_id = 0] = await addTickets(desk, 1, 'Backup tape is stuck');
  const day = '2025-02-03';
  await desk.app.run(async (ctx) => {
    const ticket = await lockTicket(ctx, ticket_id);
    await logTime(ctx, ticket, { duration_minutes: 90, work_date: day, description: 'On site' });
    const { company_number } = ticket;
    await createInvoiceFromTime(ctx, { company_number, from: day, to: day, hourly_rate: '100' });
  });
  const { page, complaints, context } = await asStaff(desk, desk.made.staff.administrator);
  const ticket = await desk.app.run((ctx) => ctx.db.findOneBy(Ticket, { ticket_id }));
  await visit(page, `${desk.app.url}/admin/tickets/${ticket?.ticket_number}`);
  complaints.splice(0);
  const entry = page.locator('.worked', { hasText: 'On site' });
  await entry.getByText('billed').waitFor();
  await entry.getByText(/Feb.* 2025/).waitFor();
  await entry.getByRole('button', { name: 'Correct' }).click();
  await t.notThrowsAsync(holds(page.getByLabel('Minutes', { exact: true }), '90'));
  await page.getByLabel('Minutes', { exact: true }).fill('60');
  await page.getByLabel('Why').fill('Came half an hour late');
  await page.getByRole('button', { name: 'Save' }).click();
  const correction = page.locator('.worked', { hasText: 'Came half an hour late' });
  await correction.getByText('−30 min').waitFor();
  await correction.getByText('correction of billed time').waitFor();
  await correction.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await correction.waitFor({ state: 'detached' });
  t.deepEqual(complaints, []);
  await context.close();
});

test('a ticket is merged into another, which is found by its number', async (t) => {
  const [from = 0, into = 0] = await addTickets(desk, 2, 'Two about the same');
  const [first, other] = await desk.app.run((ctx) =>
    ctx.db.find(Ticket, { where: { ticket_id: In([from, into]) }, order: { ticket_id: 'ASC' } }),
  );
  const { page, context } = await asStaff(desk, desk.made.staff.technician);
  await visit(page, `${desk.app.url}/admin/tickets/${first?.ticket_number}`);
  await page.getByRole('button', { name: /^More/ }).last().click();
  await page.getByRole('menuitem', { name: 'Merge into…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.keyboard.press('Control+K');
  await page.getByRole('combobox').fill('merge');
  await page.keyboard.press('Enter');
  const field = dialog.getByRole('combobox');
  await field.fill('Two about the same');
  await page.getByRole('option', { name: `${other?.ticket_number} ${other?.subject}`, exact: true }).waitFor();
  t.is(await page.getByRole('option', { name: `${first?.ticket_number} ` }).count(), 0, 'not into itself');
  await field.fill(String(other?.ticket_number));
  await page.getByRole('option', { name: `${other?.ticket_number} ${other?.subject}`, exact: true }).click();
  await dialog.getByRole('button', { name: 'Merge' }).click();
  await page.waitForURL(`**/admin/tickets/${other?.ticket_number}`);
  t.is((await desk.app.run((ctx) => ctx.db.findOneBy(Ticket, { ticket_id: from })))?.status, 'closed');
  await visit(page, `${desk.app.url}/admin/tickets/${first?.ticket_number}`);
  const note = page.locator('.note').filter({ hasText: 'Merged into another ticket.' });
  await note.getByRole('link', { name: `${other?.ticket_number} ${other?.subject}` }).click();
  await page.waitForURL(`**/admin/tickets/${other?.ticket_number}`);
  await context.close();
});

test('ticket fields are edited in place, and the history shows old and new values', async (t) => {
  const [ticket_id = 0] = await addTickets(desk, 1, 'Prointer is stuck');
  const { page, complaints, context } = await asStaff(desk, desk.made.staff.technician);
  await visit(page, `${desk.app.url}/admin/tickets/${1000 + ticket_id}`);
  complaints.splice(0);
  const change = async (fact: string, enter: () => Promise<void>) => {
    await page.getByRole('button', { name: `Change ${fact}` }).click();
    await enter();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: `Change ${fact}` }).waitFor();
  };
  await change('subject', () => page.getByLabel('Subject').fill('Printer is stuck'));
  await page.getByRole('heading', { name: /Printer is stuck 1$|Printer is stuck$/ }).waitFor();
  const pick = async (label: string, text: string) => {
    await page.getByRole('combobox', { name: label }).fill(text);
    await page.getByRole('option', { name: text }).first().click();
  };
  const colleague = desk.made.customers[0]?.colleague;
  await change('requester', () => pick('Requester', colleague?.last_name ?? ''));
  await change('category', async () => {
    await page.getByRole('combobox', { name: 'Category' }).selectOption({ label: 'Hardware' });
  });
  await page.getByRole('button', { name: 'Add asset' }).click();
  await pick('Asset', 'SERVER1');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.locator('.linked a').waitFor();
  await page.getByRole('button', { name: 'Add asset' }).waitFor();

  // Typed text without a selection is rejected, and Escape restores the previous value.
  await page.getByRole('button', { name: 'Change requester' }).click();
  await page.getByRole('combobox', { name: 'Requester' }).fill('Nobody we know');
  await page.getByRole('button', { name: 'Save' }).click();
  t.true(await page.getByRole('combobox', { name: 'Requester' }).evaluate((each) => each.matches(':invalid')));
  await page.getByRole('combobox', { name: 'Requester' }).press('Escape');
  await page.getByRole('button', { name: 'Change requester' }).waitFor();

  const stored = await desk.app.run((ctx) => ctx.db.findOneBy(Ticket, { ticket_id }));
  t.deepEqual(
    [stored?.subject, stored?.job_type, stored?.requester_employee_number],
    ['Printer is stuck', 'Hardware', colleague?.employee_number],
  );
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'History' }).click();
  const history = page.getByRole('dialog', { name: 'History' });
  await history.getByText('Category changed from General to Hardware').waitFor();
  await history.getByText(`Requester set to ${colleague?.first_name} ${colleague?.last_name}`).waitFor();
  t.deepEqual(complaints, []);
  await context.close();
});

test('the history lists all changes of a ticket', async (t) => {
  const [ticket_id = 0] = await addTickets(desk, 1, 'Often renamed');
  for (let count = 1; count <= 30; count++)
    await desk.app.run(async (ctx) =>
      updateTicket(ctx, await lockTicket(ctx, ticket_id), { subject: `Renamed ${count}` }),
    );
  const { page, context } = await asStaff(desk, desk.made.staff.technician);
  await visit(page, `${desk.app.url}/admin/tickets/${1000 + ticket_id}`);
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'History' }).click();
  const history = page.getByRole('dialog', { name: 'History' });
  await history.getByText('Subject changed from Often renamed 1 to Renamed 1').waitFor();
  t.true((await history.locator('.history > li').count()) >= 30);
  await context.close();
});

test('a ticket for a caller: choosing the person fills in the company', async (t) => {
  const caller = desk.made.customers[1]?.colleague;
  const { page, complaints, context } = await asStaff(desk, desk.made.staff.technician);
  await visit(page, `${desk.app.url}/admin/tickets/new`);
  complaints.splice(0);
  const requester = page.getByRole('combobox', { name: 'Requester' });
  await requester.fill(caller?.last_name ?? '');
  await page
    .getByRole('option', { name: caller?.last_name ?? '' })
    .first()
    .click();
  const company = page.getByRole('combobox', { name: 'Company' });
  await holds(company, desk.made.customers[1]?.company.customer ?? '');
  await page.getByLabel('Subject').fill('Calls from the car park');
  await page.getByRole('button', { name: 'Create ticket' }).click();
  await page.getByRole('heading', { name: /Calls from the car park/ }).waitFor();
  await page
    .locator('.requester')
    .getByText(caller?.first_name ?? '')
    .waitFor();
  t.deepEqual(complaints, []);
  await context.close();
});
