/// <reference lib="dom" />
// What people see and what their keys do: sign-in, dialogs, search and figures.
import { createActivity, CrmActivity } from '@keelson/modules/crm';
import { createCompany, Employee } from '@keelson/modules/directory';
import { createTicket } from '@keelson/modules/tickets';
import anyTest from 'ava';
import type { Page } from 'playwright-core';
import { IsNull, Not } from 'typeorm';
import { asCustomer, asStaff, holds, openDesk, settled, visit, type Desk } from './_desk.ts';
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

test('a wrong portal password shows an error and keeps the email', async (t) => {
  const { app, browser } = desk;
  const page = await (await browser.newContext()).newPage();
  await page.goto(`${app.url}/helpdesk/sign-in`);
  await page.getByLabel('Email address').fill('somebody@example.com');
  await page.getByLabel('Password').fill('certainly not the password');
  const refused = page.waitForResponse((each) => each.url().endsWith('/auth/login'));
  await page.getByRole('button', { name: 'Sign in' }).click();
  t.is((await refused).status(), 401);
  await page.getByRole('alert').waitFor();
  t.not((await page.getByRole('alert').innerText()).trim(), '');
  await t.notThrowsAsync(holds(page.getByLabel('Email address'), 'somebody@example.com'));
  t.is(new URL(page.url()).pathname, '/helpdesk/sign-in');
  await page.close();
});

test('the portal home offers New ticket, and a screenshot can be pasted into it', async (t) => {
  const [customer] = desk.made.customers;
  if (!customer) return t.fail();
  const { page, context } = await asCustomer(desk, customer.employee);
  await visit(page, `${desk.app.url}/helpdesk`);
  await page.getByRole('link', { name: 'New ticket' }).first().click();
  await page.getByLabel('What is it about?').fill('The screen flickers');
  await page.getByLabel('What happened, and when did it start?').evaluate((field) => {
    const data = new DataTransfer();
    data.items.add(new File([new Uint8Array([137, 80, 78, 71])], 'screen.png', { type: 'image/png' }));
    field.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
  });
  await page.getByText('screen.png').waitFor();
  await page.getByLabel('What is it about?').evaluate((field) => {
    const data = new DataTransfer();
    data.items.add(new File([new Uint8Array([137, 80, 78, 71])], 'second.png', { type: 'image/png' }));
    field.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
  });
  await page.getByText('second.png').waitFor();
  await page.getByText('screen.png').waitFor();
  t.pass();
  await context.close();
});

test('Esc closes the palette even when it contains text', async (t) => {
  const { page, context } = await asStaff(desk, desk.made.staff.technician);
  await visit(page, `${desk.app.url}/admin/tickets`);
  const before = page.url();
  await page.keyboard.press('Control+K');
  await page.getByRole('combobox').fill('printer');
  await page.keyboard.press('Escape');
  await page.locator('dialog.palette').waitFor({ state: 'detached' });
  t.is(page.url(), before);
  await context.close();
});

test('a person’s account keeps what a technician changes while another field is edited', async (t) => {
  const [customer] = desk.made.customers;
  if (!customer) return t.fail();
  const { employee_number } = customer.employee;
  const { page, context } = await asCustomer(desk, customer.employee);
  await visit(page, `${desk.app.url}/helpdesk/me`);
  const title = page.getByLabel('Job title');
  await title.fill('Head of finance');
  await desk.app.app.database.update(Employee, { employee_number }, { phone: '+1 555 0199' });
  await page.locator('form', { has: title }).getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved', { exact: true }).waitFor();
  t.like(await desk.app.app.database.findOneBy(Employee, { employee_number }), {
    title: 'Head of finance',
    phone: '+1 555 0199',
  });
  await context.close();
});

test('chart bars use the theme colour and start at 0 inside the chart', async (t) => {
  const { page, context } = await asStaff(desk, desk.made.staff.administrator, { colorScheme: 'light' });
  await visit(page, `${desk.app.url}/admin/sales`);
  const canvas = page.locator('.chart-canvas canvas');
  await canvas.waitFor();
  t.is(await page.locator('.chart-canvas .u-over').evaluate((each) => getComputedStyle(each).position), 'absolute');
  const fits = () =>
    canvas.evaluate((each) => {
      const [inner, outer] = [each, each.closest('.chart-canvas') as Element].map((one) => one.getBoundingClientRect());
      return inner && outer && inner.bottom <= outer.bottom + 1 && inner.right <= outer.right + 1;
    });
  t.true(await fits());
  const colours = () =>
    canvas.evaluate((each) => {
      const { width, height } = each as HTMLCanvasElement;
      const { data } = (each as HTMLCanvasElement).getContext('2d')?.getImageData(0, 0, width, height) ?? { data: [] };
      const seen = new Map<string, number>();
      for (let at = 0; at < data.length; at += 4)
        if (data[at + 3] === 255) {
          const key = `${data[at]},${data[at + 1]},${data[at + 2]}`;
          seen.set(key, (seen.get(key) ?? 0) + 1);
        }
      return [...seen].toSorted((a, b) => b[1] - a[1])[0]?.[0];
    });
  const drawn = async (before?: string) => {
    for (;;) {
      const colour = await colours();
      if (colour !== undefined && colour !== before) return colour;
      await page.waitForTimeout(50);
    }
  };
  const light = await drawn();
  t.not(light, '0,0,0');
  await page.emulateMedia({ colorScheme: 'dark' });
  t.log(`the theme changes the bars to ${await drawn(light)}`);
  t.true(await fits());
  await context.close();
});

test('the outage banner separates the time from the title', async (t) => {
  const [customer] = desk.made.customers;
  if (!customer) return t.fail();
  const { page, context } = await asCustomer(desk, customer.employee);
  await visit(page, `${desk.app.url}/helpdesk`);
  await page.getByText(/No outgoing calls from the head office · \S.* · Details/).waitFor();
  t.pass();
  await context.close();
});

test('a new ticket shows an outage only if it is about it', async (t) => {
  const [customer] = desk.made.customers;
  if (!customer) return t.fail();
  const { page, context } = await asCustomer(desk, customer.employee);
  const about = (text: string) => visit(page, `${desk.app.url}/helpdesk/tickets/new?${new URLSearchParams({ text })}`);
  const banner = page.getByText('Phone is having problems.');
  for (const text of ['My phone is dead', 'Outgoing calls fail']) {
    await about(text);
    await banner.waitFor();
  }
  for (const text of ['How do I connect to VPN from home?', 'How do I install Office?']) {
    await about(text);
    await page.getByLabel('What is it about?').waitFor();
    t.is(await banner.count(), 0, text);
  }
  await context.close();
});

test('at 390 px Getting started takes one line per open step, with its mark beside the text', async (t) => {
  const viewport = { width: 390, height: 844 };
  const { page, context } = await asStaff(desk, desk.made.staff.administrator, { viewport });
  await visit(page, `${desk.app.url}/admin`);
  const steps = page.locator('.set-up');
  await page.getByText('Completed steps').click();
  await steps.nth(1).waitFor();
  const lines = await steps.locator('a').evaluateAll((all) =>
    all.map((each) => {
      const [mark, text] = [...each.children].map((one) => one.getBoundingClientRect());
      return {
        beside: mark && text && mark.right <= text.left && mark.bottom <= text.bottom + 1,
        height: each.clientHeight,
      };
    }),
  );
  t.is(lines.length, 9);
  for (const { beside, height } of lines) {
    t.true(beside);
    t.true(height <= 48, `${height}`);
  }
  await context.close();
});

/** Returns the texts whose box is narrower than what they say. */
const cutOff = (page: Page, selector: string): Promise<string[]> =>
  page
    .locator(selector)
    .evaluateAll((all) =>
      all.filter((each) => each.scrollWidth > each.clientWidth + 1).map((each) => each.textContent ?? ''),
    );

for (const locale of ['en-US', 'de-DE'])
  test(`at 390 px subjects, due times and page names are readable (${locale})`, async (t) => {
    const viewport = { width: 390, height: 844 };
    const { page, context } = await asStaff(desk, desk.made.staff.administrator, { viewport, locale });
    await visit(page, `${desk.app.url}/admin`);
    const subjects = page.locator('.lines a:has(.priority-mark) .grow');
    await subjects.nth(2).waitFor();
    for (const each of await subjects.evaluateAll((all) => all.map(({ clientWidth }) => clientWidth)))
      t.true(each > 250, `${each} px for a subject`);
    t.deepEqual(await cutOff(page, '.lines a:has(.priority-mark) > :is(.grow, .tone-muted), .bottom-bar > *'), []);
    await visit(page, `${desk.app.url}/admin/contacts`);
    await page.locator('.brief-rest').nth(3).waitFor();
    // What a row says is cut at its end only: the first name and the company are whole.
    t.deepEqual(await cutOff(page, '.brief-rest > *'), []);
    const ends = await page
      .locator('.brief-rest')
      .evaluateAll((all) =>
        all.map(
          (each) => (each.children[1]?.getBoundingClientRect().right ?? 0) <= each.getBoundingClientRect().right + 1,
        ),
      );
    t.true(ends.length > 3 && ends.every(Boolean));
    await visit(page, `${desk.app.url}/admin/service-levels`);
    await page.getByRole('row').first().click();
    const facts = page.locator('.record-side .facts dd');
    await facts.first().waitFor();
    for (const each of await facts.evaluateAll((all) => all.map(({ clientWidth }) => clientWidth)))
      t.true(each > 120, `${each} px for a fact`);
    await context.close();
  });

test('at 390 px a long page name in the menu of the portal is cut at its end, and tickets have no empty facts', async (t) => {
  const [customer] = desk.made.customers;
  if (!customer) throw new Error('The demo has no customers');
  const company_number = customer.company.company_number;
  await desk.app.run((ctx) => createTicket(ctx, { company_number, subject: 'Opened by a technician' }));
  const viewport = { width: 390, height: 844 };
  const { page, context } = await asCustomer(desk, customer.it_admin, { viewport, locale: 'de-DE' });
  await visit(page, `${desk.app.url}/helpdesk/people/groups`);
  const nav = await page.locator('.portal-bar nav').boundingBox();
  const icon = await page.locator('.portal-more svg').first().boundingBox();
  t.true((icon?.x ?? 0) >= (nav?.x ?? Infinity) && (icon?.width ?? 0) > 12);
  await visit(page, `${desk.app.url}/helpdesk/tickets`);
  const facts = page.locator('.row', { hasText: 'Opened by a technician' }).locator('.line-about > *');
  t.is(await facts.count(), 2);
  await context.close();
});

/** Keeps the texts that the page draws. */
function keepDrawn(): void {
  const seen: string[] = [];
  Object.assign(window, { drawn: seen });
  const { fillText } = CanvasRenderingContext2D.prototype;
  CanvasRenderingContext2D.prototype.fillText = function draw(text, ...at) {
    seen.push(text);
    fillText.call(this, text, ...at);
  };
}

const drawnOn = (page: Page) => page.evaluate(() => (window as unknown as { drawn: string[] }).drawn);

test('names below the bars of a chart do not overlap', async (t) => {
  const customer = 'Wholesale and Retail Bakery Supplies of the Northern Counties and the Islands Limited';
  await desk.app.run(async (ctx) => {
    const { company_number } = await createCompany(ctx, { customer });
    await createTicket(ctx, { company_number, subject: 'Oven does not answer' });
  });
  const { page, context } = await asStaff(desk, desk.made.staff.administrator);
  await page.addInitScript(keepDrawn);
  await visit(page, `${desk.app.url}/admin/reports/new`);
  await page.getByLabel('Group by').selectOption({ label: 'Company' });
  await page.locator('.chart-canvas canvas').waitFor();
  await settled(page);
  const [name = ''] = (await drawnOn(page)).filter((each) => each.startsWith('Whole'));
  t.regex(name, /^Whole.{3,40}…$/);
  await context.close();
});

test('sales shows what is due first, and opens the list of what is due', async (t) => {
  const { app } = desk;
  const [some] = await app.app.database.find(CrmActivity, { take: 1 });
  if (!some) return t.fail();
  const { entity_type, entity_id } = some;
  await app.run((ctx) =>
    createActivity(ctx, { type: 'task', subject: 'Some day', description: '', entity_type, entity_id }),
  );
  const open = await app.app.database.find(CrmActivity, {
    where: { completed: false, due_date: Not(IsNull()) },
    order: { due_date: 'ASC' },
  });
  const { page, context } = await asStaff(desk, desk.made.staff.administrator);
  await page.clock.setFixedTime(app.clock.now());
  await visit(page, `${app.url}/admin/sales`);
  const links = page.locator('.due a');
  await links.first().waitFor();
  t.deepEqual(await links.allInnerTexts(), [...open.map(({ subject }) => subject), 'Some day']);
  const figure = page.getByRole('link', { name: /^Activities due/ });
  const due = Number(/\d+/.exec(await figure.innerText())?.[0]);
  t.true(due > 0 && due < open.length);
  await figure.click();
  await page.getByText(`${due} activities`).waitFor();
  const rows = await page.getByRole('row').allInnerTexts();
  t.deepEqual(
    rows.slice(1).map((each) => each.trim().split('\n')[0]),
    open.slice(0, due).map(({ subject }) => subject),
  );
  await page.getByRole('button', { name: 'Completed: No', exact: true }).getByText('Completed: No').waitFor();
  await context.close();
});

test('the axis of counts has whole numbers', async (t) => {
  const { page, context } = await asStaff(desk, desk.made.staff.administrator);
  await page.addInitScript(keepDrawn);
  await visit(page, `${desk.app.url}/admin/sales`);
  await page.locator('.chart-canvas canvas').waitFor();
  await settled(page);
  const drawn = await drawnOn(page);
  const counts = drawn.filter((each) => /^[\d.,]+$/.test(each));
  t.true(counts.includes('0') && counts.length > 1, counts.join(' '));
  t.deepEqual(
    counts.filter((each) => !/^\d+$/.test(each)),
    [],
  );
  await context.close();
});
