// Customer backups as the provider sees them: reports from backup tools, their consequences, and restore drills.
import { BackupRecord, BackupState, BackupStatusChanged, createDrill, watchBackups } from '@keelson/modules/backup';
import { changeModules, Company, findCompany } from '@keelson/modules/directory';
import { Alert, resolveAlert } from '@keelson/modules/monitoring';
import { startApp, type TestApp } from '@keelson/testing';
import test from 'ava';
import { deleteAsset, lockAsset } from '../../modules/assets/assets/assets.ts';
import { StoredEvent } from '../../packages/events/delivery/delivery.ts';
import { ActivityLine } from '../../packages/log/activity.ts';
import { seedAsset } from '../assets-seed.ts';
import { staffCaller } from '../attachments-seed.ts';
import { seedCollector, seedPlace } from '../collector-seed.ts';
import { watchLoop } from '../core/_watch-loop.ts';
import { asEmployee, asKey, seedEmployee } from '../tickets-seed.ts';

const rights = ['assets:read', 'assets:write'];
const now = '2026-03-02T09:00:00Z';
const records = '/backup/records.php';
const machines = '/backup/machines.php';
const states = '/backup/states.php';
const drills = '/backup/drills.php';

async function start(t: Parameters<typeof startApp>[0]) {
  const app = await startApp(t);
  const send = await asKey(app, rights);
  const place = await seedPlace(app);
  const { company_number } = place;
  const company_name = (await send('GET', '/companies.php')).body.data?.[0]?.customer;
  return { app, send, place, company_number, company_name };
}

const counted = (created: number, updated = 0, unchanged = 0) => ({ created, updated, unchanged });
const watch = ({ app }: TestApp) => watchBackups(app.system());
const eventsOf = async ({ app }: TestApp) =>
  (await app.database.find(StoredEvent, { where: { name: BackupStatusChanged.name }, order: { event_id: 'ASC' } })).map(
    ({ data }) => (data as { status: string }).status,
  );
const openAlerts = async ({ app }: TestApp) =>
  (await app.database.find(Alert, { where: { status: 'open' }, order: { alert_type: 'ASC' } })).map(
    ({ alert_type, message, company_number }) => ({ alert_type, message, company_number }),
  );

test('Report backups; Read a backup: stores one, and a repeated report updates it', async (t) => {
  const { app, send, company_number } = await start(t);
  const { asset_id } = await seedAsset(app, { company_number, machine_name: 'SRV1' });
  const body = {
    company_number,
    asset_id,
    backup_type: 'incremental',
    status: 'running',
    started_at: '2026-03-02T08:00:00Z',
    external_id: 'job-7',
  };
  const made = await send('POST', records, body);
  t.is(made.status, 201);
  const { backup_id, machine_id, company_name, source } = made.body.data;
  const backup = {
    backup_id,
    company_number,
    machine_id,
    asset_id,
    machine_name: 'SRV1',
    backup_type: 'incremental',
    status: 'running',
    size_bytes: 0,
    started_at: '2026-03-02T08:00:00Z',
    finished_at: null,
    message: '',
    source,
    created_at: now,
    company_name,
  };
  t.deepEqual(made.body, { success: true, data: backup });
  const done = { ...body, status: 'completed', size_bytes: 1024, finished_at: '2026-03-02T08:30:00Z' };
  const again = await send('POST', records, done);
  t.is(again.status, 200);
  const after = { ...backup, status: 'completed', size_bytes: 1024, finished_at: '2026-03-02T08:30:00Z' };
  t.deepEqual(again.body.data, after);
  t.is((await send('POST', records, body)).body.data.status, 'completed', 'a late report does not make it run again');
  t.deepEqual((await send('GET', `${records}?id=${backup_id}`)).body, { success: true, data: after });
  t.is((await send('GET', `${records}?id=999999`)).status, 404);

  const refused = async (given: object) => {
    const answer = await send('POST', records, { company_number, machine_name: 'X', ...given });
    return [answer.status, answer.body.error];
  };
  t.deepEqual(await refused({ company_number: undefined }), [400, 'company_number is required']);
  t.deepEqual(await refused({ machine_name: undefined }), [400, 'machine_name is required']);
  t.deepEqual(await refused({ company_number: 999_999 }), [400, 'company_number must be an existing company']);
  t.deepEqual(await refused({ asset_id: 999_999 }), [400, 'asset_id must be an asset of the company']);
  t.deepEqual(await refused({ size_bytes: -1 }), [400, 'size_bytes must be between 0 and 9007199254740991']);
  t.deepEqual(await refused({ status: 'lost' }), [400, 'status must be one of: completed, failed, running']);
  t.deepEqual(await refused({ started_at: '2036-01-01' }), [400, 'started_at must not be in the future']);
  t.deepEqual(await refused({ started_at: now, finished_at: '2026-03-01' }), [
    400,
    'finished_at must not be before started_at',
  ]);
  const other = await seedPlace(app);
  t.deepEqual(await refused({ company_number: other.company_number, asset_id }), [
    400,
    'asset_id must be an asset of the company',
  ]);
  const csv = { headers: { 'Content-Type': 'text/csv' }, body: 'machine_name' };
  const { token } = await staffCaller(app, rights);
  t.is((await app.request('POST', `/admin/api/v1${records}`, { ...csv, token })).status, 400);
  t.is((await (await asKey(app, ['assets:read']))('POST', records, body)).status, 403);
  t.is((await app.request('POST', `/admin/api/v1${records}`, { body })).status, 401);
  t.is((await app.app.database.find(BackupRecord)).length, 1);
});

test('Report backups: in bulk, where invalid ones do not stop the others', async (t) => {
  const { app, send, company_number } = await start(t);
  const backup = (n: number) => ({ company_number, machine_name: `SRV${n}`, started_at: now, size_bytes: n });
  const list = [...Array.from({ length: 120 }, (_, n) => backup(n)), { machine_name: 'X' }, 'nothing', backup(1)];
  const answer = await send('POST', records, list);
  t.is(answer.status, 201);
  t.deepEqual(answer.body.data, {
    received: 123,
    ...counted(120, 0, 1),
    errors: [
      { index: 120, error: 'company_number is required' },
      { index: 121, error: 'Backup must be an object' },
    ],
  });
  const again = await send('POST', records, list.slice(0, 120));
  t.is(again.status, 200);
  t.like(again.body.data, counted(0, 0, 120));
  t.is(
    (
      await send(
        'POST',
        records,
        Array.from({ length: 1001 }, () => backup(1)),
      )
    ).status,
    400,
  );
  const sum = (await send('GET', `${machines}?per_page=100`)).body.data.reduce(
    (all: number, each: { stored_bytes: number }) => all + each.stored_bytes,
    0,
  );
  t.true(sum <= (119 * 120) / 2);
  const empty = await send('POST', records, []);
  t.like(empty.body.data, { received: 0, ...counted(0) });
  t.is((await app.app.database.findBy(ActivityLine, { entity_type: 'backup_record' })).length, 0);
});

test.serial('Report backups: a bulk of a thousand does not block others', async (t) => {
  const { send, company_number } = await start(t);
  const list = Array.from({ length: 1000 }, (_, n) => ({
    company_number,
    machine_name: `SRV${n}`,
    message: 'x'.repeat(500),
  }));
  const watched = watchLoop();
  t.like((await send('POST', records, list)).body.data, counted(1000));
  watched.stop();
  const longest = Math.round(watched.longest());
  t.true(longest < 1000, `${longest} ms at most`);
});

test('Report backups: two concurrent reports of a new machine', async (t) => {
  const { app, send, company_number } = await start(t);
  const reports = Array.from({ length: 8 }, () =>
    send('POST', records, { company_number, machine_name: 'SRV1', started_at: now }),
  );
  const answers = (await Promise.all(reports)).map((each) => each.status).toSorted((a, b) => a - b);
  t.deepEqual(answers, [200, 200, 200, 200, 200, 200, 200, 201]);
  t.is((await app.app.database.find(BackupRecord)).length, 1);
});

test('List backups', async (t) => {
  const { app, send, company_number } = await start(t);
  const other = await seedPlace(app);
  const of = (machine_name: string, started_at: string, rest: object = {}) => ({
    company_number,
    machine_name,
    started_at,
    ...rest,
  });
  await send('POST', records, [
    of('A', '2026-03-01T01:00:00Z'),
    of('B', '2026-03-02T01:00:00Z', { status: 'failed', backup_type: 'incremental' }),
    of('C', '2026-03-02T02:00:00Z', { company_number: other.company_number }),
  ]);
  const names = async (query = '') =>
    (await send('GET', `${records}${query}`)).body.data.map((each: { machine_name: string }) => each.machine_name);
  t.deepEqual(await names(), ['C', 'B', 'A']);
  t.deepEqual(await names(`?company_number=${company_number}`), ['B', 'A']);
  t.deepEqual(await names('?status=failed'), ['B']);
  t.deepEqual(await names('?backup_type=incremental'), ['B']);
  t.deepEqual(await names('?started_after=2026-03-02'), ['C', 'B']);
  const page = (await send('GET', `${records}?per_page=1&page=2`)).body;
  t.like(page.pagination, { page: 2, total: 3, total_pages: 3 });
  t.is(page.data[0].machine_name, 'B');
  t.is((await send('GET', `${records}?status=lost`)).status, 400);
  t.is((await (await asKey(app, ['tickets:read']))('GET', records)).status, 403);
});

test('List backed-up machines; Retire a backed-up machine: retired machines are no longer overdue', async (t) => {
  const { app, send, company_number } = await start(t);
  await send('POST', records, { company_number, machine_name: 'SRV1', status: 'failed' });
  const [machine] = (await send('GET', machines)).body.data;
  t.deepEqual(machine, {
    machine_id: machine.machine_id,
    company_number,
    machine_name: 'SRV1',
    asset_id: null,
    last_status: 'failed',
    last_finished_at: now,
    last_completed_at: null,
    next_backup_at: null,
    stored_bytes: 0,
    created_at: now,
    retired_at: null,
    company_name: machine.company_name,
  });
  await watch(app);
  t.is((await send('GET', states)).body.data[0].status, 'failed');
  const path = `${machines}?id=${machine.machine_id}`;
  t.is((await send('PUT', path, { retired: true })).body.data.retired_at, now);
  await watch(app);
  t.like((await send('GET', states)).body.data[0], { status: 'not_configured', machines: 0 });
  t.deepEqual(await openAlerts(app), []);
  app.clock.set('2026-03-02T10:00:00.000Z');
  await send('POST', records, { company_number, machine_name: 'SRV1' });
  t.like((await send('GET', machines)).body.data[0], { retired_at: null, last_status: 'completed' });
  t.is((await send('PUT', path, {})).status, 400);
  t.is((await send('PUT', `${machines}?id=999999`, { retired: true })).status, 404);
  t.is((await (await asKey(app, ['assets:read']))('PUT', path, { retired: true })).status, 403);
});

test('List the backup status of companies: each change is announced once, followed by alerts', async (t) => {
  const { app, send, company_number } = await start(t);
  const report = (machine_name: string, rest: object = {}) =>
    send('POST', records, { company_number, machine_name, ...rest });
  await app.app.scheduler.runNow('backup.status');
  const never = { company_number, status: 'not_configured', machines: 0, restore_test: 'never_tested' };
  t.like((await send('GET', states)).body.data, [never], 'who never reported a backup is in the list');
  await report('SRV1');
  await watch(app);
  const [state] = (await send('GET', states)).body.data;
  t.deepEqual(state, {
    company_number,
    status: 'healthy',
    since: now,
    machines: 1,
    failed_machines: 0,
    late_machines: 0,
    last_drill_on: null,
    company_name: state.company_name,
    restore_test: 'never_tested',
  });
  t.deepEqual(await openAlerts(app), []);

  app.clock.set('2026-03-03T12:00:00.000Z');
  await Promise.all([1, 2, 3].map(() => watchBackups(app.app.system())));
  t.deepEqual(await eventsOf(app), ['healthy', 'warning'], 'once, though three saw it');
  const late = 'No backup for more than 26 hours: SRV1';
  t.deepEqual(await openAlerts(app), [{ alert_type: 'backup_late', message: late, company_number }]);
  await report('SRV2', { status: 'failed' });
  await watch(app);
  const failed = { alert_type: 'backup_failed', message: 'The last backup failed: SRV2', company_number };
  t.deepEqual(await openAlerts(app), [failed, { alert_type: 'backup_late', message: late, company_number }]);
  for (const each of ['SRV3', 'SRV4', 'SRV5', 'SRV6', 'SRV7']) await report(each, { status: 'failed' });
  await watch(app);
  t.is((await openAlerts(app))[0]?.message, 'The last backup failed: SRV2, SRV3, SRV4, SRV5, SRV6 and 1 more');
  t.is((await app.app.database.find(Alert)).length, 2, 'folded');
  t.like((await send('GET', `${states}?status=failed`)).body.data[0], { failed_machines: 6, late_machines: 1 });

  for (const each of ['SRV1', 'SRV2', 'SRV3', 'SRV4', 'SRV5', 'SRV6', 'SRV7']) await report(each);
  await watch(app);
  t.deepEqual(await openAlerts(app), [], 'healthy again');
  t.deepEqual(await eventsOf(app), ['healthy', 'warning', 'failed', 'healthy']);
  const lines = await app.app.database.findBy(ActivityLine, { entity_type: 'backup_state' });
  await watch(app);
  t.is((await app.app.database.findBy(ActivityLine, { entity_type: 'backup_state' })).length, lines.length);
  t.is((await send('GET', `${states}?restore_test=never_tested`)).body.pagination.total, 1);
  t.is((await send('GET', `${states}?restore_test=passed`)).body.pagination.total, 0);
  t.is((await send('GET', `${states}?status=good`)).status, 400);
});

test('the alert names the machine that fails now, although as many fail as before', async (t) => {
  const { app, send, company_number } = await start(t);
  const report = async (status: Record<string, string>) => {
    const list = Object.entries(status).map(([machine_name, each]) => ({ company_number, machine_name, status: each }));
    t.is((await send('POST', records, list)).status, 201);
  };
  await report({ SRV1: 'failed', SRV2: 'completed' });
  await watch(app);
  const failed = (machine: string) => ({
    ...{ alert_type: 'backup_failed', message: `The last backup failed: ${machine}` },
    company_number,
  });
  t.deepEqual(await openAlerts(app), [failed('SRV1')]);
  app.clock.set('2026-03-02T10:00:00.000Z');
  await report({ SRV1: 'completed', SRV2: 'failed' });
  await watch(app);
  t.deepEqual(await openAlerts(app), [failed('SRV2')]);
  await watch(app);
  t.like(await app.app.database.findOneBy(Alert, { company_number }), { occurrences: 2 }, 'only a change is reported');
  await app.run((ctx) => resolveAlert(ctx, `backup-failed:${company_number}`));
  await watch(app);
  t.deepEqual(await openAlerts(app), [], 'one that a person has resolved stays so');
});

test('machines without backups are listed first, except for disabled modules and deleted companies', async (t) => {
  const { app, send, company_number } = await start(t);
  await send('POST', records, { company_number, machine_name: 'SRV1' });
  const [silent, off, gone] = [await seedPlace(app), await seedPlace(app), await seedPlace(app)];
  await watch(app);
  const listed = async () => (await send('GET', states)).body.data.map((each: any) => each.company_number);
  const numbers = [silent, off, gone].map((each) => each.company_number);
  t.deepEqual(await listed(), [...numbers, company_number]);
  const company = await app.run((ctx) => findCompany(ctx, off.company_number));
  await app.run((ctx) => changeModules(ctx, company, { backup: false }));
  await app.app.database.update(Company, { company_number: gone.company_number }, { deleted_at: app.clock.now() });
  await watch(app);
  t.deepEqual(await listed(), [silent.company_number, company_number]);
  await watch(app);
  t.is((await app.app.database.find(BackupState)).length, 2);
});

test('disabling the module keeps the status of companies that reported a backup or tested a restore', async (t) => {
  const { app, send, company_number } = await start(t);
  const tested = await seedPlace(app);
  await send('POST', records, { company_number, machine_name: 'SRV1' });
  await send('POST', drills, { company_number: tested.company_number, subject: 'File server', result: 'passed' });
  await watch(app);
  const stored = () => app.app.database.find(BackupState, { order: { company_number: 'ASC' } });
  const before = await stored();
  t.like(before, [
    { company_number, reported: true, last_drill_on: null },
    { company_number: tested.company_number, reported: false, last_drill_on: '2026-03-02' },
  ]);
  for (const each of before) {
    const company = await app.run((ctx) => findCompany(ctx, each.company_number));
    await app.run((ctx) => changeModules(ctx, company, { backup: false }));
  }
  app.clock.set('2026-03-02T10:00:00.000Z');
  await watch(app);
  t.deepEqual(await stored(), before);
  t.deepEqual(await eventsOf(app), ['healthy'], 'not announced again');
});

test('machines of deleted assets and companies are not overdue', async (t) => {
  const { app, send, company_number } = await start(t);
  const { asset_id } = await seedAsset(app, { company_number, machine_name: 'SRV1' });
  await send('POST', records, { company_number, machine_name: 'SRV1', status: 'failed' });
  await watch(app);
  t.is((await openAlerts(app)).length, 1);
  await app.run(async (ctx) => deleteAsset(ctx, await lockAsset(ctx, asset_id)));
  await app.app.outbox.drain();
  await watch(app);
  t.deepEqual(await openAlerts(app), []);
});

test('collectors report backups of their company, with or without devices', async (t) => {
  const { app, send, place, company_number } = await start(t);
  const collector = await seedCollector(app, place);
  const sync = (body: object) => collector.send('POST', '/connect/sync/discovery.php', body);
  const other = await seedPlace(app);
  const answer = await sync({
    devices: [{ hostname: 'srv-1' }],
    backups: [{ machine_name: 'srv-1', company_number: other.company_number }, { status: 'completed' }],
  });
  t.is(answer.status, 200);
  t.like(answer.body.data, { received: 1, ...counted(1) });
  t.deepEqual(answer.body.data.backups, {
    received: 2,
    ...counted(1),
    errors: [{ index: 1, error: 'machine_name is required' }],
  });
  const [backup] = (await send('GET', records)).body.data;
  t.like(backup, { company_number, machine_name: 'srv-1' });
  t.truthy(backup.asset_id, 'the device that was found in the same sync');
  const alone = await sync({
    devices: [],
    backups: [{ machine_name: 'srv-1', started_at: '2026-03-01', status: 'failed' }],
  });
  t.like(alone.body.data.backups, counted(1));
  t.false('backups' in (await sync({ devices: [] })).body.data);
  t.is((await sync({ devices: [], backups: 'all' })).status, 400);
});

test('List restore requests; Read a restore request', async (t) => {
  const { app, send, company_number } = await start(t);
  const employee = await asEmployee(app, await seedEmployee(app, { company_number }));
  const { request_id, ticket_id } = (
    await employee('POST', '/backup/restore-requests', { description: 'Mailbox of Ada' })
  ).body;
  const stranger = await asEmployee(app, await seedEmployee(app));
  await stranger('POST', '/backup/restore-requests', { description: 'Drive' });
  const path = '/backup/restore-requests.php';
  const one = await send('GET', `${path}?id=${request_id}`);
  t.deepEqual(one.body, {
    success: true,
    data: {
      request_id,
      company_number,
      description: 'Mailbox of Ada',
      backup_id: null,
      asset_id: null,
      items: [],
      restore_point: null,
      destination: null,
      priority: 3,
      status: 'pending',
      ticket_id,
      created_at: now,
      updated_at: now,
      requested_by: 'Erin Example',
      company_name: one.body.data.company_name,
    },
  });
  t.is((await send('GET', path)).body.pagination.total, 2);
  t.is((await send('GET', `${path}?company_number=${company_number}`)).body.pagination.total, 1);
  t.is((await send('GET', `${path}?search=mailbox`)).body.data[0].request_id, request_id);
  t.is((await send('GET', `${path}?status=completed`)).body.pagination.total, 0);
  t.is((await send('GET', `${path}?id=999999`)).status, 404);
  t.is((await (await asKey(app, ['tickets:read']))('GET', path)).status, 403);
});

test('Record a restore drill; Read a restore drill; Change a restore drill; Delete a restore drill', async (t) => {
  const { app, send, company_number } = await start(t);
  const made = await send('POST', drills, {
    company_number,
    subject: 'File server',
    result: 'partial',
    tested_by: 'Kim',
  });
  t.is(made.status, 201);
  const { drill_id, company_name } = made.body.data;
  const drill = {
    drill_id,
    company_number,
    subject: 'File server',
    asset_id: null,
    backup_id: null,
    tested_on: '2026-03-02',
    result: 'partial',
    tested_by: 'Kim',
    notes: '',
    created_at: now,
    updated_at: now,
    company_name,
  };
  t.deepEqual(made.body, { success: true, data: drill });
  const path = `${drills}?id=${drill_id}`;
  t.deepEqual((await send('GET', path)).body.data, drill);
  const state = async () => (await app.app.database.findOneBy(BackupState, { company_number }))?.last_drill_result;
  t.is(await state(), 'partial');
  t.is((await send('PUT', path, { result: 'passed' })).body.data.result, 'passed');
  t.is(await state(), 'passed');
  await send('POST', drills, { company_number, subject: 'Older', result: 'failed', tested_on: '2026-01-02' });
  t.is(await state(), 'passed', 'the newest counts');
  const refused = async (given: object) =>
    (await send('POST', drills, { company_number, subject: 'X', result: 'passed', ...given })).body.error;
  t.is(await refused({ subject: undefined }), 'subject is required');
  t.is(await refused({ result: 'good' }), 'result must be one of: passed, partial, failed');
  t.is(await refused({ tested_on: '2026-03-03' }), 'tested_on must not be in the future');
  t.is(await refused({ company_number: 999_999 }), 'company_number must be an existing company');
  t.is(await refused({ asset_id: 999_999 }), 'asset_id must be an asset of the company');
  t.is(await refused({ backup_id: 999_999 }), 'backup_id must be a backup of the company');
  t.is((await send('DELETE', path)).status, 204);
  t.is(await state(), 'failed');
  t.is((await send('GET', path)).status, 404);
  t.is((await send('PUT', path, { result: 'passed' })).status, 404);
  const reader = await asKey(app, ['assets:read']);
  t.is((await reader('POST', drills, { company_number, subject: 'X', result: 'passed' })).status, 403);
  t.is((await app.app.database.findBy(ActivityLine, { entity_type: 'restore_drill' })).length, 4);
});

test('List restore drills', async (t) => {
  const { app, send, company_number } = await start(t);
  for (const tested_on of ['2026-01-01', '2026-02-01'])
    await app.run((ctx) => createDrill(ctx, { company_number, subject: tested_on, result: 'passed', tested_on }));
  const page = (await send('GET', `${drills}?per_page=1`)).body;
  t.is(page.pagination.total, 2);
  t.is(page.data[0].subject, '2026-02-01');
  t.is((await send('GET', `${drills}?result=failed`)).body.pagination.total, 0);
  t.is((await send('GET', `${drills}?page=0`)).status, 400);
});

test('Attach files to any restore drill; List all attachments of any restore drill; Download an attachment of any restore drill; Delete an attachment of any restore drill', async (t) => {
  const { app, send, company_number } = await start(t);
  const { drill_id } = (await send('POST', drills, { company_number, subject: 'File server', result: 'passed' })).body
    .data;
  const caller = await staffCaller(app, rights);
  const all = `${drills}?action=attachments&id=${drill_id}`;
  const added = await caller.upload(all, [{ name: 'protocol.txt', bytes: 'It came back' }]);
  t.is(added.status, 201);
  const [{ attachment_id, filename }] = added.body.data.attachments;
  t.is(filename, 'protocol.txt');
  t.is((await send('GET', all)).body.data[0].attachment_id, attachment_id);
  const one = `${drills}?action=attachment&id=${drill_id}&attachment_id=${attachment_id}`;
  t.is((await send('GET', one)).text, 'It came back');
  t.is((await (await staffCaller(app, ['assets:read'])).upload(all)).status, 403);
  t.is((await send('DELETE', one)).status, 204);
  t.is((await send('GET', one)).status, 404);
});

test('old backups are deleted, freeing their space', async (t) => {
  const { app, send, company_number } = await start(t);
  await send('POST', records, [
    { company_number, machine_name: 'SRV1', started_at: '2025-01-01T00:00:00Z', size_bytes: 5 },
    { company_number, machine_name: 'SRV1', started_at: '2026-03-01T00:00:00Z', size_bytes: 7 },
  ]);
  await app.app.scheduler.runNow('backup.prune');
  t.is((await send('GET', records)).body.pagination.total, 1);
  t.is((await send('GET', machines)).body.data[0].stored_bytes, 7);
});

test('List backed-up machines with their last days: by health, without retired machines', async (t) => {
  const { send, company_number } = await start(t);
  const report = (machine_name: string, status: string, started_at: string) =>
    send('POST', records, { company_number, machine_name, status, started_at, finished_at: started_at });
  await report('SRV1', 'completed', '2026-02-28T01:00:00Z');
  await report('SRV1', 'failed', '2026-03-02T01:00:00Z');
  await report('SRV1', 'completed', '2026-03-01T01:00:00Z');
  await report('SRV1', 'failed', '2026-03-01T02:00:00Z');
  await report('SRV1', 'completed', '2026-03-01T03:00:00Z');
  await report('SRV2', 'completed', '2026-03-02T02:00:00Z');
  await report('SRV3', 'completed', '2026-02-27T02:00:00Z');
  const retired = (await report('SRV4', 'failed', '2026-03-02T02:00:00Z')).body.data.machine_id;
  await send('PUT', `${machines}?id=${retired}`, { retired: true });
  const grid = async (query: string) => {
    const answer = await send('GET', `/backup/grid.php?${query}`);
    t.is(answer.status, 200);
    return answer.body.data as { machine_name: string; days: { day: string; status: string }[] }[];
  };
  const namesOf = async (query: string) => (await grid(query)).map((each) => each.machine_name);
  t.deepEqual(await namesOf('health=failed'), ['SRV1']);
  t.deepEqual(await namesOf('health=late'), ['SRV3']);
  t.deepEqual(await namesOf('health=ok'), ['SRV2']);
  t.deepEqual(await namesOf('sort=company_number'), ['SRV1', 'SRV2', 'SRV3']);
  const [first] = await grid('health=failed&days=4');
  t.deepEqual(first?.days, [
    { day: '2026-02-27', status: 'none', completed: 0, failed: 0 },
    { day: '2026-02-28', status: 'completed', completed: 1, failed: 0 },
    // The last backup of the day counts.
    { day: '2026-03-01', status: 'completed', completed: 2, failed: 1 },
    { day: '2026-03-02', status: 'failed', completed: 0, failed: 1 },
  ]);
  t.is((await grid('health=ok'))[0]?.days.length, 14);
  t.is((await send('GET', '/backup/grid.php?days=32')).status, 400);
  t.is((await send('GET', '/backup/grid.php?health=poor')).status, 400);
});

test('Report backups: the end of a running backup need not repeat its start', async (t) => {
  const { send, company_number } = await start(t);
  const backup = { company_number, machine_name: 'SRV1', external_id: 'job-1' };
  const ended = { ...backup, status: 'completed' };
  t.is((await send('POST', records, { ...backup, status: 'running', started_at: '2026-03-02T08:00:00Z' })).status, 201);
  const { status, body } = await send('POST', records, { ...ended, finished_at: '2026-03-02T08:59:58Z' });
  t.is(status, 200);
  t.like(body.data, { started_at: '2026-03-02T08:00:00Z', finished_at: '2026-03-02T08:59:58Z', status: 'completed' });
  // The machine's clock is behind that of the tool that reported the start.
  const other = { ...backup, external_id: 'job-2' };
  t.is((await send('POST', records, { ...other, status: 'running', started_at: '2026-03-02T08:30:00Z' })).status, 201);
  const early = await send('POST', records, { ...ended, ...other, finished_at: '2026-03-02T08:29:50Z' });
  t.like(early.body.data, { started_at: '2026-03-02T08:29:50Z', finished_at: '2026-03-02T08:29:50Z' });
});

test('a restore request follows the ticket its own was merged into, and is rejected with a deleted one', async (t) => {
  const { app, company_number } = await start(t);
  const send = await asEmployee(app, await seedEmployee(app, { company_number }));
  const staff = await asKey(app, [...rights, 'tickets:write', 'tickets:delete']);
  const path = '/backup/restore-requests';
  const merged = (await send('POST', path, { description: 'Mail folder' })).body;
  const both = (await send('POST', path, { description: 'Mail folder again' })).body;
  const deleted = (await send('POST', path, { description: 'Old photos' })).body;
  const requests = async () => {
    await app.app.outbox.drain();
    const { restore_requests } = (await send('GET', path)).body;
    return Object.fromEntries(
      restore_requests.map((each: typeof merged) => [each.description, [each.status, each.ticket_id]]),
    );
  };
  const merge = `/tickets.php?action=merge&id=${merged.ticket_id}`;
  t.is((await staff('POST', merge, { into: both.ticket_id })).status, 200);
  t.is((await staff('DELETE', `/tickets.php?id=${deleted.ticket_id}`)).status, 204);
  t.deepEqual(await requests(), {
    'Mail folder': ['pending', merged.ticket_id],
    'Mail folder again': ['pending', both.ticket_id],
    'Old photos': ['rejected', null],
  });
  t.is((await staff('PUT', `/tickets.php?id=${both.ticket_id}`, { status: 'closed' })).status, 200);
  t.like(await requests(), {
    'Mail folder': ['completed', merged.ticket_id],
    'Mail folder again': ['completed', both.ticket_id],
  });
});

test('deleting a ticket rejects its open restore requests at once, and those of tickets merged into it', async (t) => {
  const { app, company_number } = await start(t);
  const send = await asEmployee(app, await seedEmployee(app, { company_number }));
  const staff = await asKey(app, [...rights, 'tickets:write', 'tickets:delete']);
  const path = '/backup/restore-requests';
  const add = async (description: string): Promise<number> =>
    (await send('POST', path, { description })).body.ticket_id;
  const requests = async () => {
    const { restore_requests } = (await send('GET', path)).body;
    return Object.fromEntries(restore_requests.map((each: any) => [each.description, each.status]));
  };
  const [from, into, kept, done] = [await add('From'), await add('Into'), await add('Kept'), await add('Done')];
  const remove = async (id: number) => t.is((await staff('DELETE', `/tickets.php?id=${id}`)).status, 204);
  for (const [one, other] of [
    [from, into],
    [kept, await add('Other')],
  ] as const)
    t.is((await staff('POST', `/tickets.php?action=merge&id=${one}`, { into: other })).status, 200);
  t.is((await staff('PUT', `/tickets.php?id=${done}`, { status: 'closed' })).status, 200);
  for (const id of [into, kept, done]) await remove(id);
  const expected = { From: 'rejected', Into: 'rejected', Kept: 'pending', Done: 'completed', Other: 'pending' };
  t.deepEqual(await requests(), expected);
  // Events of the tickets that are delivered late change nothing.
  await app.app.outbox.drain();
  t.deepEqual(await requests(), expected);
  const lines = await app.app.database.findBy(ActivityLine, { entity_type: 'restore_request', action: 'update' });
  t.deepEqual(
    lines.map((each) => each.changes?.['rejected_because']).filter((each) => each !== undefined),
    [
      [null, 'The ticket was deleted.'],
      [null, 'The ticket was deleted.'],
    ],
  );
});
