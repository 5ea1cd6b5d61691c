// The activity log, the error log, and their retention.
import { plus, sql } from '@keelson/core';
import { ActivityLine, ErrorLine } from '@keelson/core/system';
import { startApp, type TestApp } from '@keelson/testing';
import test from 'ava';
import { seedCompany, seedTechnician, signInOnPage } from '../accounts-seed.ts';
import { asKey, seedTicket, staff } from '../tickets-seed.ts';

const activity = '/admin/activity-log.php';
const errors = '/admin/error-log.php';
const retention = '/settings/retention.php';
const at = '2026-03-02T09:00:00.000Z';

type Given = Partial<(typeof ActivityLine)['Row']>;

async function write(app: TestApp, ...given: Given[]) {
  const line = {
    author_type: 'technician',
    author_id: 7,
    user_id: 7,
    user: 'Ada Byron',
    action: 'update',
    entity_type: 'ticket',
    entity_id: '1',
    description: 'Ticket 1 changed',
    changes: {},
    ip_address: '192.0.2.1',
    request_id: 'r1',
    created_at: at,
  } as const;
  await app.app.database.insert(
    ActivityLine,
    given.map((each) => ({ ...line, ...each })),
  );
}

/** Returns the ids a query finds, and its total. */
async function found(app: TestApp, query: string, send?: Awaited<ReturnType<typeof asKey>>) {
  const ask = send ?? (await asKey(app, ['settings:read']));
  const { status, body } = await ask('GET', `${activity}?${query}`);
  if (status !== 200) return [status, body.error];
  return [body.data.map((each: { entity_id: string }) => each.entity_id), body.pagination.total];
}

test('List the activity log: who changed what, with old and new values', async (t) => {
  const app = await startApp(t);
  const send = await asKey(app, ['settings:read', 'tickets:write']);
  const { company_number } = await seedCompany(app);
  await seedTicket(app, { company_number });
  await app.app.database.run(sql`DELETE FROM activity_log`);
  await send('PUT', '/tickets.php?id=1', { priority: 1, subject: 'Printer is on fire' });
  const answer = await send('GET', activity);
  t.is(answer.status, 200);
  const [line] = answer.body.data;
  t.deepEqual(answer.body, {
    success: true,
    data: [
      {
        log_id: line.log_id,
        user_id: null,
        user: line.user,
        action: 'update',
        entity_type: 'ticket',
        entity_id: '1',
        description: line.description,
        changes: { subject: ['Printer is broken', 'Printer is on fire'], priority: [3, 1] },
        ip_address: '127.0.0.1',
        created_at: '2026-03-02T09:00:00Z',
      },
    ],
    pagination: { page: 1, per_page: 25, total: 1, total_pages: 1 },
  });
  t.regex(line.user, /^Key/);
});

test('List the activity log: every filter, before and after lines are sealed', async (t) => {
  const app = await startApp(t);
  const send = await asKey(app, ['settings:read']);
  await app.app.database.run(sql`DELETE FROM activity_log`);
  await write(
    app,
    { entity_id: '1', created_at: '2026-03-01T23:59:59.999Z', action: 'create' },
    { entity_id: '2', created_at: '2026-03-02T00:00:00.000Z', entity_type: 'asset' },
    { entity_id: '3', created_at: '2026-03-02T23:59:59.999Z', user: 'Sync 100%', user_id: null, author_type: 'api' },
    { entity_id: '4', created_at: '2026-03-03T00:00:00.000Z', action: 'delete', user: 'Bob', user_id: 8 },
    { entity_id: '5', created_at: '2026-03-03T00:00:00.000Z', user: '7 Dwarfs', user_id: 9 },
  );
  for (const sealed of [false, true]) {
    if (sealed) await app.app.scheduler.runNow('core.seal-activity');
    for (const [query, ids] of [
      ['', ['5', '4', '3', '2', '1']],
      ['action=create', ['1']],
      ['action=UPDATE&entity_type=ticket', ['5', '3']],
      ['action=all&entity_type=asset', ['2']],
      ['user=7', ['2', '1']],
      ['user=ada', ['2', '1']],
      ['user=0%25', ['3']],
      ['user=b', ['4', '2', '1']],
      ['user=nobody', []],
      ['user=b&action=delete', ['4']],
      ['date_from=2026-03-02&date_to=2026-03-02', ['3', '2']],
      ['date_from=2026-03-03', ['5', '4']],
      ['date_to=2026-03-01&user=ada', ['1']],
      ['date_from=2026-03-03&user=7', []],
      ['id=3', ['5', '4', '3', '2', '1']],
    ] as const)
      t.deepEqual(await found(app, query, send), [ids, ids.length], `${query} ${sealed}`);
  }
  t.deepEqual(await found(app, 'per_page=2&page=2', send), [['3', '2'], 5]);
  t.deepEqual(await found(app, 'per_page=2&page=9', send), [[], 5]);
  t.deepEqual(await found(app, 'action=sign-in', send), [400, 'action must be one of: create, update, delete, all']);
  t.deepEqual(await found(app, 'date_from=soon', send), [400, 'date_from must be an ISO 8601 date or timestamp']);
  t.true((await app.fewestStatements(() => send('GET', `${activity}?user=a&action=update`))) <= 6);
});

test('List the activity log: many names matching a text', async (t) => {
  const app = await startApp(t);
  const send = await asKey(app, ['settings:read']);
  await app.app.database.run(sql`DELETE FROM activity_log`);
  await write(app, ...Array.from({ length: 250 }, (_, n) => ({ user: `Employee ${n}`, entity_id: String(n) })));
  await app.app.scheduler.runNow('core.seal-activity');
  const [ids, total] = await found(app, 'user=employee&per_page=3', send);
  t.deepEqual([ids, total], [['249', '248', '247'], 250]);
});

test('List the error log: newest first, without developer details', async (t) => {
  const app = await startApp(t);
  const send = await asKey(app, ['settings:read']);
  const entry = { message: 'It broke', path: '/x', method: 'GET', status: 500, request_id: 'r1', stack: 'at secret' };
  app.app.errorLog.store({ ...entry, level: 'error' });
  await app.app.errorLog.flush();
  app.clock.set(plus(at, { seconds: 1 }));
  app.app.errorLog.store({ ...entry, level: 'warning', message: 'It may break' });
  await app.app.errorLog.flush();
  const answer = await send('GET', errors);
  t.is(answer.status, 200);
  const [newest, oldest] = answer.body.data;
  t.deepEqual(answer.body, {
    success: true,
    data: [
      {
        error_id: newest.error_id,
        level: 'warning',
        message: 'It may break',
        path: '/x',
        method: 'GET',
        status: 500,
        request_id: 'r1',
        created_at: '2026-03-02T09:00:01Z',
      },
      {
        error_id: oldest.error_id,
        level: 'error',
        message: 'It broke',
        path: '/x',
        method: 'GET',
        status: 500,
        request_id: 'r1',
        created_at: '2026-03-02T09:00:00Z',
      },
    ],
    pagination: { page: 1, per_page: 25, total: 2, total_pages: 1 },
  });
  const warnings = (await send('GET', `${errors}?level=WARNING`)).body;
  t.deepEqual([warnings.data.length, warnings.pagination.total], [1, 1]);
  t.is((await send('GET', `${errors}?page=2`)).body.data.length, 0);
  t.is((await send('GET', `${errors}?level=fatal`)).status, 400);
  t.is((await send('GET', `${errors}?page=0`)).status, 400);
  t.true((await app.fewestStatements(() => send('GET', errors))) <= 6);
});

test('List the error log: operator only', async (t) => {
  const app = await startApp(t, { config: { operatorTenant: false } });
  const send = await asKey(app, ['settings:read']);
  const answer = await send('GET', `${errors}?level=fatal`);
  t.deepEqual(
    [answer.status, answer.body],
    [403, { success: false, error: 'Only the operator of this installation can read the error log' }],
  );
  t.is((await send('GET', activity)).status, 200);
});

test('Read log retention', async (t) => {
  const app = await startApp(t);
  const send = await asKey(app, ['settings:read']);
  const { status, body } = await send('GET', retention);
  t.is(status, 200);
  t.deepEqual(body, { success: true, data: { activity_days: 365, error_days: 30, import_days: 90 } });
});

test('Update log retention: older entries are deleted the next night', async (t) => {
  const app = await startApp(t);
  const send = await asKey(app, ['settings:read', 'settings:write']);
  await app.app.scheduler.runNow('core.seal-activity');
  app.app.errorLog.store({ level: 'error', message: 'x', path: '/', method: 'GET', status: 500, request_id: 'r' });
  await app.app.errorLog.flush();
  const answer = await send('PUT', retention, { activity_days: 40 });
  t.deepEqual([answer.status, answer.body.data], [200, { activity_days: 40, error_days: 30, import_days: 90 }]);
  t.is((await send('PUT', retention, { error_days: 3 })).body.data.error_days, 3);
  const lines = await app.app.database.count(ActivityLine);
  const night = async (days: number) => {
    app.clock.set(plus(at, { days }));
    await app.app.scheduler.runNow('core.prune-errors');
    await app.app.scheduler.runNow('core.prune-activity');
    const { pagination } = (await send('GET', errors)).body;
    return [await app.app.database.count(ErrorLine), pagination.total, await app.app.database.count(ActivityLine)];
  };
  t.deepEqual(await night(2), [1, 1, lines]);
  t.deepEqual(await night(4), [0, 0, lines]);
  const [, , left] = await night(41);
  t.is(left, 2, 'the two changes of the retention were not sealed yet');
  for (const body of [{}, { activity_days: 5 }, { error_days: 0 }, { error_days: 1.5 }, { activity_days: null }])
    t.is((await send('PUT', retention, body)).status, 400);
});

test('access to logs and log retention', async (t) => {
  const app = await startApp(t);
  const reader = await asKey(app, ['settings:read']);
  const writer = await asKey(app, ['settings:write']);
  const technician = await signInOnPage(app, await seedTechnician(app, 'technician'));
  const administrator = await signInOnPage(app, await seedTechnician(app));
  for (const path of [activity, errors]) {
    t.is((await app.request('GET', staff + path)).status, 401);
    t.is((await writer('GET', path)).status, 403);
    t.is((await app.request('GET', staff + path, { cookie: technician })).status, 403);
    t.is((await app.request('GET', staff + path, { cookie: administrator })).status, 200);
    t.is((await reader('GET', path)).status, 200);
    t.is((await reader('POST', path, {})).status, 405);
  }
  const body = { error_days: 10 };
  t.is((await app.request('PUT', staff + retention, { body })).status, 401);
  t.is((await reader('PUT', retention, body)).status, 403);
  t.is((await app.request('PUT', staff + retention, { cookie: technician, body })).status, 403);
  t.is((await writer('GET', retention)).status, 403);
  t.is((await writer('PUT', retention, body)).status, 200);
});
