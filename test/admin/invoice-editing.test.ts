// Operations behind the invoice page: unbilled time, time added to a draft, and mails to chosen recipients.
import { createContract } from '@keelson/modules/inventory';
import { lockTicket, logTime } from '@keelson/modules/tickets';
import { openApp, readMails, testClock, type TestApp } from '@keelson/testing';
import test from 'ava';
import { seedCompany, seedEmployee } from '../accounts-seed.ts';
import { asKey, seedTicket } from '../tickets-seed.ts';

const path = '/billing/invoices.php';

let app: TestApp;
let send: Awaited<ReturnType<typeof asKey>>;
test.before(async () => {
  app = await openApp({ clock: testClock() });
  send = await asKey(app, ['billing:read', 'billing:write', 'companies:read', 'contracts:read', 'tickets:write']);
});
test.after.always(() => app.close());

/** Creates a company whose contract includes one hour a month, with a ticket of 40 and 50 minutes in March. */
async function work() {
  const { company_number } = await seedCompany(app);
  const { ticket_id, ticket_number } = await seedTicket(app, { company_number, subject: 'Printer' });
  const log = (duration_minutes: number, work_date: string, description: string) =>
    app.run(async (ctx) =>
      logTime(ctx, await lockTicket(ctx, ticket_id), { duration_minutes, work_date, description }),
    );
  const first = await log(40, '2026-03-01', 'Cleaned the rollers');
  const second = await log(50, '2026-03-02', 'Replaced the fuser');
  const { contract_id } = await app.run((ctx) =>
    createContract(ctx, { company_number, name: 'Support', start_date: '2026-01-01', included_minutes: 60 }),
  );
  return { company_number, ticket_id, ticket_number, contract_id, first, second };
}

const draftOf = async (company_number: number, more: object = {}) =>
  (await send('POST', path, { company_number, line_items: [{ description: 'Cable', unit_price: 12 }], ...more })).body
    .data;

test.serial('List unbilled time: with the part included in contracts', async (t) => {
  const { company_number, ticket_id, ticket_number, first, second } = await work();
  const listed = `/billing/open-time.php?company_number=${company_number}`;
  const entry = { ticket_id, ticket_number, subject: 'Printer', user_name: first.user_name };
  t.deepEqual((await send('GET', listed)).body.data, [
    {
      ...entry,
      time_entry_id: first.time_entry_id,
      description: 'Cleaned the rollers',
      work_date: '2026-03-01',
      duration_minutes: 40,
      covered_minutes: 40,
    },
    {
      ...entry,
      time_entry_id: second.time_entry_id,
      description: 'Replaced the fuser',
      work_date: '2026-03-02',
      duration_minutes: 50,
      covered_minutes: 20,
    },
  ]);
  t.deepEqual((await send('GET', `${listed}&to=2026-02-28`)).body.data, []);
  t.is((await send('GET', `${listed}&from=2026-03-02&to=2026-03-01`)).status, 400);
  t.is((await send('GET', '/billing/open-time.php?company_number=987654')).status, 404);
});

test.serial('Read the remaining included hours of contracts: before and after billing', async (t) => {
  const { company_number, contract_id, first } = await work();
  const read = async () =>
    (await send('GET', `/billing/included-hours.php?company_number=${company_number}`)).body.data;
  const its = { contract_id, name: 'Support', period_start: '2026-03-01', included_minutes: 60 };
  t.deepEqual(await read(), [{ ...its, billed_minutes: 0, open_minutes: 60, left_minutes: 0 }]);
  const time_entry_ids = [first.time_entry_id];
  await send('POST', `${path}?action=from-time`, {
    company_number,
    period: '2026-03',
    hourly_rate: 90,
    time_entry_ids,
  });
  t.deepEqual(await read(), [{ ...its, billed_minutes: 40, open_minutes: 20, left_minutes: 0 }]);
  const used = (await send('GET', `/billing/contract-hours.php?contract_id=${contract_id}`)).body.data;
  const period = { period_start: '2026-03-01', included_minutes: 60 };
  t.deepEqual(used, [{ ...period, billed_minutes: 40, open_minutes: 20 }]);
  const { company_number: without } = await seedCompany(app);
  t.deepEqual((await send('GET', `/billing/included-hours.php?company_number=${without}`)).body.data, []);
});

test.serial('Add worked time to a draft: the chosen entries, once each', async (t) => {
  const { company_number, second } = await work();
  const { invoice_id } = await draftOf(company_number);
  const add = (more: object = {}) =>
    send('POST', `${path}?action=add-time&id=${invoice_id}`, { period: '2026-03', hourly_rate: 90, ...more });
  const answer = await add({ time_entry_ids: [second.time_entry_id] });
  t.is(answer.status, 200);
  t.like(answer.body.data, { subtotal: 12, total: 12 });
  t.deepEqual(
    answer.body.data.line_items.map((each: any) => [each.source, each.hours_worked, each.hours_covered, each.amount]),
    [
      ['hand', null, null, 12],
      ['entry', 0.8333, 0.8333, 0],
    ],
  );
  t.is((await add({ time_entry_ids: [second.time_entry_id] })).status, 400, 'it is billed');
  // The contract covers 10 minutes of the other entry.
  t.like((await add()).body.data, { subtotal: 57 });
  t.is((await add()).body.error, 'There is no unbilled billable time in this period');
  await send('PUT', `${path}?id=${invoice_id}`, { status: 'sent' });
  t.is((await add()).body.error, 'Time can only be added to drafts');
});

test.serial('a draft whose currency changes counts in the balance due of its new currency', async (t) => {
  const { company_number } = await seedCompany(app);
  const balance = async () =>
    (await send('GET', `/companies.php?id=${company_number}`)).body.data.statistics.balance_due;
  const issue = async (from: string, currency: string) => {
    const { invoice_id } = await draftOf(company_number, { currency: from });
    await send('PUT', `${path}?id=${invoice_id}`, { currency });
    return send('PUT', `${path}?id=${invoice_id}`, { status: 'sent' });
  };
  t.is((await issue('USD', 'EUR')).body.data.currency, 'EUR');
  t.is(await balance(), 0);
  await issue('EUR', 'USD');
  t.is(await balance(), 12);
});

test.serial('a draft with worked time stays with its company until the time is removed', async (t) => {
  const { company_number } = await work();
  const other = (await seedCompany(app)).company_number;
  const wanted = { company_number, period: '2026-03', hourly_rate: 90 };
  const { invoice_id: id } = (await send('POST', `${path}?action=from-time`, wanted)).body.data;
  const moved = await send('PUT', `${path}?id=${id}`, { company_number: other });
  t.is(moved.status, 400);
  t.regex(moved.body.error, /^company_number cannot be changed while/);
  t.is((await send('GET', `${path}?id=${id}`)).body.data.company_number, company_number);
  const line_items = [{ description: 'Cable', unit_price: 12 }];
  const { status, body } = await send('PUT', `${path}?id=${id}`, { company_number: other, line_items });
  t.deepEqual([status, body.data?.company_number, body.data?.total], [200, other, 12]);
  t.is((await send('GET', `/billing/open-time.php?company_number=${company_number}`)).body.data.length, 2);
});

test.serial('a draft with the first period of a subscription stays with its company', async (t) => {
  const { company_number } = await seedCompany(app);
  const other = (await seedCompany(app)).company_number;
  const product = (await send('POST', '/billing/products.php', { name: 'Backup', price: 20 })).body.data;
  const bought = { company_number, product_id: product.product_id };
  const { invoice } = (await send('POST', '/billing/marketplace.php', bought)).body.data;
  const moved = await send('PUT', `${path}?id=${invoice.invoice_id}`, { company_number: other });
  t.is(moved.status, 400);
  t.regex(moved.body.error, /^company_number cannot be changed while/);
});

test.serial('Update an invoice: a line that is sent twice with one id is reported', async (t) => {
  const { company_number } = await seedCompany(app);
  const { invoice_id: id, line_items } = await draftOf(company_number);
  const [line] = line_items;
  const twice = { line_items: [line, { ...line, description: 'Another cable' }] };
  const { status, body } = await send('PUT', `${path}?id=${id}`, twice);
  t.deepEqual([status, body.error], [400, 'line_items must name each line once']);
  const { line_item_id: _id, ...copy } = line;
  t.is((await send('PUT', `${path}?id=${id}`, { line_items: [line, copy] })).body.data.line_items.length, 2);
});

test.serial('Update an invoice: a line that was removed meanwhile does not return as a manual one', async (t) => {
  const { company_number } = await seedCompany(app);
  const { invoice_id: id, invoice_number, line_items } = await draftOf(company_number);
  const [line] = line_items;
  const cable = { description: 'Cable', unit_price: 5 };
  const answer = await send('PUT', `${path}?id=${id}`, { line_items: [cable] });
  t.is(answer.status, 200);
  const { status, body } = await send('PUT', `${path}?id=${id}`, { line_items: [line] });
  t.deepEqual([status, body.error], [400, `line_items must be lines of ${invoice_number}`]);
  const { data } = (await send('GET', `${path}?id=${id}`)).body;
  t.deepEqual(
    data.line_items.map((each: { description: string }) => each.description),
    ['Cable'],
  );
});

test.serial('Send an invoice by mail: to chosen recipients with a message, and again', async (t) => {
  const { company_number } = await seedCompany(app);
  const usual = await seedEmployee(app, { company_number, can_view_billing: true });
  const chosen = await seedEmployee(app, { company_number });
  const stranger = await seedEmployee(app);
  const { invoice_id, invoice_number } = await draftOf(company_number);
  const recipients = (await send('GET', `${path}?action=recipients&id=${invoice_id}`)).body.data;
  t.deepEqual(
    recipients.map((each: any) => [each.address, each.usual]),
    [
      [usual.email, true],
      [chosen.email, false],
    ],
  );
  const mail = (body: object) => send('POST', `${path}?action=send&id=${invoice_id}`, body);
  const refused = await mail({ employee_numbers: [chosen.employee_number, stranger.employee_number] });
  t.is(refused.body.error, 'employee_numbers must be active contacts of the company');
  const preview = async (body: object) =>
    (await send('POST', `${path}?action=preview-mail&id=${invoice_id}`, body)).body.data;
  const usually = await preview({});
  t.like(usually, { recipient: usual.email, attached: `${invoice_number}.pdf` });
  t.true(usually.subject.includes(invoice_number));
  const wish = { employee_numbers: [chosen.employee_number], message: 'Thank you for the quick decision.' };
  const previewed = await preview(wish);
  t.is(previewed.recipient, chosen.email);
  t.is((await readMails(app)).length, 0, 'a preview sends nothing');
  const answer = await mail(wish);
  t.like(answer.body.data, { status: 'sent' });
  await app.app.outbox.drain();
  const mails = async () => (await readMails(app)).filter(({ subject }) => subject.includes(invoice_number));
  t.deepEqual(
    (await mails()).map((each) => [each.to, each.text.includes('Thank you for the quick decision.')]),
    [[chosen.email, true]],
  );
  t.like((await mails())[0], { subject: previewed.subject, text: previewed.text });
  // Sent again to the usual recipients, with the template text only.
  t.is((await mail({})).status, 200);
  await app.app.outbox.drain();
  t.deepEqual((await mails()).map((each) => each.to).toSorted(), [chosen.email, usual.email].toSorted());
  await send('PUT', `${path}?id=${invoice_id}`, { status: 'void' });
  t.is((await mail({})).body.error, 'A void invoice cannot be sent');
});

test.serial(
  'an invoice offers everyone who may see bills as a recipient, however many employees there are',
  async (t) => {
    const { company_number } = await seedCompany(app);
    for (let n = 0; n < 100; n++) await seedEmployee(app, { company_number });
    const { employee_number } = await seedEmployee(app, { company_number, can_view_billing: true });
    const { invoice_id } = await draftOf(company_number);
    const { data } = (await send('GET', `${path}?action=recipients&id=${invoice_id}`)).body;
    t.is(data.length, 101);
    t.like(data[0], { employee_number, usual: true });
  },
);

test('an invoice that is mailed to one more person right after it was sent still reaches the usual recipients', async (t) => {
  const clock = testClock();
  const own = await openApp({ clock });
  t.teardown(() => own.close());
  const ask = await asKey(own, ['billing:read', 'billing:write']);
  const { company_number } = await seedCompany(own);
  const usual = await seedEmployee(own, { company_number, can_view_billing: true });
  const other = await seedEmployee(own, { company_number });
  const lines = { company_number, status: 'sent', line_items: [{ description: 'Cable', unit_price: 12 }] };
  const { invoice_id } = (await ask('POST', path, lines)).body.data;
  clock.set('2026-03-02T09:00:20.000Z');
  await ask('POST', `${path}?action=send&id=${invoice_id}`, { employee_numbers: [other.employee_number] });
  await own.app.outbox.drain();
  t.deepEqual((await readMails(own)).map((each) => each.to).toSorted(), [usual.email, other.email].toSorted());
});
