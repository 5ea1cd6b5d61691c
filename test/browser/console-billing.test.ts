// Billing in the console: an invoice from its first line to its payment.
import { readMails } from '@keelson/core/testing';
import { createTicket, lockTicket, logTime } from '@keelson/modules/tickets';
import anyTest from 'ava';
import { InvoiceLineEntry } from '../../modules/billing/invoices/entities.ts';
import { asStaff, axe, openDesk, sideways, visit, type Desk } from './_desk.ts';
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

test('an invoice is written as a table, with worked time in sight, sent with words and paid', async (t) => {
  t.timeout(120_000);
  const [customer] = desk.made.customers;
  const { company_number = 0, customer: name = '' } = customer?.company ?? {};
  const worked = await desk.app.run(async (ctx) => {
    const { ticket_id } = await createTicket(ctx, { company_number, subject: 'Move to the new office' });
    const ticket = await lockTicket(ctx, ticket_id);
    await logTime(ctx, ticket, { duration_minutes: 90, description: 'Unplugged everything' });
    return logTime(ctx, ticket, { duration_minutes: 30, description: 'Had a coffee' });
  });
  const { page, complaints, context } = await asStaff(desk, desk.made.staff.administrator);
  await visit(page, `${desk.app.url}/admin/invoices`);
  complaints.splice(0);
  await page.getByRole('link', { name: 'New invoice' }).click();
  await page.getByRole('combobox', { name: /^Company/ }).fill(name.slice(0, 6));
  await page.getByRole('option').first().click();
  const line = (part: string, n: number) => page.getByLabel(`${part} of line ${n}`);
  await line('Description', 1).fill('Cabling');
  await line('Quantity', 1).fill('2');
  await line('Unit price', 1).fill('75,50');
  await page.getByRole('textbox', { name: /^Tax %/ }).fill('10');
  await page.getByRole('button', { name: 'Add a line' }).click();
  await line('Description', 2).fill('Books');
  await line('Unit price', 2).fill('40');
  await line('Tax', 2).fill('5');
  await page.getByRole('button', { name: 'Add a line' }).click();
  await page.getByRole('button', { name: 'Remove line 3' }).click();
  await page.getByRole('button', { name: 'Add a product' }).click();
  await page.getByRole('combobox', { name: /^Product/ }).click();
  await page.getByRole('option').first().click();
  await page.getByRole('button', { name: 'Remove line 3' }).click();
  const totals = page.getByRole('status', { name: 'Totals' });
  await totals.getByText('$208.10').waitFor();
  await page.getByRole('button', { name: 'Add worked time' }).click();
  const time = page.getByRole('dialog', { name: 'Add worked time' });
  await time.getByRole('checkbox', { name: /Had a coffee/ }).uncheck();
  await time.getByLabel('Price of an hour').fill('100');
  t.deepEqual(await axe(page), []);
  await time.getByRole('button', { name: 'Add to the invoice' }).click();
  await page.getByText(/Worked time: 1 entry, 1 h 30 min/).waitFor();
  await page.setViewportSize({ width: 390, height: 844 });
  t.true((await sideways(page)) <= 0);
  await page.setViewportSize({ width: 1440, height: 900 });
  t.deepEqual(await axe(page), []);
  await page.getByRole('button', { name: 'Save as a draft' }).click();
  await page.waitForURL(/\/admin\/invoices\/INV-\d+$/);
  const lines = page.getByRole('region', { name: 'Lines' });
  await lines.getByText('Move to the new office').waitFor();
  const sums = (await totals.textContent()) ?? '';
  const open = await desk.app.run((ctx) => ctx.db.countBy(InvoiceLineEntry, { time_entry_id: worked.time_entry_id }));
  t.is(open, 0, 'what was not chosen can be billed later');

  await page.getByRole('button', { name: 'Edit' }).click();
  await line('Description', 2).fill('Books, two of them');
  await page.getByRole('button', { name: 'Save' }).click();
  await lines.getByText('Books, two of them').waitFor();
  t.is(await totals.textContent(), sums, 'a line that is sent back keeps its price, its tax and its time');
  t.is(await page.getByRole('button', { name: 'Record a payment' }).count(), 0, 'nothing is owed of a draft');

  await page.getByRole('button', { name: 'Send' }).click();
  const send = page.getByRole('dialog', { name: /^Send INV/ });
  await send.getByRole('checkbox', { name: new RegExp(customer?.colleague.email ?? '') }).check();
  await send.getByLabel('Message').fill('As we agreed on the telephone.');
  await send.getByRole('button', { name: 'Send' }).click();
  await page.getByRole('button', { name: 'Send again' }).waitFor();
  await desk.app.app.outbox.drain();
  const mails = (await readMails(desk.app)).filter(({ text }) => text.includes('As we agreed on the telephone.'));
  t.true(mails.some((each) => each.to === customer?.colleague.email));

  await page.getByRole('button', { name: 'Record a payment' }).click();
  const pay = page.getByRole('dialog', { name: /^Payment of INV/ });
  t.not(await pay.getByLabel('Amount').inputValue(), '');
  await pay.getByRole('button', { name: 'Record' }).click();
  await page.getByRole('region', { name: 'Payments' }).waitFor();
  await page.getByText('Paid', { exact: true }).first().waitFor();
  t.is(await page.getByRole('button', { name: 'Record a payment' }).count(), 0);
  t.deepEqual(complaints, []);
  await context.close();
});

test('a proposal is written as a table, changed and sent', async (t) => {
  const [customer] = desk.made.customers;
  const company_number = customer?.company.company_number ?? 0;
  const { page, complaints, context } = await asStaff(desk, desk.made.staff.administrator);
  await visit(page, `${desk.app.url}/admin/companies/${company_number}?tab=proposals`);
  complaints.splice(0);
  await page.getByRole('link', { name: 'New proposal' }).click();
  await page.getByLabel('Title').fill('Wireless in every room');
  const line = (part: string, n: number) => page.getByLabel(`${part} of line ${n}`);
  await line('Description', 1).fill('Access point');
  await line('Quantity', 1).fill('6');
  await line('Unit price', 1).fill('189.90');
  await page.getByRole('status', { name: 'Totals' }).getByText('$1,139.40').first().waitFor();
  t.deepEqual(await axe(page), []);
  await page.getByRole('button', { name: 'Save as a draft' }).click();
  await page.getByRole('heading', { name: /Wireless in every room/ }).waitFor();
  await page.getByRole('link', { name: customer?.company.customer ?? '' }).waitFor();
  await page.getByRole('button', { name: 'Edit' }).click();
  await line('Quantity', 1).fill('5');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('region', { name: 'Lines' }).getByText('$949.50').waitFor();
  await page.getByRole('button', { name: 'Send to the customer' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Send' }).click();
  await page.getByText('Sent', { exact: true }).first().waitFor();
  t.is(await page.getByRole('button', { name: 'Edit' }).count(), 0, 'what was sent stands');
  t.deepEqual(complaints, []);
  await context.close();
});
