import { setTimeout } from 'node:timers/promises';
import { startApp, type TestApp } from '@keelson/testing';
import test from 'ava';
import { addPerson } from '../../modules/directory/groups/group-people.ts';
import { findGroup } from '../../modules/directory/groups/groups.ts';
import { seedCompany, seedEmployee, signIn } from '../accounts-seed.ts';

const root = '/helpdesk/api/v1/managers';
const now = '2026-03-02T09:00:00Z';

/** Creates a company with an IT admin, a future manager and a future member. */
async function setUp(app: TestApp) {
  const { company_number } = await seedCompany(app);
  const itAdmin = await seedEmployee(app, { company_number, it_privileges: true });
  const maria = await seedEmployee(app, { company_number });
  const milo = await seedEmployee(app, { company_number });
  const { token } = await signIn(app, itAdmin);
  return { company_number, itAdmin, maria, milo, token };
}

const person = (row: { employee_number: number; first_name: string; last_name: string; email: string }) => ({
  employee_number: row.employee_number,
  first_name: row.first_name,
  last_name: row.last_name,
  email: row.email,
});

test('Create a manager group: with people, returning the full record', async (t) => {
  const app = await startApp(t);
  const { maria, milo, token } = await setUp(app);
  const body = { name: 'Front desk', managers: [maria.employee_number], members: [milo.employee_number] };
  const answer = await app.request('POST', root, { token, body });
  t.is(answer.status, 201);
  t.deepEqual(answer.body, {
    success: true,
    code: 'Front-desk',
    name: 'Front desk',
    description: '',
    require_approval: true,
    approval_job_types: [],
    manager_count: 1,
    member_count: 1,
    created_at: now,
    updated_at: now,
    managers: [person(maria)],
    members: [person(milo)],
  });
  const { token: manager } = await signIn(app, maria);
  const session = await app.request('GET', '/helpdesk/api/v1/auth/session', { token: manager });
  t.is(session.body.user.ismgr, true);
});

test('Create a manager group: invalid input and duplicate codes are reported', async (t) => {
  const app = await startApp(t);
  const { token, itAdmin } = await setUp(app);
  const stranger = await seedEmployee(app);
  const post = (body: unknown) => app.request('POST', root, { token, body });
  t.deepEqual((await post({})).body, { error: 'name is required' });
  t.deepEqual((await post({ name: 'X', code: 'no blanks' })).body, {
    error: 'code must be 1 to 32 of A-Z, a-z, 0-9, _ and -',
  });
  t.deepEqual((await post({ name: 'X', managers: [stranger.employee_number] })).body, {
    error: `managers must contain active employees of the company, not ${stranger.employee_number}`,
  });
  const both = [itAdmin.employee_number];
  t.is((await post({ name: 'X', managers: both, members: both })).status, 400);
  t.is((await post({ name: 'X', code: 'desk' })).status, 201);
  const taken = await post({ name: 'Y', code: 'DESK' });
  t.is(taken.status, 400);
  t.deepEqual(taken.body, { error: 'code DESK already exists' });
});

test('Create a manager group: concurrent equal names get different codes, of equal codes one wins', async (t) => {
  const app = await startApp(t);
  const { token } = await setUp(app);
  const post = (body: unknown) => app.request('POST', root, { token, body });
  const named = await Promise.all(Array.from({ length: 6 }, () => post({ name: 'Front desk' })));
  const suffixes = ['', '-2', '-3', '-4', '-5', '-6'];
  t.deepEqual(
    named.map(({ status, body }) => `${status} ${body.code}`).toSorted(),
    suffixes.map((each) => `201 Front-desk${each}`),
  );
  const coded = await Promise.all(Array.from({ length: 4 }, () => post({ name: 'Desk', code: 'desk' })));
  const refused = coded.filter(({ status }) => status !== 201);
  t.is(refused.length, 3);
  for (const { status, body } of refused) t.deepEqual([status, body], [400, { error: 'code desk already exists' }]);
});

test('List manager groups: by name, with a pagination object', async (t) => {
  const app = await startApp(t);
  const { token, milo } = await setUp(app);
  await app.request('POST', root, { token, body: { name: 'Warehouse' } });
  await app.request('POST', root, { token, body: { name: 'Accounts', members: [milo.employee_number] } });
  const answer = await app.request('GET', root, { token });
  t.is(answer.status, 200);
  t.deepEqual(answer.body, {
    managers: [
      {
        code: 'Accounts',
        name: 'Accounts',
        description: '',
        require_approval: true,
        approval_job_types: [],
        manager_count: 0,
        member_count: 1,
        created_at: now,
        updated_at: now,
      },
      {
        code: 'Warehouse',
        name: 'Warehouse',
        description: '',
        require_approval: true,
        approval_job_types: [],
        manager_count: 0,
        member_count: 0,
        created_at: now,
        updated_at: now,
      },
    ],
    pagination: { page: 1, limit: 1000, total: 2, total_pages: 1 },
  });
  const second = await app.request('GET', `${root}?page=2&per_page=1`, { token });
  t.is(second.body.managers[0].name, 'Warehouse');
  t.deepEqual(second.body.pagination, { page: 2, limit: 1, total: 2, total_pages: 2 });
  t.is((await app.request('GET', `${root}?page=0`, { token })).status, 400);
  t.true((await app.fewestStatements(() => app.request('GET', root, { token }))) <= 6);
});

test('Read a manager group: codes are case-insensitive and may be percent-encoded', async (t) => {
  const app = await startApp(t);
  const { token } = await setUp(app);
  await app.request('POST', root, { token, body: { name: 'Front desk', code: 'desk' } });
  const answer = await app.request('GET', `${root}/%44ESK`, { token });
  t.is(answer.status, 200);
  t.deepEqual(answer.body, {
    code: 'desk',
    name: 'Front desk',
    description: '',
    require_approval: true,
    approval_job_types: [],
    manager_count: 0,
    member_count: 0,
    created_at: now,
    updated_at: now,
    managers: [],
    members: [],
  });
  // Longer than the id column.
  t.is((await app.request('GET', `${root}/${'x'.repeat(300)}`, { token })).status, 404);
});

test('Update a manager group: partial updates, people are replaced', async (t) => {
  const app = await startApp(t);
  const { token, maria, milo } = await setUp(app);
  await app.request('POST', root, { token, body: { name: 'Desk', managers: [maria.employee_number] } });
  const put = (body: unknown) => app.request('PUT', `${root}/desk`, { token, body });
  app.clock.set('2026-03-02T09:05:00.000Z');
  const answer = await put({ approval_job_types: ['Purchase'], managers: [milo.employee_number], code: 'other' });
  t.is(answer.status, 200);
  t.is(answer.body.success, true);
  t.is(answer.body.code, 'Desk');
  t.deepEqual(answer.body.approval_job_types, ['Purchase']);
  t.deepEqual(answer.body.managers, [person(milo)]);
  t.is(answer.body.updated_at, '2026-03-02T09:05:00Z');
  t.deepEqual((await put({ nonsense: 1 })).body, { error: 'No fields to update' });
  t.is((await put({ name: ' ' })).status, 400);
  app.clock.set('2026-03-02T09:10:00.000Z');
  t.is((await put({ name: 'Desk' })).body.updated_at, '2026-03-02T09:05:00Z', 'nothing changed (V-16)');
});

test('Delete a manager group: the group is gone and its managers lose the role', async (t) => {
  const app = await startApp(t);
  const { token, maria } = await setUp(app);
  await app.request('POST', root, { token, body: { name: 'Desk', managers: [maria.employee_number] } });
  const answer = await app.request('DELETE', `${root}/desk`, { token });
  t.is(answer.status, 204);
  t.is(answer.body, undefined);
  t.deepEqual((await app.request('GET', `${root}/desk`, { token })).body, { error: 'Manager group not found' });
  t.is((await app.request('DELETE', `${root}/desk`, { token })).status, 404);
  const { token: former } = await signIn(app, maria);
  t.is((await app.request('GET', '/helpdesk/api/v1/auth/session', { token: former })).body.user.ismgr, false);
  t.is((await app.request('POST', root, { token, body: { name: 'Desk', code: 'Desk' } })).status, 201);
});

test('A manager set by an IT admin stays one as a member of groups', async (t) => {
  const app = await startApp(t);
  const { company_number, token } = await setUp(app);
  const { employee_number, email } = await seedEmployee(app, { company_number, ismgr: true });
  const { token: own } = await signIn(app, { email });
  const isManager = async () =>
    (await app.request('GET', '/helpdesk/api/v1/auth/session', { token: own })).body.user.ismgr;
  const send = async (method: string, path: string, body?: unknown) => {
    const { status } = await app.request(method, root + path, body === undefined ? { token } : { token, body });
    t.true(status < 300, `${method} ${path}`);
  };
  await send('POST', '', { name: 'Desk', code: 'desk', members: [employee_number] });
  t.true(await isManager(), 'made a member with the group');
  await send('DELETE', `/desk/members/${employee_number}`);
  t.true(await isManager(), 'left');
  await send('POST', '/desk/members', { employee_id: employee_number });
  t.true(await isManager(), 'joined');
  await send('PUT', '/desk', { members: [] });
  t.true(await isManager(), 'not listed any more');
  await send('PUT', '/desk', { managers: [employee_number] });
  await send('POST', '', { name: 'Other', code: 'other', managers: [employee_number] });
  await send('POST', '/desk/members', { employee_id: employee_number });
  t.true(await isManager(), 'still manages the other group');
  await send('PUT', '/other', { members: [employee_number], managers: [] });
  t.false(await isManager(), 'left the last managed group');
});

for (const role of ['manager', 'member'] as const) {
  const other = role === 'manager' ? 'member' : 'manager';

  test(`Add a ${role} to a manager group: 201, then 200; the other role is removed`, async (t) => {
    const app = await startApp(t);
    const { token, maria } = await setUp(app);
    await app.request('POST', root, { token, body: { name: 'Desk', [`${other}s`]: [maria.employee_number] } });
    const add = (body: unknown) => app.request('POST', `${root}/desk/${role}s`, { token, body });
    const first = await add({ employee_id: maria.employee_number });
    t.is(first.status, 201);
    t.deepEqual(first.body, { success: true, ...person(maria), code: 'Desk', role });
    t.is((await add({ employee_number: maria.employee_number })).status, 200);
    const group = await app.request('GET', `${root}/desk`, { token });
    t.deepEqual(group.body[`${role}s`], [person(maria)]);
    t.deepEqual(group.body[`${other}s`], []);
    t.deepEqual((await add({})).body, { error: 'employee_id is required' });
    const stranger = await seedEmployee(app);
    t.is((await add({ employee_id: stranger.employee_number })).status, 400);
  });

  test(`Remove a ${role} from a manager group: 204, then 404`, async (t) => {
    const app = await startApp(t);
    const { token, maria } = await setUp(app);
    await app.request('POST', root, { token, body: { name: 'Desk', [`${role}s`]: [maria.employee_number] } });
    const path = `${root}/desk/${role}s/${maria.employee_number}`;
    t.is((await app.request('DELETE', path, { token })).status, 204);
    t.is((await app.request('DELETE', path, { token })).status, 404);
    t.is((await app.request('DELETE', `${root}/desk/${role}s/abc`, { token })).status, 404);
  });
}

test('List employees available for a manager group: active ones in neither role, by name', async (t) => {
  const app = await startApp(t);
  const { token, itAdmin, maria, milo } = await setUp(app);
  await app.request('POST', root, { token, body: { name: 'Desk', members: [milo.employee_number] } });
  const answer = await app.request('GET', `${root}/desk/available-employees`, { token });
  t.is(answer.status, 200);
  t.deepEqual(answer.body, {
    employees: [itAdmin, maria].map((each) => ({ ...person(each), department: '', title: '' })),
    pagination: { page: 1, limit: 1000, total: 2, total_pages: 1 },
  });
  const found = await app.request('GET', `${root}/desk/available-employees?search=${maria.email}`, { token });
  t.deepEqual(
    found.body.employees.map((each: { employee_number: number }) => each.employee_number),
    [maria.employee_number],
  );
});

test('Add a person: concurrent requests add them once', async (t) => {
  const app = await startApp(t);
  const { token, milo, company_number } = await setUp(app);
  await app.request('POST', root, { token, body: { name: 'Desk' } });
  const add = () => app.request('POST', `${root}/desk/members`, { token, body: { employee_id: milo.employee_number } });
  const { second } = await app.run(async (ctx) => {
    const group = await findGroup(ctx, company_number, 'desk');
    t.true((await addPerson(ctx, group, milo.employee_number, 'member')).added);
    const waiting = add();
    await Promise.race([waiting, setTimeout(300)]);
    return { second: waiting };
  });
  t.is((await second).status, 200);
  const answers = await Promise.all(Array.from({ length: 6 }, add));
  t.true(answers.every(({ status }) => status === 200));
  const { body: group } = await app.request('GET', `${root}/desk`, { token });
  t.deepEqual(group.members, [person(milo)]);
});

test('manager groups require an IT admin of the same company', async (t) => {
  const app = await startApp(t);
  const { token, maria } = await setUp(app);
  await app.request('POST', root, { token, body: { name: 'Desk' } });
  const other = await seedEmployee(app, { it_privileges: true });
  const foreign = await signIn(app, other);
  const plain = await signIn(app, maria);
  const calls = [
    ['GET', ''],
    ['POST', ''],
    ['GET', '/desk'],
    ['PUT', '/desk'],
    ['DELETE', '/desk'],
    ['GET', '/desk/available-employees'],
    ['POST', '/desk/managers'],
    ['POST', '/desk/members'],
    ['DELETE', '/desk/managers/1'],
    ['DELETE', '/desk/members/1'],
  ] as const;
  for (const [method, path] of calls) {
    const anonymous = await app.request(method, root + path, { body: method === 'GET' ? undefined : {} });
    t.is(anonymous.status, 401, `${method} ${path}`);
    const refused = await app.request(method, root + path, { token: plain.token });
    t.is(refused.status, 403, `${method} ${path}`);
    t.deepEqual(refused.body, { error: 'IT admin privilege required' });
    if (path === '') continue;
    const body = method === 'GET' ? undefined : { name: 'X' };
    const theirs = await app.request(method, root + path, { token: foreign.token, body });
    const absent = await app.request(method, root + path.replace('desk', 'nothing'), { token: foreign.token, body });
    t.is(theirs.status, 404, `${method} ${path}`);
    t.is(theirs.text, absent.text);
  }
});

test('changing sides leaves no ticket without an approver', async (t) => {
  const app = await startApp(t);
  const { token, maria, milo } = await setUp(app);
  const body = { name: 'Desk', managers: [maria.employee_number], members: [milo.employee_number] };
  await app.request('POST', root, { token, body });
  const { token: his } = await signIn(app, milo);
  const ticket = { subject: 'Laptop', description: 'A new one, please' };
  const made = await app.request('POST', '/helpdesk/api/v1/tickets', { token: his, body: ticket });
  t.is(made.body.requires_approval, true);
  await app.request('POST', `${root}/desk/managers`, { token, body: { employee_id: milo.employee_number } });
  await app.app.outbox.drain();
  const after = await app.request('GET', `/helpdesk/api/v1/tickets/${made.body.ticket_id}`, { token: his });
  t.is(after.body.approval_status, 'none');
});
