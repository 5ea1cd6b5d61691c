import { openApp, type TestApp } from '@keelson/testing';
import test from 'ava';
import { seedCompany, seedEmployee, seedKey, unique } from '../accounts-seed.ts';
import { asKey, seedTeam } from '../tickets-seed.ts';

const path = '/manager-groups.php';
const at = (code: string, company_number: number) => `${path}?id=${code}&company_number=${company_number}`;
const now = '2026-03-02T09:00:00Z';

let app: TestApp;
let send: Awaited<ReturnType<typeof asKey>>;
test.before(async () => {
  app = await openApp();
  send = await asKey(app, ['contacts:read', 'contacts:write', 'contacts:access']);
});
test.after.always(() => app.close());

const person = (row: { employee_number: number; first_name: string; last_name: string; email: string }) => ({
  employee_number: row.employee_number,
  first_name: row.first_name,
  last_name: row.last_name,
  email: row.email,
});

test('Create a company’s manager group: returns the full record', async (t) => {
  const { company_number, customer } = await seedCompany(app);
  const boss = await seedEmployee(app, { company_number });
  const body = {
    company_number,
    name: 'Front desk',
    managers: [boss.employee_number],
    approval_job_types: ['Hardware'],
  };
  const answer = await send('POST', path, body);
  t.is(answer.status, 201);
  t.deepEqual(answer.body, {
    success: true,
    data: {
      code: 'Front-desk',
      name: 'Front desk',
      company_number,
      company_name: customer,
      description: '',
      require_approval: true,
      approval_job_types: ['Hardware'],
      manager_count: 1,
      member_count: 0,
      created_at: now,
      updated_at: now,
      managers: [person(boss)],
      members: [],
    },
  });
  const refused = async (given: unknown) => {
    const { status, body: told } = await send('POST', path, given);
    return [status, told.error];
  };
  t.deepEqual(await refused({ company_number }), [400, 'name is required']);
  t.deepEqual(await refused({ name: 'X', company_number: 999_999 }), [
    400,
    'company_number must be an existing company',
  ]);
  t.deepEqual(await refused({ ...body, code: 'front-desk' }), [409, 'code front-desk already exists']);
  const stranger = await seedEmployee(app);
  t.deepEqual(await refused({ company_number, name: 'Y', members: [stranger.employee_number] }), [
    400,
    `members must contain active employees of the company, not ${stranger.employee_number}`,
  ]);
});

test('Read a company’s manager group', async (t) => {
  const { company_number, manager, member } = await seedTeam(app);
  const { status, body } = await send('GET', at('WORKSHOP', company_number));
  t.is(status, 200);
  t.like(body.data, { code: 'workshop', company_number, managers: [person(manager)], members: [person(member)] });
  const { company_number: other } = await seedCompany(app);
  t.deepEqual((await send('GET', at('workshop', other))).body, { success: false, error: 'Manager group not found' });
  t.is((await send('GET', at('nothing', company_number))).status, 404);
  t.is((await send('GET', `${path}?id=workshop`)).body.error, 'company_number is required');
});

test('List the manager groups of all companies', async (t) => {
  const word = unique('Crew').replace(' ', '');
  const { company_number, customer } = await seedCompany(app);
  const { company_number: other } = await seedCompany(app);
  await send('POST', path, { company_number, name: `${word} B`, code: `${word}-b` });
  await send('POST', path, { company_number: other, name: `${word} A`, code: `${word}-a` });
  const { body, status } = await send('GET', `${path}?search=${word}`);
  t.is(status, 200);
  t.deepEqual(body.data[1], {
    code: `${word}-b`,
    name: `${word} B`,
    company_number,
    company_name: customer,
    description: '',
    require_approval: true,
    approval_job_types: [],
    manager_count: 0,
    member_count: 0,
    created_at: now,
    updated_at: now,
  });
  t.deepEqual(body.pagination, { page: 1, per_page: 25, total: 2, total_pages: 1 });
  const own = await send('GET', `${path}?company_number=${company_number}&per_page=1`);
  t.deepEqual([own.body.data[0].code, own.body.pagination.total], [`${word}-b`, 1]);
  t.is((await send('GET', `${path}?company_number=no`)).status, 400);
});

test('Update a company’s manager group: members follow the lists sent', async (t) => {
  const { company_number, manager, member, colleague } = await seedTeam(app);
  const managers = [manager.employee_number, colleague.employee_number];
  const answer = await send('PUT', at('workshop', company_number), { name: 'Garage', managers });
  t.is(answer.status, 200);
  t.like(answer.body.data, { code: 'workshop', name: 'Garage', manager_count: 2, members: [person(member)] });
  t.is((await send('PUT', at('workshop', company_number), {})).body.error, 'No fields to update');
  t.is((await send('PUT', at('nothing', company_number), { name: 'X' })).status, 404);
});

test('Update a company’s manager group: members who have become inactive can be kept or removed', async (t) => {
  const { company_number } = await seedCompany(app);
  const seed = async () => (await seedEmployee(app, { company_number })).employee_number;
  const [ann, ben, cem, boss, newcomer, former] = [
    await seed(),
    await seed(),
    await seed(),
    await seed(),
    await seed(),
    await seed(),
  ];
  await send('POST', path, { company_number, name: 'Crew', managers: [boss], members: [ann, ben, cem] });
  for (const each of [ben, cem, former]) await send('PUT', `/contacts.php?id=${each}`, { status: 'Inactive' });
  const edit = async (lists: { managers?: number[]; members?: number[] }) => {
    const { status, body } = await send('PUT', at('crew', company_number), lists);
    return status === 200 ? body.data.members.map((each: { employee_number: number }) => each.employee_number) : body;
  };
  t.deepEqual(await edit({ members: [ann, ben, cem, newcomer] }), [ann, ben, cem, newcomer]);
  t.deepEqual(await edit({ members: [ann, cem, newcomer] }), [ann, cem, newcomer]);
  t.deepEqual(await edit({ members: [cem, newcomer] }), [cem, newcomer]);
  const refused = (field: string, number: number) => ({
    success: false,
    error: `${field} must contain active employees of the company, not ${number}`,
  });
  t.deepEqual(await edit({ members: [cem, newcomer, former] }), refused('members', former));
  t.deepEqual(await edit({ managers: [boss, cem] }), refused('managers', cem));
});

test('Delete a company’s manager group', async (t) => {
  const { company_number } = await seedTeam(app);
  t.is((await send('DELETE', at('workshop', company_number))).status, 204);
  t.is((await send('DELETE', at('workshop', company_number))).status, 404);
  t.is((await send('GET', `${path}?company_number=${company_number}`)).body.pagination.total, 0);
});

test('manager groups require a credential and the permission', async (t) => {
  const { company_number } = await seedTeam(app);
  const { api_key: reader } = await seedKey(app, 'admin', ['contacts:read']);
  const { api_key: other } = await seedKey(app, 'admin', ['companies:read', 'companies:write']);
  const calls = [
    ['GET', path],
    ['POST', path],
    ['GET', at('workshop', company_number)],
    ['PUT', at('workshop', company_number)],
    ['DELETE', at('workshop', company_number)],
  ] as const;
  for (const [method, query] of calls) {
    const route = `/admin/api/v1${query}`;
    const body = method === 'POST' || method === 'PUT' ? { body: { company_number, name: 'X' } } : {};
    t.is((await app.request(method, route, body)).status, 401, route);
    t.is((await app.request(method, route, { ...body, token: other })).status, 403, route);
    const { status } = await app.request(method, route, { ...body, token: reader });
    t.is(status, method === 'GET' ? 200 : 403, route);
  }
});
