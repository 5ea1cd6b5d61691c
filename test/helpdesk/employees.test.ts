import { readCount } from '@keelson/core/list';
import { createGroup, createSite, Employee } from '@keelson/modules/directory';
import { createTicket } from '@keelson/modules/tickets';
import { openApp, startApp, type TestApp } from '@keelson/testing';
import test from 'ava';
import { EmployeeCount } from '../../modules/directory/entities/employee.ts';
import { password, seedCompany, seedEmployee, signIn } from '../accounts-seed.ts';
import { add, asCrm } from '../crm-seed.ts';
import { asKey } from '../tickets-seed.ts';

const root = '/helpdesk/api/v1/employees';
const now = '2026-03-02T09:00:00Z';
const unknown = { error: 'Employee not found' };

let shared: TestApp;
test.before(async () => {
  shared = await openApp();
});
test.after.always(() => shared.close());

/** Creates a company with an IT admin and a regular colleague, both signed in. */
async function setUp(app = shared) {
  const company = await seedCompany(app);
  const { company_number } = company;
  const itAdmin = await seedEmployee(app, { company_number, it_privileges: true });
  const colleague = await seedEmployee(app, { company_number });
  const { token } = await signIn(app, itAdmin);
  const { token: plain } = await signIn(app, colleague);
  return { company, company_number, itAdmin, colleague, token, plain };
}

let last = 0;
const email = () => `new${++last}@example.com`;
const erin = () => ({ first_name: 'Erin', last_name: 'Smith', email: email() });
const rights = {
  ismgr: false,
  it_privileges: false,
  can_create_tickets: true,
  can_view_billing: false,
  asset_edit: 'None',
};
const blank = { site_number: null, site_name: null, phone: '', mobile: '', title: '', department: '' };

test.serial(
  'Create an employee: in the caller’s company, with default permissions, returning the full record',
  async (t) => {
    const { company, company_number, token } = await setUp();
    const given = erin();
    const answer = await shared.request('POST', root, {
      token,
      body: { ...given, company_number: 1, employee_number: 7 },
    });
    t.is(answer.status, 201);
    const { employee_number } = answer.body;
    t.deepEqual(answer.body, {
      success: true,
      employee_number,
      company_number,
      company_name: company.customer,
      ...blank,
      ...given,
      status: 'Active',
      ...rights,
      created_at: now,
      updated_at: now,
      manager_groups: [],
      assets: [],
      open_tickets: 0,
    });
  },
);

test.serial('Create an employee: with all fields, and they can sign in', async (t) => {
  const { company_number, token } = await setUp();
  const site = await shared.run((ctx) => createSite(ctx, { company_number, site_name: 'Head office' }));
  const body = {
    ...erin(),
    phone: '1',
    mobile: '2',
    title: 'Boss',
    department: 'Sales',
    site_number: site.site_number,
    status: 'active',
    it_privileges: true,
    can_create_tickets: false,
    asset_edit: 'read only',
    password,
  };
  const { body: made, status } = await shared.request('POST', root, { token, body });
  t.is(status, 201);
  t.is(made.site_name, 'Head office');
  t.is(made.status, 'Active');
  t.is(made.asset_edit, 'Read Only');
  t.is(made.can_view_billing, true);
  t.is(made.can_create_tickets, false);
  t.false('password' in made);
  const { token: own } = await signIn(shared, body);
  t.is((await shared.request('GET', '/helpdesk/api/v1/auth/profile', { token: own })).body.title, 'Boss');
});

test.serial('Create an employee: invalid input is reported by field, nothing is stored', async (t) => {
  const { company_number, colleague, token } = await setUp();
  const stranger = await seedEmployee(shared);
  const post = (body: unknown) => shared.request('POST', root, { token, body });
  const refused = async (body: object, error: string) => {
    const answer = await post(body);
    t.is(answer.status, 400);
    t.deepEqual(answer.body, { error });
  };
  await refused({}, 'first_name is required; last_name is required; email is required');
  await refused({ ...erin(), email: 'no address' }, 'email must be an email address');
  await refused({ ...erin(), email: colleague.email.toUpperCase() }, 'email is already in use');
  await refused({ ...erin(), email: stranger.email }, 'email is already in use');
  await refused({ ...erin(), site_number: 99_999 }, 'site_number must be a site of the company');
  await refused({ ...erin(), status: 'Retired' }, 'status must be one of: Active, Inactive');
  await refused({ ...erin(), it_privileges: 'yes' }, 'it_privileges must be true or false');
  await refused({ ...erin(), password: 'short' }, 'password must have at least 12 characters');
  await refused({ ...erin(), phone: 'x'.repeat(33) }, 'phone must be at most 32 characters');
  t.is(await shared.app.database.countBy(Employee, { company_number }), 2);
});

test.serial('Create an employee: anonymous 401, regular colleagues 403', async (t) => {
  const { plain } = await setUp();
  t.is((await shared.request('POST', root, { body: erin() })).status, 401);
  const answer = await shared.request('POST', root, { token: plain, body: erin() });
  t.is(answer.status, 403);
  t.deepEqual(answer.body, { error: 'IT admin privilege required' });
});

test.serial('List employees: by name, paged, without permissions for colleagues', async (t) => {
  const { company, company_number, itAdmin, colleague, token, plain } = await setUp();
  const { first_name, last_name } = colleague;
  const zoe = { ...erin(), last_name: 'Adams', phone: '0800', department: 'Finance', status: 'Inactive' };
  await shared.request('POST', root, { token, body: zoe });
  const answer = await shared.request('GET', `${root}?per_page=2`, { token: plain });
  t.is(answer.status, 200);
  const person = { company_number, company_name: company.customer, ...blank, created_at: now, updated_at: now };
  const { employee_number } = answer.body.employees[0];
  t.deepEqual(answer.body, {
    employees: [
      { ...person, ...zoe, employee_number },
      {
        ...person,
        employee_number: itAdmin.employee_number,
        first_name,
        last_name,
        email: itAdmin.email,
        status: 'Active',
      },
    ],
    pagination: { page: 1, limit: 2, total: 3, total_pages: 2 },
  });
  const seen = await shared.request('GET', `${root}?limit=1`, { token });
  t.deepEqual(seen.body.employees, [{ ...person, ...zoe, ...rights, employee_number }]);
  const second = await shared.request('GET', `${root}?per_page=2&page=2`, { token });
  t.deepEqual(
    second.body.employees.map((each: any) => each.employee_number),
    [colleague.employee_number],
  );
  const both = await shared.request('GET', `${root}?limit=1&per_page=2`, { token });
  t.is(both.body.pagination.limit, 2, 'the documented name wins (N-03)');
  t.is((await shared.request('GET', `${root}?page=0`, { token })).status, 400);
  t.is((await shared.request('GET', root)).status, 401);
});

test.serial('List employees: search, status and department combined; other companies stay hidden', async (t) => {
  const { token, plain } = await setUp();
  await seedEmployee(shared, { email: 'zebra@stranger.example' });
  const zebra = { ...erin(), first_name: 'Zoë', last_name: 'Zebra', department: 'Finance', phone: '0800' };
  await shared.request('POST', root, { token, body: zebra });
  const found = async (query: string) => {
    const { body } = await shared.request('GET', `${root}?${query}`, { token: plain });
    t.is(body.pagination.total, body.employees.length);
    return body.employees.map((each: any) => each.last_name);
  };
  t.deepEqual(await found('search=zebra'), ['Zebra']);
  t.deepEqual(await found(`search=ZO%C3%8B+${zebra.email}`), ['Zebra']);
  t.deepEqual(await found('search=zebra+nobody'), []);
  t.deepEqual(await found('search=0800'), []);
  t.deepEqual(await found('department=finance&status=active'), ['Zebra']);
  t.deepEqual(await found('department=finance&status=Inactive'), []);
  t.is((await found('status=all')).length, 3);
  const bad = await shared.request('GET', `${root}?status=gone`, { token });
  t.deepEqual(bad.body, { error: 'status must be one of: Active, Inactive, all' });
});

test.serial('List employees: in few statements', async (t) => {
  const { token } = await setUp();
  t.true((await shared.fewestStatements(() => shared.request('GET', `${root}?search=e`, { token }))) <= 6);
});

test.serial('List employees for selection: active ones, unpaged unless requested', async (t) => {
  const { company_number, itAdmin, colleague, token, plain } = await setUp();
  await shared.request('POST', root, { token, body: { ...erin(), status: 'Inactive' } });
  const option = ({ employee_number }: { employee_number: number }) => ({
    value: employee_number,
    label: 'Erin Example',
    employee_number,
  });
  const answer = await shared.request('GET', `${root}/options`, { token: plain });
  t.is(answer.status, 200);
  t.deepEqual(answer.body, {
    options: [option(itAdmin), option(colleague)],
    pagination: { page: 1, limit: 1000, total: 2, total_pages: 1 },
  });
  const second = await shared.request('GET', `${root}/options?page=2&per_page=1`, { token });
  t.deepEqual(second.body.options, [option(colleague)]);
  const searched = await shared.request('GET', `${root}/options?search=${colleague.email}`, { token });
  t.deepEqual(searched.body.options, [option(colleague)]);
  t.is((await shared.request('GET', `${root}/options`)).status, 401);
  t.is(await readCount(shared.app.database, EmployeeCount, { company_number }), 3);
});

test.serial('Read the template for new employees: fields, header and sample, for IT admins', async (t) => {
  const { token, plain } = await setUp();
  const { status, body } = await shared.request('GET', `${root}/template`, { token });
  t.is(status, 200);
  t.is(
    body.csv_header,
    'first_name,last_name,email,phone,mobile,title,department,site_number,status,ismgr,it_privileges,can_create_tickets,can_view_billing,asset_edit,password',
  );
  t.deepEqual(body.fields[0], {
    name: 'first_name',
    label: 'First name',
    type: 'text',
    required: true,
    options: [],
    max_length: 255,
  });
  t.deepEqual(body.fields[13], {
    name: 'asset_edit',
    label: 'Assets',
    type: 'choice',
    required: false,
    options: ['None', 'Read Only', 'Modify'],
    max_length: null,
  });
  t.deepEqual(Object.keys(body), ['fields', 'csv_header', 'sample']);
  const made = await shared.request('POST', root, { token, body: { ...body.sample, email: email() } });
  t.is(made.status, 201, 'the sample is a good one');
  t.is((await shared.request('GET', `${root}/template`)).status, 401);
  t.is((await shared.request('GET', `${root}/template`, { token: plain })).status, 403);
});

test.serial('Read an employee: with groups and open tickets, permissions for IT admins only', async (t) => {
  const { company, company_number, itAdmin, colleague, token, plain } = await setUp();
  const { employee_number } = colleague;
  const people = { managers: [itAdmin.employee_number], members: [colleague.employee_number] };
  await shared.run((ctx) => createGroup(ctx, company_number, { name: 'Desk', ...people }));
  await shared.run((ctx) => createTicket(ctx, { company_number, subject: 'Help', employee_number }));
  const seen = {
    employee_number: colleague.employee_number,
    company_number,
    company_name: company.customer,
    ...blank,
    first_name: 'Erin',
    last_name: 'Example',
    email: colleague.email,
    status: 'Active',
    created_at: now,
    updated_at: now,
    manager_groups: [{ code: 'Desk', name: 'Desk', role: 'member' }],
    assets: [],
    open_tickets: 1,
  };
  const path = `${root}/${colleague.employee_number}`;
  t.deepEqual((await shared.request('GET', path, { token: plain })).body, seen);
  t.deepEqual((await shared.request('GET', path, { token })).body, { ...seen, ...rights });
  t.is((await shared.request('GET', path)).status, 401);
});

test.serial('Read an employee: another company’s employee returns 404 like an absent one', async (t) => {
  const { token } = await setUp();
  const stranger = await seedEmployee(shared);
  for (const id of [stranger.employee_number, 999_999]) {
    const answer = await shared.request('GET', `${root}/${id}`, { token });
    t.is(answer.status, 404);
    t.deepEqual(answer.body, unknown);
  }
  t.is((await shared.request('GET', `${root}/x`, { token })).status, 404);
});

test.serial('Update an employee: partial updates; no difference changes nothing', async (t) => {
  const app = await startApp(t);
  const { company, company_number, colleague, token } = await setUp(app);
  const path = `${root}/${colleague.employee_number}`;
  app.clock.set('2026-03-02T09:00:10.000Z');
  const same = await app.request('PUT', path, { token, body: { first_name: 'Erin', email: colleague.email } });
  t.is(same.status, 200);
  t.is(same.body.updated_at, now);
  const body = { last_name: 'Baker', title: 'Boss', can_view_billing: true, company_number: 77 };
  const answer = await app.request('PUT', path, { token, body });
  t.is(answer.status, 200);
  t.deepEqual(answer.body, {
    success: true,
    employee_number: colleague.employee_number,
    company_number,
    company_name: company.customer,
    ...blank,
    first_name: 'Erin',
    last_name: 'Baker',
    email: colleague.email,
    title: 'Boss',
    status: 'Active',
    ...rights,
    can_view_billing: true,
    created_at: now,
    updated_at: '2026-03-02T09:00:10Z',
    manager_groups: [],
    assets: [],
    open_tickets: 0,
  });
  const cleared = await app.request('PUT', path, { token, body: { title: null, phone: '' } });
  t.is(cleared.body.title, '');
});

test.serial('Update an employee: a rename shows in ticket lists immediately', async (t) => {
  const { company_number, colleague, token } = await setUp();
  const { employee_number } = colleague;
  await shared.run((ctx) => createTicket(ctx, { company_number, subject: 'Help', employee_number }));
  const requester = async () =>
    (await shared.request('GET', '/helpdesk/api/v1/tickets', { token })).body.tickets[0].requester_name;
  t.is(await requester(), 'Erin Example');
  await shared.request('PUT', `${root}/${colleague.employee_number}`, { token, body: { last_name: 'Baker' } });
  t.is(await requester(), 'Erin Baker');
});

test.serial('Update an employee: invalid input and unauthorised callers', async (t) => {
  const { itAdmin, colleague, token, plain } = await setUp();
  const stranger = await seedEmployee(shared);
  const path = `${root}/${colleague.employee_number}`;
  const refused = async (at: string, body: unknown, error: string) => {
    const answer = await shared.request('PUT', at, { token, body });
    t.is(answer.status, 400);
    t.deepEqual(answer.body, { error });
  };
  await refused(path, {}, 'No fields to update');
  await refused(path, { nickname: 'E' }, 'No fields to update');
  await refused(path, { first_name: null }, 'first_name must not be null');
  await refused(path, { email: itAdmin.email }, 'email is already in use');
  await refused(path, { site_number: 99_999 }, 'site_number must be a site of the company');
  await refused(path, { password: 'password1234' }, 'password is among the most common passwords');
  const own = `${root}/${itAdmin.employee_number}`;
  await refused(own, { it_privileges: false }, 'it_privileges cannot be removed from your own account');
  await refused(own, { status: 'Inactive' }, 'status of your own account must stay Active');
  const body = { title: 'Boss' };
  t.is((await shared.request('PUT', own, { token, body })).status, 200);
  t.is((await shared.request('PUT', path, { body })).status, 401);
  t.is((await shared.request('PUT', path, { token: plain, body })).status, 403);
  for (const id of [stranger.employee_number, 999_999]) {
    const answer = await shared.request('PUT', `${root}/${id}`, { token, body });
    t.is(answer.status, 404);
    t.deepEqual(answer.body, unknown);
  }
});

test.serial(
  'Update an employee: permission changes apply immediately; deactivation or a new password ends all sessions',
  async (t) => {
    const { colleague, token } = await setUp();
    const change = (body: unknown) => shared.request('PUT', `${root}/${colleague.employee_number}`, { token, body });
    const session = async (of: { token: string }) =>
      (await shared.request('GET', '/helpdesk/api/v1/auth/session', { token: of.token })).status;
    const first = await signIn(shared, colleague);
    await change({ it_privileges: true });
    t.is((await shared.request('GET', `${root}/template`, { token: first.token })).status, 200);
    await change({ it_privileges: false });
    t.is((await shared.request('GET', `${root}/template`, { token: first.token })).status, 403);

    t.is((await change({ status: 'Inactive' })).status, 200);
    t.is(await session(first), 401);
    const refresh = { refresh_token: first.refresh_token };
    t.is((await shared.request('POST', '/helpdesk/api/v1/auth/refresh', { body: refresh })).status, 401);
    await t.throwsAsync(signIn(shared, colleague));
    t.is((await change({ status: 'Active' })).status, 200);
    t.is(await session(first), 401, 'what ended stays ended');

    const second = await signIn(shared, colleague);
    t.is((await change({ password: 'another long walk by the sea' })).status, 200);
    t.is(await session(second), 401);
    await t.throwsAsync(signIn(shared, colleague));
  },
);

test.serial(
  'Update an employee: contacts from a converted prospect must first be activated by a technician',
  async (t) => {
    const { company_number, token } = await setUp();
    const crm = await asCrm(shared);
    const { prospect_id } = await add(crm, '/prospects', { name: 'Converted' });
    const newcomer = { ...erin(), prospect_id };
    await add(crm, '/people', newcomer);
    t.is((await crm('POST', `/prospects/${prospect_id}/convert`, { company_number })).status, 200);
    const row = await shared.app.database.findOneBy(Employee, { email: newcomer.email });
    const at = `${root}/${row?.employee_number}`;
    const change = (body: unknown) => shared.request('PUT', at, { token, body });
    const error = 'status of a converted prospect’s contact can be set to Active only by a technician';
    for (const body of [{ status: 'Active' }, { status: 'Active', password }]) {
      const refused = await change(body);
      t.deepEqual([refused.status, refused.body], [400, { error }]);
    }
    const { prospect_id: _none, ...person } = newcomer;
    const file = { rows: [{ ...person, status: 'Active' }], update_existing: true };
    const imported = await shared.request('POST', `${root}/import`, { token, body: file });
    t.deepEqual(imported.body.errors, [{ row: 1, field: 'status', error }]);
    t.is((await change({ title: 'Boss', status: 'Inactive', password })).status, 200, 'the rest is theirs to change');
    await t.throwsAsync(signIn(shared, newcomer));

    const technician = await asKey(shared, ['contacts:write', 'contacts:access']);
    t.is((await technician('PUT', `/contacts.php?id=${row?.employee_number}`, { status: 'Active' })).status, 200);
    t.truthy(await signIn(shared, newcomer));
    t.is((await change({ status: 'Inactive' })).status, 200);
    t.is((await change({ status: 'Active' })).status, 200, 'from then on as anybody else');
  },
);

test.serial('Update an employee: group managers stay managers; without approvers tickets are released', async (t) => {
  const app = await startApp(t);
  const { company_number, colleague, token } = await setUp(app);
  const member = await seedEmployee(app, { company_number });
  const people = { managers: [colleague.employee_number], members: [member.employee_number] };
  await app.run((ctx) => createGroup(ctx, company_number, { name: 'Desk', ...people }));
  const { token: own } = await signIn(app, member);
  const body = { subject: 'New chair', description: 'Please' };
  const { body: ticket } = await app.request('POST', '/helpdesk/api/v1/tickets', { token: own, body });
  const approval = async () =>
    (await app.request('GET', `/helpdesk/api/v1/tickets/${ticket.ticket_id}`, { token: own })).body.approval_status;
  t.is(await approval(), 'pending');
  const path = `${root}/${colleague.employee_number}`;
  const kept = await app.request('PUT', path, { token, body: { ismgr: false } });
  t.deepEqual(kept.body, { error: 'ismgr must stay true while the employee manages a group' });
  t.is((await app.request('PUT', path, { token, body: { status: 'Inactive' } })).status, 200);
  await app.app.outbox.drain();
  t.is(await approval(), 'none');
  t.is((await app.request('GET', path, { token })).body.manager_groups.length, 1);
});
