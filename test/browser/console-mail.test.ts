// Mail in the console: the original below a ticket's message, and a contact's additional addresses.
import { findByAddress } from '@keelson/modules/directory';
import { Mailbox, storeMail } from '@keelson/modules/mailbox';
import { Ticket } from '@keelson/modules/tickets';
import anyTest from 'ava';
import { startGraph, type MailApi } from '../_mail-apis.ts';
import { client, startOAuthServer, type OAuthServer } from '../_oauth-server.ts';
import { asStaff, openDesk, visit, type Desk } from './_desk.ts';
import { browserPath } from './_website.ts';

const path = browserPath();
const test = path === undefined ? anyTest.serial.skip : anyTest.serial;

let desk: Desk;
let oauth: OAuthServer;
let graph: MailApi;

if (path !== undefined) {
  anyTest.before(async () => {
    oauth = await startOAuthServer();
    graph = await startGraph((token) => oauth.holderOf(token));
    desk = await openDesk(path, { config: { mailMicrosoftLoginUrl: oauth.url, mailMicrosoftGraphUrl: graph.url } });
  });
  anyTest.after.always(async () => {
    await desk?.close();
    await graph?.stop();
    await oauth?.stop();
  });
}

test('a ticket from mail shows the original without running or loading anything', async (t) => {
  const { app } = desk;
  const from = { name: 'Erin', address: desk.made.customers[0]?.colleague.email ?? '' };
  const html =
    '<p>The <b>printer</b> burns</p><script>document.title = "run"</script><img src="https://track.example/1.png">';
  const message_id = '<original@customer.example>';
  const head = [`From: Erin <${from.address}>`, `Message-ID: ${message_id}`, 'Subject: Burning printer'];
  const source = Buffer.from([...head, 'Content-Type: text/html; charset=utf-8', '', html].join('\r\n'));
  await app.run(async (ctx) => {
    const [mailbox] = await ctx.db.find(Mailbox);
    const mail = { from, subject: 'Burning printer', source, size: source.length, message_id };
    await storeMail(ctx, mailbox?.mailbox_id ?? 0, mail);
  });
  await app.app.outbox.drain();
  const ticket = await app.run((ctx) => ctx.db.findOneBy(Ticket, { subject: 'Burning printer' }));
  const { page, context, complaints } = await asStaff(desk, desk.made.staff.technician);
  const tracked: string[] = [];
  await context.route('https://track.example/**', (route) => {
    tracked.push(route.request().url());
    return route.fulfill({ contentType: 'image/png', body: Buffer.from('iVBORw0KGgo=', 'base64') });
  });
  await visit(page, `${app.url}/admin/tickets/${ticket?.ticket_number}`);
  await page.getByRole('button', { name: 'Show original' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('1 remote image is blocked.').waitFor();
  const frame = dialog.frameLocator('iframe');
  await frame.getByText('The printer burns').waitFor();
  t.is(await frame.locator('script').count(), 0);
  t.deepEqual(tracked, []);
  const loaded = context.waitForEvent('request', (request) => request.url().startsWith('https://track.example/'));
  await dialog.getByRole('button', { name: 'Load images' }).click();
  await loaded;
  t.is(await dialog.getByText('One remote image is blocked.').count(), 0);
  t.deepEqual(complaints, []);
  await context.close();
});

test('an additional address of a contact is added and removed on their page', async (t) => {
  const { app } = desk;
  const number = desk.made.customers[0]?.colleague.employee_number ?? 0;
  const { page, context, complaints } = await asStaff(desk, desk.made.staff.administrator);
  await visit(page, `${app.url}/admin/contacts/${number}`);
  const card = page.locator('section, article, .card').filter({ hasText: 'Other addresses' }).last();
  await card.getByRole('button', { name: 'Add' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Email address').fill('erin@home.example');
  await dialog.getByRole('button', { name: 'Add' }).click();
  await card.getByText('erin@home.example', { exact: true }).waitFor();
  t.is((await app.run((ctx) => findByAddress(ctx, 'erin@home.example')))?.employee_number, number);
  await card.getByRole('button', { name: 'Remove erin@home.example' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await card.getByText('erin@home.example', { exact: true }).waitFor({ state: 'detached' });
  t.is(await app.run((ctx) => findByAddress(ctx, 'erin@home.example')), null);
  t.deepEqual(complaints, []);
  await context.close();
});

test('an administrator adds a Microsoft 365 mailbox, consents, and signs in again after expiry', async (t) => {
  const { app } = desk;
  const { page, context, complaints } = await asStaff(desk, desk.made.staff.administrator);
  // The provider redirects the browser to the installation's URL.
  await context.route('http://127.0.0.1:3000/**', (route) => {
    const { pathname, search } = new URL(route.request().url());
    return route.fulfill({ status: 302, headers: { Location: `${app.url}${pathname}${search}` } });
  });
  await visit(page, `${app.url}/admin/mailboxes/new`);
  await page.getByLabel('Address', { exact: true }).fill('sales@acme.example');
  await page.getByLabel('Name', { exact: true }).fill('Sales');
  await page.getByLabel('Sign in with').selectOption({ label: 'Microsoft 365' });
  await page.getByLabel('Directory (tenant)').fill(client.tenant);
  await page.getByLabel('Client ID').fill(client.client_id);
  await page.getByLabel('Client secret').fill(client.client_secret);
  await page.getByText('http://127.0.0.1:3000/admin/mailboxes/signed-in').waitFor();
  await page.getByLabel('Username').fill('sales@acme.example');
  await page.getByRole('button', { name: 'Test and save' }).click();
  await page.getByText('Sign-in needed').waitFor();

  await page.getByRole('button', { name: 'Sign in with Microsoft' }).click();
  await page.getByRole('link', { name: 'Cancel' }).click();
  await page.getByText('User declined to consent').waitFor();
  t.notRegex(page.url(), /state=|error=/, 'nothing of the answer stays in the address');
  await visit(page, `${app.url}/admin/mailboxes`);
  await page.getByText('sales@acme.example').first().click();
  await page.getByRole('button', { name: 'Sign in with Microsoft' }).click();
  await page.getByRole('link', { name: 'Accept' }).click();
  await page.getByText('Signed in to sales@acme.example').waitFor();
  t.notRegex(page.url(), /state=|code=/);
  await page.getByRole('button', { name: 'Check now' }).click();
  await page.getByText('Read', { exact: true }).first().waitFor();

  oauth.revoke();
  await page.getByRole('button', { name: 'Check now' }).click();
  await page.getByText('Sign in again: AADSTS70008').waitFor();
  await page.getByText('Sign-in needed').waitFor();
  await page.getByRole('button', { name: 'Sign in again' }).click();
  await page.getByRole('link', { name: 'Accept' }).click();
  await page.getByText('Signed in to sales@acme.example').waitFor();
  t.deepEqual(complaints, []);
  await context.close();
});
