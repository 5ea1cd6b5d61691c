// The backup schedule set in the console: validated before it is stored, and effective immediately.
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startApp, testClock, type TestOptions } from '@keelson/testing';
import test, { type ExecutionContext } from 'ava';
import { nextBackup } from '../../core/backup/schedule.ts';
import { tellBackup } from '../../core/process/backup/installation-backup.ts';
import { ActivityLine } from '../../packages/log/activity.ts';
import { boundless } from '../_boundless.ts';
import { makeFolder } from '../_folder.ts';
import { seedTechnician, signInOnPage } from '../accounts-seed.ts';

const path = '/admin/api/v1/settings/backup.php';
const headers = { 'Sec-Fetch-Site': 'same-origin' };
const given = { days: 'every_day', at: '01:30', daily: 14, weekly: 8, monthly: 6 };

async function start(t: ExecutionContext, options: TestOptions = {}) {
  // A Monday.
  const clock = testClock('2026-03-02T09:00:00.000Z');
  const config = { backupKey: randomBytes(32).toString('base64'), timeZone: 'Europe/Berlin', ...options.config };
  const app = await startApp(t, { limiter: boundless, clock, ...options, config });
  const boss = await seedTechnician(app, 'administrator');
  let cookie = await signInOnPage(app, boss);
  const send = (method: string, to = path, body?: unknown) => app.request(method, to, { cookie, headers, body });
  const move = async (at: string) => {
    app.clock.set(at);
    cookie = await signInOnPage(app, boss);
  };
  return { app, send, move };
}

test('Read the backup schedule; Set the backup schedule; Turn off scheduled backups', async (t) => {
  const { app, send, move } = await start(t, { config: { backupDir: makeFolder(t) } });
  const none = {
    source: 'none',
    cron: null,
    days: 'off',
    at: '01:30',
    next_at: null,
    kept_fixed: false,
    has_key: true,
  };
  t.deepEqual((await send('GET')).body.data, { ...none, daily: 7, weekly: 4, monthly: 12 });
  const answer = await send('PUT', path, given);
  t.is(answer.status, 200, answer.text);
  const set = { ...none, ...given, source: 'console', cron: '30 1 * * *', next_at: '2026-03-03T00:30:00Z' };
  t.deepEqual(answer.body.data, set);
  t.true((await send('GET', '/admin/api/v1/monitoring/backup.php')).body.data.scheduled);

  // Backups due before it was set are not made up for; changing how many to keep does not postpone the next backup.
  const due = () => nextBackup(app.app.system(), '2026-02-01T00:30:00.000Z');
  t.is(await due(), '2026-03-03T00:30:00.000Z');
  await move('2026-03-03T00:31:00.000Z');
  await send('PUT', path, { ...given, daily: 30 });
  t.is(await due(), '2026-03-03T00:30:00.000Z');
  const weekdays = await send('PUT', path, { ...given, days: 'monday_to_friday', at: '23:15' });
  t.like(weekdays.body.data, { cron: '15 23 * * 1-5', next_at: '2026-03-03T22:15:00Z' });
  await move('2026-03-06T22:15:00.000Z');
  t.is((await send('GET')).body.data.next_at, '2026-03-09T22:15:00Z', 'after Friday comes Monday');

  t.is((await send('DELETE')).status, 204);
  t.is((await send('GET')).body.data.source, 'none');
  t.is(await due(), undefined);
  t.deepEqual(
    (await app.app.database.findBy(ActivityLine, { entity_id: 'core.backup_schedule' })).map(
      (each) => each.description,
    ),
    [...Array(3).fill('Backup schedule changed'), 'Scheduled backups turned off'],
  );
});

test('Set the backup schedule: an overdue backup shows in the health report, even over a weekend', async (t) => {
  const { app, send, move } = await start(t, { config: { backupDir: makeFolder(t) } });
  await send('PUT', path, { ...given, days: 'monday_to_friday' });
  const health = async (at: string) => {
    await move(at);
    return (await send('GET', '/admin/api/v1/monitoring/health.php')).body.data.checks.backup.status;
  };
  await tellBackup(app.app.system(), { verified_at: '2026-03-06T00:35:00.000Z' });
  t.is(await health('2026-03-09T00:20:00.000Z'), 'ok', 'nothing was due since Friday');
  t.is(await health('2026-03-09T02:00:00.000Z'), 'ok', 'the backup may be running');
  t.is(await health('2026-03-09T02:40:00.000Z'), 'degraded');
});

test('Set the backup schedule: refused without a key, and where backups cannot be written', async (t) => {
  const { send } = await start(t, { config: { backupKey: undefined, backupDir: makeFolder(t) } });
  t.false((await send('GET')).body.data.has_key);
  t.is(
    (await send('PUT', path, given)).body.error,
    'Set BACKUP_KEY in the environment first: backups are encrypted with it',
  );
  const file = join(makeFolder(t), 'taken');
  writeFileSync(file, '');
  const { send: elsewhere } = await start(t, { config: { backupDir: join(file, 'backups') } });
  const refused = await elsewhere('PUT', path, given);
  t.is(refused.status, 400);
  t.regex(refused.body.error, /^Backups cannot be written: /);
  t.is((await elsewhere('GET')).body.data.source, 'none');
});

test('Set the backup schedule: bounds', async (t) => {
  const { send } = await start(t, { config: { backupDir: makeFolder(t) } });
  for (const [more, error] of [
    [{ at: '24:00' }, 'at must be a time (HH:MM)'],
    [{ days: 'sunday' }, 'days must be one of: every_day, monday_to_friday'],
    [{ daily: 6 }, 'daily must be between 7 and 365'],
    [{ weekly: 3 }, 'weekly must be between 4 and 520'],
    [{ monthly: 121 }, 'monthly must be between 0 and 120'],
  ] as const)
    t.is((await send('PUT', path, { ...given, ...more })).body.error, error);
});

test('Set the backup schedule: BACKUP_CRON and BACKUP_KEEP take precedence and are reported', async (t) => {
  const fixed = { backupCron: '0 3 * * 0', backupKeep: '2,1,0', backupDir: makeFolder(t) };
  const { send } = await start(t, { config: fixed });
  t.like((await send('GET')).body.data, {
    source: 'environment',
    cron: '0 3 * * 0',
    next_at: '2026-03-08T02:00:00Z',
    ...{ daily: 2, weekly: 1, monthly: 0 },
    kept_fixed: true,
  });
  const refused = 'The backup schedule is set by BACKUP_CRON in the environment: change it there';
  t.is((await send('PUT', path, given)).body.error, refused);
  t.is((await send('DELETE')).body.error, refused);
});

test('Set the backup schedule: administrators only', async (t) => {
  const { app } = await start(t, { config: { backupDir: makeFolder(t) } });
  const cookie = await signInOnPage(app, await seedTechnician(app, 'technician'));
  t.is((await app.request('PUT', path, { cookie, headers, body: given })).status, 403);
});

test('Turn off scheduled backups: nothing changes if there are none', async (t) => {
  const { app, send } = await start(t, { config: { backupDir: makeFolder(t) } });
  t.is((await send('DELETE')).status, 204);
  t.is(await app.app.database.countBy(ActivityLine, { entity_id: 'core.backup_schedule' }), 0);
});
