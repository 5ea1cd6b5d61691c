import { Payment } from '@keelson/modules/billing';
import { openApp, testClock, type TestApp } from '@keelson/testing';
import test from 'ava';
import { seedCompany } from '../accounts-seed.ts';
import { asKey } from '../tickets-seed.ts';

const path = '/billing/payments.php';
const now = '2026-03-02T09:00:00Z';

let app: TestApp;
let send: Awaited<ReturnType<typeof asKey>>;
const clock = testClock();
test.before(async () => {
  app = await openApp({ clock });
  send = await asKey(app, ['billing:read', 'billing:write']);
});
test.after.always(() => app.close());

async function sent(total = 100, more: object = {}) {
  const { company_number, customer } = await seedCompany(app);
  const body = { company_number, status: 'sent', line_items: [{ description: 'Work', unit_price: total }], ...more };
  return { customer, ...(await send('POST', '/billing/invoices.php', body)).body.data };
}

const pay = (invoice_id: number, amount: number, more: object = {}) =>
  send('POST', path, { invoice_id, amount, ...more });

test.serial('Record payment: returns the full record, and updates the invoice', async (t) => {
  const { invoice_id, invoice_number, company_number, customer } = await sent(100, { currency: 'EUR' });
  const given = { method: 'Wire', reference: 'TX 1', paid_at: '2026-02-28', notes: 'Early' };
  const answer = await pay(invoice_id, 33.33, given);
  t.is(answer.status, 201);
  t.deepEqual(answer.body, {
    success: true,
    data: {
      payment_id: answer.body.data.payment_id,
      invoice_id,
      company_number,
      currency: 'EUR',
      method: 'wire',
      reference: 'TX 1',
      paid_at: '2026-02-28',
      notes: 'Early',
      created_at: now,
      invoice_number,
      company_name: customer,
      amount: 33.33,
    },
  });
  t.like((await pay(invoice_id, 66.67)).body.data, { method: 'other', paid_at: '2026-03-02', amount: 66.67 });
  const { data } = (await send('GET', `/billing/invoices.php?id=${invoice_id}`)).body;
  t.like(data, { status: 'paid', paid_at: now, amount_paid: 100, balance_due: 0 });
});

test.serial('Record payment: invalid input is reported', async (t) => {
  const { invoice_id, company_number } = await sent();
  const refused = async (body: object) => {
    const answer = await send('POST', path, { invoice_id, amount: 1, ...body });
    t.is(answer.status, 400);
    return answer.body.error;
  };
  t.is(await refused({ invoice_id: 999_999 }), 'invoice_id must be an existing invoice');
  t.is(await refused({ amount: 0 }), 'amount must be above 0');
  t.is(await refused({ amount: -5 }), 'amount must be above 0');
  t.is(await refused({ amount: 100.01 }), 'amount must be at most USD\u00a0100.00, the balance due');
  t.is(await refused({ amount: 'all' }), 'amount must be a number');
  t.is(await refused({ method: 'gold' }), 'method must be one of: card, ach, check, cash, wire, other');
  const line_items = [{ description: 'Work', unit_price: 100 }];
  const draft = (await send('POST', '/billing/invoices.php', { company_number, line_items })).body.data;
  t.is(
    await refused({ invoice_id: draft.invoice_id }),
    'invoice_id must be a sent or overdue invoice, but this one is draft',
  );
  const yen = await sent(100, { currency: 'JPY' });
  t.is(await refused({ invoice_id: yen.invoice_id, amount: 0.5 }), 'amount must be a whole amount in JPY');
});

test.serial('Record payment: of 50 concurrent payments exactly one succeeds if only one fits', async (t) => {
  const { invoice_id } = await sent(100);
  const answers = await Promise.all(Array.from({ length: 50 }, () => pay(invoice_id, 60)));
  const won = answers.filter(({ status }) => status === 201);
  t.is(won.length, 1);
  t.true(answers.every(({ status }) => status === 201 || status === 400));
  t.is((await app.app.database.findBy(Payment, { invoice_id })).length, 1);
  const { data } = (await send('GET', `/billing/invoices.php?id=${invoice_id}`)).body;
  t.like(data, { status: 'sent', amount_paid: 60, balance_due: 40 });
});

test.serial('List payments; Read a payment: newest first, by company, invoice and date', async (t) => {
  const invoice = await sent();
  const { company_number, invoice_id } = invoice;
  const first = (await pay(invoice_id, 1, { paid_at: '2026-01-31' })).body.data;
  const second = (await pay(invoice_id, 2)).body.data;
  const other = await sent();
  await pay(other.invoice_id, 3);
  const found = async (query: string) => (await send('GET', `${path}?${query}`)).body.data;
  t.deepEqual(await found(`company_number=${company_number}`), [second, first]);
  t.deepEqual(await found(`invoice_id=${invoice_id}&date_to=2026-01-31`), [first]);
  t.deepEqual(await found(`company_number=${company_number}&date_from=2026-02-01`), [second]);
  t.deepEqual(await found(`id=${first.payment_id}`), first);
  const { body } = await send('GET', `${path}?invoice_id=${invoice_id}&per_page=1`);
  t.deepEqual(body.pagination, { page: 1, per_page: 1, total: 2, total_pages: 2 });
  t.is((await send('GET', `${path}?id=999999`)).status, 404);
  t.is((await send('PUT', `${path}?id=${first.payment_id}`, { amount: 5 })).status, 405);
});

test.serial('List the statements of a company: consecutive months, newest first, including late entries', async (t) => {
  const late = await sent(100, { issue_date: '2026-01-15' });
  const { company_number } = late;
  const statements = async () =>
    (await send('GET', `/billing/statements.php?company_number=${company_number}`)).body.data;
  await pay(late.invoice_id, 30, { paid_at: '2026-03-02' });
  const body = { company_number, status: 'sent', line_items: [{ description: 'Work', unit_price: 7 }] };
  const feb = await send('POST', '/billing/invoices.php', { ...body, issue_date: '2026-02-28' });
  const [march, february, january, ...rest] = await statements();
  t.deepEqual(rest, []);
  t.deepEqual(march, {
    statement_id: march.statement_id,
    statement_number: `ST-202603-${String(march.statement_id).padStart(6, '0')}`,
    company_number,
    period_start: '2026-03-01',
    period_end: '2026-03-31',
    opening_balance: 107,
    charges: 0,
    payments: 30,
    closing_balance: 77,
    currency: 'USD',
    generated_at: now,
  });
  t.like(february, { period_end: '2026-02-28', opening_balance: 100, charges: 7, payments: 0, closing_balance: 107 });
  t.like(january, { opening_balance: 0, charges: 100, payments: 0, closing_balance: 100 });
  await send('PUT', `/billing/invoices.php?id=${feb.body.data.invoice_id}`, { status: 'void' });
  t.like((await statements())[0], { opening_balance: 107, charges: -7, payments: 30, closing_balance: 70 });
  const { pagination } = (
    await send('GET', `/billing/statements.php?company_number=${company_number}&per_page=2&page=2`)
  ).body;
  t.deepEqual(pagination, { page: 2, per_page: 2, total: 3, total_pages: 2 });
  t.is((await send('GET', '/billing/statements.php?company_number=999999')).status, 404);
});
