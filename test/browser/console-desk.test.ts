// A technician's desk: timers, notifications, preferences that sync across devices, and live chats.
import { handOverVisitor } from '@keelson/modules/chat';
import { createTicket, TicketTimeEntry } from '@keelson/modules/tickets';
import anyTest from 'ava';
import { Preference } from '../../modules/desk/entities.ts';
import { notify } from '../../modules/desk/notifications/notifications.ts';
import { startPushService } from '../_push-service.ts';
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

async function addTicket(subject: string): Promise<number> {
  const [customer] = desk.made.customers;
  const { ticket_id } = await desk.app.run((ctx) =>
    createTicket(ctx, { company_number: customer?.company.company_number ?? 0, subject }),
  );
  return ticket_id;
}

test('a timer is started by shortcut, runs on the home page too, and ends as a time entry', async (t) => {
  const id = await addTicket('Printer prints stripes');
  const { page, complaints, context } = await asStaff(desk, desk.made.staff.technician);
  await visit(page, `${desk.app.url}/admin/tickets/${1000 + (id ?? 0)}`);
  await page.getByRole('button', { name: 'Start', exact: true }).waitFor();
  complaints.splice(0);
  await page.keyboard.press('t');
  await page.getByRole('button', { name: 'Pause timer' }).waitFor();
  await page.keyboard.press('t');
  await page.getByRole('button', { name: 'Resume timer' }).waitFor();
  await visit(page, `${desk.app.url}/admin`);
  const card = page.locator('.card').filter({ has: page.getByRole('heading', { name: /^Timers/ }) });
  await card.getByText('Printer prints stripes').waitFor();
  t.deepEqual(await axe(page), []);
  await card.getByRole('button', { name: 'Stop timer and log time' }).click();
  await page.getByLabel(/^Minutes/).fill('25');
  await page.getByLabel(/^Work done/).fill('Cleaned the drum');
  await page.getByRole('button', { name: 'Log', exact: true }).click();
  await page.getByText('25 min logged').waitFor();
  await card.waitFor({ state: 'detached' });
  const entries = await desk.app.run((ctx) => ctx.db.findBy(TicketTimeEntry, { ticket_id: id }));
  t.deepEqual(
    entries.map((each) => [each.duration_minutes, each.description, each.billable]),
    [[25, 'Cleaned the drum', true]],
  );
  t.deepEqual(complaints, []);
  await context.close();
});

test('notifications are counted in the navigation and read on their page', async (t) => {
  const id = await addTicket('Nobody can log on');
  const { page, context } = await asStaff(desk, desk.made.staff.technician);
  await visit(page, `${desk.app.url}/admin`);
  const link = page
    .getByRole('navigation', { name: 'Pages', exact: true })
    .getByRole('link', { name: /^Notifications/ });
  const before = (await link.textContent()) ?? '';
  const other = await asStaff(desk, desk.made.staff.administrator);
  const answer = await other.page.request.put(`${desk.app.url}/admin/api/v1/tickets.php?id=${id}`, {
    data: { assigned_to: desk.made.staff.technician.user_id },
    headers: { 'Sec-Fetch-Site': 'same-origin' },
  });
  t.is(answer.status(), 200);
  await desk.app.app.outbox.drain();
  await page.waitForFunction(
    ([text]) =>
      [...document.querySelectorAll('nav a')].some(
        (each) => each.textContent?.startsWith('Notifications') && each.textContent !== text,
      ),
    [before],
  );
  await page.keyboard.press('g');
  await page.keyboard.press('n');
  await page.getByRole('heading', { level: 1, name: 'Notifications' }).waitFor();
  const line = page.getByRole('listitem').filter({ hasText: 'Nobody can log on' });
  await line.waitFor();
  t.deepEqual(await axe(page), []);
  await page.getByRole('button', { name: 'Mark all as read' }).click();
  await page.getByText('All marked as read').waitFor();
  await page.waitForFunction(() => document.querySelector('nav a[href$="/notifications"] .nav-count') === null);
  await Promise.all([context.close(), other.context.close()]);
});

test('custom shortcuts and the theme follow the user to another device', async (t) => {
  const first = await asStaff(desk, desk.made.staff.administrator);
  const second = await asStaff(desk, desk.made.staff.administrator);
  await visit(first.page, `${desk.app.url}/admin/tickets`);
  await visit(second.page, `${desk.app.url}/admin/tickets`);
  await first.page.keyboard.press('?');
  const line = first.page.locator('.key-line').filter({ hasText: 'New ticket' });
  await line.getByRole('button', { name: /^Change/ }).click();
  // A key that is in use, or that begins a sequence, is refused.
  await first.page.keyboard.press('?');
  await line.getByText('? is already used for “Show keyboard shortcuts”.').waitFor();
  await first.page.keyboard.press('g');
  await line.getByText(/^g is already used for /).waitFor();
  t.deepEqual(await axe(first.page), []);
  await first.page.keyboard.press('q');
  await line.locator('kbd').filter({ hasText: 'q' }).waitFor();
  t.deepEqual(await axe(first.page), []);
  // The default is refused as well while another action uses it.
  const other = first.page.locator('.key-line').filter({ hasNotText: 'New ticket', hasText: 'Change' }).first();
  await other.getByRole('button', { name: /^Change/ }).click();
  await first.page.keyboard.press('c');
  await line.getByRole('button', { name: /^Default/ }).click();
  await line.getByText(/^c is already used for /).waitFor();
  await other.getByRole('button', { name: /^Default/ }).click();
  await first.page.keyboard.press('Escape');
  await first.page.getByRole('button', { name: 'Appearance' }).click();
  await first.page
    .getByRole('option', { name: 'Dark' })
    .or(first.page.getByText('Dark', { exact: true }))
    .first()
    .click();
  await second.page.waitForFunction(() => document.documentElement.dataset.theme === 'dark');
  await second.page.keyboard.press('c');
  await second.page.keyboard.press('q');
  await second.page.waitForURL(/\/tickets\/new/);
  const [kept] = await desk.app.run((ctx) => ctx.db.find(Preference));
  t.deepEqual([kept?.values.theme, kept?.values.keys], ['dark', { 'New ticket': 'q' }]);
  await Promise.all([first.context.close(), second.context.close()]);
});

test('a website visitor’s chat is accepted, answered and turned into a ticket', async (t) => {
  const said = [{ by: 'user', message: 'Do you repair label printers?' }] as const;
  const id = await desk.app.run((ctx) => handOverVisitor(ctx, { page_url: 'https://harbour.example/printers', said }));
  const [customer] = desk.made.customers;
  const { page, complaints, context } = await asStaff(desk, desk.made.staff.technician);
  await visit(page, `${desk.app.url}/admin/chats`);
  complaints.splice(0);
  t.deepEqual(await axe(page), []);
  const waiting = page.locator('.line').filter({ hasText: 'Do you repair label printers?' });
  t.regex(await waiting.innerText(), /requested (?:now|\d+\w+ ago)/);
  await waiting.getByRole('button', { name: /^Accept/ }).click();
  await page.waitForURL(new RegExp(`/admin/chats/${id}$`));
  await page.getByText('has joined the chat').waitFor();
  await page.getByRole('textbox', { name: 'Answer' }).fill('We do,');
  await page.keyboard.press('Shift+Enter');
  await page.keyboard.type('within two days.');
  await page.keyboard.press('Enter');
  const answer = page.locator('.chat > li[data-by=us]').filter({ hasText: 'within two days.' });
  await answer.waitFor();
  t.is(await answer.locator('p').textContent(), 'We do,\nwithin two days.');
  t.is(await page.getByRole('textbox', { name: 'Answer' }).inputValue(), '');
  t.deepEqual(await axe(page), []);
  await page.setViewportSize({ width: 1440, height: 360 });
  const field = await page.getByRole('textbox', { name: 'Answer' }).boundingBox();
  t.true(field !== null && field.y + field.height <= 360, 'the answer stays in sight beside a long chat');
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.getByRole('button', { name: 'Create ticket' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox', { name: /^Company/ }).fill(customer?.company.customer.slice(0, 6) ?? '');
  await dialog.getByRole('listbox').getByRole('option').first().click();
  await dialog.getByRole('button', { name: 'Create ticket' }).click();
  await page.waitForURL(/\/admin\/tickets\/\d+$/);
  await page.getByRole('heading', { level: 1, name: /Do you repair label printers\?/ }).waitFor();
  t.deepEqual(complaints, []);
  await context.close();
});

test('a notification appears in a browser without an open page, and leads to its ticket', async (t) => {
  const service = await startPushService(t);
  const { technician } = desk.made.staff;
  const { page, complaints, context } = await asStaff(desk, technician);
  await context.grantPermissions(['notifications'], { origin: desk.app.url });
  // Chromium’s own push service is on the internet.
  await context.addInitScript((given) => {
    PushManager.prototype.subscribe = () =>
      Promise.resolve({ toJSON: () => ({ endpoint: given.endpoint, keys: given }) } as unknown as PushSubscription);
  }, service.subscription('Chrome'));
  await visit(page, `${desk.app.url}/admin/notifications`);
  await page.getByRole('button', { name: 'Show in this browser' }).click();
  await page.getByText('Notifications are shown in this browser').waitFor();
  const row = page.getByRole('row').filter({ hasText: 'This browser' });
  t.regex(await row.innerText(), /^Chrome, Linux/);
  t.deepEqual(await axe(page), []);
  const id = await addTicket('Night shift');
  const concern = {
    kind: 'escalated',
    ticket_id: id,
    user_id: technician.user_id,
    author_name: 'Service desk',
  } as const;
  await desk.app.run((ctx) => notify(ctx, concern, ctx.now));
  await desk.app.app.outbox.drain();
  const [pushed] = service.pushed;
  const path = `/admin/tickets/${1000 + id}`;
  t.is(pushed?.content.path, path);
  // Headless Chromium has no notifications to show.
  const [worker] = context.serviceWorkers();
  if (!worker) throw new Error('No service worker is registered');
  await worker.evaluate(() => {
    const showNotification = async (...given: unknown[]) => void Reflect.set(self, 'shown', given);
    Object.defineProperty(self, 'registration', { value: { showNotification } });
  });
  const tools = await context.newCDPSession(page);
  const registered = new Promise<string>((resolve) => {
    tools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const found = registrations.find(({ scopeURL }) => scopeURL === `${desk.app.url}/desk/`);
      if (found) resolve(found.registrationId);
    });
  });
  await tools.send('ServiceWorker.enable');
  await tools.send('ServiceWorker.deliverPushMessage', {
    origin: desk.app.url,
    registrationId: await registered,
    data: JSON.stringify(pushed?.content),
  });
  const shown = await worker.evaluate(() => Reflect.get(self, 'shown') as unknown);
  t.deepEqual(shown, [pushed?.content.title, { body: pushed?.content.body, tag: pushed?.content.tag, data: { path } }]);
  await row.getByRole('button', { name: 'Remove' }).click();
  await page.getByText('Browser removed').waitFor();
  await row.waitFor({ state: 'detached' });
  t.deepEqual(complaints, []);
  await context.close();
});

test('a reply template is written in the console, and inserted into a reply with the ticket’s values', async (t) => {
  const id = await addTicket('Scanner is slow');
  const { page, complaints, context } = await asStaff(desk, desk.made.staff.administrator);
  await visit(page, `${desk.app.url}/admin/tickets/${1000 + id}`);
  const templates = page.getByRole('button', { name: /^Reply templates/ });
  await templates.click();
  await page.getByRole('menuitem', { name: 'Manage templates' }).click();
  await page.getByText('No reply templates yet').waitFor();
  t.deepEqual(await axe(page), []);
  await page.getByRole('button', { name: 'New template' }).click();
  await page.getByLabel('Title').fill('Slow');
  await page.getByLabel('Text').fill('We are looking at {{subject}} {{nothing}}');
  complaints.splice(0);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Contains the unknown placeholder {{nothing}} (available: {{requester}}').waitFor();
  complaints.splice(0);
  await page.getByLabel('Text').fill('We are looking at {{subject}}.');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('row', { name: /Slow.*Only me/ }).waitFor();
  await page.getByRole('button', { name: 'Edit Slow' }).click();
  await page.getByLabel('Share with all technicians').check();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('row', { name: /Slow.*Everyone/ }).waitFor();
  t.deepEqual(await axe(page), []);
  const other = await asStaff(desk, desk.made.staff.technician);
  await visit(other.page, `${desk.app.url}/admin/reply-templates`);
  await other.page.getByRole('row', { name: /Slow.*Everyone, from / }).waitFor();
  t.is(await other.page.getByRole('button', { name: 'Edit Slow' }).count(), 0);
  await visit(other.page, `${desk.app.url}/admin/tickets/${1000 + id}`);
  await other.page.getByRole('button', { name: /^Reply templates/ }).click();
  await other.page.getByRole('menuitem', { name: 'Slow' }).click();
  await t.notThrowsAsync(holds(other.page.locator('.composer textarea'), 'We are looking at Scanner is slow.'));
  await page.getByRole('button', { name: 'Delete Slow' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('No reply templates yet').waitFor();
  t.deepEqual([...complaints, ...other.complaints], []);
  await context.close();
  await other.context.close();
});

test('a dialog that is opened again before its first form is stored stays open', async (t) => {
  const { page, context } = await asStaff(desk, desk.made.staff.technician);
  const { promise: typed, resolve: go } = Promise.withResolvers<void>();
  await intercept(page, /reply-templates\.php/, async (route) => {
    if (route.request().method() === 'POST') await typed;
    return route.continue();
  });
  await visit(page, `${desk.app.url}/admin/reply-templates`);
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'New template' }).click();
  await dialog.getByLabel(/^Title/).fill('First');
  await dialog.getByLabel(/^Text/).fill('Good morning');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'New template' }).click();
  await dialog.getByLabel(/^Title/).fill('Second');
  go();
  await page.locator('.toast', { hasText: 'Saved as “First”' }).waitFor();
  t.is(await dialog.getByLabel(/^Title/).inputValue({ timeout: 5000 }), 'Second');
  await context.close();
});

test('a sign-out that does not reach the server says so, and the next one works', async (t) => {
  const { page, context } = await asStaff(desk, desk.made.staff.technician);
  await visit(page, `${desk.app.url}/admin/me`);
  const signOut = async () => {
    await page.getByRole('button', { name: 'Account' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
  };
  await intercept(page, '**/admin/logout', (route) => route.abort());
  await signOut();
  await page.locator('.toast', { hasText: 'Can’t reach the server.' }).waitFor();
  await page.unroute('**/admin/logout');
  await signOut();
  await page.waitForURL(/\/admin\/login/);
  t.pass();
  await context.close();
});
