import { SubscriptionPeriod } from '@keelson/modules/billing';
import { openApp, type TestApp } from '@keelson/testing';
import test from 'ava';
import { WriteBilling } from '../../modules/billing/permissions.ts';
import { seedCompany, seedKey, seedTechnician, signInOnPage, unique } from '../accounts-seed.ts';
import { seedProduct, seedSubscription } from '../sales-seed.ts';
import { asKey } from '../tickets-seed.ts';

const path = '/billing/products.php';
const at = (id: number) => `${path}?id=${id}`;
const market = '/billing/marketplace.php';
const now = '2026-03-02T09:00:00Z';

let app: TestApp;
let send: Awaited<ReturnType<typeof asKey>>;
let read: typeof send;
test.before(async () => {
  app = await openApp();
  send = await asKey(app, ['billing:read', 'billing:write']);
  read = await asKey(app, ['billing:read']);
});
test.after.always(() => app.close());

test.serial('Create a product: returns the full record', async (t) => {
  const body = {
    name: 'Mail protection',
    description: 'Filters spam.',
    vendor: 'Hornet',
    category: 'Security',
    price: 2.5,
    currency: 'EUR',
    billing_cycle: 'Annual',
    active: false,
  };
  const answer = await send('POST', path, body);
  t.is(answer.status, 201);
  const { product_id } = answer.body.data;
  t.deepEqual(answer.body, {
    success: true,
    data: { product_id, ...body, billing_cycle: 'annual', created_at: now, updated_at: now },
  });
  const bare = await send('POST', path, { name: 'Backup', price: 0 });
  t.like(bare.body.data, { currency: 'USD', billing_cycle: 'monthly', active: true, vendor: '', price: 0 });
});

test.serial('Create a product: invalid input is reported', async (t) => {
  const refused = async (body: unknown) => {
    const answer = await send('POST', path, body);
    return answer.status === 400 ? answer.body.error : answer.status;
  };
  t.is(await refused({}), 'name is required; price is required');
  t.is(await refused({ name: 'x', price: -1 }), 'price must be at least 0');
  t.is(await refused({ name: 'x', price: 1.005 }), 'price must be an amount with at most 2 decimals in USD');
  t.is(
    await refused({ name: 'x', price: 1, billing_cycle: 'weekly' }),
    'billing_cycle must be one of: monthly, quarterly, annual',
  );
});

test.serial('List products: by name, category, text and availability', async (t) => {
  const category = unique('Category');
  const second = await seedProduct(app, { name: 'Zebra', category, active: false });
  const first = await seedProduct(app, { name: 'Aardvark', category, vendor: 'Ant & Sons' });
  const ids = async (query: string) =>
    (await read('GET', `${path}?category=${category}&${query}`)).body.data.map((each: any) => each.product_id);
  t.deepEqual(await ids(''), [first.product_id, second.product_id]);
  t.deepEqual(await ids('active=false'), [second.product_id]);
  t.deepEqual(await ids('search=ant'), [first.product_id]);
  t.deepEqual(await ids('per_page=1&page=2'), [second.product_id]);
  t.deepEqual((await read('GET', `${path}?category=${category}&per_page=1`)).body.pagination, {
    page: 1,
    per_page: 1,
    total: 2,
    total_pages: 2,
  });
  t.is((await read('GET', `${path}?active=x`)).status, 400);
  t.true((await app.fewestStatements(() => read('GET', `${path}?category=${category}`))) <= 6);
});

test.serial('Read a product; Update a product: subscriptions keep their original terms', async (t) => {
  const { company_number } = await seedCompany(app);
  const { product_id } = await seedProduct(app);
  const bought = await send('POST', market, { product_id, company_number });
  const { data } = (await send('PUT', at(product_id), { price: 3, name: 'Mail shield' })).body;
  t.like(data, { price: 3, name: 'Mail shield' });
  t.deepEqual((await read('GET', at(product_id))).body.data, data);
  const { subscription_id } = bought.body.data;
  t.like((await read('GET', `/billing/subscriptions.php?id=${subscription_id}`)).body.data, {
    name: 'Mail protection',
    unit_price: 2.5,
    product_id,
  });
  t.is((await send('PUT', at(product_id), {})).body.error, 'No fields to update');
  t.is((await send('PUT', at(999_999), { price: 1 })).status, 404);
  t.is((await read('GET', at(999_999))).status, 404);
});

test.serial('Delete a product: its subscriptions stay without it', async (t) => {
  const { company_number } = await seedCompany(app);
  const { product_id, subscription_id } = await seedSubscription(app, company_number);
  t.is((await send('DELETE', at(product_id ?? 0))).status, 204);
  t.is((await read('GET', at(product_id ?? 0))).status, 404);
  const refused = await send('POST', market, { product_id, company_number });
  t.deepEqual([refused.status, refused.body.error], [400, 'product_id must be an existing product']);
  t.like((await read('GET', `/billing/subscriptions.php?id=${subscription_id}`)).body.data, {
    product_id: null,
    status: 'active',
  });
});

test.serial('List the marketplace’s products and subscriptions', async (t) => {
  const { company_number } = await seedCompany(app);
  const bought = await seedSubscription(app, company_number, { name: unique('Aaa') });
  const sold = await seedSubscription(app, (await seedCompany(app)).company_number);
  await send('PUT', `/billing/subscriptions.php?id=${sold.subscription_id}`, { status: 'cancelled' });
  const { status, body } = await read('GET', `${market}?company_number=${company_number}`);
  t.is(status, 200);
  t.deepEqual(Object.keys(body.data), ['products', 'subscriptions', 'pagination']);
  const products = (await read('GET', `${path}?per_page=100`)).body.data;
  t.deepEqual(body.data.products, products, 'all of them, those that are no longer sold too');
  const { data } = (await read('GET', `/billing/subscriptions.php?id=${bought.subscription_id}`)).body;
  t.deepEqual(body.data.subscriptions, [data]);
  const all = (await read('GET', market)).body.data.subscriptions.map((each: any) => each.subscription_id);
  t.true(all.includes(bought.subscription_id));
  t.false(all.includes(sold.subscription_id), 'active ones only (B-11)');
  t.is((await read('GET', `${market}?company_number=x`)).status, 400);
  const total = products.length;
  t.deepEqual(body.data.pagination, {
    products: { page: 1, per_page: 1000, total, total_pages: 1 },
    subscriptions: { page: 1, per_page: 1000, total: 1, total_pages: 1 },
  });
  const second = (await read('GET', `${market}?page=2&per_page=1`)).body.data;
  t.deepEqual(second.products, [products[1]]);
  t.deepEqual(second.pagination.products, { page: 2, per_page: 1, total, total_pages: total });
  t.true((await app.fewestStatements(() => read('GET', market))) <= 6);
});

test.serial(
  'Purchase a product: creates an active subscription and a draft invoice for its first period',
  async (t) => {
    const { company_number, customer } = await seedCompany(app);
    const { product_id } = await seedProduct(app, { name: 'Backup', price_minor: 19_990, billing_cycle: 'quarterly' });
    const answer = await send('POST', market, { product_id, company_number, quantity: 3 });
    t.is(answer.status, 201);
    const { subscription_id, invoice } = answer.body.data;
    t.deepEqual(answer.body.data, {
      subscription_id,
      product_id,
      name: 'Backup',
      company_number,
      quantity: 3,
      currency: 'USD',
      billing_cycle: 'quarterly',
      status: 'active',
      start_date: '2026-03-02',
      next_billing_date: '2026-06-02',
      end_date: null,
      created_at: now,
      updated_at: now,
      company_name: customer,
      unit_price: 19.99,
      amount: 59.97,
      tax_rate: null,
      next_price: null,
      next_price_from: null,
      invoice,
    });
    t.like(invoice, { status: 'draft', company_number, total: 59.97, balance_due: 59.97, issue_date: '2026-03-02' });
    const [period, ...others] = await app.app.database.findBy(SubscriptionPeriod, { subscription_id });
    t.like(period, {
      period_start: '2026-03-02',
      period_end: '2026-06-01',
      invoice_id: invoice.invoice_id,
      quantity: 3,
      unit_price_minor: 19_990,
    });
    t.is(others.length, 0);
  },
);

test.serial('Purchase a product: an invalid purchase leaves nothing behind', async (t) => {
  const { company_number } = await seedCompany(app);
  const { product_id } = await seedProduct(app);
  const gone = await seedProduct(app, { name: 'Fax', active: false });
  const dear = await seedProduct(app, { price_minor: 999_999_999_990 });
  const refused = async (body: object) => {
    const answer = await send('POST', market, body);
    return answer.status === 400 ? answer.body.error : answer.status;
  };
  t.is(await refused({}), 'product_id is required; company_number is required');
  t.is(await refused({ product_id: 999_999, company_number }), 'product_id must be an existing product');
  t.is(await refused({ product_id, company_number: 999_999 }), 'company_number must be an existing company');
  t.is(await refused({ product_id: gone.product_id, company_number }), 'Fax is no longer sold');
  t.is(await refused({ product_id, company_number, quantity: 0 }), 'quantity must be between 1 and 1000000');
  t.is(
    await refused({ product_id: dear.product_id, company_number, quantity: 1_000_000 }),
    'quantity must be smaller: the amount is too large',
  );
  t.deepEqual((await read('GET', `${market}?company_number=${company_number}`)).body.data.subscriptions, []);
});

test.serial('Purchase a product: once, however often the request is repeated', async (t) => {
  const { company_number } = await seedCompany(app);
  const { product_id } = await seedProduct(app);
  const { api_key } = await seedKey(app, 'admin', ['billing:write']);
  const buy = () =>
    app.request('POST', `/admin/api/v1${market}`, {
      token: api_key,
      body: { product_id, company_number },
      headers: { 'Idempotency-Key': 'buy-it-once' },
    });
  const answers = await Promise.all([buy(), buy(), buy()]);
  const again = await buy();
  t.is(again.status, 201);
  for (const each of answers) if (each.status === 201) t.deepEqual(each.body, again.body);
  t.is((await read('GET', `${market}?company_number=${company_number}`)).body.data.subscriptions.length, 1);
});

test.serial('Read-only callers cannot buy or change anything', async (t) => {
  const { product_id } = await seedProduct(app);
  for (const [method, where] of [
    ['POST', path],
    ['PUT', at(product_id)],
    ['DELETE', at(product_id)],
    ['POST', market],
  ] as const)
    t.is((await read(method, where, {})).status, 403, `${method} ${where}`);
  const other = await asKey(app, ['tickets:read']);
  for (const where of [path, at(product_id), market]) t.is((await other('GET', where)).status, 403, where);
  for (const where of [path, market]) t.is((await app.request('GET', `/admin/api/v1${where}`)).status, 401, where);
});

test.serial('Technicians without the administrator role read products and change nothing', async (t) => {
  const cookie = await signInOnPage(app, await seedTechnician(app, 'technician'));
  t.is((await app.request('GET', `/admin/api/v1${path}`, { cookie })).status, 200);
  t.is((await app.request('POST', `/admin/api/v1${path}`, { cookie, body: {} })).status, 403);
  const person = { kind: 'technician', user_id: 1, name: '', email: '', session_id: 1 } as const;
  t.false(WriteBilling.allows({ ...person, role: 'technician' }), 'also where a route does not ask for the role');
  t.true(WriteBilling.allows({ ...person, role: 'administrator' }));
});
