// Billing in the console: an invoice from its first line to its payment.
import {
  createDraftInvoice,
  createProduct,
  createProposal,
  createSubscriptions,
  Invoice,
  InvoiceLine,
  lockProposal,
  lockSubscription,
  payInvoice,
  Proposal,
  sendInvoice,
  Subscription,
  updateInvoice,
  updateSubscription,
} from '@keelson/modules/billing';
import { createTicket, lockTicket, logTime } from '@keelson/modules/tickets';
import { readMails } from '@keelson/testing';
import anyTest from 'ava';
import { InvoiceLineEntry } from '../../modules/billing/invoices/entities.ts';
import { ProposalLine } from '../../modules/billing/proposals/entities.ts';
import { updateProposal } from '../../modules/billing/proposals/proposals.ts';
import { asCustomer, asStaff, axe, holds, openDesk, sideways, visit, type Desk } from './_desk.ts';
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

test('the usual tax rate is set once, and new invoices begin with it', async (t) => {
  const { page, complaints, context } = await asStaff(desk, desk.made.staff.administrator);
  const setTo = async (rate: string) => {
    await visit(page, `${desk.app.url}/admin/settings`);
    const card = page.locator('.card', { has: page.getByRole('heading', { name: 'Invoices', exact: true }) });
    await card.getByLabel(/^Tax %/).fill(rate);
    await card.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
  };
  await setTo('8,25');
  await visit(page, `${desk.app.url}/admin/invoices/new`);
  await holds(page.getByRole('textbox', { name: /^Tax %/ }), '8.25');
  await page.getByLabel('Unit price of line 1').fill('100');
  await page.getByRole('status', { name: 'Totals' }).getByText('$108.25').waitFor();
  await setTo('');
  await visit(page, `${desk.app.url}/admin/invoices/new`);
  await holds(page.getByRole('textbox', { name: /^Tax %/ }), '');
  t.deepEqual(complaints, []);
  await context.close();
});

test('tax rates are written alike, amounts are aligned, and the balance is beside its name', async (t) => {
  const { page, context } = await asStaff(desk, desk.made.staff.administrator);
  await visit(page, `${desk.app.url}/admin/invoices/1`);
  await page.getByText('8.25%').first().waitFor();
  t.is(await page.getByText('8.25 %').count(), 0);
  const aligned = (cell: Element) => getComputedStyle(cell).textAlign;
  t.deepEqual(await page.locator('th', { hasText: 'Amount' }).evaluateAll((all) => all.length), 2);
  t.is(await page.locator('th', { hasText: 'Amount' }).last().evaluate(aligned), 'end');
  const lines = page.locator('.to-be-paid > *');
  const [name, balance] = [await lines.nth(0).boundingBox(), await lines.nth(1).boundingBox()];
  t.true((balance?.y ?? 0) - ((name?.y ?? 0) + (name?.height ?? 0)) < 8);
  await context.close();
});

test('an invoice is edited as a table, with unbilled time shown, sent with a message and paid', async (t) => {
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
  await page.getByRole('button', { name: 'Add line' }).click();
  await line('Description', 2).fill('Books');
  await line('Unit price', 2).fill('40');
  await line('Tax', 2).fill('5');
  await page.getByRole('button', { name: 'Add line' }).click();
  await page.getByRole('button', { name: 'Remove line 3' }).click();
  await page.getByRole('button', { name: 'Add product' }).click();
  await page.getByRole('combobox', { name: /^Product/ }).click();
  await page.getByRole('option').first().click();
  await page.getByRole('button', { name: 'Remove line 3' }).click();
  const totals = page.getByRole('status', { name: 'Totals' });
  await totals.getByText('$208.10').waitFor();
  await page.getByRole('button', { name: 'Add worked time' }).click();
  const time = page.getByRole('dialog', { name: 'Add worked time' });
  await time.getByRole('checkbox', { name: /Had a coffee/ }).uncheck();
  await time.getByLabel('Hourly rate').fill('100');
  t.deepEqual(await axe(page), []);
  await time.getByRole('button', { name: 'Add to invoice' }).click();
  await page.getByText(/Worked time: 1 entry, 1 h 30 min/).waitFor();
  await page.setViewportSize({ width: 390, height: 844 });
  t.true((await sideways(page)) <= 0);
  await page.setViewportSize({ width: 1440, height: 900 });
  t.deepEqual(await axe(page), []);
  await page.getByRole('button', { name: 'Save draft' }).click();
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
  t.is(await page.getByRole('button', { name: 'Record payment' }).count(), 0, 'nothing is owed of a draft');

  await page.getByRole('button', { name: 'Send' }).click();
  const send = page.getByRole('dialog', { name: /^Send INV/ });
  await send.getByRole('checkbox', { name: new RegExp(customer?.colleague.email ?? '') }).check();
  await send.getByLabel('Message').fill('As we agreed on the telephone.');
  await send.getByRole('button', { name: 'Send' }).click();
  await page.getByRole('button', { name: 'Send again' }).waitFor();
  await desk.app.app.outbox.drain();
  const mails = (await readMails(desk.app)).filter(({ text }) => text.includes('As we agreed on the telephone.'));
  t.true(mails.some((each) => each.to === customer?.colleague.email));

  await page.getByRole('button', { name: 'Record payment' }).click();
  const pay = page.getByRole('dialog', { name: /^Payment of INV/ });
  t.regex(await pay.getByLabel('Amount').inputValue(), /^\d+\.\d\d$/);
  t.not(await pay.getByLabel('Paid').inputValue(), '');
  await pay.getByRole('button', { name: 'Record' }).click();
  await page.getByRole('region', { name: 'Payments' }).waitFor();
  await page.getByText('Paid', { exact: true }).first().waitFor();
  t.is(await page.getByRole('button', { name: 'Record payment' }).count(), 0);
  t.deepEqual(complaints, []);
  await context.close();
});

test('a product in another currency is added to an invoice without its price, which is shown', async (t) => {
  await desk.app.run((ctx) => createProduct(ctx, { name: 'Alpine backup', price_minor: 100_000, currency: 'CHF' }));
  const { page, complaints, context } = await asStaff(desk, desk.made.staff.administrator);
  await visit(page, `${desk.app.url}/admin/invoices/new`);
  await page.getByRole('button', { name: 'Add product' }).click();
  await page.getByRole('combobox', { name: /^Product/ }).fill('Alpine');
  await page.getByRole('option', { name: /Alpine backup/ }).click();
  await holds(page.getByLabel('Description of line 2'), 'Alpine backup');
  await holds(page.getByLabel('Unit price of line 2'), '');
  await page.getByText(/^Price in the marketplace: CHF.100\.00$/).waitFor();
  t.deepEqual(complaints, []);
  await context.close();
});

test('a new invoice whose worked time is refused is created once, without it', async (t) => {
  const company_number = desk.made.customers[0]?.company.company_number ?? 0;
  await desk.app.run(async (ctx) => {
    const { ticket_id } = await createTicket(ctx, { company_number, subject: 'Paint the rack' });
    return logTime(ctx, await lockTicket(ctx, ticket_id), { duration_minutes: 45, description: 'Painted it blue' });
  });
  const invoices = () => desk.app.run((ctx) => ctx.db.countBy(Invoice, { company_number }));
  const before = await invoices();
  const { page, context } = await asStaff(desk, desk.made.staff.administrator);
  await intercept(page, /action=add-time/, (route) =>
    route.fulfill({ status: 409, json: { success: false, error: 'A time entry is already billed' } }),
  );
  await visit(page, `${desk.app.url}/admin/invoices/new?company_number=${company_number}`);
  await page.getByLabel('Description of line 1').fill('Blue paint');
  await page.getByLabel('Unit price of line 1').fill('20');
  await page.getByRole('button', { name: 'Add worked time' }).click();
  const time = page.getByRole('dialog', { name: 'Add worked time' });
  await time.getByLabel('Hourly rate').fill('100');
  await time.getByRole('button', { name: 'Add to invoice' }).click();
  await page.getByRole('button', { name: 'Save draft' }).click();
  await page.waitForURL(/\/admin\/invoices\/INV-\d+$/);
  await page.locator('.toast', { hasText: 'A time entry is already billed' }).waitFor();
  await page.getByRole('region', { name: 'Lines' }).getByText('Blue paint').waitFor();
  t.is(await invoices(), before + 1);
  await context.close();
});

test('on a narrow window the list of invoices leaves out dates before amounts', async (t) => {
  const { page, complaints, context } = await asStaff(desk, desk.made.staff.administrator, {
    viewport: { width: 800, height: 800 },
  });
  await visit(page, `${desk.app.url}/admin/invoices`);
  t.deepEqual(await page.getByRole('columnheader').allTextContents(), [
    'Invoice number',
    'Company',
    'Total',
    'Balance due',
  ]);
  const grid = page.getByRole('grid', { name: 'Invoices' });
  t.true(
    await grid.evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth),
    'it does not scroll sideways',
  );
  t.deepEqual(complaints, []);
  await context.close();
});

test('a proposal is edited as a table, changed and sent', async (t) => {
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
  await page.getByRole('button', { name: 'Save draft' }).click();
  await page.getByRole('heading', { name: /Wireless in every room/ }).waitFor();
  await page
    .locator('#main')
    .getByRole('link', { name: customer?.company.customer ?? '' })
    .waitFor();
  await page.getByRole('button', { name: 'Edit' }).click();
  await line('Quantity', 1).fill('5');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('region', { name: 'Lines' }).getByText('$949.50').waitFor();
  await page.getByRole('button', { name: 'Send to customer' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Send' }).click();
  await page.getByText('Sent', { exact: true }).first().waitFor();
  t.is(await page.getByRole('button', { name: 'Edit' }).count(), 0, 'what was sent stands');
  t.deepEqual(complaints, []);
  await context.close();
});

test('a draft keeps what a colleague adds and changes while its lines are edited', async (t) => {
  const company_number = desk.made.customers[0]?.company.company_number ?? 0;
  const line = { quantity_parts: 10_000, unit_price: '100' };
  const draft = await desk.app.run((ctx) =>
    createDraftInvoice(ctx, {
      company_number,
      notes: 'To be checked',
      lines: ['Cabling', 'Rack', 'Switch'].map((description) => ({ description, ...line })),
    }),
  );
  const { invoice_id } = draft;
  const readLines = () => desk.app.run((ctx) => ctx.db.find(InvoiceLine, { where: { invoice_id } }));
  const { page, complaints, context } = await asStaff(desk, desk.made.staff.administrator);
  await visit(page, `${desk.app.url}/admin/invoices/${invoice_id}`);
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel('Quantity of line 1').fill('2');
  const [cabling, rack] = await readLines();
  if (!cabling || !rack) return t.fail();
  const lines = [cabling, { ...rack, unit_price: '80' }, { description: 'Travel', ...line }];
  const colleagues = { due_date: '2099-12-31', notes: 'Thank you', lines };
  await desk.app.run((ctx) => updateInvoice(ctx, draft, colleagues));
  await holds(page.getByLabel('Description of line 3'), 'Travel');
  await holds(page.getByLabel('Unit price of line 2'), '80');
  await page.getByRole('status', { name: 'Totals' }).getByText('$380.00').first().waitFor();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('region', { name: 'Lines' }).getByText('$200.00').waitFor();
  t.like(await desk.app.run((ctx) => ctx.db.findOneBy(Invoice, { invoice_id })), {
    due_date: '2099-12-31',
    notes: 'Thank you',
    total_minor: 380_000,
  });
  t.deepEqual(
    (await readLines()).map((each) => [each.description, each.quantity_parts, Number(each.unit_price)]),
    [
      ['Cabling', 20_000, 100],
      ['Rack', 10_000, 80],
      ['Travel', 10_000, 100],
    ],
  );
  t.deepEqual(complaints, []);
  await context.close();
});

test('a proposal keeps the lines that a colleague changes while its title is edited', async (t) => {
  const company_number = desk.made.customers[0]?.company.company_number ?? 0;
  const line = { description: 'Access point', unit_price: '100' };
  const given = { company_number, title: 'Wireless', description: 'As discussed', valid_until: '2099-06-30' };
  const { proposal_id } = await desk.app.run((ctx) =>
    createProposal(ctx, { ...given, lines: [{ ...line, quantity_parts: 10_000 }] }),
  );
  const { page, context } = await asStaff(desk, desk.made.staff.administrator);
  await visit(page, `${desk.app.url}/admin/proposals/${proposal_id}`);
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel('Title').fill('Wireless on all floors');
  const colleagues = { valid_until: '2099-12-31', lines: [{ ...line, quantity_parts: 40_000 }] };
  await desk.app.run(async (ctx) => updateProposal(ctx, await lockProposal(ctx, proposal_id), colleagues));
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'Wireless on all floors' }).waitFor();
  const [stored, lines] = await desk.app.run(({ db }) =>
    Promise.all([db.findOneBy(Proposal, { proposal_id }), db.findBy(ProposalLine, { proposal_id })]),
  );
  t.like(stored, { title: 'Wireless on all floors', valid_until: '2099-12-31', total_minor: 400_000 });
  t.deepEqual(
    lines.map((each) => each.quantity_parts),
    [40_000],
  );
  await context.close();
});

test('quantities have four decimals, and long descriptions are shown whole while they are edited', async (t) => {
  const [customer] = desk.made.customers;
  const company_number = customer?.company.company_number ?? 0;
  const invoice = await desk.app.run((ctx) => {
    const description = 'Maintenance of the servers and the network in both practices '.repeat(4);
    const lines = [{ description, quantity_parts: 33_333, unit_price: '33.333' }];
    return createDraftInvoice(ctx, { company_number, lines });
  });
  const { page, context } = await asStaff(desk, desk.made.staff.administrator);
  await visit(page, `${desk.app.url}/admin/invoices/${invoice.invoice_number}`);
  await page.getByRole('cell', { name: '3.3333', exact: true }).waitFor();
  await page.getByRole('button', { name: 'Edit' }).click();
  const hidden = (field: Element) => field.scrollHeight - field.clientHeight;
  t.is(await page.getByLabel('Description of line 1').evaluate(hidden), 0);
  await context.close();
  const german = await asStaff(desk, desk.made.staff.administrator, { locale: 'de-DE' });
  await visit(german.page, `${desk.app.url}/admin/invoices/${invoice.invoice_number}`);
  await german.page.getByRole('button', { name: 'Bearbeiten' }).click();
  const fields = german.page.locator('tr input[inputmode=decimal]');
  await fields.first().waitFor();
  t.deepEqual([await fields.nth(0).inputValue(), await fields.nth(1).inputValue()], ['3,3333', '33,333']);
  await fields.nth(1).fill('95.5');
  t.is(await fields.nth(1).inputValue(), '95,5');
  await german.context.close();
});

test('part of a paid invoice is credited and refunded, and the customer sees it', async (t) => {
  const [customer] = desk.made.customers;
  const company_number = customer?.company.company_number ?? 0;
  const invoice = await desk.app.run(async (ctx) => {
    const lines = [{ description: 'Scanners', quantity_parts: 30_000, unit_price: '400' }];
    const sent = await sendInvoice(ctx, await createDraftInvoice(ctx, { company_number, lines, tax_ppm: 100_000 }));
    return (await payInvoice(ctx, sent, { amount: sent.total_minor })).invoice;
  });
  const { page, complaints, context } = await asStaff(desk, desk.made.staff.administrator);
  await visit(page, `${desk.app.url}/admin/invoices/${invoice.invoice_number}`);
  complaints.splice(0);
  await page.getByRole('button', { name: 'Credit', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: `Credit ${invoice.invoice_number}` });
  await dialog.getByLabel('Quantity to credit on line 1').fill('1');
  await dialog.getByText('-$440.00').waitFor();
  await dialog.getByText(/is more than is owed/).waitFor();
  await dialog.getByLabel(/^Reason/).fill('One scanner came back');
  t.deepEqual(await axe(page), []);
  await dialog.getByRole('button', { name: 'Issue the credit note' }).click();
  await page.waitForURL(/\/admin\/credit-notes\/\d+$/);
  const number = (await page.getByRole('heading', { name: /^CN-/ }).textContent()) ?? '';
  await page.getByRole('button', { name: 'Record a refund' }).click();
  const refund = page.getByRole('dialog', { name: /^Refund of CN/ });
  await refund.getByLabel('Amount').fill('140');
  await refund.getByRole('button', { name: 'Record' }).click();
  await page.getByText('$300.00').first().waitFor();
  t.deepEqual(await axe(page), []);
  await page.setViewportSize({ width: 390, height: 844 });
  t.true((await sideways(page)) <= 0);
  t.deepEqual(complaints, []);
  await context.close();

  if (!customer) throw new Error('The demo has no customers');
  const portal = await asCustomer(desk, customer.manager);
  await visit(portal.page, `${desk.app.url}/helpdesk/billing`);
  await portal.page.getByRole('tab', { name: 'Credit notes' }).click();
  await portal.page.getByRole('link', { name: number }).click();
  await portal.page.getByText('One scanner came back').waitFor();
  t.deepEqual(await axe(portal.page), []);
  await portal.context.close();
});

test('subscriptions are entered as a table by keyboard, paused and resumed', async (t) => {
  const [customer] = desk.made.customers;
  const company_number = customer?.company.company_number ?? 0;
  const { page, complaints, context } = await asStaff(desk, desk.made.staff.administrator);
  await visit(page, `${desk.app.url}/admin/subscriptions/new?company_number=${company_number}`);
  complaints.splice(0);
  // It could not have been paused before the billing run if its first period had begun.
  await page.getByLabel('Starts').fill(new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10));
  const line = (part: string, n: number) => page.getByLabel(`${part} of line ${n}`);
  await line('Description', 1).fill('Spam filter');
  await line('Quantity', 1).fill('10');
  await line('Unit price', 1).fill('3,50');
  await line('Unit price', 1).press('Enter');
  await page.keyboard.type('A mistake');
  t.is(await line('Description', 2).inputValue(), 'A mistake', 'the new line has the focus');
  await page.keyboard.press('Home');
  await page.keyboard.press('Control+Delete');
  t.is(await line('Description', 2).count(), 1, 'that deletes a word');
  await page.keyboard.press('Control+Shift+Delete');
  await line('Description', 2).waitFor({ state: 'detached' });
  t.deepEqual(await axe(page), []);
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('heading', { name: 'Spam filter' }).waitFor();
  await page.getByRole('region', { name: 'Next invoice' }).getByText('$35.00').waitFor();
  await page.getByRole('button', { name: 'Change' }).click();
  const change = page.getByRole('dialog', { name: 'Change Spam filter' });
  await change.getByLabel('Quantity').fill('12');
  await change.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('region', { name: 'Next invoice' }).getByText('$42.00').waitFor();
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Pause' }).click();
  await page.getByRole('button', { name: 'Resume' }).waitFor();
  await page.getByRole('button', { name: 'Cancel subscription' }).click();
  const cancel = page.getByRole('dialog', { name: /^Cancel .+\?$/ });
  await cancel.getByRole('button', { name: 'Cancel', exact: true }).click();
  await page.getByRole('button', { name: 'Resume' }).waitFor();
  t.deepEqual(await axe(page), []);
  await page.setViewportSize({ width: 390, height: 844 });
  t.true((await sideways(page)) <= 0);
  t.deepEqual(complaints, []);
  await context.close();
});

test('a subscription keeps the price that a colleague changes while its quantity is edited', async (t) => {
  const company_number = desk.made.customers[0]?.company.company_number ?? 0;
  const line = { name: 'Archive', quantity: 2, unit_price_minor: 50_000, billing_cycle: 'monthly' } as const;
  const [made] = await desk.app.run((ctx) =>
    createSubscriptions(ctx, { company_number, start_date: '2099-01-01', lines: [line] }),
  );
  const subscription_id = made?.subscription_id ?? 0;
  const { page, context } = await asStaff(desk, desk.made.staff.administrator);
  await visit(page, `${desk.app.url}/admin/subscriptions/${subscription_id}`);
  await page.getByRole('button', { name: 'Change' }).click();
  const change = page.getByRole('dialog', { name: 'Change Archive' });
  await change.getByLabel('Quantity').fill('3');
  await desk.app.run(async (ctx) =>
    updateSubscription(ctx, await lockSubscription(ctx, subscription_id), {
      unit_price_minor: 70_000,
      price_from: '2099-03-01',
      tax_ppm: 190_000,
      end_date: '2099-12-31',
    }),
  );
  // The page is told, but the form keeps what it began with.
  await page.locator('.invoice-head').getByText('$70.00 from').waitFor();
  await change.getByRole('button', { name: 'Save' }).click();
  await change.waitFor({ state: 'detached' });
  const stored = await desk.app.run((ctx) => ctx.db.findOneBy(Subscription, { subscription_id }));
  t.like(stored, { quantity: 3, unit_price_minor: 50_000, tax_ppm: 190_000, end_date: '2099-12-31' });
  t.like(stored, { next_price_minor: 70_000, next_price_from: '2099-03-01' });
  await context.close();
});
