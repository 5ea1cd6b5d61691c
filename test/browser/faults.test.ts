// Everyday failures: the network, the server, a third party's page. No typed text is lost.
import { Chat } from '@keelson/modules/chat';
import { addComment, createTicket, TicketComment } from '@keelson/modules/tickets';
import anyTest from 'ava';
import type { Page, Route } from 'playwright-core';
import { endChat, lockChat } from '../../modules/chat/chats/chats.ts';
import { addMessage } from '../../modules/chat/messages/messages.ts';
import { Timer } from '../../modules/desk/entities.ts';
import type { Limiter } from '../../packages/security/limit.ts';
import { boundless } from '../_boundless.ts';
import { until } from '../_until.ts';
import { password, seedCompany, seedEmployee, seedTechnician } from '../accounts-seed.ts';
import { seedTicket, storedTicket } from '../tickets-seed.ts';
import { asCustomer, asStaff, holds, openRoom, settled, visit, type Room } from './_desk.ts';
import { faultyPlugin } from './_faulty.ts';
import { intercept } from './_intercept.ts';
import { browserPath } from './_website.ts';

const path = browserPath();
const test = path === undefined ? anyTest.serial.skip : anyTest.serial;

/** Rejects every request while busy. */
const limits: Limiter & { busy: boolean } = {
  ...boundless,
  busy: false,
  takeEach(charges) {
    if (!limits.busy) return boundless.takeEach(charges);
    return charges.map(({ limit }) => ({ allowed: false, limit, remaining: 0, resetAt: 0, retryAfter: 3 }));
  },
};

const faulty = faultyPlugin();
let room: Room;
let company_number: number;
let person: { readonly email: string; readonly password: string };

if (path !== undefined) {
  anyTest.before(async () => {
    room = await openRoom(path, { limiter: limits, plugins: [faulty.plugin] });
    room.app.expectError(/page left out: console\/unparsed/);
    ({ company_number } = await seedCompany(room.app));
    const { email } = await seedTechnician(room.app);
    person = { email, password };
  });
  anyTest.after.always(() => room?.close());
}
anyTest.after.always(() => faulty.remove());

async function press(page: Page, ...keys: readonly string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}

/** Opens a ticket as a technician. */
async function withTicket(subject: string) {
  const { ticket_id } = await seedTicket(room.app, { company_number, subject });
  const address = `${room.app.url}/admin/tickets/${1000 + ticket_id}`;
  const { page, context, complaints } = await asStaff(room, person);
  await visit(page, address);
  await page.getByRole('textbox', { name: /^Reply to/ }).waitFor();
  return { ticket_id, address, page, context, complaints };
}

async function commentsOf(ticket_id: number): Promise<string[]> {
  const rows = await room.app.app.database.findBy(TicketComment, { ticket_id });
  return rows.map((each) => each.comment);
}

/** Counts full page loads from now on. */
function loads(page: Page): () => number {
  let count = 0;
  page.on('domcontentloaded', () => count++);
  return () => count;
}

test('after 429 the page shows the delay and retries by itself', async (t) => {
  const { page, context, ticket_id } = await withTicket('Asked too often');
  limits.busy = true;
  await press(page, 'h');
  await page.getByText(/Too many requests\. Retrying in \d s\./).waitFor();
  t.is((await storedTicket(room.app, ticket_id)).status, 'open');
  limits.busy = false;
  await page.locator('.toast').getByText('Status: On hold').waitFor();
  t.is((await storedTicket(room.app, ticket_id)).status, 'on_hold');
  limits.busy = true;
  await page.getByRole('link', { name: 'Companies' }).click();
  await page.getByText('Too many requests').waitFor();
  limits.busy = false;
  await page.locator('.table [role=row]').nth(1).waitFor();
  await page.getByText('Too many requests').waitFor({ state: 'detached' });
  t.is(await page.getByText('Too many requests').count(), 0);
  await context.close();
});

test('lists that cannot be loaded say why instead of claiming to be empty', async (t) => {
  const { page, context } = await asStaff(room, person);
  const refuse = (route: Route) =>
    route.fulfill({ status: 403, json: { success: false, error: 'Forbidden by a proxy' } });
  await intercept(page, /\/(tickets|activities|unplanned)(\.php)?\?/, refuse);
  const address = `${room.app.url}/admin`;
  await visit(page, address);
  const failed = (card: string) => page.locator('.card', { hasText: card }).getByText('Forbidden by a proxy');
  for (const card of ['Unassigned', 'Team', 'My tickets']) await failed(card).waitFor();
  t.is(await page.getByText(/Every open ticket has an assignee|No tickets are assigned|\(0\)/).count(), 0);
  await visit(page, `${address}/sales`);
  await failed('To do').waitFor();
  t.is(await page.getByText('Nothing due').count(), 0);
  await visit(page, `${address}/dispatch`);
  await failed('Unplanned').waitFor();
  t.is(await page.getByText('All tickets are planned').count(), 0);
  await context.close();
});

test('offline, loaded data stays and changes are queued and sent once', async (t) => {
  const { page, context, ticket_id } = await withTicket('No network');
  await page.goto(`${room.app.url}/admin/tickets`);
  await page.getByText('No network').first().click();
  await page.getByRole('textbox', { name: /^Reply to/ }).waitFor();
  await page.goBack();
  await page.locator('.table').waitFor();
  await context.setOffline(true);
  await page.getByText('You’re offline.').waitFor();
  await page.getByText('No network').first().click();
  await page.getByRole('textbox', { name: /^Reply to/ }).waitFor();
  await press(page, 'n');
  await page.keyboard.type('Written in the tunnel');
  await press(page, 'ControlOrMeta+Enter');
  await page.getByText('One change is waiting to be sent.').waitFor();
  t.deepEqual(await commentsOf(ticket_id), []);
  await context.setOffline(false);
  await page.locator('.conversation').getByText('Written in the tunnel').waitFor();
  await page.getByText('You’re offline.').waitFor({ state: 'detached' });
  t.deepEqual(await commentsOf(ticket_id), ['Written in the tunnel']);
  await context.close();
});

test('a change still queued when the page is left becomes a draft and is not sent', async (t) => {
  const { page, context, address, ticket_id } = await withTicket('Left in the tunnel');
  // Another page of the same origin, which sees when the page being left has saved its draft.
  const witness = await context.newPage();
  await witness.goto(`${room.app.url}/health`);
  await page.bringToFront();
  // Not `setOffline`, which Chromium may take back while the page is being left, and the change would be sent.
  await page.evaluate(() => {
    Object.defineProperty(navigator, 'onLine', { value: false });
    dispatchEvent(new Event('offline'));
  });
  await page.getByText('You’re offline.').waitFor();
  await press(page, 'n');
  await page.keyboard.type('Half way through');
  // Other browser processes see each other's writes with a delay, so wait for each write: the draft while typing, its
  // removal on sending, and the draft on leaving.
  await witness.waitForFunction(() => Object.values(localStorage).includes('Half way through'));
  await press(page, 'ControlOrMeta+Enter');
  await page.getByText('One change is waiting to be sent.').waitFor();
  await witness.waitForFunction(() => !Object.values(localStorage).includes('Half way through'));
  await page.goto('about:blank');
  await witness.waitForFunction(() => Object.values(localStorage).includes('Half way through'));
  await visit(page, address);
  await page.getByRole('textbox', { name: /^Reply to/ }).waitFor();
  await press(page, 'n');
  await t.notThrowsAsync(holds(page.getByRole('textbox', { name: 'Internal note' }), 'Half way through'));
  t.deepEqual(await commentsOf(ticket_id), []);
  await context.close();
});

test('a reply that waits for its files when the page is left becomes a draft', async (t) => {
  const { page, context, address, ticket_id } = await withTicket('Left while uploading');
  const witness = await context.newPage();
  await witness.goto(`${room.app.url}/health`);
  await page.bringToFront();
  await intercept(page, '**/tickets.php?action=attachments*', (route) =>
    // Never answered.
    route.request().method() === 'POST' ? undefined : route.continue(),
  );
  const uploads = page.waitForRequest((each) => each.method() === 'POST' && each.url().includes('action=attachments'));
  const buffer = Buffer.from('a long log');
  await page.getByLabel('Files to attach').setInputFiles({ name: 'log.txt', mimeType: 'text/plain', buffer });
  await uploads;
  await press(page, 'r');
  await page.keyboard.type('The log is attached');
  await witness.waitForFunction(() => Object.values(localStorage).includes('The log is attached'));
  await press(page, 'ControlOrMeta+Enter');
  await witness.waitForFunction(() => !Object.values(localStorage).includes('The log is attached'));
  await page.goto('about:blank');
  await visit(page, address);
  await t.notThrowsAsync(holds(page.getByRole('textbox', { name: /^Reply to/ }), 'The log is attached'));
  t.deepEqual(await commentsOf(ticket_id), []);
  await context.close();
});

test('a reply whose file is refused is not sent', async (t) => {
  const { page, context, ticket_id } = await withTicket('Without its file');
  const { promise: written, resolve: refuse } = Promise.withResolvers<void>();
  await intercept(page, '**/tickets.php?action=attachments*', async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    await written;
    return route.fulfill({ status: 413, json: { success: false, error: 'The file is too large' } });
  });
  const buffer = Buffer.from('a long log');
  await page.getByLabel('Files to attach').setInputFiles({ name: 'log.txt', mimeType: 'text/plain', buffer });
  await press(page, 'r');
  await page.keyboard.type('The log is attached');
  await press(page, 'ControlOrMeta+Enter');
  await t.notThrowsAsync(holds(page.getByRole('textbox', { name: /^Reply to/ }), ''));
  refuse();
  await page.getByText('The reply was not sent, because its file could not be attached.').waitFor();
  await t.notThrowsAsync(holds(page.getByRole('textbox', { name: /^Reply to/ }), 'The log is attached'));
  t.deepEqual(await commentsOf(ticket_id), []);
  await page.getByText('log.txt: The file is too large').waitFor();
  await page.getByRole('button', { name: 'Remove log.txt' }).click();
  await press(page, 'r', 'ControlOrMeta+Enter');
  await page.locator('.conversation').getByText('The log is attached').waitFor();
  await t.notThrowsAsync(until(async () => (await commentsOf(ticket_id)).length === 1));
  await context.close();
});

const textFile = (name: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from('a long log') });

/** Refuses the upload of files of a name. */
const refuseFile = (page: Page, name: string): Promise<unknown> =>
  intercept(page, '**/*attachments*', (route) =>
    route.request().postData()?.includes(`filename="${name}"`)
      ? route.fulfill({ status: 413, json: { success: false, error: 'The file is too large' } })
      : route.fallback(),
  );

test('of a note’s files, those that are refused stay in the form with the reason', async (t) => {
  const { page, context, ticket_id } = await withTicket('A note with files');
  await refuseFile(page, 'big.txt');
  await press(page, 'n');
  await page.keyboard.type('Two logs');
  await page.getByLabel('Files to attach').setInputFiles(['big.txt', 'small.txt'].map(textFile));
  await press(page, 'ControlOrMeta+Enter');
  const form = page.getByRole('region', { name: 'Answer' });
  await form.getByText('big.txt: The file is too large').waitFor();
  await page.getByRole('list', { name: 'Files' }).getByRole('link', { name: 'small.txt' }).waitFor();
  t.is(await form.getByRole('button', { name: /^Remove / }).count(), 1);
  // They do not depend on the kind of text that is written next.
  await press(page, 'r');
  await form.getByRole('button', { name: 'Remove big.txt' }).click();
  await form.getByText('big.txt').waitFor({ state: 'detached' });
  t.deepEqual(await commentsOf(ticket_id), ['Two logs']);
  await context.close();
});

test('a reply’s refused files are sent again with it', async (t) => {
  const { page, context, ticket_id } = await withTicket('A reply with files');
  await refuseFile(page, 'big.txt');
  await page.getByLabel('Files to attach').setInputFiles(['big.txt', 'small.txt'].map(textFile));
  const form = page.getByRole('region', { name: 'Answer' });
  await form.getByText('big.txt: The file is too large').waitFor();
  const files = page.getByRole('list', { name: 'Files' });
  await files.getByRole('link', { name: 'small.txt' }).waitFor();
  await page.unrouteAll();
  await press(page, 'r');
  await page.keyboard.type('Two logs');
  await press(page, 'ControlOrMeta+Enter');
  await files.getByRole('link', { name: 'big.txt' }).waitFor();
  await t.notThrowsAsync(until(async () => (await commentsOf(ticket_id)).includes('Two logs')));
  await form.getByText('big.txt').waitFor({ state: 'detached' });
  await context.close();
});

test('a customer’s reply waits for its files, and is not sent without them', async (t) => {
  const employee = await seedEmployee(room.app, { company_number });
  const { ticket_id } = await room.app.run((ctx) =>
    createTicket(ctx, { company_number, subject: 'With a log', employee_number: employee.employee_number }),
  );
  const { page, context } = await asCustomer(room, { email: employee.email, password });
  await visit(page, `${room.app.url}/helpdesk/tickets/${1000 + ticket_id}`);
  const { promise: written, resolve: store } = Promise.withResolvers<void>();
  await intercept(page, '**/attachments', async (route) => {
    if (route.request().method() === 'POST') await written;
    return route.continue();
  });
  await refuseFile(page, 'big.txt');
  await page.getByLabel('Files to attach').setInputFiles(['big.txt', 'small.txt'].map(textFile));
  await page.getByLabel('Your reply').fill('The logs are attached');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.locator('.portal-answer button:disabled').getByText('Send').waitFor();
  t.deepEqual(await commentsOf(ticket_id), []);
  store();
  await page.getByText('The reply was not sent, because its file could not be attached.').waitFor();
  await page.getByText('big.txt: The file is too large').waitFor();
  t.deepEqual(await commentsOf(ticket_id), []);
  await t.notThrowsAsync(holds(page.getByLabel('Your reply'), 'The logs are attached'));
  await page.getByRole('button', { name: 'Remove big.txt' }).click();
  await page.getByRole('button', { name: 'Send' }).click();
  await page.locator('.portal-conversation').getByText('The logs are attached').waitFor();
  await page.getByRole('list', { name: 'Files' }).getByRole('link', { name: 'small.txt' }).waitFor();
  await context.close();
});

test('a reply that is sent by leaving the page stops its timer, even if someone has commented since', async (t) => {
  const { page, context, ticket_id } = await withTicket('Left with a timer');
  await page.clock.setSystemTime(room.app.clock.now());
  await press(page, 't');
  await page.waitForFunction(() => document.querySelector<HTMLInputElement>('.time-spent input')?.value === '1');
  await press(page, 'r');
  await page.keyboard.type('On my way');
  await press(page, 'ControlOrMeta+Enter');
  await page.getByRole('button', { name: 'Undo' }).waitFor();
  const ticket = await storedTicket(room.app, ticket_id);
  await room.app.run(async (ctx) => addComment(ctx, ticket, { comment: 'Still broken', is_internal: false }));
  await page.goto('about:blank');
  await t.notThrowsAsync(until(async () => (await commentsOf(ticket_id)).includes('On my way')));
  const timers = () => room.app.run((ctx) => ctx.db.countBy(Timer, { ticket_id }));
  await t.notThrowsAsync(until(async () => (await timers()) === 0));
  await context.close();
});

test('what is typed while a reply is refused stays below it', async (t) => {
  const { page, context, ticket_id } = await withTicket('Refused late');
  const { promise: waited, resolve: refuse } = Promise.withResolvers<void>();
  await intercept(page, '**/tickets.php?action=reply*', async (route) => {
    await waited;
    await route.fulfill({ status: 400, json: { success: false, error: 'The ticket is locked' } });
  });
  const sends = page.waitForRequest((each) => each.url().includes('action=reply'));
  await press(page, 'n');
  await page.keyboard.type('The first note');
  await press(page, 'ControlOrMeta+Enter');
  await sends;
  const field = page.getByRole('textbox', { name: 'Internal note' });
  await holds(field, '');
  await page.keyboard.type('The second note');
  refuse();
  await page.locator('.toast').getByText('The ticket is locked').waitFor();
  await t.notThrowsAsync(holds(field, 'The first note\nThe second note'));
  t.deepEqual(await commentsOf(ticket_id), []);
  await context.close();
});

test('offline, a chat message waits in the conversation alone, and what is typed meanwhile stays', async (t) => {
  const employee = await seedEmployee(room.app, { company_number });
  const { page, context } = await asCustomer(room, { email: employee.email, password });
  await visit(page, `${room.app.url}/helpdesk`);
  await page.getByRole('button', { name: 'Chat', exact: true }).click();
  const field = page.getByRole('textbox', { name: 'Your message' });
  await field.waitFor();
  await context.setOffline(true);
  await page.getByText('You’re offline.').waitFor();
  await field.fill('Said in the tunnel');
  await field.press('Enter');
  await page.locator('.chat-waiting').getByText('Said in the tunnel').waitFor();
  await holds(field, '');
  await field.pressSequentially('And one more thing');
  await context.setOffline(false);
  await page.locator('.chat-messages li:not(.chat-waiting)').getByText('Said in the tunnel').waitFor();
  await page.locator('.chat-waiting').waitFor({ state: 'detached' });
  await t.notThrowsAsync(holds(field, 'And one more thing'));

  // The message of a failed request returns to the field.
  await intercept(page, '**/messages', (route) =>
    route.request().method() === 'POST' ? route.abort() : route.continue(),
  );
  await field.press('Enter');
  await page.locator('.chat-waiting').waitFor({ state: 'detached' });
  await t.notThrowsAsync(holds(field, 'And one more thing'));
  await context.close();
});

/** Opens the chat of a new employee, who has said something. */
async function withChat(said: string) {
  const employee = await seedEmployee(room.app, { company_number });
  const { page, context } = await asCustomer(room, { email: employee.email, password });
  await visit(page, `${room.app.url}/helpdesk`);
  await page.getByRole('button', { name: 'Chat', exact: true }).click();
  const field = page.getByRole('textbox', { name: 'Your message' });
  await field.fill(said);
  await field.press('Enter');
  await page.locator('.chat-messages li:not(.chat-waiting)').getByText(said).waitFor();
  const [chat] = await room.app.app.database.findBy(Chat, { employee_number: employee.employee_number });
  return { page, context, field, chat_id: chat?.chat_id ?? 0 };
}

test('the newest messages of a long chat are shown', async (t) => {
  const { page, context, field, chat_id } = await withChat('The first of many');
  await room.app.run(async (ctx) => {
    for (let count = 1; count <= 120; count++)
      await addMessage(ctx, await lockChat(ctx, chat_id), { sender_type: 'agent', message: `Answer ${count}` });
  });
  await page.reload();
  await page.locator('.chat-messages').getByText('Answer 120', { exact: true }).waitFor();
  await field.fill('The last of many');
  await field.press('Enter');
  await page.locator('.chat-messages li:not(.chat-waiting)').getByText('The last of many').waitFor();
  const texts = await page.locator('.chat-messages .text').allTextContents();
  t.is(new Set(texts).size, texts.length);
  t.true(texts.length >= 100);
  await context.close();
});

test('a message to a chat that support has ended is kept for a new one', async (t) => {
  const { page, context, field, chat_id } = await withChat('Are you there');
  await room.app.run(async (ctx) => endChat(ctx, await lockChat(ctx, chat_id)));
  await field.fill('One more thing');
  await field.press('Enter');
  await page.getByRole('button', { name: 'Start a new chat' }).click();
  await t.notThrowsAsync(holds(field, 'One more thing'));
  await context.close();
});

test('a page that was not loaded before going offline appears when back online', async (t) => {
  const { page, context } = await withTicket('Page without a network');
  const count = loads(page);
  await context.setOffline(true);
  await page.getByText('You’re offline.').waitFor();
  await page.evaluate(() => history.pushState(null, '', '/admin/me'));
  await page.getByText('could not be shown').waitFor();
  await context.setOffline(false);
  await page.getByText('could not be shown').waitFor({ state: 'detached' });
  await settled(page);
  t.is(await page.locator('h1').textContent(), 'My account');
  t.is(count(), 0);
  await context.close();
});

test('people who use the same browser see neither the records nor the drafts of each other', async (t) => {
  const { page, context, address } = await withTicket('Opened before');
  const recent = page.getByRole('region', { name: 'Recent' });
  await visit(page, `${room.app.url}/admin`);
  await recent.getByRole('link', { name: /Opened before/ }).waitFor();
  let next = await seedTechnician(room.app);
  let employee = await seedEmployee(room.app, { company_number });
  while (employee.employee_number > next.user_id) next = await seedTechnician(room.app);
  while (employee.employee_number < next.user_id) employee = await seedEmployee(room.app, { company_number });
  await context.clearCookies();
  const headers = { 'Sec-Fetch-Site': 'same-origin' };
  await page.request.post(`${room.app.url}/admin/login`, { form: { email: next.email, password }, headers });
  await visit(page, `${room.app.url}/admin`);
  await page.getByRole('button', { name: 'Pin this page' }).waitFor();
  t.is(await recent.count(), 0);
  await visit(page, `${address.slice(0, address.lastIndexOf('/'))}/new`);
  await page.getByRole('textbox', { name: /^Description/ }).fill('Only for colleagues');
  const data = { username: employee.email, password };
  await page.request.post(`${room.app.url}/helpdesk/api/v1/auth/login`, { data });
  await visit(page, `${room.app.url}/helpdesk/tickets/new`);
  t.is(await page.getByLabel('What happened, and when did it start?').inputValue(), '');
  await context.close();
});

test('signing out clears the recent records of the person, on any page', async (t) => {
  const { page, context } = await withTicket('Opened before signing out');
  const kept = () => page.evaluate(() => Object.keys(localStorage).filter((each) => each.startsWith('keelson.recent')));
  await until(async () => (await kept()).length === 1);
  await visit(page, `${room.app.url}/admin/me`);
  await page.getByRole('button', { name: 'Account' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.waitForURL('**/admin/login');
  t.deepEqual(await kept(), []);
  await context.close();
});

test('if a response is lost while the server is working, it is retried with the same key', async (t) => {
  const { page, context, ticket_id } = await withTicket('Slow server');
  const keys: string[] = [];
  await intercept(page, '**/tickets.php?action=reply*', (route) => {
    keys.push(route.request().headers()['idempotency-key'] ?? '');
    if (keys.length === 1) return route.abort();
    if (keys.length > 2) return route.continue();
    const error = 'A request with this Idempotency-Key is still in progress';
    return route.fulfill({ status: 409, headers: { 'Retry-After': '1' }, json: { success: false, error } });
  });
  await press(page, 'n');
  await page.keyboard.type('Kept asking');
  await press(page, 'ControlOrMeta+Enter');
  await page.locator('.conversation').getByText('Kept asking').waitFor();
  t.deepEqual([keys.length, new Set(keys).size], [3, 1]);
  t.deepEqual(await commentsOf(ticket_id), ['Kept asking']);
  await context.close();
});

test('a note survives a session that expires while writing it', async (t) => {
  const { page, context, address, ticket_id } = await withTicket('Expired');
  await press(page, 'n');
  await page.keyboard.type('Almost sent');
  let left = 0;
  page.on('request', (each) => {
    if (each.isNavigationRequest() && each.url().includes('/admin/login?')) left++;
  });
  await context.clearCookies();
  await press(page, 'ControlOrMeta+Enter');
  await page.waitForURL(/\/admin\/login\?next=/);
  t.is(left, 1, 'requests that are refused together leave once');
  await page.getByLabel('Email address').fill(person.email);
  await page.getByLabel('Password').fill(person.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(address);
  await page.getByRole('textbox', { name: /^Reply to/ }).waitFor();
  await press(page, 'n');
  await t.notThrowsAsync(holds(page.getByRole('textbox', { name: 'Internal note' }), 'Almost sent'));
  t.deepEqual(await commentsOf(ticket_id), []);
  await context.close();
});

test('loaded and typed data survive failed reloads, and the page reports the unresponsive server', async (t) => {
  const { page, context } = await withTicket('Silent server');
  await press(page, 'r');
  await page.keyboard.type('A long answer');
  await page.getByLabel('Minutes worked').fill('25');
  await intercept(page, '**/admin/api/**', (route) => route.abort());
  await press(page, 'Escape', 'h');
  await page.getByText('The server is not responding.').waitFor();
  await page.getByRole('heading', { level: 1, name: /Silent server/ }).waitFor();
  await t.notThrowsAsync(holds(page.getByLabel('Minutes worked'), '25'));
  await t.notThrowsAsync(holds(page.getByRole('textbox', { name: /^Reply to/ }), 'A long answer'));
  // The change is reverted once it fails, which may not be the first failure.
  await page.getByRole('button', { name: /^Status: Open/ }).waitFor();
  await page.unroute('**/admin/api/**');
  await press(page, 'h');
  await page.locator('.toast').getByText('Status: On hold').waitFor();
  await page.getByText('The server is not responding.').waitFor({ state: 'detached' });
  await context.close();
});

test('if the console cannot start it says why and can retry', async (t) => {
  const { page, context } = await asStaff(room, person);
  await intercept(page, '**/console.php', (route) =>
    route.fulfill({ status: 403, json: { success: false, error: 'The office is closed' } }),
  );
  await page.goto(`${room.app.url}/admin/tickets`);
  await page.getByText('The office is closed').waitFor();
  await page.unroute('**/console.php');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('heading', { level: 1, name: 'Tickets' }).waitFor();
  t.is(await page.getByText('The office is closed').count(), 0);
  await context.close();
});

test('if files are gone after an upgrade, the page reloads once', async (t) => {
  const { page, context } = await asStaff(room, person);
  await visit(page, `${room.app.url}/admin`);
  const count = loads(page);
  await intercept(page, '**/web/*/directory/console/*.js', (route) =>
    count() > 0 ? route.continue() : route.fulfill({ status: 404 }),
  );
  await page.getByRole('link', { name: 'Companies' }).click();
  await page.locator('.table [role=row]').nth(1).waitFor();
  t.is(count(), 1);
  t.regex(page.url(), /\/admin\/companies$/);
  await context.close();
});

test('a file that could not be loaded, but exists, is loaded again on request instead of the page', async (t) => {
  const { page, context } = await asStaff(room, person);
  await visit(page, `${room.app.url}/admin`);
  const count = loads(page);
  const files = '**/web/*/directory/console/*.js';
  // Each time: the page may also load them when the pointer is over the link.
  await intercept(page, files, (route) => route.abort());
  await page.getByRole('link', { name: 'Companies' }).click();
  const again = page.getByRole('button', { name: 'Try again' });
  await again.waitFor();
  await page.unroute(files);
  await again.click();
  await page.locator('.table [role=row]').nth(1).waitFor();
  t.is(count(), 0);
  await context.close();
});

test('a permanently missing file does not cause endless reloads, and the rest of the page works', async (t) => {
  const { page, context } = await asStaff(room, person);
  await intercept(page, '**/web/*/tickets/console/my-tickets-panel.js', (route) => route.fulfill({ status: 404 }));
  const count = loads(page);
  await page.goto(`${room.app.url}/admin`);
  await page.getByText('My tickets could not be shown').waitFor();
  t.is(count(), 2);
  await page.reload();
  await page.getByText('My tickets could not be shown').waitFor();
  t.is(count(), 3);
  await page.getByRole('link', { name: 'Companies' }).click();
  await page.locator('.table [role=row]').nth(1).waitFor();
  await context.close();
});

test('a crashing plugin page reports the error in place; everything else keeps working', async (t) => {
  const { page, context } = await asStaff(room, person);
  const count = loads(page);
  await visit(page, `${room.app.url}/admin`);
  await page.getByText('Clapper could not be shown').waitFor();
  await page.getByText('The clapper is missing').waitFor();
  await page.getByRole('heading', { name: 'My tickets' }).waitFor();
  await page.getByRole('link', { name: 'Cracked bell' }).click();
  await page.getByText('Cracked bell could not be shown').waitFor();
  await page.getByText('The bell is cracked').waitFor();
  await page.getByRole('link', { name: 'Bells', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Bells' }).waitFor();
  t.is(count(), 1);
  await context.close();
});

test('a plugin page that does not compile is left out with its reason; all others are served', async (t) => {
  const { page, context } = await asStaff(room, person);
  await visit(page, `${room.app.url}/admin/bells/unparsed`);
  t.is(await page.locator('h1').textContent(), 'Not found');
  t.is(await page.getByRole('link', { name: 'Unparsed bell' }).count(), 0);
  await page.getByRole('link', { name: 'Bells', exact: true }).waitFor();
  const reasons = room.app.app.site.problems().map((each) => `${each.plugin}: ${each.message}`);
  t.is(reasons.length, 1);
  t.regex(reasons[0] ?? '', /^bells: console\/unparsed\.tsx:\d+:\d+: /);
  await context.close();
});
