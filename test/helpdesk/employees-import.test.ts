import { Employee } from '@keelson/modules/directory';
import { openApp, type TestApp } from '@keelson/testing';
import test from 'ava';
import { seedCompany, seedEmployee, signIn } from '../accounts-seed.ts';

const path = '/helpdesk/api/v1/employees/import';

let shared: TestApp;
test.before(async () => {
  shared = await openApp();
});
test.after.always(() => shared.close());

async function setUp() {
  const { company_number } = await seedCompany(shared);
  const itAdmin = await seedEmployee(shared, { company_number, it_privileges: true });
  const colleague = await seedEmployee(shared, { company_number });
  const [admin, plain] = [await signIn(shared, itAdmin), await signIn(shared, colleague)];
  return { company_number, itAdmin, colleague, token: admin.token, cookie: admin.cookie, plain: plain.token };
}

const row = (email: string) => ({ first_name: 'Ann', last_name: 'Able', email });

// Few imports may run at once, so these tests run serially.
test.serial('Import employees: into the caller’s company, regardless of the file', async (t) => {
  const { company_number, token } = await setUp();
  const stranger = await seedEmployee(shared);
  const employees = [{ ...row('own1@example.com'), company_number: 1 }, row(stranger.email), 'Bob'];
  const answer = await shared.request('POST', path, { token, body: { employees } });
  t.is(answer.status, 200);
  t.deepEqual(answer.body, {
    success: true,
    total: 3,
    created: 1,
    updated: 0,
    failed: 2,
    errors: [
      { row: 2, field: 'email', error: 'email is already in use' },
      { row: 3, field: '', error: 'Row must be an object' },
    ],
    errors_total: 2,
    ignored_columns: ['company_number'],
    dry_run: false,
    import_id: answer.body.import_id,
  });
  const made = await shared.app.database.findOneBy(Employee, { email: 'own1@example.com' });
  t.is(made?.company_number, company_number);
});

test.serial('Import employees: a person of another company is reported as taken and never changed', async (t) => {
  const { token } = await setUp();
  const stranger = await seedEmployee(shared);
  const body = { rows: [{ ...row(stranger.email), title: 'Mine' }], update_existing: true };
  const answer = await shared.request('POST', path, { token, body });
  t.deepEqual(answer.body.errors, [{ row: 1, field: 'email', error: 'email is already in use' }]);
  const after = await shared.app.database.findOneBy(Employee, { employee_number: stranger.employee_number });
  t.is(after?.title, '');
});

test.serial('Import employees: a file cannot lock out an IT admin', async (t) => {
  const { itAdmin, colleague, token } = await setUp();
  const rows = [
    { ...row(itAdmin.email), it_privileges: false },
    { ...row(itAdmin.email), status: 'Inactive' },
    { ...row(colleague.email), it_privileges: true },
  ];
  const answer = await shared.request('POST', `${path}?update_existing=1`, { token, body: rows });
  t.deepEqual(answer.body.errors, [
    { row: 1, field: 'it_privileges', error: 'it_privileges cannot be removed from your own account' },
    { row: 2, field: 'status', error: 'status of your own account must stay Active' },
  ]);
  t.is(answer.body.updated, 1);
});

test.serial('Import employees: hundreds of rows, more than one batch', async (t) => {
  const { company_number, cookie } = await setUp();
  const lines = Array.from({ length: 1201 }, (_, i) => `First ${i},Last,many${i}@example.com`);
  const body = `first_name,last_name,email\n${lines.join('\n')}\n`;
  const headers = { 'Content-Type': 'text/csv', 'Sec-Fetch-Site': 'same-origin' };
  const answer = await shared.request('POST', path, { cookie, headers, body });
  t.is(answer.body.created, 1201);
  t.is(await shared.app.database.countBy(Employee, { company_number }), 1203);
});

test.serial('Import employees: IT admins only, one import per company at a time', async (t) => {
  const { token, plain } = await setUp();
  const lines = Array.from({ length: 3000 }, (_, i) => `First ${i},Last,turn${i}@example.com`);
  const body = `first_name,last_name,email\n${lines.join('\n')}\n`;
  const headers = { 'Content-Type': 'text/csv' };
  t.is((await shared.request('POST', path, { headers, body })).status, 401);
  t.is((await shared.request('POST', path, { token: plain, headers, body })).status, 403);
  const send = () => shared.request('POST', path, { token, headers, body });
  const [first, second] = await Promise.all([send(), send()]);
  t.deepEqual(
    [first.status, second.status].toSorted((a, b) => a - b),
    [200, 429],
  );
  const refused = first.status === 429 ? first : second;
  t.deepEqual(refused.body, { error: 'Another import is still running' });
  t.truthy(refused.headers.get('retry-after'));
});
