import { openApp, type TestApp } from '@keelson/testing';
import test from 'ava';
import { seedCompany } from '../accounts-seed.ts';
import { asKey } from '../tickets-seed.ts';

const path = '/domains.php';
const now = '2026-03-02T09:00:00Z';

let app: TestApp;
let send: Awaited<ReturnType<typeof asKey>>;
test.before(async () => {
  app = await openApp();
  send = await asKey(app, ['networks:read', 'networks:write']);
});
test.after.always(() => app.close());

test.serial('Create a domain: returns the full record, and reports invalid input', async (t) => {
  const { company_number, customer } = await seedCompany(app);
  const body = {
    company_number,
    registrar: 'Gandi',
    registered_at: '2020-03-12',
    expires_at: '2026-03-12',
    auto_renew: true,
    name_servers: ['ns1.example.net', 'ns2.example.net'],
    notes: 'Shop',
    customer_notes: 'Ask Ann',
  };
  const answer = await send('POST', path, { ...body, domain_name: ' Example.COM. ' });
  t.is(answer.status, 201);
  const { domain_id } = answer.body.data;
  const rest = { company_name: customer, days_until_expiry: 10, created_at: now, updated_at: now };
  const data = { domain_id, domain_name: 'example.com', ...body, status: 'active', ...rest };
  t.deepEqual(answer.body, { success: true, data });
  const refused = async (wrong: unknown) => (await send('POST', path, wrong)).body.error;
  t.is(await refused({}), 'company_number is required; domain_name is required');
  for (const domain_name of ['example', 'ex ample.com', '-a.com', '1.2.3.4', 'a..b', 'http://a.com'])
    t.is(await refused({ company_number, domain_name }), 'domain_name must be a domain name, such as example.com');
  t.is((await send('POST', path, { company_number, domain_name: 'büro.example' })).status, 201);
});

test.serial('List all domains: by company, status and text, paged', async (t) => {
  const { company_number } = await seedCompany(app);
  await send('POST', path, {
    company_number,
    domain_name: 'old.example',
    expires_at: '2026-03-01',
    registrar: 'Joker',
  });
  const { data } = (await send('POST', path, { company_number, domain_name: 'new.example' })).body;
  const read = (query: string) => send('GET', `${path}?company_number=${company_number}&${query}`);
  const pagination = { page: 1, per_page: 1, total: 2, total_pages: 2 };
  t.deepEqual((await read('per_page=1')).body, { success: true, data: [data], pagination });
  t.like((await read('status=expired')).body.data, [{ domain_name: 'old.example', days_until_expiry: -1 }]);
  t.is((await read('search=joker')).body.pagination.total, 1);
});

test.serial('Read a domain', async (t) => {
  const { company_number } = await seedCompany(app);
  const { data } = (await send('POST', path, { company_number, domain_name: 'read.example' })).body;
  t.deepEqual((await send('GET', `${path}?id=${data.domain_id}`)).body, { success: true, data });
  t.is(data.days_until_expiry, null);
  t.is((await send('GET', `${path}?id=999999`)).status, 404);
});

test.serial('Update a domain', async (t) => {
  const { company_number } = await seedCompany(app);
  const { domain_id } = (await send('POST', path, { company_number, domain_name: 'x.example' })).body.data;
  const at = `${path}?id=${domain_id}`;
  t.like((await send('PUT', at, { expires_at: '2026-03-01' })).body.data, { status: 'expired', days_until_expiry: -1 });
  t.like((await send('PUT', at, { expires_at: null })).body.data, { status: 'active', days_until_expiry: null });
  t.is((await send('PUT', at, { domain_name: 'x' })).status, 400);
});

test.serial('Delete a domain', async (t) => {
  const { company_number } = await seedCompany(app);
  const { domain_id } = (await send('POST', path, { company_number, domain_name: 'y.example' })).body.data;
  t.is((await send('DELETE', `${path}?id=${domain_id}`)).status, 204);
  t.is((await send('GET', `${path}?id=${domain_id}`)).status, 404);
});
