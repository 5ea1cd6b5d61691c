/// <reference lib="dom" />
// The queue beside a ticket, the ticket's keyboard shortcuts, and overlapping elements.
import anyTest from 'ava';
import type { Page } from 'playwright-core';
import { Timer } from '../../modules/desk/entities.ts';
import { until } from '../_until.ts';
import { addTickets, asStaff, holds, openDesk, stopTime, visit, type Desk } from './_desk.ts';
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

const listOf = (subject: string, more: Readonly<Record<string, string>> = {}) => {
  const asked = new URLSearchParams({ search: subject, sort: 'ticket_id', order: 'asc', ...more });
  return `${desk.app.url}/admin/tickets?${asked.toString()}`;
};

/** Returns whether two elements overlap. */
const overlap = (page: Page, one: string, other: string) =>
  page.evaluate(
    ([first, second]) => {
      const [a, b] = [first, second].map((each) => document.querySelector(each ?? '')?.getBoundingClientRect());
      if (!a || !b) throw new Error('One of the elements is missing');
      return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
    },
    [one, other],
  );

test('the previewed ticket is highlighted, and when it leaves the list the next one is selected', async (t) => {
  await addTickets(desk, 4, 'Split view');
  const { page, complaints, context } = await asStaff(desk, desk.made.staff.technician);
  await visit(page, listOf('Split view', { split: '1' }));
  await page.getByText('Split view 4').first().waitFor();
  const open = (subject: string) => page.getByRole('heading', { level: 2, name: new RegExp(subject) }).waitFor();
  const marked = () => page.locator('.row[data-walked]').textContent();
  await page.keyboard.press('j');
  await open('Split view 1');
  await page.keyboard.press('j');
  await open('Split view 2');
  t.regex((await marked()) ?? '', /Split view 2/);
  await page.keyboard.press('e');
  await open('Split view 3');
  await page.locator('.row[data-walked]', { hasText: 'Split view 3' }).waitFor();
  t.is(await page.locator('.row[data-current]').count(), 1);
  await page.reload();
  await page.locator('.row[data-walked]', { hasText: 'Split view 3' }).waitFor();

  await page.getByRole('link', { name: 'Unassigned' }).click();
  await page.waitForURL(/assigned_to=none/);
  t.is(new URL(page.url()).searchParams.get('split'), '1');
  await page.getByRole('link', { name: 'Unassigned' }).waitFor();
  t.deepEqual(complaints, []);
  await context.close();
});

test('on a ticket ] and j open the next in the list, [ and k the previous, and Esc returns to the list', async (t) => {
  await addTickets(desk, 3, 'One by one');
  const { page, context } = await asStaff(desk, desk.made.staff.technician);
  const list = listOf('One by one');
  await visit(page, list);
  await page.getByText('One by one 3').first().waitFor();
  await page.keyboard.press('Enter');
  const open = (n: number) => page.getByRole('heading', { level: 1, name: new RegExp(`One by one ${n}`) }).waitFor();
  await open(1);
  for (const [key, n] of [
    [']', 2],
    ['j', 3],
    ['k', 2],
    ['[', 1],
  ] as const) {
    await page.keyboard.press(key);
    await open(n);
  }
  await page.keyboard.press('r');
  await page.keyboard.type('jk[]');
  await page.keyboard.press('Escape');
  await open(1);
  await page.keyboard.press('Escape');
  await page.waitForURL(list);
  t.pass();
  await context.close();
});

test('on a ticket opened by its address, Esc leaves the field first and then the ticket', async (t) => {
  await addTickets(desk, 1, 'By its address');
  const { page, context } = await asStaff(desk, desk.made.staff.technician);
  await visit(page, listOf('By its address'));
  await page.getByText('By its address 1').first().click();
  const title = page.getByRole('heading', { level: 1, name: /By its address 1/ });
  await title.waitFor();
  const address = page.url();
  await page.goto(address);
  await title.waitFor();
  await page.keyboard.press('r');
  await page.keyboard.type('Kept while leaving the field');
  await page.keyboard.press('Escape');
  t.is(page.url(), address);
  await page.keyboard.press('Escape');
  await page.waitForURL((url) => url.pathname === '/admin/tickets');
  await context.close();
});

test('subjects are readable beside the default columns, on a laptop and on a desk', async (t) => {
  const long = 'Quarterly restore test of the finance share failed';
  await addTickets(desk, 1, long);
  for (const width of [1280, 1366, 1440, 1920]) {
    const { page, context } = await asStaff(desk, desk.made.staff.technician, { viewport: { width, height: 900 } });
    await visit(page, listOf(long));
    await page.getByRole('columnheader', { name: 'Time left' }).waitFor();
    const shown = await page.locator('.cell.strong').last().evaluate(charactersShown);
    t.true(shown >= 45, `${shown} characters at ${width} px`);
    await context.close();
  }
});

test('the placeholder of the search is shown whole', async (t) => {
  for (const locale of ['en-US', 'de-DE'])
    for (const width of [1440, 1024]) {
      const { page, context } = await asStaff(desk, desk.made.staff.technician, {
        locale,
        viewport: { width, height: 900 },
      });
      await visit(page, `${desk.app.url}/admin/tickets`);
      const search = page.locator('.queue .search-field input');
      await search.waitFor();
      // A value is as wide as a placeholder, and scrolls if it is too long.
      const hidden = await search.evaluate((each: HTMLInputElement) => {
        each.value = each.placeholder;
        return each.scrollWidth - each.clientWidth;
      });
      t.is(hidden, 0, `${width} px in ${locale}`);
      await context.close();
    }
});

test('on a narrow window the due date is left out, unless the list is sorted by it', async (t) => {
  const { page, context } = await asStaff(desk, desk.made.staff.technician, { viewport: { width: 800, height: 900 } });
  const due = page.getByRole('columnheader', { name: 'Due', exact: true });
  await visit(page, `${desk.app.url}/admin/tickets`);
  t.is(await due.count(), 0);
  await visit(page, `${desk.app.url}/admin/tickets?sort=due_date&order=asc`);
  t.is(await due.count(), 1);
  await context.close();
});

/** Returns how many characters of a cell lie within it. */
function charactersShown(cell: Element): number {
  const { right } = cell.getBoundingClientRect();
  const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
  let count = 0;
  for (let node = walker.nextNode(); node; node = walker.nextNode())
    for (let at = 0; at < (node.textContent ?? '').length; at++) {
      const range = document.createRange();
      range.setStart(node, at);
      range.setEnd(node, at + 1);
      if (range.getBoundingClientRect().right <= right) count++;
    }
  return count;
}

test('toasts cover neither the composer nor the bulk actions', async (t) => {
  await addTickets(desk, 2, 'Covered');
  const { page, context } = await asStaff(desk, desk.made.staff.technician);
  await visit(page, listOf('Covered'));
  await page.getByText('Covered 2').first().waitFor();
  await page.keyboard.press('Enter');
  await page.locator('.composer').waitFor();
  await page.keyboard.press('h');
  await page.locator('.toast').waitFor();
  t.false(await overlap(page, '.toast', '.composer'));
  await page.setViewportSize({ width: 390, height: 844 });
  t.false(await overlap(page, '.toast', '.composer'));
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goBack();
  await page.getByText('Covered 2').first().waitFor();
  await page.keyboard.press('x');
  await page.locator('.bulk').waitFor();
  t.false(await overlap(page, '.toasts', '.bulk'));
  const all = page.getByLabel('Select first 100 rows');
  const state = () =>
    all.evaluate((box) => [(box as HTMLInputElement).checked, (box as HTMLInputElement).indeterminate]);
  t.deepEqual(await state(), [false, true], 'one of two is selected');
  await all.click();
  t.deepEqual(await state(), [false, false]);
  await all.click();
  t.deepEqual(await state(), [true, false]);
  await context.close();
});

test('a reply that can still be undone is visible', async (t) => {
  const [id = 0] = await addTickets(desk, 1, 'On its way');
  const { page, context } = await asStaff(desk, desk.made.staff.technician);
  await page.clock.install();
  await visit(page, `${desk.app.url}/admin/tickets/${1000 + id}`);
  await page.keyboard.press('r');
  await page.keyboard.type('Restart it, please.');
  await stopTime(page);
  await page.keyboard.press('ControlOrMeta+Enter');
  const waiting = page.getByRole('list', { name: 'Conversation' }).locator('[aria-busy]');
  await waiting.getByText('Restart it, please.').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await waiting.waitFor({ state: 'detached' });
  await page.clock.resume();
  await t.notThrowsAsync(holds(page.getByRole('textbox', { name: /^Reply to/ }), 'Restart it, please.'));
  await context.close();
});

test('others see who is typing, and no longer after sending', async (t) => {
  const [id = 0] = await addTickets(desk, 1, 'Two at work');
  const first = await asStaff(desk, desk.made.staff.technician);
  const second = await asStaff(desk, desk.made.staff.administrator);
  const address = `${desk.app.url}/admin/tickets/${1000 + id}`;
  for (const { page } of [first, second]) await visit(page, address);
  await first.page.keyboard.press('n');
  await first.page.keyboard.type('I have it');
  await second.page.getByText('is writing').waitFor();
  await first.page.keyboard.press('ControlOrMeta+Enter');
  await second.page.getByText('is here').waitFor();
  t.is(await second.page.getByText('is writing').count(), 0);
  await first.context.close();
  await second.context.close();
});

test('a running timer fills in the minutes of a reply, which stops it', async (t) => {
  const [id = 0] = await addTickets(desk, 1, 'Timed');
  const { page, context } = await asStaff(desk, desk.made.staff.technician);
  await page.clock.setSystemTime(desk.app.clock.now());
  await visit(page, `${desk.app.url}/admin/tickets/${1000 + id}`);
  await page.locator('.composer').waitFor();
  await page.keyboard.press('t');
  const minutes = page.getByLabel('Minutes worked');
  await page.locator('.timer[data-running]').waitFor();
  await page.waitForFunction(() => document.querySelector<HTMLInputElement>('.time-spent input')?.value === '1');
  await page.keyboard.press('n');
  await page.keyboard.type('Looked at it');
  await page.keyboard.press('ControlOrMeta+Enter');
  await page.locator('.worked').waitFor();
  await page.locator('.timer').waitFor({ state: 'detached' });
  await t.notThrowsAsync(holds(minutes, ''));
  const timers = () => desk.app.run((ctx) => ctx.db.countBy(Timer, { ticket_id: id }));
  await t.notThrowsAsync(until(async () => (await timers()) === 0));
  await context.close();
});
