// The history of imports: progress, cancelling and undoing.
import { IsNull } from '@keelson/core';
import { readCount } from '@keelson/core/list';
import { ImportRow, ImportRun } from '@keelson/core/system';
import { Asset } from '@keelson/modules/assets';
import { Employee } from '@keelson/modules/directory';
import { Ticket, TicketAsset } from '@keelson/modules/tickets';
import { openApp, type TestApp } from '@keelson/testing';
import test from 'ava';
import { AssetCredential } from '../../modules/assets/entities/parts.ts';
import { EmployeeCount } from '../../modules/directory/entities/employee.ts';
import { ManagerGroup, ManagerGroupPerson } from '../../modules/directory/entities/group.ts';
import { holdImports } from '../_held-import.ts';
import { until } from '../_until.ts';
import { seedCompany, seedEmployee, seedKey } from '../accounts-seed.ts';
import { asEmployee, asKey, seedTicket } from '../tickets-seed.ts';

const rights = ['contacts:read', 'contacts:write', 'contacts:access', 'assets:read', 'assets:write', 'companies:read'];
let app: TestApp;
let send: Awaited<ReturnType<typeof asKey>>;
test.before(async () => {
  app = await openApp();
  send = await asKey(app, rights);
});
test.after.always(() => app.close());

const people = (company_number: number, names: readonly string[], more: object = {}) => ({
  company_number,
  contacts: names.map((name) => ({ first_name: name, last_name: 'Import', email: `${name}@undo.example`, ...more })),
});

/** Advances the clock by a second, so that later changes can be distinguished from the import. */
function later(): void {
  app.clock.set(new Date(Date.parse(app.clock.now()) + 1000).toISOString());
}

/** Undoes an import and waits until it is undone. */
async function undone(import_id: number) {
  const asked = await send('POST', `/imports.php?action=undo&id=${import_id}`);
  if (asked.status !== 200) return asked;
  await app.app.outbox.drain();
  return send('GET', `/imports.php?id=${import_id}`);
}

const alive = (company_number: number) =>
  app.app.database.find(Employee, {
    where: { company_number, deleted_at: IsNull() },
    order: { employee_number: 'ASC' },
  });

test.serial('undoing an import deletes created records and restores changed ones', async (t) => {
  const { company_number } = await seedCompany(app);
  const there = await seedEmployee(app, { company_number, asset_edit: 'Modify' });
  await send('PUT', `/contacts.php?id=${there.employee_number}`, { title: 'Boss' });
  later();
  const body = people(company_number, ['ann', 'bob']);
  const contacts = [...body.contacts, { first_name: 'Una', last_name: 'Other', email: there.email, title: 'Clerk' }];
  const done = (await send('POST', '/contacts.php?action=import', { ...body, contacts, update_existing: true })).body
    .data;
  t.like(done, { created: 2, updated: 1, failed: 0 });
  const entry = (await send('GET', `/imports.php?id=${done.import_id}`)).body.data;
  t.like(entry, { noun: 'contacts', title: 'Contacts', status: 'done', total: 3, created: 2, updated: 1, kept: 0 });
  later();
  const { body: after } = await undone(done.import_id);
  t.like(after.data, { status: 'undone', removed: 2, restored: 1, kept: 0 });
  const [left, ...more] = await alive(company_number);
  t.deepEqual(more, []);
  t.like(left, { first_name: there.first_name, last_name: there.last_name, title: 'Boss', asset_edit: 'Modify' });
  t.is(await readCount(app.app.database, EmployeeCount, { company_number }), 1);
  t.is(await app.app.database.countBy(ImportRow, { import_id: done.import_id }), 0);
  t.is((await undone(done.import_id)).body.error, 'The import has already been undone');
  // The addresses are available again.
  t.is((await send('POST', '/contacts.php?action=import', body)).body.data.created, 2);
});

test.serial('undoing skips records that have changed since, and lists them', async (t) => {
  const { company_number } = await seedCompany(app);
  const { data } = (await send('POST', '/contacts.php?action=import', people(company_number, ['cid', 'dee']))).body;
  const [cid] = await alive(company_number);
  later();
  await send('PUT', `/contacts.php?id=${cid?.employee_number}`, { title: 'Manager' });
  later();
  t.like((await undone(data.import_id)).body.data, { status: 'undone', removed: 1, kept: 1 });
  const kept = (await send('GET', `/imports.php?action=kept&id=${data.import_id}`)).body;
  t.like(kept.data[0], {
    record_id: cid?.employee_number,
    label: 'cid Import',
    reason: 'Changed after the import',
  });
  t.is(kept.pagination.total, 1);
  t.deepEqual(
    (await alive(company_number)).map((each) => each.title),
    ['Manager'],
  );
});

test.serial('undoing keeps people with tickets, groups or assets, and lists the reason', async (t) => {
  const { company_number } = await seedCompany(app);
  const names = ['gus', 'hal', 'ivy', 'jon'];
  const { data } = (await send('POST', '/contacts.php?action=import', people(company_number, names))).body;
  const [gus, hal, ivy] = (await alive(company_number)).map(({ employee_number }) => employee_number);
  const { ticket_id } = await seedTicket(app, { company_number });
  await app.app.database.update(Ticket, { ticket_id }, { requester_employee_number: gus ?? 0 });
  const at = { created_at: app.clock.now() };
  const named = { company_number, code: 'G', name: 'Group', approval_job_types: [], ...at, updated_at: at.created_at };
  const group_id = await app.app.database.insertReturningId(ManagerGroup, named);
  await app.app.database.insert(ManagerGroupPerson, { group_id, employee_number: hal ?? 0, role: 'manager', ...at });
  await send('POST', '/assets.php', { machine_name: 'laptop', company_number, assigned_employee: ivy });
  later();
  t.like((await undone(data.import_id)).body.data, { status: 'undone', removed: 1, kept: 3 });
  const { data: kept } = (await send('GET', `/imports.php?action=kept&id=${data.import_id}`)).body;
  t.deepEqual(
    kept.map((each: any) => [each.record_id, each.reason]).toSorted((a: any, b: any) => a[0] - b[0]),
    [
      [gus, 'Still has tickets'],
      [hal, 'Still has manager groups'],
      [ivy, 'Still has assigned assets'],
    ],
  );
});

test.serial('undoing keeps assets with credentials or tickets', async (t) => {
  const { company_number } = await seedCompany(app);
  const assets = ['one', 'two', 'three'].map((machine_name) => ({ machine_name }));
  const { data } = (await send('POST', '/assets.php?action=import', { company_number, assets })).body;
  const rows = await app.app.database.find(Asset, { where: { company_number }, order: { asset_id: 'ASC' } });
  const [one, two] = rows.map(({ asset_id }) => asset_id);
  const at = { created_at: app.clock.now(), updated_at: app.clock.now() };
  const credential = { asset_id: one ?? 0, label: 'Root', updated_by: 'Terry', ...at };
  await app.app.database.insert(AssetCredential, { login_id: 900_001, ...credential });
  const { ticket_id } = await seedTicket(app, { company_number });
  await app.app.database.insert(TicketAsset, { ticket_id, asset_id: two ?? 0, created_at: at.created_at });
  later();
  t.like((await undone(data.import_id)).body.data, { status: 'undone', removed: 1, kept: 2 });
  const { data: kept } = (await send('GET', `/imports.php?action=kept&id=${data.import_id}`)).body;
  t.deepEqual(kept.map((each: any) => each.reason).toSorted(), ['Still has stored credentials', 'Still has tickets']);
});

test.serial('restoring validates like a change: a referenced person may be gone', async (t) => {
  const { company_number } = await seedCompany(app);
  const { employee_number } = await seedEmployee(app, { company_number });
  const one = { machine_name: 'desk', serial_number: 'RE-1', company_number, assigned_employee: employee_number };
  await send('POST', '/assets.php', one);
  const other = await seedEmployee(app, { company_number });
  later();
  const assets = [{ machine_name: 'desk', serial_number: 'RE-1', assigned_employee: other.employee_number }];
  const { data } = (await send('POST', '/assets.php?action=import', { company_number, assets, update_existing: true }))
    .body;
  t.like(data, { updated: 1 });
  await app.app.database.update(Employee, { employee_number }, { deleted_at: app.clock.now() });
  later();
  t.like((await undone(data.import_id)).body.data, { restored: 0, kept: 1 });
  const { data: kept } = (await send('GET', `/imports.php?action=kept&id=${data.import_id}`)).body;
  t.is(kept[0].reason, 'assigned_employee must be a contact of the company');
});

test.serial('an import of a disabled plugin is not undone, and a running one ends', async (t) => {
  const { company_number } = await seedCompany(app);
  const { data } = (await send('POST', '/contacts.php?action=import', people(company_number, ['kim', 'lea']))).body;
  const { import_id } = data;
  await app.app.database.update(ImportRun, { import_id }, { noun: 'gone' });
  const error = 'The plugin that imported these records is off';
  t.like(await undone(import_id), { status: 400, body: { error } });
  await app.app.database.update(ImportRun, { import_id }, { status: 'running' });
  app.clock.set(new Date(Date.parse(app.clock.now()) + 180_000).toISOString());
  await app.app.scheduler.runNow('core.tidy-imports');
  await app.app.outbox.drain();
  t.like((await send('GET', `/imports.php?id=${import_id}`)).body.data, { status: 'undone', removed: 0, kept: 2 });
  const { data: kept } = (await send('GET', `/imports.php?action=kept&id=${import_id}`)).body;
  t.is(kept[0].reason, error);
  t.is((await alive(company_number)).length, 2);
});

test.serial(
  'a person who occurs in several batches of a file is restored to the state before the import',
  async (t) => {
    const { company_number } = await seedCompany(app);
    const there = await seedEmployee(app, { company_number });
    await send('PUT', `/contacts.php?id=${there.employee_number}`, { title: 'First' });
    const filler = Array.from({ length: 1100 }, (_, i) => `Fill,Er,fill-${i}@undo.example,`);
    const text = [
      'first_name,last_name,email,title',
      `A,B,${there.email},Second`,
      ...filler,
      `A,B,${there.email},Third`,
    ];
    const at = `/contacts.php?action=import&update_existing=true&company_number=${company_number}`;
    const { token } = await key();
    const sent = await app.request('POST', `/admin/api/v1${at}`, {
      token,
      headers: { 'Content-Type': 'text/csv' },
      body: text.join('\n'),
    });
    t.like(sent.body.data, { created: 1100, updated: 2 });
    const by = (path: string, method = 'GET') => app.request(method, `/admin/api/v1${path}`, { token });
    await by(`/imports.php?action=undo&id=${sent.body.data.import_id}`, 'POST');
    await app.app.outbox.drain();
    t.like((await by(`/imports.php?id=${sent.body.data.import_id}`)).body.data, {
      removed: 1100,
      restored: 1,
      kept: 0,
    });
    t.deepEqual(
      (await alive(company_number)).map((each) => each.title),
      ['First'],
    );
  },
);

const key = async () => ({ token: (await seedKey(app, 'admin', rights)).api_key });

test.serial('undoing an asset import restores addresses and serial numbers', async (t) => {
  const { company_number } = await seedCompany(app);
  const one = { machine_name: 'old', serial_number: 'UN-1', location: 'Attic', company_number };
  await send('POST', '/assets.php', one);
  later();
  const assets = [
    { machine_name: 'new', serial_number: 'UN-2', ip_address: '192.0.2.9' },
    { machine_name: 'renamed', serial_number: 'un-1', location: 'Cellar' },
  ];
  const { data } = (await send('POST', '/assets.php?action=import', { company_number, assets, update_existing: true }))
    .body;
  t.like(data, { created: 1, updated: 1 });
  later();
  t.like((await undone(data.import_id)).body.data, { removed: 1, restored: 1, kept: 0 });
  const left = await app.app.database.findBy(Asset, { company_number, deleted_at: IsNull() });
  t.is(left.length, 1);
  t.like(left[0], { machine_name: 'old', location: 'Attic', serial_number: 'UN-1', host_key: 'old' });
});

test.serial('a dry run leaves no entry in the history', async (t) => {
  const { company_number } = await seedCompany(app);
  const body = { ...people(company_number, ['dry']), dry_run: true };
  t.is((await send('POST', '/contacts.php?action=import', body)).body.data.import_id, null);
  t.is(await app.app.database.countBy(ImportRun, { status: 'checking' }), 0);
});

test.serial('a cancelled import stores nothing', async (t) => {
  const { company_number } = await seedCompany(app);
  const { token } = await key();
  const lines = Array.from({ length: 2000 }, (_, i) => `First,Last,cancel-${i}@undo.example`);
  const release = holdImports(app.app);
  t.teardown(release);
  const importing = app.request('POST', `/admin/api/v1/contacts.php?action=import&company_number=${company_number}`, {
    token,
    headers: { 'Content-Type': 'text/csv' },
    body: `first_name,last_name,email\n${lines.join('\n')}\n`,
  });
  const ask = (path: string, method = 'GET') => app.request(method, `/admin/api/v1${path}`, { token });
  await until(async () => (await alive(company_number)).length > 0);
  const run = await app.app.database.findOneBy(ImportRun, { status: 'running' });
  if (!run) return t.fail('No import is running');
  t.is(run.total, 2000);
  t.is((await ask(`/imports.php?action=undo&id=${run.import_id}`, 'POST')).status, 200);
  release();
  const answer = await importing;
  t.is(answer.body.error, 'The import was cancelled: stored rows are being undone');
  await app.app.outbox.drain();
  t.like((await ask(`/imports.php?id=${run.import_id}`)).body.data, { status: 'undone', cancelled: true, kept: 0 });
  t.is((await alive(company_number)).length, 0);
});

test.serial('an import whose process has died is undone', async (t) => {
  const { company_number } = await seedCompany(app);
  const { data } = (await send('POST', '/contacts.php?action=import', people(company_number, ['dead']))).body;
  await app.app.database.update(ImportRun, { import_id: data.import_id }, { status: 'running' });
  app.clock.set(new Date(Date.parse(app.clock.now()) + 180_000).toISOString());
  await app.app.scheduler.runNow('core.tidy-imports');
  await app.app.outbox.drain();
  t.like((await send('GET', `/imports.php?id=${data.import_id}`)).body.data, { status: 'undone', cancelled: true });
  t.is((await alive(company_number)).length, 0);
});

test.serial('everyone sees their own imports, and administrators see all', async (t) => {
  const { company_number } = await seedCompany(app);
  const { data } = (await send('POST', '/contacts.php?action=import', people(company_number, ['own']))).body;
  const other = await asKey(app, rights);
  t.is((await other('GET', `/imports.php?id=${data.import_id}`)).status, 404);
  t.is((await other('POST', `/imports.php?action=undo&id=${data.import_id}`)).status, 404);
  t.is((await other('GET', '/imports.php')).body.pagination.total, 0);
  const administrator = await asKey(app, ['settings:read']);
  const entry = (await administrator('GET', `/imports.php?id=${data.import_id}`)).body.data;
  t.is(entry.status, 'done');
  t.is((await administrator('POST', `/imports.php?action=undo&id=${data.import_id}`)).status, 403);
});

test.serial('an IT admin can undo imports of their company and sees no others', async (t) => {
  const { company_number } = await seedCompany(app);
  const admin = await asEmployee(app, await seedEmployee(app, { company_number, it_privileges: true }));
  const plain = await asEmployee(app, await seedEmployee(app, { company_number }));
  const stranger = await asEmployee(app, await seedEmployee(app, { it_privileges: true }));
  const { contacts: employees } = people(company_number, ['pam', 'pat']);
  const done = (await admin('POST', '/employees/import', { employees })).body;
  t.like(done, { created: 2, dry_run: false });
  for (const each of [plain, stranger]) {
    t.is((await each('GET', `/imports/${done.import_id}`)).status, 404);
    t.is((await each('POST', `/imports/${done.import_id}/undo`)).status, 404);
  }
  t.is((await admin('POST', `/imports/${done.import_id}/undo`)).body.status, 'undoing');
  await app.app.outbox.drain();
  t.like((await admin('GET', `/imports/${done.import_id}`)).body, { status: 'undone', removed: 2 });
  t.is((await alive(company_number)).length, 2);
});

test.serial('the history is deleted after its retention', async (t) => {
  const { company_number } = await seedCompany(app);
  const { data } = (await send('POST', '/contacts.php?action=import', people(company_number, ['old']))).body;
  app.clock.set(new Date(Date.parse(app.clock.now()) + 91 * 86_400_000).toISOString());
  await app.app.scheduler.runNow('core.prune-imports');
  t.is(await app.app.database.countBy(ImportRun, { import_id: data.import_id }), 0);
  t.is(await app.app.database.countBy(ImportRow, { import_id: data.import_id }), 0);
  t.is((await alive(company_number)).length, 1);
});
