/// <reference lib="dom" />
// What people see and what their keys do: sign-in, dialogs, search and figures.
import anyTest from 'ava';
import { asCustomer, asStaff, holds, openDesk, visit, type Desk } from './_desk.ts';
import { browserPath } from './_website.ts';

const path = browserPath();
const test = path === undefined ? anyTest.serial.skip : anyTest.serial;
let desk: Desk;

if (path !== undefined) {
  anyTest.before(async (t) => {
    t.timeout(120_000);
    desk = await openDesk(path);
  });
  anyTest.after.always(() => desk?.close());
}

test('a wrong portal password shows an error and keeps the email', async (t) => {
  const { app, browser } = desk;
  const page = await browser.newPage();
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
  const light = await colours();
  t.not(light, undefined);
  t.not(light, '0,0,0');
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  t.not(await colours(), light, 'the theme changes the bars');
  t.true(await fits());
  await context.close();
});
