import { readCount } from '@keelson/core/list';
import { createSite, Employee } from '@keelson/modules/directory';
import { openApp, type TestApp } from '@keelson/testing';
import test from 'ava';
import { EmployeeCount } from '../../modules/directory/entities/employee.ts';
import { ActivityLine } from '../../packages/log/activity.ts';
import { password, seedCompany, seedEmployee, seedKey, signIn } from '../accounts-seed.ts';

const path = '/admin/api/v1/contacts.php?action=import';
const csv = { 'Content-Type': 'text/csv' };

let shared: TestApp;
let token: string;
test.before(async () => {
  shared = await openApp();
  token = (await seedKey(shared, 'admin', ['contacts:write', 'contacts:access'])).api_key;
});
test.after.always(() => shared.close());

// A key may run one import at a time, so these tests run serially.
test.serial('Import contacts: CSV for several companies stores valid rows and reports the rest', async (t) => {
  const { company_number: one } = await seedCompany(shared);
  const { company_number: two } = await seedCompany(shared);
  const { site_number } = await shared.run((ctx) => createSite(ctx, { company_number: two, site_name: 'Office' }));
  const there = await seedEmployee(shared, { company_number: one });
  const text = [
    'First Name,last name,E-Mail,EMAIL,Company Number,Site number,IT privileges,Colour',
    `Ann,"Able, Jr",x,ann.able@example.com,${one},,yes,red`,
    `Bob,Baker,x,bob@example.com,${two},${site_number},,`,
    `Cid,Cole,x,cid@example.com,${one},${site_number},,`,
    `Dan,Dole,x,no address,99999,x,,`,
    `Eve,Ende,x,eve@example.com,99999,,,`,
    `Fay,Fink,x,${there.email},${one},,,`,
    `Gus,Gill,x,gus@example.com,,,,`,
    `Hal,Hill,x,ANN.able@Example.com,${one},,,`,
  ].join('\r\n');
  const answer = await shared.request('POST', path, { token, headers: csv, body: text });
  t.is(answer.status, 200);
  const taken = 'email is already in use';
  t.deepEqual(answer.body, {
    success: true,
    data: {
      total: 8,
      created: 2,
      updated: 0,
      failed: 6,
      errors: [
        { row: 3, field: 'site_number', error: 'site_number must be a site of the company' },
        { row: 4, field: 'email', error: 'email must be an email address' },
        { row: 4, field: 'site_number', error: 'site_number must be a whole number' },
        { row: 5, field: 'company_number', error: 'company_number must be an existing company' },
        { row: 6, field: 'email', error: taken },
        { row: 7, field: 'company_number', error: 'company_number is required' },
        { row: 8, field: 'email', error: taken },
      ],
      errors_total: 7,
      ignored_columns: ['E-Mail', 'Colour'],
      dry_run: false,
      import_id: answer.body.data.import_id,
    },
  });
  const ann = await shared.app.database.findOneBy(Employee, { email: 'ann.able@example.com' });
  t.is(ann?.last_name, 'Able, Jr');
  t.true(ann?.it_privileges);
  t.true(ann?.can_view_billing);
  t.is(ann?.asset_edit, 'None');
  t.is(await readCount(shared.app.database, EmployeeCount, { company_number: two }), 1);
  const lines = await shared.app.database.findBy(ActivityLine, { entity_type: 'contact', entity_id: 'import' });
  t.is(lines.at(-1)?.description, '2 contacts imported from rows 1 to 8 of a file');
});

test.serial('Import contacts: update_existing changes only the fields in the file', async (t) => {
  const { company_number } = await seedCompany(shared);
  const there = await seedEmployee(shared, { company_number, asset_edit: 'Modify' });
  const session = await signIn(shared, there);
  const elsewhere = await seedEmployee(shared);
  const text = [
    'first_name;last_name;email;title;status',
    `Una;Updated;${there.email.toUpperCase()};Boss;`,
    `Una;Updated;${there.email};;inactive`,
    `Vic;Virtue;${elsewhere.email};Thief;`,
    `New;Person;new.person@example.com;One;`,
    `New;Person;new.person@example.com;Two;`,
  ].join('\n');
  const at = `${path}&update_existing=true&company_number=${company_number}`;
  const answer = await shared.request('POST', at, { token, headers: csv, body: text });
  t.deepEqual(answer.body.data, {
    total: 5,
    created: 1,
    updated: 3,
    failed: 1,
    errors: [{ row: 3, field: 'email', error: 'email is in use at another company' }],
    errors_total: 1,
    ignored_columns: [],
    dry_run: false,
    import_id: answer.body.data.import_id,
  });
  const row = await shared.app.database.findOneBy(Employee, { employee_number: there.employee_number });
  t.like(row, { first_name: 'Una', title: 'Boss', status: 'Inactive', asset_edit: 'Modify', company_number });
  const { status } = await shared.request('GET', '/helpdesk/api/v1/auth/session', { token: session.token });
  t.is(status, 401);
  const made = await shared.app.database.findOneBy(Employee, { email: 'new.person@example.com' });
  t.is(made?.title, 'Two');
});

test.serial('Import contacts: JSON and multipart bodies with options and working passwords', async (t) => {
  const { company_number } = await seedCompany(shared);
  const person = (email: string) => ({ first_name: 'Jo', last_name: 'Son', email });
  const contacts = [
    { ...person('json1@example.com'), password },
    { ...person('json2@example.com'), password: 'short' },
  ];
  const json = await shared.request('POST', path, { token, body: { contacts, company_number } });
  t.deepEqual(json.body.data.errors, [
    { row: 2, field: 'password', error: 'password must have at least 12 characters' },
  ]);
  t.truthy(await signIn(shared, { email: 'json1@example.com' }));
  const rows = [{ ...person('json3@example.com'), company_number }];
  t.is((await shared.request('POST', path, { token, body: rows })).body.data.created, 1);
  const inside = { csv: 'first_name,last_name,email\nJo,Son,json4@example.com\n', company_number };
  t.is((await shared.request('POST', path, { token, body: inside })).body.data.created, 1);

  const form = new FormData();
  form.append('company_number', String(company_number));
  form.append('update_existing', 'true');
  form.append('file', new Blob(['email,last_name,first_name\njson4@example.com,Changed,Jo\n']), 'people.csv');
  const sent = new Response(form);
  const headers = { 'Content-Type': sent.headers.get('content-type') ?? '' };
  const answer = await shared.request('POST', path, { token, headers, body: Buffer.from(await sent.arrayBuffer()) });
  t.is(answer.body.data.updated, 1);
  t.is((await shared.app.database.findOneBy(Employee, { email: 'json4@example.com' }))?.last_name, 'Changed');
});

test.serial('Import contacts: a malformed file stores nothing; callers without permission are rejected', async (t) => {
  const { company_number } = await seedCompany(shared);
  const at = `${path}&company_number=${company_number}`;
  const refused = async (body: string | Buffer, error: string) => {
    const answer = await shared.request('POST', at, { token, headers: csv, body });
    t.is(answer.status, 400);
    t.deepEqual(answer.body, { success: false, error });
  };
  const good = 'first_name,last_name,email\nAnn,Able,fault1@example.com\n';
  await refused('', 'The file has no rows');
  await refused('first_name,email\nAnn,a@example.com\n', 'The file must have a header with the columns: last_name');
  await refused(`${good}Bob,"Baker,fault2@example.com\n`, 'The file is not valid CSV: line 3');
  const many = `${good}${'Bob,Baker,fault3@example.com\n'.repeat(50_000)}`;
  await refused(many, 'The file must have at most 50000 rows');
  await refused(Buffer.alloc(32 * 1024 * 1024 + 1, 'a'), 'The file must be at most 32 MiB');
  const bad = await shared.request('POST', `${path}&update_existing=maybe`, { token, headers: csv, body: good });
  t.deepEqual(bad.body, { success: false, error: 'update_existing must be true or false' });
  t.is(await shared.app.database.countBy(Employee, { company_number }), 0);
  const { api_key } = await seedKey(shared, 'admin', ['contacts:read']);
  t.is((await shared.request('POST', at, { headers: csv, body: good })).status, 401);
  t.is((await shared.request('POST', at, { token: api_key, headers: csv, body: good })).status, 403);
});

test.serial('Import contacts: repeated with an idempotency key, it runs once', async (t) => {
  const { company_number } = await seedCompany(shared);
  const body = 'first_name,last_name,email\nAnn,Able,once@example.com\n';
  const options = { token, headers: { ...csv, 'Idempotency-Key': 'import-1' }, body };
  const first = await shared.request('POST', `${path}&company_number=${company_number}`, options);
  const second = await shared.request('POST', `${path}&company_number=${company_number}`, options);
  t.deepEqual(second.body, first.body);
  t.is(second.body.data.created, 1);
});

test.serial('Import contacts: fails, or the company deletion does, when both happen at once', async (t) => {
  const { api_key: both } = await seedKey(shared, 'admin', ['contacts:write', 'contacts:access', 'companies:write']);
  for (let i = 0; i < 5; i++) {
    const { company_number } = await seedCompany(shared);
    const body = [{ first_name: 'Late', last_name: 'Comer', email: `late${i}@import.example` }];
    const [deleted, imported] = await Promise.all([
      shared.request('DELETE', `/admin/api/v1/companies.php?id=${company_number}`, { token: both }),
      shared.request('POST', `${path}&company_number=${company_number}`, { token: both, body }),
    ]);
    const outcome = `${deleted.status} ${imported.body.data.created}`;
    t.true(['204 0', '409 1'].includes(outcome), outcome);
  }
});

test.serial('Import contacts: a dry run validates like an import but stores nothing', async (t) => {
  const { company_number } = await seedCompany(shared);
  const there = await seedEmployee(shared, { company_number });
  const rows = Array.from({ length: 600 }, (_, index) => `Ida,Row ${index},dry-${index}@example.com`);
  const text = ['first_name,last_name,email', ...rows, 'Ida,Twice,DRY-3@example.com', `Ida,There,${there.email}`].join(
    '\n',
  );
  const send = (options: string) =>
    shared.request('POST', `${path}&company_number=${company_number}${options}`, { token, headers: csv, body: text });
  const email = 'email is already in use';
  const judged = (await send('&dry_run=true')).body.data;
  t.like(judged, { total: 602, created: 600, updated: 0, failed: 2, dry_run: true });
  t.deepEqual(judged.errors, [
    { row: 601, field: 'email', error: email },
    { row: 602, field: 'email', error: email },
  ]);
  t.like((await send('&dry_run=true&update_existing=true')).body.data, { created: 600, updated: 2, failed: 0 });
  t.is(await shared.app.database.countBy(Employee, { company_number }), 1);
  const stored = (await send('')).body.data;
  const { import_id } = stored;
  t.deepEqual(stored, { ...judged, dry_run: false, import_id });
});
