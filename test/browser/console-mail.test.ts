// Mails in the console: the original below a ticket's message, and the further addresses of a contact.
import { Mailbox, storeMail } from '@keelson/modules/mailbox';
import { findByAddress } from '@keelson/modules/directory';
import { Ticket } from '@keelson/modules/tickets';
import anyTest from 'ava';
import { asStaff, openDesk, visit, type Desk } from './_desk.ts';
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

test('a ticket from mail shows the original without running or loading anything in it', async (t) => {
  t.timeout(180_000);
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
  await dialog.getByText('One remote image is blocked.').waitFor();
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
  t.timeout(180_000);
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
