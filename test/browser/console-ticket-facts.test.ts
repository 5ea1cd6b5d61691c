// Facts of a ticket edited in place: due date, tags, watchers.
import { authoredBy } from '@keelson/core/system';
import {
  closeTicket,
  commentOnTicket,
  lockTicket,
  Ticket,
  TicketComment,
  updateTicket,
} from '@keelson/modules/tickets';
import anyTest from 'ava';
import { addWatcher } from '../../modules/tickets/people/watchers.ts';
import { addTickets, asCustomer, asStaff, openDesk, stopTime, visit, type Desk } from './_desk.ts';
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

function customer() {
  const [first] = desk.made.customers;
  if (!first) throw new Error('The demo has no customers');
  return first;
}

/** Adds a ticket and returns its page's address. */
async function newTicket(subject: string) {
  const [ticket_id = 0] = await addTickets(desk, 1, subject);
  const ticket = await desk.app.run((ctx) => ctx.db.findOneBy(Ticket, { ticket_id }));
  return { ticket_id, subject: `${subject} 1`, address: `${desk.app.url}/admin/tickets/${ticket?.ticket_number}` };
}

test('a due date is set next to the conversation, appears in the queue and can be undone', async (t) => {
  const { ticket_id, subject, address } = await newTicket('Server room is warm');
  const { page, complaints, context } = await asStaff(desk, desk.made.staff.technician);
  await visit(page, address);
  await page.getByRole('button', { name: 'Change due date' }).click();
  await page.getByLabel('Due date').fill('2020-02-03');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Due date changed').waitFor();
  await page.getByRole('definition').filter({ hasText: 'Feb 3, 2020' }).waitFor();
  const activity = page.locator('.conversation .activity');
  await activity.filter({ hasText: 'Due date set to Feb 3, 2020' }).waitFor();
  t.true((await activity.first().textContent())?.includes(desk.made.staff.technician.name));
  const stored = () => desk.app.run((ctx) => ctx.db.findOneBy(Ticket, { ticket_id }));
  t.is((await stored())?.due_date, '2020-02-03');
  await visit(page, `${desk.app.url}/admin/tickets?due=overdue&search=${encodeURIComponent(subject)}`);
  await page.getByText('Overdue: Feb 3, 2020').waitFor();
  await page.getByRole('link', { name: 'Due', exact: true }).click();
  await page.getByText(subject).first().waitFor();
  await visit(page, address);
  await page.getByRole('button', { name: 'Change due date' }).click();
  await page.getByLabel('Due date').fill('');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('definition').filter({ hasText: 'Feb 3, 2020' }).waitFor({ state: 'detached' });
  t.is((await stored())?.due_date, null);
  await activity.filter({ hasText: 'Due date removed (was Feb 3, 2020)' }).waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('definition').filter({ hasText: 'Feb 3, 2020' }).waitFor();
  t.deepEqual(complaints, []);
  await context.close();
});

test('the history shows when a ticket is assigned and unassigned', async (t) => {
  const { ticket_id, address } = await newTicket('Door phone is silent');
  const { technician, administrator } = desk.made.staff;
  const assign = (assigned_to: number | null) =>
    desk.app.run(async (ctx) => updateTicket(ctx, await lockTicket(ctx, ticket_id), { assigned_to }));
  await assign(technician.user_id);
  await assign(administrator.user_id);
  await assign(null);
  const { page, context } = await asStaff(desk, technician);
  await visit(page, address);
  const activity = page.locator('.conversation .activity');
  await activity.filter({ hasText: `Assigned to ${technician.name}` }).waitFor();
  await activity.filter({ hasText: `Assignee changed from ${technician.name} to ${administrator.name}` }).waitFor();
  await activity.filter({ hasText: `Unassigned (was ${administrator.name})` }).waitFor();
  t.is(await activity.filter({ hasText: 'nothing' }).count(), 0);
  await context.close();
});

test('tags are added with suggestions, removed, shown in the queue and added to several tickets at once', async (t) => {
  const first = await newTicket('Scanner is slow');
  const second = await newTicket('Scanner is loud');
  const { page, complaints, context } = await asStaff(desk, desk.made.staff.technician);
  const tagsOf = async ({ ticket_id }: { ticket_id: number }) =>
    (await desk.app.run((ctx) => ctx.db.findOneBy(Ticket, { ticket_id })))?.tags;
  await visit(page, first.address);
  await page.getByRole('button', { name: 'Add tag' }).click();
  await page.getByLabel('Tags').fill('Hauling, on site');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('link', { name: 'hauling' }).waitFor();
  t.deepEqual(await tagsOf(first), ['hauling', 'on site']);
  await page.locator('.activity', { hasText: 'Tags added: hauling, on site' }).waitFor();
  await visit(page, second.address);
  await page.getByRole('button', { name: 'Add tag' }).click();
  await page.getByLabel('Tags').fill('hau');
  await page.locator('datalist option[value="hauling"]').waitFor({ state: 'attached' });
  await page.getByLabel('Tags').fill('hauling');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('link', { name: 'hauling' }).click();
  await page.getByText(first.subject).first().waitFor();
  await page.getByText(second.subject).first().waitFor();
  await page.locator('.table .tag', { hasText: 'on site' }).waitFor();
  await visit(page, `${desk.app.url}/admin/tickets`);
  await page.getByRole('button', { name: /^Tag/ }).click();
  await page.locator('.menu:popover-open [role^=menuitem]', { hasText: 'hauling' }).click();
  await page.waitForURL(/tag=hauling/);
  await page.locator('.table .tag', { hasText: 'on site' }).waitFor();
  await page.getByLabel('Select first 100 rows').check();
  await page.getByText('2 selected').waitFor();
  await page.getByRole('button', { name: 'Tags of selected' }).click();
  await page.getByRole('menuitem', { name: 'Add a tag' }).click();
  await page.getByRole('dialog').getByLabel('Tag').fill('Loud');
  await page.getByRole('dialog').getByRole('button', { name: 'Preview' }).click();
  await page.getByRole('button', { name: 'Change 2 tickets' }).click();
  await page.getByText('2 tickets changed').waitFor();
  t.deepEqual(await tagsOf(second), ['hauling', 'loud']);
  await visit(page, first.address);
  await page.getByRole('button', { name: 'Remove tag on site' }).click();
  await page.getByRole('link', { name: 'on site' }).waitFor({ state: 'detached' });
  t.deepEqual(await tagsOf(first), ['hauling', 'loud']);
  await page.getByRole('button', { name: 'Undo' }).first().click();
  await page.getByRole('link', { name: 'on site' }).waitFor();
  t.deepEqual(complaints, []);
  await context.close();
});

test('people watch a ticket: a contact, a technician and yourself', async (t) => {
  const { address } = await newTicket('Switch reboots');
  const { page, complaints, context } = await asStaff(desk, desk.made.staff.technician);
  await visit(page, address);
  const { colleague: contact } = customer();
  const name = `${contact.first_name} ${contact.last_name}`;
  const watchers = page.locator('.side-section', { hasText: 'Watchers' });
  await watchers.getByRole('button', { name: 'Follow' }).click();
  await watchers.getByRole('button', { name: `Remove ${desk.made.staff.technician.name}` }).waitFor();
  await page.getByRole('button', { name: 'Add watcher' }).click();
  await page.getByRole('combobox', { name: 'Contact' }).fill(name);
  await page.getByRole('option', { name }).first().click();
  await page.getByRole('button', { name: 'Save' }).click();
  await watchers.getByRole('link', { name }).waitFor();
  await watchers.getByRole('button', { name: `Remove ${name}` }).click();
  await watchers.getByRole('link', { name }).waitFor({ state: 'detached' });
  await page.locator('.activity', { hasText: `added watcher ${name}` }).waitFor();
  await page.locator('.activity', { hasText: `removed watcher ${name}` }).waitFor();
  await page.getByRole('button', { name: 'Undo' }).first().click();
  await watchers.getByRole('link', { name }).waitFor();
  t.deepEqual(complaints, []);
  await context.close();
});

test('a customer adds a colleague, who can follow the ticket but not close it', async (t) => {
  const { it_admin: admin, manager, employee } = customer();
  const { page, complaints, context } = await asCustomer(desk, employee);
  complaints.splice(0);
  await visit(page, `${desk.app.url}/helpdesk/tickets/new`);
  await page.getByLabel('What is it about?').fill('The meeting room is cold');
  await page.getByLabel('Add watchers').fill(manager.first_name);
  const name = `${manager.first_name} ${manager.last_name}`;
  await page.getByRole('button', { name, exact: true }).click();
  await page.getByRole('button', { name: `Remove ${name}` }).waitFor();
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  const informed = page.locator('.side-section', { hasText: 'Watchers' });
  await informed.getByText(name).waitFor();
  await informed.getByRole('button', { name: 'Add colleague' }).click();
  await informed.getByLabel('Colleague').fill(admin.first_name);
  const second = `${admin.first_name} ${admin.last_name}`;
  await informed.getByRole('button', { name: second, exact: true }).click();
  await informed.getByRole('button', { name: `Remove ${second}` }).click();
  await informed.getByRole('button', { name: `Remove ${second}` }).waitFor({ state: 'detached' });
  t.deepEqual(complaints, []);
  await context.close();

  const [ticket_id = 0] = await addTickets(desk, 1, 'The door is loud');
  await desk.app.run(async (ctx) => {
    const ticket = await lockTicket(ctx, ticket_id);
    await addWatcher(ctx, ticket, { employee_number: employee.employee_number });
  });
  const watcher = await asCustomer(desk, employee, { viewport: { width: 390, height: 800 } });
  watcher.complaints.splice(0);
  await visit(watcher.page, `${desk.app.url}/helpdesk/tickets?of=watched`);
  await watcher.page.getByText('The door is loud 1').click();
  await watcher.page.getByLabel('Your reply').fill('Ours, too');
  await watcher.page.getByRole('button', { name: 'Send', exact: true }).click();
  await watcher.page.getByText('Ours, too').waitFor();
  t.is(await watcher.page.getByRole('button', { name: 'Mark as solved' }).count(), 0);
  t.deepEqual(watcher.complaints, []);
  await watcher.context.close();
});

test('a reply and an internal note are sent together and undone together', async (t) => {
  const { ticket_id, address } = await newTicket('Phone rings twice');
  const { page, complaints, context } = await asStaff(desk, desk.made.staff.technician);
  await page.clock.install();
  await visit(page, address);
  const comments = () => desk.app.run((ctx) => ctx.db.findBy(TicketComment, { ticket_id }));
  await page.keyboard.press('n');
  await page.getByRole('textbox', { name: 'Internal note' }).fill('Old handset');
  await page.getByRole('button', { name: /^Reply to/ }).click();
  const reply = page.getByRole('textbox', { name: /^Reply to/ });
  await reply.fill('We bring a new one.');
  await page.getByLabel('Add internal note').uncheck();
  await page.getByLabel('Add internal note').check();
  await stopTime(page);
  await page.getByRole('button', { name: 'Send both' }).click();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('button', { name: 'Send both' }).waitFor();
  await page.clock.resume();
  t.is(await reply.inputValue(), 'We bring a new one.');
  t.deepEqual(await comments(), []);
  await page.getByRole('button', { name: 'Send both' }).click();
  await page.locator('.said[data-note]', { hasText: 'Old handset' }).waitFor();
  t.deepEqual(
    (await comments()).map((each) => [each.comment, each.is_internal]),
    [
      ['We bring a new one.', false],
      ['Old handset', true],
    ],
  );
  t.is(await reply.inputValue(), '');
  t.deepEqual(complaints, []);
  await context.close();
});

test('a closed ticket becomes an article, and each links to the other', async (t) => {
  const { ticket_id, subject, address } = await newTicket('Toner is empty');
  await desk.app.run(async (ctx) => {
    const ticket = await lockTicket(ctx, ticket_id);
    const { user_id: id, name } = desk.made.staff.technician;
    const technician = authoredBy(ctx, { type: 'technician', id, name });
    await commentOnTicket(technician, ticket, { comment: 'Order it in the portal.', is_internal: false });
    await commentOnTicket(technician, ticket, { comment: 'They never order in time', is_internal: true });
    await closeTicket(technician, ticket);
  });
  const { page, complaints, context } = await asStaff(desk, desk.made.staff.administrator);
  await visit(page, address);
  await page.getByRole('button', { name: 'Create article' }).click();
  await page.waitForURL(/\/articles\/\d+\/edit$/);
  t.is(await page.getByLabel('Title').inputValue(), subject);
  const content = await page.locator('textarea[name="content"]').inputValue();
  t.true(content.includes('Order it in the portal.'));
  t.false(content.includes('They never order'));
  await page.getByRole('button', { name: 'Save' }).click();
  const main = page.locator('#main');
  await main.getByRole('link', { name: subject }).click();
  await page.waitForURL(address);
  await main.getByRole('link', { name: subject }).waitFor();
  t.deepEqual(complaints, []);
  await context.close();
});

test('buttons open the next and previous ticket of the last list', async (t) => {
  await addTickets(desk, 3, 'Step through me');
  const { page, complaints, context } = await asStaff(desk, desk.made.staff.technician, {
    viewport: { width: 390, height: 800 },
  });
  await visit(page, `${desk.app.url}/admin/tickets?search=Step+through+me&sort=ticket_id&order=asc`);
  await page.getByText('Step through me 1').first().click();
  await page.getByRole('heading', { name: 'Step through me 1' }).waitFor();
  t.true(await page.getByRole('button', { name: 'Previous ticket' }).isDisabled());
  await page.getByRole('button', { name: 'Next ticket' }).click();
  await page.getByRole('heading', { name: 'Step through me 2' }).waitFor();
  await page.getByRole('button', { name: 'Next ticket' }).click();
  await page.getByRole('heading', { name: 'Step through me 3' }).waitFor();
  t.true(await page.getByRole('button', { name: 'Next ticket' }).isDisabled());
  await page.getByRole('button', { name: 'Previous ticket' }).click();
  await page.getByRole('heading', { name: 'Step through me 2' }).waitFor();
  t.deepEqual(complaints, []);
  await context.close();
});

test('tags that are removed one right after another all stay removed, and undo returns only its own', async (t) => {
  const { ticket_id, address } = await newTicket('Tagged');
  await desk.app.run(async (ctx) => {
    await updateTicket(ctx, await lockTicket(ctx, ticket_id), { tags: ['east', 'north', 'west'] });
  });
  const { page, context } = await asStaff(desk, desk.made.staff.technician);
  await visit(page, address);
  const { promise: clicked, resolve: go } = Promise.withResolvers<void>();
  await intercept(page, /tickets\.php\?id=/, async (route) => {
    if (route.request().method() === 'PUT') await clicked;
    return route.continue();
  });
  await page.getByRole('button', { name: 'Remove tag east' }).click();
  await page.getByRole('button', { name: 'Remove tag north' }).click();
  go();
  await page.getByText('Tag north removed').waitFor();
  const tags = async () => (await desk.app.run((ctx) => ctx.db.findOneBy(Ticket, { ticket_id })))?.tags;
  t.deepEqual(await tags(), ['west']);
  await page.locator('.toast', { hasText: 'Tag east removed' }).getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Reverted').waitFor();
  t.deepEqual((await tags())?.toSorted(), ['east', 'west']);
  await context.close();
});

test('a fact that is edited again before its first change is stored stays open', async (t) => {
  const { address } = await newTicket('Edited twice');
  const { page, context } = await asStaff(desk, desk.made.staff.technician);
  await visit(page, address);
  const { promise: typed, resolve: go } = Promise.withResolvers<void>();
  await intercept(page, /tickets\.php\?id=/, async (route) => {
    if (route.request().method() === 'PUT') await typed;
    return route.continue();
  });
  const open = () => page.getByRole('button', { name: 'Change due date' }).click();
  await open();
  await page.getByLabel('Due date').fill('2031-02-03');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.keyboard.press('Escape');
  await open();
  await page.getByLabel('Due date').fill('2031-04-05');
  go();
  await page.getByText('Due date changed').waitFor();
  t.is(await page.getByLabel('Due date').inputValue(), '2031-04-05');
  await context.close();
});
