// Facts of a ticket edited in place: due date, tags, watchers.
import { Ticket } from '@keelson/modules/tickets';
import anyTest from 'ava';
import { addTickets, asStaff, openDesk, visit, type Desk } from './_desk.ts';
import { browserPath } from './_website.ts';

const path = browserPath();
const test = path === undefined ? anyTest.serial.skip : anyTest.serial;

let desk: Desk;

if (path !== undefined) {
  anyTest.before(async (t) => {
    t.timeout(180_000);
    desk = await openDesk(path);
  });
  anyTest.after.always(() => desk?.close());
}

/** Adds a ticket and returns its page's address. */
async function newTicket(subject: string) {
  const [ticket_id = 0] = await addTickets(desk, 1, subject);
  const ticket = await desk.app.run((ctx) => ctx.db.findOneBy(Ticket, { ticket_id }));
  return { ticket_id, subject: `${subject} 1`, address: `${desk.app.url}/admin/tickets/${ticket?.ticket_number}` };
}

test('a due date is set beside the conversation, stands in the queue and can be undone', async (t) => {
  t.timeout(120_000);
  const { ticket_id, subject, address } = await newTicket('Server room is warm');
  const { page, complaints, context } = await asStaff(desk, desk.made.staff.technician);
  await visit(page, address);
  await page.getByRole('button', { name: 'Change due date' }).click();
  await page.getByLabel('Due date').fill('2020-02-03');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Due date changed').waitFor();
  await page.getByRole('definition').filter({ hasText: 'Feb 3, 2020' }).waitFor();
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
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('definition').filter({ hasText: 'Feb 3, 2020' }).waitFor();
  t.deepEqual(complaints, []);
  await context.close();
});

test('tags are added with suggestions, removed, shown in the queue and given to several tickets at once', async (t) => {
  t.timeout(120_000);
  const first = await newTicket('Scanner is slow');
  const second = await newTicket('Scanner is loud');
  const { page, complaints, context } = await asStaff(desk, desk.made.staff.technician);
  const tagsOf = async ({ ticket_id }: { ticket_id: number }) =>
    (await desk.app.run((ctx) => ctx.db.findOneBy(Ticket, { ticket_id })))?.tags;
  await visit(page, first.address);
  await page.getByRole('button', { name: 'Add a tag' }).click();
  await page.getByLabel('Tags').fill('Hauling, on site');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('link', { name: 'hauling' }).waitFor();
  t.deepEqual(await tagsOf(first), ['hauling', 'on site']);
  await visit(page, second.address);
  await page.getByRole('button', { name: 'Add a tag' }).click();
  await page.getByLabel('Tags').fill('hau');
  await page.locator('datalist option[value="hauling"]').waitFor({ state: 'attached' });
  await page.getByLabel('Tags').fill('hauling');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('link', { name: 'hauling' }).click();
  await page.getByText(first.subject).first().waitFor();
  await page.getByText(second.subject).first().waitFor();
  await page.locator('.table .tag', { hasText: 'on site' }).waitFor();
  await page.getByLabel('Select the first hundred rows').check();
  await page.getByText('2 selected').waitFor();
  await page.getByRole('button', { name: 'Tag', exact: true }).click();
  await page.getByRole('dialog').getByLabel('Tag').fill('Loud');
  await page.getByRole('button', { name: 'Add tag' }).click();
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
