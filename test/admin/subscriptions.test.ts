import { fromMinor } from '@keelson/core';
import { Invoice } from '@keelson/modules/billing';
import { openApp, testClock, type TestApp } from '@keelson/testing';
import test from 'ava';
import { StoredEvent } from '../../packages/events/delivery/delivery.ts';
import { seedCompany } from '../accounts-seed.ts';
import { seedSubscription } from '../sales-seed.ts';
import { asKey } from '../tickets-seed.ts';

const path = '/billing/subscriptions.php';
const at = (id: number) => `${path}?id=${id}`;
const now = '2026-03-02T09:00:00Z';

let app: TestApp;
let send: Awaited<ReturnType<typeof asKey>>;
const clock = testClock();
test.before(async () => {
  app = await openApp({ clock });
  send = await asKey(app, ['billing:read', 'billing:write']);
});
test.after.always(() => app.close());

test.serial('List subscriptions: active ones by default, paged', async (t) => {
  const { company_number, customer } = await seedCompany(app);
  const first = await seedSubscription(app, company_number);
  const ended = await seedSubscription(app, company_number);
  const last = await seedSubscription(app, company_number, { quantity: 4 });
  await send('PUT', at(ended.subscription_id), { status: 'cancelled' });
  const ids = async (query: string) => {
    const { body } = await send('GET', `${path}?company_number=${company_number}&${query}`);
    return body.data.map((each: { subscription_id: number }) => each.subscription_id);
  };
  t.deepEqual(await ids(''), [last.subscription_id, first.subscription_id]);
  t.deepEqual(await ids('status=cancelled'), [ended.subscription_id]);
  t.is((await ids('status=ALL')).length, 3);
  t.deepEqual(await ids('status=expired'), []);
  t.deepEqual(await ids('search=protec'), [last.subscription_id, first.subscription_id]);
  const { status, body } = await send('GET', `${path}?company_number=${company_number}&per_page=1`);
  t.is(status, 200);
  t.deepEqual(body, {
    success: true,
    data: [
      {
        subscription_id: last.subscription_id,
        product_id: last.product_id,
        name: 'Mail protection',
        company_number,
        quantity: 4,
        currency: 'USD',
        billing_cycle: 'monthly',
        status: 'active',
        start_date: '2026-03-02',
        next_billing_date: '2026-04-02',
        end_date: null,
        created_at: now,
        updated_at: now,
        company_name: customer,
        unit_price: 2.5,
        tax_rate: null,
        next_price: null,
        next_price_from: null,
        amount: 10,
      },
    ],
    pagination: { page: 1, per_page: 1, total: 2, total_pages: 2 },
  });
  t.is((await send('GET', `${path}?status=gone`)).status, 400);
  t.is((await send('GET', `${path}?page=0`)).status, 400);
  t.true((await app.fewestStatements(() => send('GET', `${path}?company_number=${company_number}`))) <= 6);
});

test.serial('Read a subscription', async (t) => {
  const { subscription_id } = await seedSubscription(app, (await seedCompany(app)).company_number);
  const { body } = await send('GET', at(subscription_id));
  t.like(body.data, { subscription_id, status: 'active', amount: 2.5 });
  t.is((await send('GET', at(999_999))).status, 404);
  t.is((await send('GET', `${path}?id=x`)).status, 400);
});

test.serial('Change or cancel a subscription: a quantity applies from the next invoice', async (t) => {
  const { company_number } = await seedCompany(app);
  const { subscription_id } = await seedSubscription(app, company_number, { quantity: 2 });
  const put = async (body: unknown) => (await send('PUT', at(subscription_id), body)).body;
  t.like((await put({ quantity: 5 })).data, { quantity: 5, amount: 12.5, next_billing_date: '2026-04-02' });
  const invoices = await totals(company_number);
  t.deepEqual(invoices, [5], 'what was billed stays');
  clock.set('2026-03-02T10:00:00.000Z');
  t.is((await put({ quantity: 5, status: 'active' })).data.updated_at, now, 'nothing changed (V-16)');
  clock.set('2026-03-02T09:00:00.000Z');
  t.is((await put({ quantity: 0 })).error, 'quantity must be between 1 and 1000000');
  t.is((await put({ quantity: 1.5 })).error, 'quantity must be a whole number');
  t.is((await put({ status: 'expired' })).error, 'status must be one of: active, paused, cancelled');
  t.is((await put({})).error, 'No fields to update');
  t.is((await send('PUT', at(999_999), { quantity: 1 })).status, 404);
});

test.serial(
  'Change or cancel a subscription: a cancelled one ends after the billed period and stays cancelled',
  async (t) => {
    const { company_number } = await seedCompany(app);
    const { subscription_id } = await seedSubscription(app, company_number);
    const put = async (body: unknown) => (await send('PUT', at(subscription_id), body)).body;
    t.is(
      (await put({ status: 'cancelled', end_date: '2026-12-31' })).error,
      'end_date cannot be set on a cancelled subscription',
    );
    const cancelled = { status: 'cancelled', end_date: '2026-04-01', next_billing_date: null };
    t.like((await put({ status: 'cancelled' })).data, cancelled);
    t.like((await put({ status: 'cancelled' })).data, cancelled, 'again changes nothing');
    t.is((await put({ status: 'active' })).error, 'Subscription is cancelled');
    t.is((await put({ quantity: 3 })).error, 'Subscription is cancelled');
    t.is((await put({ end_date: null })).error, 'Subscription is cancelled');
    t.like((await send('GET', at(subscription_id))).body.data, cancelled);
    clock.set('2026-07-01T00:00:00.000Z');
    await app.app.scheduler.runNow('billing.recurring');
    t.deepEqual(await totals(company_number), [2.5], 'nothing more is billed');
    clock.set('2026-03-02T09:00:00.000Z');
    const events = await app.app.database.findBy(StoredEvent, { name: 'subscription.cancelled' });
    t.is(events.filter(({ data }: { data: any }) => data.subscription_id === subscription_id).length, 1);
  },
);

test.serial('Change or cancel a subscription: one with an end date is billed until then and expires', async (t) => {
  const { company_number } = await seedCompany(app);
  const { subscription_id } = await seedSubscription(app, company_number);
  const put = async (body: unknown) => (await send('PUT', at(subscription_id), body)).body;
  t.is((await put({ end_date: '2026-03-01' })).error, 'end_date must not be in the past');
  t.like((await put({ end_date: '2026-04-01' })).data, { end_date: '2026-04-01', next_billing_date: null });
  t.like((await put({ end_date: null })).data, { end_date: null, next_billing_date: '2026-04-02' });
  t.like((await put({ end_date: '2026-04-02' })).data, { status: 'active', next_billing_date: '2026-04-02' });
  clock.set('2026-04-02T12:00:00.000Z');
  await app.app.scheduler.runNow('billing.recurring');
  const read = async () => (await send('GET', at(subscription_id))).body.data;
  t.like(await read(), { status: 'active', next_billing_date: null });
  t.deepEqual(await totals(company_number), [2.5, 2.5], 'a period is billed whole');
  clock.set('2026-04-03T00:10:00.000Z');
  await app.app.scheduler.runNow('billing.recurring');
  t.like(await read(), { status: 'expired', end_date: '2026-04-02' });
  t.is((await put({ end_date: null })).error, 'Subscription is expired');
  clock.set('2026-03-02T09:00:00.000Z');
});

test.serial('A company with subscriptions cannot be deleted', async (t) => {
  const { company_number } = await seedCompany(app);
  await seedSubscription(app, company_number);
  const technician = await asKey(app, ['companies:read', 'companies:write']);
  const answer = await technician('DELETE', `/companies.php?id=${company_number}`);
  t.is(answer.status, 409);
  t.regex(answer.body.error, /subscriptions/);
});

test.serial('Read-only callers cannot change subscriptions, and others cannot read them', async (t) => {
  const { subscription_id } = await seedSubscription(app, (await seedCompany(app)).company_number);
  const reader = await asKey(app, ['billing:read']);
  t.is((await reader('PUT', at(subscription_id), { quantity: 3 })).status, 403);
  t.is((await reader('GET', at(subscription_id))).status, 200);
  const other = await asKey(app, ['tickets:read']);
  for (const where of [path, at(subscription_id)]) {
    t.is((await other('GET', where)).status, 403, where);
    t.is((await app.request('GET', `/admin/api/v1${where}`)).status, 401, where);
  }
});

/** Returns the totals of the company's invoices, oldest first. */
async function totals(company_number: number): Promise<number[]> {
  const rows = await app.app.database.find(Invoice, { where: { company_number }, order: { invoice_id: 'ASC' } });
  return rows.map((each) => fromMinor(each.total_minor));
}
