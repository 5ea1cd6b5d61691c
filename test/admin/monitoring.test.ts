import { definePlugin, job } from '@keelson/core';
import { readCount } from '@keelson/core/list';
import { createAsset } from '@keelson/modules/assets';
import { InventoryExpiring, InventoryRenewed } from '@keelson/modules/inventory';
import { Alert, raiseAlert, resolveAlert } from '@keelson/modules/monitoring';
import { Ticket, TicketCount } from '@keelson/modules/tickets';
import { Webhook, WebhookDisabled, updateWebhook, createWebhook } from '@keelson/modules/webhooks';
import { createWorkflow } from '@keelson/modules/workflows';
import { readMails, startApp, type TestApp, type TestOptions } from '@keelson/testing';
import test from 'ava';
import { tellBackup } from '../../core/process/backup/installation-backup.ts';
import { Delivery, StoredEvent } from '../../packages/events/delivery/delivery.ts';
import { ActivityLine } from '../../packages/log/activity.ts';
import { seedTechnician } from '../accounts-seed.ts';
import { seedCollector, seedPlace } from '../collector-seed.ts';
import { asKey, seedTicket } from '../tickets-seed.ts';

const rights = ['assets:read', 'assets:write', 'networks:read', 'networks:write', 'settings:write'];
const now = '2026-03-02T09:00:00Z';
const alerts = '/monitoring/alerts.php';

async function start(t: Parameters<typeof startApp>[0], options: TestOptions = {}) {
  const app = await startApp(t, options);
  const send = await asKey(app, rights);
  const place = await seedPlace(app);
  return { app, send, place };
}

const types = (rows: readonly { alert_type: string }[]) => rows.map((each) => each.alert_type);
const alertEvents = async (app: TestApp) =>
  (await app.app.database.find(StoredEvent, { order: { event_id: 'ASC' } }))
    .map(({ name }) => name)
    .filter((name) => name.startsWith('alert.'));

test('Report an alert; Read an alert: repeated reports update one alert', async (t) => {
  const { app, send, place } = await start(t);
  const { company_number } = place;
  const report = {
    alert_type: 'disk_full',
    message: 'C: has 1 % left',
    company_number,
    key: 'srv1 c:',
    source: 'Nagios',
  };
  const made = await send('POST', alerts, report);
  t.is(made.status, 201);
  const { alert_id, company_name } = made.body.data;
  const alert = {
    alert_id,
    alert_type: 'disk_full',
    severity: 'warning',
    status: 'open',
    message: 'C: has 1 % left',
    company_number,
    collector_id: null,
    asset_id: null,
    machine_name: null,
    muted_until: null,
    source: 'Nagios',
    occurrences: 1,
    created_at: now,
    last_raised_at: now,
    acknowledged_at: null,
    acknowledged_by: null,
    resolved_at: null,
    company_name,
  };
  t.deepEqual(made.body, { success: true, data: alert });
  app.clock.set('2026-03-02T10:00:00.000Z');
  const again = await send('POST', alerts, { ...report, message: 'C: is full', severity: 'critical' });
  t.is(again.status, 200);
  const worse = { severity: 'critical', message: 'C: is full', occurrences: 2, last_raised_at: '2026-03-02T10:00:00Z' };
  t.deepEqual(again.body.data, { ...alert, ...worse });
  const lines = async () => (await app.app.database.findBy(ActivityLine, { entity_type: 'alert' })).length;
  t.is(await lines(), 2);
  await send('POST', alerts, { ...report, message: 'C: is full', severity: 'critical' });
  t.is(await lines(), 2, 'a mere repetition is no change');
  t.like((await send('GET', `${alerts}?id=${alert_id}`)).body.data, {
    ...worse,
    occurrences: 3,
  });
  t.deepEqual(await alertEvents(app), ['alert.created']);

  const ended = await send('POST', alerts, { ...report, status: 'resolved' });
  t.is(ended.status, 200);
  t.like(ended.body.data, { status: 'resolved', resolved_at: '2026-03-02T10:00:00Z' });
  t.is((await send('POST', alerts, { ...report, status: 'resolved' })).status, 404);
  // It fails again: a new alert.
  t.is((await send('POST', alerts, report)).status, 201);
  t.deepEqual(await alertEvents(app), ['alert.created', 'alert.resolved', 'alert.created']);

  // Without a key, type and message identify the alert.
  const plain = { alert_type: 'backup', message: 'Job 7 failed' };
  t.is((await send('POST', alerts, plain)).status, 201);
  t.is((await send('POST', alerts, plain)).status, 200);
  t.is((await send('POST', alerts, { ...plain, message: 'Job 8 failed' })).status, 201);
  const refused = async (fields: object, error: string) => {
    const answer = await send('POST', alerts, { ...plain, ...fields });
    t.deepEqual([answer.status, answer.body], [400, { success: false, error }]);
  };
  await refused({ alert_type: '' }, 'alert_type is required');
  await refused({ company_number: 999 }, 'company_number must be an existing company');
  await refused({ severity: 'fatal' }, 'severity must be one of: info, warning, critical');
  t.is((await send('GET', `${alerts}?id=999`)).status, 404);
});

test('List alerts; Acknowledge an alert', async (t) => {
  const { app, send, place } = await start(t);
  const { company_number } = place;
  const raise = (key: string, severity: 'info' | 'critical', company: number | null = null) =>
    app.run((ctx) => raiseAlert(ctx, key, { alert_type: key, severity, message: key, company_number: company }));
  const { row } = await raise('first', 'info', company_number);
  await raise('second', 'critical');
  await raise('third', 'info');
  await app.run((ctx) => resolveAlert(ctx, 'third'));
  const path = `${alerts}?action=acknowledge&id=${row.alert_id}`;
  app.clock.set('2026-03-02T10:00:00.000Z');
  const seen = await send('POST', path);
  t.is(seen.status, 200);
  t.like(seen.body.data, { status: 'acknowledged', acknowledged_at: '2026-03-02T10:00:00Z' });
  t.truthy(seen.body.data.acknowledged_by);
  app.clock.set('2026-03-02T11:00:00.000Z');
  t.deepEqual((await send('POST', path)).body, seen.body);
  t.deepEqual(await alertEvents(app), [
    'alert.created',
    'alert.created',
    'alert.created',
    'alert.resolved',
    'alert.acknowledged',
  ]);
  const third = (await send('GET', `${alerts}?status=resolved`)).body.data[0];
  const late = await send('POST', `${alerts}?action=acknowledge&id=${third.alert_id}`);
  t.deepEqual([late.status, late.body.error], [400, 'The alert is already resolved']);
  t.is((await send('POST', `${alerts}?action=acknowledge&id=999`)).status, 404);

  const read = async (query: string) => (await send('GET', `${alerts}${query}`)).body;
  const all = await read('');
  t.deepEqual(types(all.data), ['second', 'first']);
  t.deepEqual(all.pagination, { page: 1, per_page: 25, total: 2, total_pages: 1 });
  t.deepEqual(types((await read('?status=all')).data), ['third', 'second', 'first']);
  t.deepEqual(types((await read('?status=open')).data), ['second']);
  t.deepEqual(types((await read('?severity=info')).data), ['first']);
  t.deepEqual(types((await read('?severity=info&status=all')).data), ['third', 'first']);
  t.deepEqual(types((await read(`?company_number=${company_number}`)).data), ['first']);
  t.deepEqual(types((await read('?per_page=1&page=2')).data), ['first']);
  t.is((await send('GET', `${alerts}?status=old`)).status, 400);
});

test('Mute an alert: it raises no event if it recurs meanwhile', async (t) => {
  const { app, send, place } = await start(t);
  const { company_number } = place;
  const report = { alert_type: 'disk_full', message: 'C: is full', company_number, key: 'c:' };
  const { alert_id } = (await send('POST', alerts, report)).body.data;
  const mute = (id: number, minutes: number) => send('POST', `${alerts}?action=mute&id=${id}`, { minutes });
  const muted = await mute(alert_id, 60);
  t.like(muted.body.data, { status: 'open', muted_until: '2026-03-02T10:00:00Z' });
  const listed = async (query: string) => (await send('GET', `${alerts}${query}`)).body.data.length;
  t.deepEqual([await listed('?muted=no'), await listed('?muted=yes'), await listed('')], [0, 1, 1]);

  await send('POST', alerts, { ...report, status: 'resolved' });
  t.is((await mute(alert_id, 60)).body.error, 'The alert is already resolved');
  const again = (await send('POST', alerts, report)).body.data;
  t.is(again.muted_until, '2026-03-02T10:00:00Z');
  t.deepEqual(await alertEvents(app), ['alert.created', 'alert.resolved']);

  await mute(again.alert_id, 0);
  t.is(await listed('?muted=no'), 1);
  await send('POST', alerts, { ...report, status: 'resolved' });
  t.is((await send('POST', alerts, report)).body.data.muted_until, null);
  t.is((await alertEvents(app)).at(-1), 'alert.created');

  // Without a hand, it ends at its time.
  await mute((await send('GET', alerts)).body.data[0].alert_id, 30);
  t.is(await listed('?muted=no'), 0);
  app.clock.set('2026-03-02T09:30:00.000Z');
  t.is(await listed('?muted=no'), 1);
  t.is((await send('GET', alerts)).body.data[0].muted_until, null);
  t.is((await mute(again.alert_id, -1)).status, 400);
});

test('an alert that recurs after its mute was shortened is not muted', async (t) => {
  const { app, send, place } = await start(t);
  const report = { alert_type: 'disk_full', message: 'C: is full', company_number: place.company_number, key: 'c:' };
  const raise = async () => (await send('POST', alerts, report)).body.data;
  const mute = (id: number, minutes: number) => send('POST', `${alerts}?action=mute&id=${id}`, { minutes });
  await mute((await raise()).alert_id, 10_080);
  await send('POST', alerts, { ...report, status: 'resolved' });
  const again = await raise();
  t.is(again.muted_until, '2026-03-09T09:00:00Z');
  t.is((await mute(again.alert_id, 60)).body.data.muted_until, '2026-03-02T10:00:00Z');
  await send('POST', alerts, { ...report, status: 'resolved' });
  app.clock.set('2026-03-02T11:00:00.000Z');
  t.is((await raise()).muted_until, null);
  t.is((await alertEvents(app)).at(-1), 'alert.created');
});

test('List unresolved alerts by machine: the worst first', async (t) => {
  const { app, send, place } = await start(t);
  const { company_number } = place;
  const one = await app.run((ctx) => createAsset(ctx, { company_number, machine_name: 'SRV1' }));
  const two = await app.run((ctx) => createAsset(ctx, { company_number, machine_name: 'SRV2' }));
  const report = (asset_id: number, message: string, severity = 'warning') =>
    send('POST', alerts, { alert_type: 'disk_full', message, asset_id, severity });
  for (let index = 1; index <= 7; index++) await report(one.asset_id, `Disk ${index} is full`);
  t.is((await report(two.asset_id, 'Disk 1 is full', 'critical')).body.data.machine_name, 'SRV2');
  await send('POST', alerts, { alert_type: 'power', message: 'Power failed', company_number, severity: 'info' });
  const { data: groups, pagination } = (await send('GET', '/monitoring/alert-groups.php')).body;
  t.is(pagination.total, 3);
  t.deepEqual(
    groups.map((each: Record<string, unknown[]>) => [each['machine_name'], each['total'], each['alerts']?.length]),
    [
      ['SRV2', 1, 1],
      ['SRV1', 7, 5],
      [null, 1, 1],
    ],
  );
  t.like(groups[0], { company_number, asset_id: two.asset_id, severity: 'critical' });
  const second = (await send('GET', '/monitoring/alert-groups.php?page=2&per_page=2')).body;
  t.deepEqual([second.data, second.pagination.total], [[groups[2]], 3]);
  const past = (await send('GET', '/monitoring/alert-groups.php?page=3&per_page=2')).body;
  t.deepEqual([past.data, past.pagination.total], [[], 3]);
  t.is((await send('GET', `${alerts}?asset_id=${one.asset_id}`)).body.data.length, 7);
  t.deepEqual((await send('GET', `/monitoring/alert-groups.php?company_number=${company_number + 1}`)).body.data, []);

  const refused = { alert_type: 'x', message: 'y', asset_id: one.asset_id, company_number: company_number + 1 };
  t.is((await send('POST', alerts, refused)).body.error, 'asset_id must be an asset of the company');
  t.is((await send('POST', alerts, { ...refused, asset_id: 999 })).body.error, 'asset_id must be an existing asset');
});

test('List collectors with their state; Read the health of the installation', async (t) => {
  const { app, send, place } = await start(t);
  const health = async () => (await send('GET', '/monitoring/health.php')).body.data;
  const fine = await health();
  t.deepEqual(Object.keys(fine), ['status', 'checks', 'version', 'uptime_seconds', 'time']);
  t.deepEqual(Object.keys(fine.checks), [
    'database',
    'queue',
    'webhooks',
    'collectors',
    'jobs',
    'counters',
    'plugins',
    'fonts',
  ]);
  t.is(fine.time, now);
  t.regex(fine.version, /^\d+\.\d+\.\d+$/);
  t.is(fine.checks.database.status, 'ok');

  const collector = await seedCollector(app, place);
  await collector.poll();
  await send('PUT', `/connect/collectors.php?id=${collector.collector_id}`, { config: { a: 1 } });
  const state = async () => (await send('GET', '/monitoring/collectors.php')).body.data;
  t.like((await state())[0], { online: true, minutes_since_seen: 0, open_alerts: 0, pending_commands: 1, ...place });
  app.clock.set('2026-03-02T09:20:30.000Z');
  await app.app.scheduler.runNow('discovery.watch');
  await app.app.outbox.drain();
  t.like((await state())[0], { online: false, minutes_since_seen: 20, open_alerts: 1, pending_commands: 1 });
  t.deepEqual(Object.keys(await state().then(([first]: object[]) => first ?? {})), [
    ...Object.keys((await send('GET', '/connect/collectors.php')).body.data[0]),
    'online',
    'minutes_since_seen',
    'open_alerts',
    'pending_commands',
  ]);
  t.like(await health(), { status: 'degraded', checks: { collectors: { status: 'degraded' } } });
  const { api_key } = await import('../accounts-seed.ts').then(({ seedKey }) =>
    seedKey(app, 'admin', ['kb:read'].slice(1)),
  );
  t.is((await app.request('GET', '/admin/api/v1/monitoring/health.php', { token: api_key })).status, 200);
});

test('collectors, commands and webhooks raise and resolve alerts', async (t) => {
  const { app, send, place } = await start(t);
  const open = async () => {
    await app.app.outbox.drain();
    return types((await send('GET', alerts)).body.data);
  };
  const collector = await seedCollector(app, place);
  await collector.poll();
  app.clock.set('2026-03-02T09:20:00.000Z');
  await app.app.scheduler.runNow('discovery.watch');
  t.deepEqual(await open(), ['collector_offline']);
  const [alert] = (await send('GET', alerts)).body.data;
  t.like(alert, { collector_id: collector.collector_id, company_number: place.company_number, source: 'Keelson' });
  await collector.poll();
  t.deepEqual(await open(), []);

  const scan = async (status: string) => {
    await send('POST', '/discovery/scan.php', { ...place, subnet: '192.0.2.0/28' });
    const [{ command_id }] = await collector.poll();
    await collector.send('POST', `/connect/collector/commands/${command_id}/complete`, { status, error: 'No route' });
  };
  await scan('failed');
  await scan('failed');
  t.deepEqual(await open(), ['scan_failed']);
  t.like((await send('GET', alerts)).body.data[0], {
    message: 'The scan of 192.0.2.0/28 failed: No route',
    occurrences: 2,
  });
  await scan('completed');
  t.deepEqual(await open(), []);

  const { webhook } = await app.run((ctx) =>
    createWebhook(ctx, 'admin', { url: 'http://127.0.0.1:1/', events: ['ticket.created'] }),
  );
  const { webhook_id } = webhook;
  await app.app.database.update(Webhook, { webhook_id }, { active: false });
  const failing_since = app.clock.now();
  await app.run(async (ctx) => ctx.emit(WebhookDisabled, { webhook_id, registry: 'admin', failing_since }));
  t.deepEqual(await open(), ['webhook_disabled']);
  await app.run((ctx) => updateWebhook(ctx, { ...webhook, active: false }, { active: true }));
  t.deepEqual(await open(), []);

  const { company_number } = place;
  const ending = { kind: 'contract', id: 5, name: 'Care', company_number, expires_on: '2026-03-16' } as const;
  await app.run(async (ctx) => {
    ctx.emit(InventoryExpiring, { ...ending, days_left: 30, mark: 30 });
    ctx.emit(InventoryExpiring, { ...ending, days_left: 14, mark: 14 });
  });
  t.deepEqual(await open(), ['contract_expiring']);
  t.like((await send('GET', alerts)).body.data[0], {
    message: 'The contract Care expires on 16 Mar 2026',
    company_number,
    severity: 'warning',
    occurrences: 2,
  });
  await app.run(async (ctx) => ctx.emit(InventoryRenewed, { kind: 'contract', id: 5 }));
  t.deepEqual(await open(), []);
});

test('a workflow opens one ticket per alert, however often it is reported', async (t) => {
  const { app, send, place } = await start(t);
  const { company_number } = place;
  await app.run((ctx) =>
    createWorkflow(ctx, {
      name: 'Critical alerts are tickets',
      trigger: { type: 'event', event: 'alert.created' },
      conditions: [{ field: 'severity', operator: 'eq', value: 'critical' }],
      actions: [{ type: 'create_ticket', subject: '{{ alert.alert_type }}: {{ alert.message }}', priority: 1 }],
    }),
  );
  const report = { alert_type: 'disk_full', message: 'C: is full', company_number };
  await send('POST', alerts, { ...report, severity: 'critical' });
  await send('POST', alerts, { ...report, severity: 'critical' });
  await send('POST', alerts, { ...report, message: 'D: is filling', severity: 'info' });
  await app.app.outbox.drain();
  const tickets = await app.app.database.find(Ticket);
  t.is(tickets.length, 1);
  t.like(tickets[0], { subject: 'disk_full: C: is full', company_number, priority: 1 });
});

test('Read the status of the installation’s own backup: last backup and restore verification', async (t) => {
  const { app, send } = await start(t);
  const read = async () => (await send('GET', '/monitoring/backup.php')).body.data;
  const never = await read();
  t.like(never, { scheduled: false, started_at: null, verified_at: null, error: '' });
  await tellBackup(app.app.system(), { started_at: now, error: 'The disk is full' });
  t.like(await read(), { started_at: now, verified_at: null, error: 'The disk is full' });
  const good = { verified_at: now, drill_seconds: 2.5, error: '', name: 'keelson-default-20260302T090000Z.backup' };
  await tellBackup(app.app.system(), {
    ...good,
    bytes: 2048,
    rows: 7,
    tables: 3,
    files: 1,
    copied: true,
    made_at: now,
  });
  t.deepEqual(await read(), {
    ...never,
    ...good,
    started_at: now,
    bytes: 2048,
    rows: 7,
    tables: 3,
    files: 1,
    copied: true,
    made_at: now,
  });
});

test('a job that fails again and again is reported, although it succeeds in between', async (t) => {
  let isFailing = true;
  const run = () => (isFailing ? Promise.reject(new Error('no such host')) : Promise.resolve());
  const plugin = definePlugin({ id: 'noisy', title: 'Noisy', jobs: [job('noisy.fail', '* * * * *', run)] });
  const { app, send } = await start(t, { plugins: [plugin] });
  app.expectError(/noisy.fail.*job: failed/);
  const checkAt = async (time: string, fails: boolean) => {
    isFailing = fails;
    app.clock.set(`2026-03-02T${time}:00.000Z`);
    await app.app.scheduler.runNow('noisy.fail');
    return (await send('GET', '/monitoring/health.php')).body.data.checks.jobs;
  };
  t.is((await checkAt('10:00', true)).status, 'ok');
  t.is((await checkAt('10:01', false)).status, 'ok');
  t.is((await checkAt('10:02', true)).status, 'ok', 'twice may be chance');
  t.is((await checkAt('10:03', false)).status, 'ok');
  t.regex((await checkAt('10:04', true)).detail, /^The job noisy\.fail fails again and again: no such host\. /);
  t.is((await checkAt('10:05', false)).status, 'degraded');
  t.is((await checkAt('10:06', false)).status, 'degraded');
  t.is((await checkAt('10:07', false)).status, 'ok', 'it has succeeded more often since');
  for (const minute of ['10:08', '10:09', '10:10']) t.truthy(await checkAt(minute, true));
  t.is((await checkAt('10:11', false)).status, 'ok', 'it failed in a row, and no longer does');
});

test('a job failing twice, a wrong counter and parked deliveries appear in health, /ready and a mail', async (t) => {
  const failing = job('noisy.fail', '0 4 * * 1', () => Promise.reject(new Error('no such host')));
  const plugin = definePlugin({ id: 'noisy', title: 'Noisy', jobs: [failing] });
  const { app, send, place } = await start(t, { plugins: [plugin] });
  app.expectError(/noisy.fail.*job: failed|a counter was wrong/);
  await seedTechnician(app);
  const checks = async () => (await send('GET', '/monitoring/health.php')).body.data.checks;
  const node = app.app.database.node();
  t.is((await checks()).database.detail, `The database ${node ? `at ${node} ` : ''}is responding`);
  const fail = async (at: string) => {
    app.clock.set(at);
    await app.app.scheduler.runNow('noisy.fail');
  };
  await fail('2026-03-02T09:01:00.000Z');
  t.is((await checks()).jobs.status, 'ok', 'once may be chance');
  await fail('2026-03-02T09:02:00.000Z');
  t.like((await checks()).jobs, { status: 'degraded' });
  t.regex((await checks()).jobs.detail, /^The job noisy\.fail failed at its last two runs: no such host\. /);

  await seedTicket(app, { company_number: place.company_number });
  await app.app.scheduler.runNow('core.fold-counters');
  await app.app.database.run({ text: 'UPDATE ticket_count SET n = n + 3', params: [] });
  t.is((await checks()).counters.status, 'ok', 'nobody has looked');
  const { outcome } = (await app.app.scheduler.runNow('core.repair-counters')) ?? {};
  t.is(outcome, 'done');
  t.regex(
    (await checks()).counters.detail,
    /^The counter ticket_count had \d wrong counts and was repaired at 2026-03-02T09:02/,
  );
  t.is(await readCount(app.app.database, TicketCount), 1, 'it was counted anew');

  t.like((await app.request('GET', '/ready')).body, {
    jobs_failing: ['noisy.fail'],
    counters_repaired: ['ticket_count'],
  });

  await app.app.scheduler.runNow('monitoring.troubles');
  await app.app.scheduler.runNow('monitoring.troubles');
  const mails = (await readMails(app)).filter(({ template }) => template === 'installation_trouble');
  t.is(mails.length, 1, 'each trouble is told once');
  t.regex(mails[0]?.text ?? '', /noisy\.fail failed at its last two runs/);
});

test('Report an alert: simultaneous reports of a new problem are all counted', async (t) => {
  const { app, send, place } = await start(t);
  const { company_number } = place;
  const report = { alert_type: 'disk_full', severity: 'critical', company_number, key: 'srv1', message: 'C: is full' };
  const answers = await Promise.all(Array.from({ length: 5 }, () => send('POST', alerts, report)));
  t.deepEqual(
    answers.map(({ status }) => status).toSorted((a, b) => a - b),
    [200, 200, 200, 200, 201],
  );
  t.is((await app.app.database.findOneBy(Alert, { company_number }))?.occurrences, 5);
});

test('revoking a collector resolves the alerts about its commands', async (t) => {
  const { app, send, place } = await start(t);
  const collector = await seedCollector(app, place);
  const path = `/connect/collectors.php?id=${collector.collector_id}`;
  await collector.poll();
  t.is((await send('PUT', path, { config: { interval: 60 } })).status, 200);
  const [command] = await collector.poll();
  const complete = `/connect/collector/commands/${command.command_id}/complete`;
  t.is((await collector.send('POST', complete, { status: 'failed', error: 'no space left' })).status, 200);
  await app.app.outbox.drain();
  t.is((await send('DELETE', path)).status, 204);
  await app.app.outbox.drain();
  const found = await app.app.database.find(Alert);
  t.deepEqual(
    found.map(({ alert_type, status }) => [alert_type, status]),
    [['command_failed', 'resolved']],
  );
});

test('a later failure of another kind of delivery is mailed too', async (t) => {
  const { app } = await start(t);
  await seedTechnician(app);
  const fail = async (subscriber: string) => {
    const failed = { event_id: 'x', subscriber, state: 'parked', available_at: app.clock.now(), attempts: 8 } as const;
    await app.app.database.insert(Delivery, failed);
    app.clock.set(new Date(Date.parse(app.clock.now()) + 60_000).toISOString());
    await app.app.scheduler.runNow('monitoring.troubles');
  };
  await fail('webhook:7');
  await fail('webhook:8');
  await fail('monitoring.collectors');
  const texts = (await readMails(app)).map(({ text }) => text ?? '');
  t.is(texts.length, 2);
  t.regex(texts[0] ?? '', /1 delivery to “webhook” failed permanently/);
  t.regex(texts[1] ?? '', /1 delivery to “monitoring.collectors” failed permanently/);
  t.notRegex(texts[1] ?? '', /webhook”/);
});
