// Subscriptions created from a table of lines: upcoming prices, pauses, tax, next invoice and history.
import { billSubscriptions } from '@keelson/modules/billing';
import { openApp, testClock, type TestApp } from '@keelson/testing';
import test from 'ava';
import { seedCompany } from '../accounts-seed.ts';
import { seedProduct } from '../sales-seed.ts';
import { asKey } from '../tickets-seed.ts';
import { checkCompany } from './_ledger-checks.ts';

const path = '/billing/subscriptions.php';

let app: TestApp;
let send: Awaited<ReturnType<typeof asKey>>;
const clock = testClock();
test.before(async () => {
  app = await openApp({ clock });
  send = await asKey(app, ['billing:read', 'billing:write']);
});
test.after.always(() => app.close());

const create = async (line_items: readonly object[], more: object = {}) => {
  clock.set('2026-03-02T09:00:00.000Z');
  const { company_number } = await seedCompany(app);
  const answer = await send('POST', path, { company_number, line_items, ...more });
  return { ...answer, company_number, subscriptions: answer.body.data?.subscriptions ?? [] };
};
const put = (id: number, body: object) => send('PUT', `${path}?id=${id}`, body);
const read = async (id: number, action: string) => (await send('GET', `${path}?action=${action}&id=${id}`)).body.data;

async function billOn(day: string) {
  clock.set(`${day}T09:00:00.000Z`);
  await billSubscriptions(app.app.system());
}

test.serial('Create subscriptions: one per line, billed once it begins', async (t) => {
  const { product_id } = await seedProduct(app);
  const { status, company_number, subscriptions } = await create(
    [
      { product_id, name: 'Mail protection', quantity: 5, unit_price: 2.5 },
      { name: 'Firewall', unit_price: 90, tax_rate: 7, billing_cycle: 'annual' },
    ],
    { start_date: '2026-03-10' },
  );
  t.is(status, 201);
  const dates = { start_date: '2026-03-10', next_billing_date: '2026-03-10', end_date: null, status: 'active' };
  t.like(subscriptions[0], { ...dates, product_id, quantity: 5, unit_price: 2.5, tax_rate: null, amount: 12.5 });
  t.like(subscriptions[1], { ...dates, product_id: null, billing_cycle: 'annual', tax_rate: 7, amount: 90 });
  const [{ subscription_id: id }] = subscriptions;
  t.deepEqual(await read(id, 'periods'), []);
  const next = await read(id, 'next');
  t.like(next, { date: '2026-03-10', currency: 'USD', subtotal: 102.5, total: 108.8 });
  t.like(next.line_items, [
    { quantity: 5, unit_price: 2.5, tax_rate: 0, amount: 12.5 },
    { amount: 90, tax_rate: 7 },
  ]);
  await billOn('2026-03-09');
  t.deepEqual(await read(id, 'periods'), []);
  await billOn('2026-03-10');
  const [period, ...others] = await read(id, 'periods');
  t.is(others.length, 0);
  t.like(period, { period_start: '2026-03-10', period_end: '2026-04-09', amount: 12.5, invoice_status: 'draft' });
  const invoice = (await send('GET', `/billing/invoices.php?id=${period.invoice_id}`)).body.data;
  t.like(invoice, { total: 108.8, invoice_number: period.invoice_number });
  t.is((await read(id, 'next')).date, '2026-04-10');
  await checkCompany(app.app.database, company_number, '2026-03-10');
});

test.serial('Create subscriptions: invalid input is reported', async (t) => {
  const refused = async (line: object, more: object = {}) => {
    const { status, body } = await create([{ name: 'Backup', unit_price: 10, ...line }], more);
    t.is(status, 400);
    return body.error;
  };
  t.is(await refused({ product_id: 999_999 }), 'product_id must be an existing product');
  t.is(await refused({}, { start_date: '2025-02-28' }), 'start_date must not be before 2025-03-01');
  t.is(await refused({}, { end_date: '2026-03-01' }), 'end_date must not be before start_date');
  t.is(
    await refused({}, { currency: 'JPY', line_items: [{ name: 'Backup', unit_price: 1.5 }] }),
    'unit_price must be a whole amount in JPY',
  );
  t.regex(await refused({ price: 3 }), /price is not supported: use unit_price/);
});

test.serial('Change or cancel a subscription: an upcoming price applies to periods from its date on', async (t) => {
  const { company_number, subscriptions } = await create([{ name: 'Backup', quantity: 2, unit_price: 10 }]);
  const [{ subscription_id: id }] = subscriptions;
  await billOn('2026-03-02');
  const changed = await put(id, { unit_price: 12, price_from: '2026-05-01' });
  t.like(changed.body.data, { unit_price: 10, next_price: 12, next_price_from: '2026-05-01' });
  t.is((await read(id, 'next')).subtotal, 20);
  await billOn('2026-04-02');
  t.is((await read(id, 'next')).subtotal, 24);
  await billOn('2026-06-02');
  const periods = await read(id, 'periods');
  t.deepEqual(
    periods.map((each: any) => [each.period_start, each.unit_price]),
    [
      ['2026-06-02', 12],
      ['2026-05-02', 12],
      ['2026-04-02', 10],
      ['2026-03-02', 10],
    ],
  );
  const { data } = (await send('GET', `${path}?id=${id}`)).body;
  t.like(data, { unit_price: 12, next_price: null, next_price_from: null, amount: 24 });
  t.like((await put(id, { unit_price: 13 })).body.data, { unit_price: 13, next_price: null });
  t.is((await put(id, { price_from: '2026-09-01' })).body.error, 'price_from requires unit_price');
  await checkCompany(app.app.database, company_number, '2026-06-02');
});

test.serial(
  'Change or cancel a subscription: one that is sent back as it was read keeps its upcoming price',
  async (t) => {
    const { subscriptions } = await create([{ name: 'Seats', unit_price: 10 }]);
    const id = subscriptions[0].subscription_id;
    await billOn('2026-03-02');
    await put(id, { unit_price: 12, price_from: '2026-05-01' });
    const { data } = (await send('GET', `${path}?id=${id}`)).body;
    const changed = await put(id, { ...data, quantity: 5 });
    t.like(changed.body.data, { quantity: 5, unit_price: 10, next_price: 12, next_price_from: '2026-05-01' });
    t.like((await put(id, { unit_price: 10 })).body.data, { unit_price: 10, next_price: null, next_price_from: null });
  },
);

test.serial('Change or cancel a subscription: periods that begin during a pause are never billed', async (t) => {
  const { company_number, subscriptions } = await create([{ name: 'Backup', unit_price: 10, tax_rate: 5 }]);
  const [{ subscription_id: id }] = subscriptions;
  t.is(
    (await put(id, { status: 'paused' })).body.error,
    'A period that has begun has not been billed yet: pause the subscription after the next billing run',
  );
  await billOn('2026-03-02');
  t.like((await put(id, { status: 'paused' })).body.data, { status: 'paused', next_billing_date: null });
  t.is((await read(id, 'next')).date, null);
  const active = (await send('GET', `${path}?company_number=${company_number}`)).body.data;
  t.deepEqual(active, [], 'lists show active ones unless asked for others');
  await billOn('2026-05-20');
  t.like((await put(id, { quantity: 3 })).body.data, { status: 'paused', quantity: 3 });
  t.like((await put(id, { status: 'active' })).body.data, { status: 'active', next_billing_date: '2026-06-02' });
  await billOn('2026-06-02');
  const starts = (await read(id, 'periods')).map((each: any) => each.period_start);
  t.deepEqual(starts, ['2026-06-02', '2026-03-02']);
  t.is((await put(id, { status: 'paused' })).status, 200);
  t.like((await put(id, { status: 'cancelled' })).body.data, { status: 'cancelled', end_date: '2026-07-01' });
  t.is((await put(id, { status: 'active' })).body.error, 'Subscription is cancelled');
  t.is((await put(id, { tax_rate: 7 })).body.error, 'Subscription is cancelled');
});
