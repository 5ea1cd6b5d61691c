import { Employee, ManagerGroup, createGroup } from '@keelson/modules/directory';
import { closeTicket, lockTicket } from '@keelson/modules/tickets';
import { openApp, type TestApp } from '@keelson/testing';
import test from 'ava';
import { IsNull } from 'typeorm';
import { compactCounter } from '../../packages/list/counter/counter-compaction.ts';
import { seedCompany, seedEmployee, seedKey, seedTechnician, signIn, signInOnPage, unique } from '../accounts-seed.ts';
import { asKey, seedSite, seedTicket } from '../tickets-seed.ts';

const path = '/companies.php';
const at = (company_number: number) => `${path}?id=${company_number}`;
const now = '2026-03-02T09:00:00Z';
const noStatistics = {
  open_tickets: 0,
  total_tickets: 0,
  asset_count: 0,
  contact_count: 0,
  active_contracts: 0,
  unpaid_invoices: 0,
  balance_due: 0,
};

let app: TestApp;
let send: Awaited<ReturnType<typeof asKey>>;
test.before(async () => {
  app = await openApp();
  send = await asKey(app, ['companies:read', 'companies:write', 'contacts:write', 'contacts:access']);
});
test.after.always(() => app.close());

async function fold(): Promise<void> {
  for (const each of app.app.plugins.flatMap((plugin) => plugin.counters ?? []))
    await compactCounter(app.app.database, each, app.clock.now());
}

async function activity(company_number: number): Promise<unknown[]> {
  const rows = await app.app.database.query<{ action: string; description: string; changes: string }>({
    text: `SELECT action, description, changes FROM activity_log
      WHERE entity_type = 'company' AND entity_id = ? ORDER BY log_id`,
    params: [String(company_number)],
  });
  return rows.map(({ action, description, changes }) => [action, description, JSON.parse(changes)]);
}

test.serial('Create a company: returns the full record', async (t) => {
  const customer = unique('Smith & Sons');
  const body = {
    customer: ` ${customer} `,
    address: '1 High Street',
    city: 'York',
    state: 'N. Yorkshire',
    zip: 'YO1 7EP',
    country: 'UK',
    phone: '+44 1904 000',
    email: 'hello@smith.example',
    website: 'https://smith.example',
    industry: 'Retail',
    notes: 'Likes biscuits',
    status: 'ACTIVE',
  };
  const answer = await send('POST', path, body);
  t.is(answer.status, 201);
  const { company_number } = answer.body.data;
  const { modules } = answer.body.data;
  t.deepEqual(answer.body, {
    success: true,
    data: {
      ...body,
      customer,
      company_number,
      status: 'Active',
      site_count: 0,
      open_tickets: 0,
      created_at: now,
      updated_at: now,
      modules,
      sites: [],
      statistics: noStatistics,
    },
  });
  t.deepEqual(modules, (await send('GET', `${path}?action=modules&id=${company_number}`)).body.data);
  t.deepEqual(await activity(company_number), [['create', `Company ${customer} created`, {}]]);
});

test.serial('Create a company: invalid input and duplicate names are reported', async (t) => {
  const customer = unique('Taken');
  await seedCompany(app, customer);
  const refused = async (body: unknown) => {
    const answer = await send('POST', path, body);
    return [answer.status, answer.body.error];
  };
  t.deepEqual(await refused({}), [400, 'customer is required']);
  t.deepEqual(await refused({ customer: ' ' }), [400, 'customer is required']);
  t.deepEqual(await refused({ customer: 'x'.repeat(256) }), [400, 'customer must be at most 255 characters']);
  t.deepEqual(await refused({ customer: 'A', email: 'no', website: 'ftp://x', status: 'asleep' }), [
    400,
    'email must be an email address; website must be an absolute http or https URL; status must be one of: active, inactive',
  ]);
  t.deepEqual(await refused({ customer: `  ${customer.toUpperCase()}` }), [
    409,
    `customer ${customer.toUpperCase()} already exists`,
  ]);
  const spaced = customer.replace(' ', '\u00a0 ');
  t.deepEqual(await refused({ customer: spaced }), [409, `customer ${spaced} already exists`]);
});

test.serial('Read a company with its sites and statistics', async (t) => {
  const { company_number, customer } = await seedCompany(app);
  const { site_number } = await seedSite(app, company_number, 'Warehouse');
  await seedSite(app, company_number, 'Branch');
  await seedEmployee(app, { company_number });
  await seedTicket(app, { company_number });
  const { ticket_id } = await seedTicket(app, { company_number, site_number });
  await app.run(async (ctx) => closeTicket(ctx, await lockTicket(ctx, ticket_id)));
  for (let folded = 0; folded < 2; folded++) {
    const { status, body } = await send('GET', at(company_number));
    t.is(status, 200);
    t.like(body.data, { customer, site_count: 2, open_tickets: 1 });
    t.deepEqual(
      body.data.sites.map((each: { site_name: string }) => each.site_name),
      ['Branch', 'Warehouse'],
    );
    t.deepEqual(body.data.sites[1], {
      site_number,
      site_name: 'Warehouse',
      address: '',
      city: '',
      state: '',
      zip: '',
      country: '',
      phone: '',
      status: 'active',
      is_primary: false,
    });
    t.deepEqual(body.data.statistics, { ...noStatistics, open_tickets: 1, total_tickets: 2, contact_count: 1 });
    await fold();
  }
  t.deepEqual((await send('GET', at(999_999))).body, { success: false, error: 'Company not found' });
  t.is((await send('GET', at(999_999))).status, 404);
});

test.serial('List companies: single, by name, filtered, searched and paged', async (t) => {
  const word = unique('Quill').replace(' ', '');
  const first = (await send('POST', path, { customer: `${word} A`, city: `${word}ville`, phone: '555-0100' })).body
    .data;
  const second = (await send('POST', path, { customer: `${word} b`, status: 'inactive' })).body.data;
  await send('POST', path, { customer: `${word} C`, country: 'France' });
  await seedSite(app, first.company_number);
  await seedTicket(app, { company_number: first.company_number });
  const { modules: _m, sites: _s, statistics: _t, ...shown } = first;
  const all = await send('GET', `${path}?search=${word.toLowerCase()}`);
  t.is(all.status, 200);
  t.deepEqual(all.body.data[0], { ...shown, site_count: 1, open_tickets: 1 });
  t.deepEqual(all.body.pagination, { page: 1, per_page: 25, total: 3, total_pages: 1 });
  const found = async (query: string) => {
    const { body } = await send('GET', `${path}?${query}`);
    return body.data.map((each: { customer: string }) => each.customer);
  };
  t.deepEqual(await found(`search=${word}`), [`${word} A`, `${word} b`, `${word} C`]);
  t.deepEqual(await found(`search=${word}&status=all`), [`${word} A`, `${word} b`, `${word} C`]);
  t.deepEqual(await found(`search=${word}&status=INACTIVE`), [`${word} b`]);
  t.deepEqual(await found(`search=${word}ville`), [`${word} A`]);
  t.deepEqual(await found(`search=0100 ${word}`), [`${word} A`]);
  t.deepEqual(await found(`search=France`), [], 'the country is not searched (P-26)');
  t.deepEqual(await found(`search=${word}&page=2&per_page=2`), [`${word} C`]);
  t.deepEqual(await found(`search=${word}&sort=nonsense`), [`${word} A`, `${word} b`, `${word} C`], 'P-19');
  const inactive = await send('GET', `${path}?status=inactive&per_page=1`);
  t.is(inactive.body.data[0].status, 'Inactive');
  t.true(inactive.body.pagination.total >= 1);
  t.is((await send('GET', `${path}?status=asleep`)).body.error, 'status must be one of: active, inactive, all');
  t.is((await send('GET', `${path}?per_page=0`)).status, 400);
  t.is((await send('DELETE', at(second.company_number))).status, 204);
  t.deepEqual(await found(`search=${word}`), [`${word} A`, `${word} C`]);
});

test.serial('List companies: sorted by name regardless of sort and order', async (t) => {
  const word = unique('Sorted');
  for (const letter of ['B', 'A', 'C']) await seedCompany(app, `${word} ${letter}`);
  const names = async (query: string) => {
    const { status, body } = await send('GET', `${path}?search=${word}${query}`);
    t.is(status, 200, query);
    return body.data.map((each: { customer: string }) => each.customer);
  };
  const usual = await names('');
  t.deepEqual(usual, [`${word} A`, `${word} B`, `${word} C`]);
  const long = 'x'.repeat(1000);
  for (const query of ['&sort=open_tickets', '&order=desc', '&sort=customer&order=desc', `&sort=${long}&order=${long}`])
    t.deepEqual(await names(query), usual, query);
});

test.serial('List companies: at most six statements, regardless of the number of companies', async (t) => {
  for (const query of ['', '?status=active', '?search=a', '?page=2&per_page=2']) {
    const statements = await app.fewestStatements(() => send('GET', path + query));
    t.true(statements <= 6, `${query}: ${statements}`);
  }
});

test.serial('Update a company: partial updates; identical values change nothing', async (t) => {
  const { company_number, customer } = await seedCompany(app);
  app.clock.set('2026-03-02T10:00:00.000Z');
  t.teardown(() => app.clock.set('2026-03-02T09:00:00.000Z'));
  const renamed = unique('Renamed');
  const answer = await send('PUT', at(company_number), { customer: renamed, city: 'Leeds', unknown: 1 });
  t.is(answer.status, 200);
  t.like(answer.body.data, {
    company_number,
    customer: renamed,
    city: 'Leeds',
    status: 'Active',
    created_at: now,
    updated_at: '2026-03-02T10:00:00Z',
    statistics: noStatistics,
  });
  t.deepEqual((await activity(company_number)).at(-1), [
    'update',
    `Company ${renamed} updated`,
    { customer: [customer, renamed], city: ['', 'Leeds'] },
  ]);
  app.clock.set('2026-03-02T11:00:00.000Z');
  const same = await send('PUT', at(company_number), { city: 'Leeds', status: 'Active' });
  t.is(same.body.data.updated_at, '2026-03-02T10:00:00Z');
  t.is((await activity(company_number)).length, 2);
  t.is((await send('POST', path, { customer })).status, 201, 'the old name is free');
  t.deepEqual((await send('PUT', at(company_number), { customer: customer.toUpperCase() })).body, {
    success: false,
    error: `customer ${customer.toUpperCase()} already exists`,
  });
  t.is((await send('PUT', at(company_number), { customer: renamed.toUpperCase() })).status, 200, 'its own name');
  t.deepEqual((await send('PUT', at(company_number), { wrong: 1 })).body.error, 'No fields to update');
  t.is((await send('PUT', at(company_number), { customer: null })).status, 400);
  t.is(
    (await send('PUT', at(company_number), { status: 'gone' })).body.error,
    'status must be one of: active, inactive',
  );
  t.is((await send('PUT', at(999_999), { wrong: 1 })).status, 404, 'absent before wrong');
});

test.serial('Update a company: lists show the new name immediately', async (t) => {
  const { company_number } = await seedCompany(app);
  const { ticket_id } = await seedTicket(app, { company_number });
  const tickets = await asKey(app);
  const nameOf = async () => (await tickets('GET', `/tickets.php?id=${ticket_id}`)).body.data.company_name;
  await nameOf();
  const customer = unique('New name');
  await send('PUT', at(company_number), { customer });
  t.is(await nameOf(), customer);
});

test.serial('Update a company: deactivated employees are signed out permanently', async (t) => {
  const employee = await seedEmployee(app);
  const { company_number } = employee;
  const { token, refresh_token, cookie } = await signIn(app, employee);
  const ask = (given: { token?: string; cookie?: string }) =>
    app.request('GET', '/helpdesk/api/v1/auth/profile', given);
  t.is((await ask({ token })).status, 200);
  t.is((await ask({ cookie })).status, 200);
  t.is((await send('PUT', at(company_number), { status: 'inactive' })).body.data.status, 'Inactive');
  const signOuts = async () => {
    t.is((await ask({ token })).status, 401);
    t.is((await ask({ cookie })).status, 401);
    const refreshed = await app.request('POST', '/helpdesk/api/v1/auth/refresh', { body: { refresh_token } });
    t.is(refreshed.status, 401);
  };
  await signOuts();
  await t.throwsAsync(signIn(app, employee), { message: /401/ });
  t.is((await send('PUT', at(company_number), { status: 'active' })).body.data.status, 'Active');
  await signOuts();
  t.is((await ask({ token: (await signIn(app, employee)).token })).status, 200);
});

test.serial('Delete a company: an empty company is deleted and its name becomes available', async (t) => {
  const { company_number, customer } = await seedCompany(app);
  await app.run((ctx) => createGroup(ctx, company_number, { name: 'Nobody' }));
  const answer = await send('DELETE', at(company_number));
  t.is(answer.status, 204);
  t.is(answer.text, '');
  t.is((await send('GET', at(company_number))).status, 404);
  t.is((await send('DELETE', at(company_number))).status, 404);
  t.is((await send('PUT', at(company_number), { city: 'X' })).status, 404);
  t.deepEqual((await activity(company_number)).at(-1), ['delete', `Company ${customer} deleted`, {}]);
  t.is(await app.app.database.countBy(ManagerGroup, { company_number, deleted_at: IsNull() }), 0);
  t.is((await send('POST', path, { customer })).status, 201);
});

test.serial('Delete a company: dependent records are named, and nothing is deleted', async (t) => {
  const employee = await seedEmployee(app);
  const { company_number } = employee;
  const { site_number } = await seedSite(app, company_number);
  const { ticket_id } = await seedTicket(app, { company_number });
  const refused = async () => {
    const answer = await send('DELETE', at(company_number));
    return [answer.status, answer.body.error];
  };
  t.deepEqual(await refused(), [409, 'Company still has sites, contacts and tickets; set it inactive instead']);
  const tickets = await asKey(app);
  t.is((await tickets('DELETE', `/tickets.php?id=${ticket_id}`)).status, 204);
  t.deepEqual(await refused(), [409, 'Company still has sites and contacts; set it inactive instead']);
  t.is((await send('DELETE', `/sites.php?id=${site_number}`)).status, 204);
  t.deepEqual(await refused(), [409, 'Company still has contacts; set it inactive instead']);
  await app.app.database.update(Employee, { company_number }, { deleted_at: app.clock.now() });
  t.is((await send('DELETE', at(company_number))).status, 204);
});

test.serial('Delete a company: a concurrent new site or contact makes one of the two requests fail', async (t) => {
  const late = (i: number) => ({ first_name: 'Late', last_name: 'Comer', email: `late${i}@example.com` });
  for (let i = 0; i < 20; i++) {
    const { company_number } = await seedCompany(app);
    const [deleted, added] = await Promise.all([
      send('DELETE', at(company_number)),
      i % 2
        ? send('POST', '/sites.php', { company_number, site_name: 'Late' })
        : send('POST', '/contacts.php', { company_number, ...late(i) }),
    ]);
    t.true(['204 400', '409 201'].includes(`${deleted.status} ${added.status}`), `${deleted.status} ${added.status}`);
  }
});

test.serial('companies require a credential and the permission', async (t) => {
  const { company_number } = await seedCompany(app);
  const { api_key: reader } = await seedKey(app, 'admin', ['companies:read']);
  const { api_key: other } = await seedKey(app, 'admin', ['contacts:read', 'contacts:write', 'contacts:access']);
  const cookie = await signInOnPage(app, await seedTechnician(app, 'technician'));
  const administrator = await signInOnPage(app, await seedTechnician(app, 'administrator'));
  const route = (query: string) => `/admin/api/v1${path}${query}`;
  const body = { customer: unique('Nobody’s'), city: 'X' };
  const calls = [
    ['GET', ''],
    ['POST', ''],
    ['GET', `?id=${company_number}`],
    ['PUT', `?id=${company_number}`],
    ['DELETE', `?id=${company_number}`],
  ] as const;
  for (const [method, query] of calls) {
    const sent = method === 'GET' || method === 'DELETE' ? {} : { body };
    t.is((await app.request(method, route(query), sent)).status, 401, method);
    t.is((await app.request(method, route(query), { ...sent, token: other })).status, 403, method);
    const { status } = await app.request(method, route(query), { ...sent, token: reader });
    t.is(status, method === 'GET' ? 200 : 403, method);
  }
  t.is((await app.request('PUT', route(`?id=${company_number}`), { cookie, body: { city: 'Y' } })).status, 200);
  t.is(
    (await app.request('DELETE', route(`?id=${company_number}`), { cookie })).status,
    403,
    'administrators only (Z-24)',
  );
  t.is((await app.request('DELETE', route(`?id=${company_number}`), { cookie: administrator })).status, 204);
});
