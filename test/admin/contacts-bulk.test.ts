import { remove } from '@keelson/core';
import { createGroup, createSite, Employee } from '@keelson/modules/directory';
import { openApp, type TestApp } from '@keelson/testing';
import test from 'ava';
import { In, IsNull } from 'typeorm';
import { Employees, findEmployee } from '../../modules/directory/employees/employees.ts';
import { seedCompany, seedEmployee, seedKey, signIn } from '../accounts-seed.ts';
import { asKey } from '../tickets-seed.ts';

const path = '/bulk/contacts.php';

let shared: TestApp;
let send: Awaited<ReturnType<typeof asKey>>;
test.before(async () => {
  shared = await openApp();
  send = await asKey(shared, ['contacts:write', 'contacts:access']);
});
test.after.always(() => shared.close());

let last = 0;
const person = () => ({ first_name: 'Erin', last_name: 'Smith', email: `bulk${++last}@example.com` });

test.serial('deleting many contacts takes no more statements than deleting a few', async (t) => {
  const { company_number } = await seedCompany(shared);
  const { database } = shared.app;
  const counted = async (n: number) => {
    const people: Employee[] = [];
    for (let i = 0; i < n; i++) {
      const { employee_number } = await seedEmployee(shared, { company_number });
      people.push(await shared.run((ctx) => findEmployee(ctx, employee_number)));
    }
    let statements = 0;
    await shared.run((ctx) =>
      ctx.transaction(async (inside) => {
        database.onStatement = () => statements++;
        await remove(inside, Employees, people);
        database.onStatement = undefined;
      }),
    );
    t.is(await database.countBy(Employee, { company_number, deleted_at: IsNull() }), 0);
    return statements;
  };
  t.is(await counted(12), await counted(3));
});

test.serial('Bulk-update or import contacts: updates contacts individually', async (t) => {
  const { company_number } = await seedCompany(shared);
  const one = await seedEmployee(shared, { company_number });
  const two = await seedEmployee(shared, { company_number });
  const manager = await seedEmployee(shared, { company_number });
  const elsewhere = await seedEmployee(shared);
  const { site_number } = await shared.run((ctx) => createSite(ctx, { company_number, site_name: 'Office' }));
  await shared.run((ctx) => createGroup(ctx, company_number, { name: 'Desk', managers: [manager.employee_number] }));
  const asked = [two, one, manager, elsewhere].map((each) => each.employee_number);
  const answer = await send('POST', path, {
    action: 'update',
    employee_numbers: [...asked, 999_999, asked[0]],
    fields: { department: 'Sales', site_number, ismgr: false },
  });
  t.is(answer.status, 200);
  t.deepEqual(answer.body, {
    success: true,
    data: {
      action: 'update',
      requested: 5,
      succeeded: 2,
      failed: 3,
      results: [
        { employee_number: two.employee_number, success: true },
        { employee_number: one.employee_number, success: true },
        {
          employee_number: manager.employee_number,
          success: false,
          error: 'ismgr must stay true while the employee manages a group',
        },
        {
          employee_number: elsewhere.employee_number,
          success: false,
          error: 'site_number must be a site of the company',
        },
        { employee_number: 999_999, success: false, error: 'Employee not found' },
      ],
    },
  });
  const rows = await shared.app.database.findBy(Employee, { employee_number: In(asked) });
  t.deepEqual(
    rows.filter((each) => each.department === 'Sales' && each.site_number === site_number).map((each) => each.email),
    [one.email, two.email],
  );
});

test.serial('Bulk-update or import contacts: deactivated contacts lose their sessions', async (t) => {
  const contact = await seedEmployee(shared);
  const { token } = await signIn(shared, contact);
  const employee_numbers = [contact.employee_number];
  await send('POST', path, { action: 'update', employee_numbers, fields: { status: 'Inactive' } });
  t.is((await shared.request('GET', '/helpdesk/api/v1/auth/session', { token })).status, 401);
});

test.serial('Bulk-update or import contacts: imports a list', async (t) => {
  const { company_number } = await seedCompany(shared);
  const there = await seedEmployee(shared, { company_number });
  const one = person();
  const contacts = [
    one,
    { ...person(), email: there.email, title: 'Boss' },
    { ...person(), company_number: 99_999 },
    { ...one, title: 'Chief' },
  ];
  const first = await send('POST', path, { action: 'import', company_number, contacts });
  t.is(first.status, 200);
  const made = await shared.app.database.findOneBy(Employee, { email: one.email });
  const taken = 'email is already in use';
  t.deepEqual(first.body.data, {
    action: 'import',
    requested: 4,
    succeeded: 1,
    failed: 3,
    results: [
      { employee_number: made?.employee_number, row: 1, success: true },
      { employee_number: null, row: 2, success: false, error: taken },
      { employee_number: null, row: 3, success: false, error: 'company_number must be an existing company' },
      { employee_number: null, row: 4, success: false, error: taken },
    ],
  });
  const second = await send('POST', path, { action: 'import', company_number, contacts, update_existing: true });
  t.is(second.body.data.succeeded, 3);
  const rows = await shared.app.database.find(Employee, {
    where: { company_number },
    order: { employee_number: 'ASC' },
  });
  t.deepEqual(
    rows.map((each) => each.title),
    ['Boss', 'Chief'],
  );
});

test.serial('Bulk-update or import contacts: invalid input changes nothing', async (t) => {
  const refused = async (body: object, error: string) => {
    const answer = await send('POST', path, body);
    t.is(answer.status, 400);
    t.deepEqual(answer.body, { success: false, error });
  };
  await refused({}, 'action is required');
  await refused({ action: 'delete' }, 'action must be one of: update, import');
  await refused({ action: 'update' }, 'employee_numbers is required');
  await refused({ action: 'update', employee_numbers: [1] }, 'fields is required');
  await refused({ action: 'update', employee_numbers: [1], fields: {} }, 'No fields to update');
  await refused({ action: 'update', employee_numbers: [] }, 'employee_numbers must contain between 1 and 500 ids');
  await refused({ action: 'import' }, 'contacts is required');
  await refused(
    { action: 'import', contacts: [{ email: 'x' }] },
    [
      'contacts[0].first_name is required',
      'contacts[0].last_name is required',
      'contacts[0].email must be an email address',
    ].join('; '),
  );
  const contacts = Array.from({ length: 201 }, () => ({ ...person(), password: 'a long walk by the sea' }));
  await refused({ action: 'import', contacts }, 'password may be set for at most 200 contacts at a time');
  const body = { action: 'update', employee_numbers: [1], fields: { title: 'x' } };
  const { api_key } = await seedKey(shared, 'admin', ['contacts:read']);
  t.is((await shared.request('POST', `/admin/api/v1${path}`, { body })).status, 401);
  t.is((await shared.request('POST', `/admin/api/v1${path}`, { token: api_key, body })).status, 403);
});
