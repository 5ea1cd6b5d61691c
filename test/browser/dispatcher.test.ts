/// <reference lib="dom" />
// The dispatcher's queue: sorted by time left, with chosen columns, shared views and bulk changes.
import { createTicket } from '@keelson/modules/tickets';
import anyTest from 'ava';
import { createPolicy } from '../../modules/levels/policies/policies.ts';
import { asStaff, axe, openDesk, visit, type Desk } from './_desk.ts';
import { intercept } from './_intercept.ts';
import { browserPath } from './_website.ts';

const path = browserPath();
const test = path === undefined ? anyTest.serial.skip : anyTest.serial;
let desk: Desk;

if (path !== undefined) {
  anyTest.before(async () => {
    desk = await openDesk(path);
    const target = { response_minutes: 60, next_response_minutes: null, resolution_minutes: null };
    const targets = [1, 2, 3].map((priority) => ({ ...target, priority, response_minutes: 60 * priority }));
    await desk.app.run((ctx) => createPolicy(ctx, { name: 'Dispatch', position: 1, targets }));
  });
  anyTest.after.always(() => desk?.close());
}

/** Opens tickets of the first customer with these priorities. */
async function open(subject: string, priorities: readonly number[]): Promise<void> {
  const company_number = desk.made.customers[0]?.company.company_number ?? 0;
  for (const priority of priorities)
    await desk.app.run((ctx) => createTicket(ctx, { company_number, priority, subject: `${subject} ${priority}` }));
}

test('the queue sorted by time left shows the earliest due first, and remembers columns per view', async (t) => {
  await open('Dispatch', [3, 1, 2]);
  const { page, complaints, context } = await asStaff(desk, desk.made.staff.administrator);
  await visit(page, `${desk.app.url}/admin/tickets`);
  await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Time left' }).click();
  await page.waitForURL(/sort=time_left&order=asc/);
  await page.getByText('Dispatch 2').waitFor();
  await page.waitForFunction(() => document.querySelector('[aria-sort=ascending]')?.textContent.includes('Time left'));
  // The rows follow their heading.
  const inOrder = page.waitForFunction(() => {
    const rows = [...document.querySelectorAll('.sight .row')].map((row) => /Dispatch \d/.exec(row.textContent)?.[0]);
    return rows.filter(Boolean).join() === 'Dispatch 1,Dispatch 2,Dispatch 3';
  });
  await t.notThrowsAsync(inOrder);
  await page
    .getByRole('button', { name: /^Time left/ })
    .first()
    .click();
  await page.locator('.menu:popover-open [role^=menuitem]', { hasText: 'Overdue' }).click();
  await page.getByText('Dispatch 2').waitFor({ state: 'detached' });
  await page.goBack();

  await visit(page, `${desk.app.url}/admin/tickets?sort=time_left&order=asc`);
  await page.getByRole('button', { name: 'Choose columns' }).click();
  const dialog = page.getByRole('dialog', { name: /Time left/ });
  await dialog.getByLabel('Category').uncheck();
  await dialog.getByLabel('Requester').check();
  await dialog.getByRole('button', { name: 'Move Time left up' }).click();
  t.deepEqual(await axe(page), []);
  await dialog.getByRole('button', { name: 'Use in this view' }).click();
  await page.getByRole('columnheader', { name: 'Requester' }).waitFor();
  t.is(await page.getByRole('columnheader', { name: 'Category' }).count(), 0);
  await page.setViewportSize({ width: 1920, height: 900 });
  await visit(page, `${desk.app.url}/admin/tickets`);
  await page.getByRole('columnheader', { name: 'Category' }).waitFor();
  await visit(page, `${desk.app.url}/admin/tickets?sort=time_left&order=asc`);
  await page.getByRole('columnheader', { name: 'Requester' }).waitFor();
  t.deepEqual(complaints, []);
  await context.close();
});

test('a view is shared with its filters and columns, and colleagues see who is viewing a ticket', async (t) => {
  await open('Shared', [1]);
  const { page, context } = await asStaff(desk, desk.made.staff.administrator);
  await visit(page, `${desk.app.url}/admin/tickets?search=Shared&time_left=set`);
  await page.getByRole('button', { name: 'Save this view' }).click();
  const dialog = page.getByRole('dialog', { name: 'Save view' });
  await dialog.getByLabel('Title').fill('Shared and measured');
  await dialog.getByLabel('Share with all technicians').check();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('link', { name: 'Shared and measured' }).waitFor();
  const other = await asStaff(desk, desk.made.staff.technician);
  await visit(other.page, `${desk.app.url}/admin/tickets`);
  await other.page.getByRole('link', { name: 'Shared and measured' }).click();
  await other.page.getByText('Shared 1').waitFor();
  await page.getByText('Shared 1').click();
  await page.locator('.composer').waitFor();
  await other.page
    .locator('.faces')
    .getByText(`${desk.made.staff.administrator.name} is here`)
    .waitFor({ state: 'attached' });
  t.deepEqual(other.complaints, []);
  await other.context.close();
  await context.close();
});

test('a bulk change is previewed, and errors are listed by ticket afterwards', async (t) => {
  await open('Together', [1, 2]);
  const { page, complaints, context } = await asStaff(desk, desk.made.staff.administrator);
  await visit(page, `${desk.app.url}/admin/tickets?search=Together&sort=ticket_id&order=asc`);
  await page.getByLabel('Select first 100 rows').check();
  await page.getByRole('button', { name: 'Priority of selected' }).click();
  await page.locator('.menu:popover-open [role^=menuitem]', { hasText: 'High' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change 2 tickets' });
  await dialog.getByText('Critical → High').waitFor();
  await dialog.getByText('Already High').waitFor();
  await dialog.getByText('1 will change, 1 already so').waitFor();
  t.deepEqual(await axe(page), []);
  await dialog.getByRole('button', { name: 'Change 1 ticket' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.locator('.sight .row', { hasText: 'Together' }).getByText('High').nth(1).waitFor();
  t.deepEqual(complaints, []);
  await context.close();
});

test('a slow bulk change cannot be cancelled by accident, and one that fails shows what is left to do', async (t) => {
  await open('Slowly', [1, 2]);
  const { page, context } = await asStaff(desk, desk.made.staff.administrator);
  const { promise: waited, resolve: go } = Promise.withResolvers<void>();
  await intercept(page, '**/bulk/tickets.php', async (route) => {
    await waited;
    await route.fetch({ headers: { ...route.request().headers(), 'sec-fetch-site': 'same-origin' } });
    await route.fulfill({ status: 500, json: { success: false, error: 'Internal server error' } });
  });
  await visit(page, `${desk.app.url}/admin/tickets?search=Slowly`);
  await page.getByLabel('Select first 100 rows').check();
  await page.getByRole('button', { name: 'Priority of selected' }).click();
  await page.locator('.menu:popover-open [role^=menuitem]', { hasText: 'Low' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change 2 tickets' });
  await dialog.getByRole('button', { name: 'Change 2 tickets' }).click();
  t.true(await dialog.getByRole('button', { name: 'Changing…' }).isDisabled());
  await page.keyboard.press('Escape');
  t.true(await dialog.isVisible());
  go();
  await dialog.getByText('0 will change, 2 already so').waitFor();
  await dialog.getByRole('alert').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.waitFor({ state: 'detached' });
  await context.close();
});

test('the home page shows unassigned tickets, and one click assigns one', async (t) => {
  await open('Nobody has it', [1]);
  const { page, complaints, context } = await asStaff(desk, desk.made.staff.administrator);
  await visit(page, `${desk.app.url}/admin`);
  const card = page.locator('.card', { hasText: 'Unassigned' });
  const line = card.locator('li', { hasText: 'Nobody has it 1' });
  await page.getByRole('region', { name: 'Team' }).getByText(desk.made.staff.technician.name).waitFor();
  await line.getByRole('button', { name: /^Assignee of/ }).click();
  await page.locator('.menu:popover-open [role^=menuitem]', { hasText: desk.made.staff.technician.name }).click();
  await page.getByText(`Assigned to ${desk.made.staff.technician.name}`).waitFor();
  await line.waitFor({ state: 'detached' });
  t.deepEqual(await axe(page), []);
  t.deepEqual(complaints, []);
  await context.close();
});

test('a view is pinned and a recent record is opened again, also by keyboard', async (t) => {
  await open('Found again', [1]);
  const { page, complaints, context } = await asStaff(desk, desk.made.staff.technician);
  await visit(page, `${desk.app.url}/admin/tickets?assigned_to=none`);
  await page.getByRole('button', { name: 'Pin this page' }).focus();
  await page.keyboard.press('Enter');
  const favourites = page.getByRole('region', { name: 'Favourites' });
  await favourites.getByRole('link', { name: 'Tickets: Unassigned' }).waitFor();
  await page.getByText('Found again 1').click();
  await page.locator('.composer').waitFor();
  await favourites.getByRole('link', { name: 'Tickets: Unassigned' }).click();
  await page.waitForURL(/assigned_to=none/);
  await page
    .getByRole('region', { name: 'Recent' })
    .getByRole('link', { name: /Found again 1/ })
    .waitFor();
  t.deepEqual(await axe(page), []);
  const other = await asStaff(desk, desk.made.staff.technician);
  await visit(other.page, `${desk.app.url}/admin`);
  await other.page
    .getByRole('region', { name: 'Favourites' })
    .getByRole('link', { name: 'Tickets: Unassigned' })
    .click();
  await other.page.getByRole('button', { name: 'Unpin this page' }).click();
  await other.page.getByRole('region', { name: 'Favourites' }).waitFor({ state: 'detached' });
  await visit(other.page, `${desk.app.url}/admin/tickets/999999`);
  await visit(other.page, `${desk.app.url}/admin`);
  t.is(await other.page.getByRole('region', { name: 'Recent' }).count(), 0, 'a missing ticket is not kept');
  t.deepEqual(complaints, []);
  await other.context.close();
  await context.close();
});
