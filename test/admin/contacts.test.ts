import { readCount } from '@keelson/core/list';
import { createGroup, createSite, Employee, updateEmployee } from '@keelson/modules/directory';
import { createTicket } from '@keelson/modules/tickets';
import { openApp, type TestApp } from '@keelson/testing';
import test from 'ava';
import { IsNull } from 'typeorm';
import { EmployeeSession, LinkedIdentity, SecondFactor } from '../../modules/accounts/entities.ts';
import { EmployeeCount } from '../../modules/directory/entities/employee.ts';
import { password, seedCompany, seedEmployee, seedKey, signIn, unique } from '../accounts-seed.ts';
import { asKey, seedSite } from '../tickets-seed.ts';

const now = '2026-03-02T09:00:00Z';
const path = '/contacts.php';
const permissions = ['contacts:read', 'contacts:write', 'contacts:access'];

let shared: TestApp;
let send: Awaited<ReturnType<typeof asKey>>;
test.before(async () => {
  shared = await openApp();
  send = await asKey(shared, permissions);
});
test.after.always(() => shared.close());

let last = 0;
const person = () => ({ first_name: 'Erin', last_name: 'Smith', email: `contact${++last}@example.com` });
const blank = { site_number: null, site_name: null, phone: '', mobile: '', title: '', department: '' };
const rights = {
  ismgr: false,
  it_privileges: false,
  can_create_tickets: true,
  can_view_billing: false,
  asset_edit: 'None',
};
const more = { manager_groups: [], assets: [], open_tickets: 0 };

/** Asserts 401 without a key and 403 without the permission. */
async function guarded(method: string, at: string, missing: string, body?: unknown) {
  const { api_key } = await seedKey(
    shared,
    'admin',
    permissions.filter((each) => each !== missing),
  );
  const options = body === undefined ? {} : { body };
  const stranger = await shared.request(method, `/admin/api/v1${at}`, options);
  const other = await shared.request(method, `/admin/api/v1${at}`, { token: api_key, ...options });
  return [stranger.status, other.status];
}

test.serial('Create a contact: returns the full record', async (t) => {
  const { company_number, customer } = await seedCompany(shared);
  const given = person();
  const answer = await send('POST', path, { ...given, company_number, employee_number: 5 });
  t.is(answer.status, 201);
  const { employee_number } = answer.body.data;
  const data = {
    employee_number,
    contact_id: employee_number,
    company_number,
    company_name: customer,
    ...blank,
    ...given,
    status: 'Active',
    ...rights,
    created_at: now,
    updated_at: now,
    ...more,
  };
  t.deepEqual(answer.body, { success: true, data });
});

test.serial('Create a contact: with a password they can sign in; flags get their defaults', async (t) => {
  const { company_number } = await seedCompany(shared);
  const given = { ...person(), company_number, password, it_privileges: true };
  const { body } = await send('POST', path, given);
  t.is(body.data.can_view_billing, true);
  const { token } = await signIn(shared, given);
  t.is((await shared.request('GET', '/helpdesk/api/v1/employees/template', { token })).status, 200);
});

test.serial('Create a contact: invalid input, duplicate addresses and unauthorised callers', async (t) => {
  const { company_number } = await seedCompany(shared);
  const elsewhere = await seedEmployee(shared);
  const site = await shared.run((ctx) =>
    createSite(ctx, { company_number: elsewhere.company_number, site_name: 'Office' }),
  );
  const refused = async (body: object, error: string, status = 400) => {
    const answer = await send('POST', path, body);
    t.is(answer.status, status);
    t.deepEqual(answer.body, { success: false, error });
  };
  await refused({}, 'company_number is required; first_name is required; last_name is required; email is required');
  await refused({ ...person(), company_number: 99_999 }, 'company_number must be an existing company');
  await refused(
    { ...person(), company_number, site_number: site.site_number },
    'site_number must be a site of the company',
  );
  await refused({ ...person(), company_number, password: 'tiny' }, 'password must have at least 12 characters');
  const taken = { ...person(), email: elsewhere.email.toUpperCase(), company_number };
  await refused(taken, 'email is already in use', 409);
  t.deepEqual(await guarded('POST', path, 'contacts:write', { ...person(), company_number }), [401, 403]);
});

test.serial('List contacts: across companies or for one, by name, paged', async (t) => {
  const { company_number, customer } = await seedCompany(shared);
  const zed = { ...person(), last_name: 'Zed' };
  const abe = { ...person(), last_name: 'Abe', department: 'Sales', status: 'Inactive' };
  for (const each of [zed, abe]) await send('POST', path, { ...each, company_number });
  const answer = await send('GET', `${path}?company_number=${company_number}&per_page=1`);
  t.is(answer.status, 200);
  const { employee_number } = answer.body.data[0];
  t.deepEqual(answer.body, {
    success: true,
    data: [
      {
        employee_number,
        contact_id: employee_number,
        company_number,
        company_name: customer,
        ...blank,
        ...abe,
        ...rights,
        created_at: now,
        updated_at: now,
      },
    ],
    pagination: { page: 1, per_page: 1, total: 2, total_pages: 2 },
  });
  const second = await send('GET', `${path}?company_number=${company_number}&per_page=1&page=2`);
  t.deepEqual(
    second.body.data.map((each: any) => each.last_name),
    ['Zed'],
  );
  const everybody = await send('GET', path);
  t.is(everybody.body.pagination.total, await shared.app.database.countBy(Employee, { deleted_at: IsNull() }));
  t.is((await send('GET', `${path}?per_page=none`)).status, 400);
  t.deepEqual(await guarded('GET', path, 'contacts:read'), [401, 403]);
});

test.serial('List contacts: search by name, email and phone, filter by status and department', async (t) => {
  const { company_number } = await seedCompany(shared);
  const lily = { ...person(), first_name: unique('Lily'), phone: '0800-777', department: unique('Law') };
  await send('POST', path, { ...lily, company_number });
  const found = async (query: string) => (await send('GET', `${path}?${query}`)).body.pagination.total;
  t.is(await found(`search=${encodeURIComponent(lily.first_name)}`), 1);
  t.is(await found(`search=${lily.email.toUpperCase()}`), 1);
  t.is(await found(`search=0800-777`), 1);
  t.is(await found(`department=${encodeURIComponent(lily.department.toLowerCase())}`), 1);
  t.is(await found(`department=${encodeURIComponent(lily.department)}&status=inactive`), 0);
  t.is(await found(`company_number=${company_number}&status=ALL`), 1);
  t.is(await found('company_number=999999'), 0);
  const { site_number } = await seedSite(shared, company_number);
  await send('POST', path, { ...person(), company_number, site_number });
  t.is(await found(`site_number=${site_number}`), 1);
  t.is(await found(`site_number=${site_number}&status=inactive`), 0);
  const bad = await send('GET', `${path}?status=gone`);
  t.deepEqual(bad.body, { success: false, error: 'status must be one of: Active, Inactive, all' });
});

test.serial('Read a contact: with groups and open tickets', async (t) => {
  const contact = await seedEmployee(shared);
  const { company_number, employee_number } = contact;
  const people = { managers: [employee_number] };
  await shared.run((ctx) => createGroup(ctx, company_number, { name: 'Desk', ...people }));
  await shared.run((ctx) => createTicket(ctx, { company_number, subject: 'Help', employee_number }));
  const answer = await send('GET', `${path}?id=${employee_number}`);
  t.is(answer.status, 200);
  t.is(answer.body.data.contact_id, employee_number);
  t.is(answer.body.data.open_tickets, 1);
  t.is(answer.body.data.ismgr, true);
  t.deepEqual(answer.body.data.manager_groups, [{ code: 'Desk', name: 'Desk', role: 'manager' }]);
  const absent = await send('GET', `${path}?id=999999`);
  t.is(absent.status, 404);
  t.deepEqual(absent.body, { success: false, error: 'Employee not found' });
  t.deepEqual(await guarded('GET', `${path}?id=${employee_number}`, 'contacts:read'), [401, 403]);
});

test.serial('Update a contact: only the fields sent change, and never the company', async (t) => {
  const contact = await seedEmployee(shared);
  const at = `${path}?id=${contact.employee_number}`;
  const { company_number } = contact;
  const answer = await send('PUT', at, { company_number, last_name: 'Baker', asset_edit: 'Modify' });
  t.is(answer.status, 200);
  t.is(answer.body.data.last_name, 'Baker');
  t.is(answer.body.data.asset_edit, 'Modify');
  t.deepEqual((await send('GET', at)).body, answer.body);
  const moved = await send('PUT', at, { company_number: company_number + 1 });
  t.is(moved.status, 400);
  t.deepEqual(moved.body, { success: false, error: 'company_number cannot be changed' });
  const other = await seedEmployee(shared);
  const taken = await send('PUT', at, { email: other.email });
  t.is(taken.status, 409);
  t.deepEqual(taken.body, { success: false, error: 'email is already in use' });
  t.is((await send('PUT', at, {})).status, 400);
  t.is((await send('PUT', path, { title: 'x' })).status, 400);
  t.is((await send('PUT', `${path}?id=999999`, { title: 'x' })).status, 404);
  t.deepEqual(await guarded('PUT', at, 'contacts:write', { title: 'x' }), [401, 403]);
});

test.serial('Update a contact: a new email becomes the username, compared case-insensitively', async (t) => {
  const contact = await seedEmployee(shared);
  const { token } = await signIn(shared, contact);
  const email = `Moved${contact.employee_number}@Example.com`;
  t.is((await send('PUT', `${path}?id=${contact.employee_number}`, { email })).body.data.email, email);
  t.truthy(await signIn(shared, { email: email.toLowerCase() }));
  await t.throwsAsync(signIn(shared, contact));
  t.is(
    (await shared.request('GET', '/helpdesk/api/v1/auth/session', { token })).status,
    401,
    'another person may have it',
  );
});

test.serial(
  'Delete a contact: sign-in and memberships end, tickets keep the name, the email becomes available',
  async (t) => {
    const contact = await seedEmployee(shared);
    const { company_number, employee_number, email } = contact;
    await shared.run((ctx) => createGroup(ctx, company_number, { name: 'Desk', members: [employee_number] }));
    const { ticket_id } = await shared.run((ctx) =>
      createTicket(ctx, { company_number, subject: 'Help', employee_number }),
    );
    const { token } = await signIn(shared, contact);
    const at = `${path}?id=${employee_number}`;
    t.deepEqual(await guarded('DELETE', at, 'contacts:write'), [401, 403]);
    const answer = await send('DELETE', at);
    t.is(answer.status, 204);
    t.is(answer.text, '');
    t.is((await shared.request('GET', '/helpdesk/api/v1/auth/session', { token })).status, 401);
    t.is((await send('GET', at)).status, 404);
    t.is((await send('DELETE', at)).status, 404);
    t.is((await send('PUT', at, { title: 'x' })).status, 404);
    t.is((await send('GET', `${path}?company_number=${company_number}`)).body.pagination.total, 0);
    t.is(await readCount(shared.app.database, EmployeeCount, { company_number }), 0);
    const row = await shared.app.database.findOneBy(Employee, { employee_number });
    t.is(row?.password_hash, null);
    const { api_key } = await seedKey(shared, 'admin', ['tickets:read']);
    const ticket = await shared.request('GET', `/admin/api/v1/tickets.php?id=${ticket_id}`, { token: api_key });
    t.is(ticket.body.data.requester_name, 'Erin Example');
    const again = await send('POST', path, { ...person(), email, company_number });
    t.is(again.status, 201);
    t.not(again.body.data.employee_number, employee_number);
    t.deepEqual(again.body.data.manager_groups, []);
  },
);

test.serial('Delete a contact: sign-in data is destroyed', async (t) => {
  const contact = await seedEmployee(shared);
  const { employee_number } = contact;
  await signIn(shared, contact);
  const at = shared.clock.now();
  const identity = { issuer: 'https://id.example', subject: unique('s'), created_at: at, last_used_at: at };
  await shared.app.database.insert(LinkedIdentity, { employee_number, ...identity });
  await shared.app.database.insert(SecondFactor, { employee_number, sealed_key: 'x', created_at: at });
  await send('DELETE', `${path}?id=${employee_number}`);
  await shared.app.outbox.drain();
  t.is(await shared.app.database.countBy(LinkedIdentity, { employee_number }), 0);
  t.is(await shared.app.database.countBy(SecondFactor, { employee_number }), 0);
  t.is(await shared.app.database.countBy(EmployeeSession, { employee_number, revoked_at: IsNull() }), 0);
});

test.serial('Delete a contact: the caller needs a valid id', async (t) => {
  t.is((await send('DELETE', path)).status, 400);
  t.is((await send('DELETE', `${path}?id=x`)).status, 400);
});

test.serial('List contacts: in few statements', async (t) => {
  t.true((await shared.fewestStatements(() => send('GET', `${path}?company_number=1&search=li`))) <= 6);
});

test.serial('contact counts stay correct through all changes', async (t) => {
  const { company_number } = await seedCompany(shared);
  const read = (filter: object) => readCount(shared.app.database, EmployeeCount, { company_number, ...filter });
  const one = await seedEmployee(shared, { company_number });
  await seedEmployee(shared, { company_number });
  await shared.run((ctx) => updateEmployee(ctx, one, { status: 'Inactive', department: 'IT' }));
  t.is(await read({}), 2);
  t.is(await read({ status: 'Active' }), 1);
  t.is(await read({ department: 'it' }), 1);
});
