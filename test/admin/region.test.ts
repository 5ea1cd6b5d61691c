// The time zone and currency set in the console: used immediately, also by schedules and other processes.
import { plus, today } from '@keelson/core';
import { startApp, testClock, type TestOptions } from '@keelson/testing';
import test, { type ExecutionContext } from 'ava';
import { Report } from '../../modules/reports/entities.ts';
import { ActivityLine } from '../../packages/log/activity.ts';
import { boundless } from '../_boundless.ts';
import { seedCompany, seedTechnician, signInOnPage } from '../accounts-seed.ts';
import { seedInvoice } from '../billing-seed.ts';
import { secondProcess } from '../core/_second-process.ts';

const staff = '/admin/api/v1';
const path = '/settings/region.php';
const headers = { 'Sec-Fetch-Site': 'same-origin' };

async function start(t: ExecutionContext, options: TestOptions = {}) {
  const app = await startApp(t, { limiter: boundless, clock: testClock('2026-03-01T23:30:00.000Z'), ...options });
  const boss = await seedTechnician(app, 'administrator');
  const cookie = await signInOnPage(app, boss);
  const send = (method: string, to = path, body?: unknown) =>
    app.request(method, staff + to, { cookie, headers, body });
  return { app, boss, send };
}

test('Read the time zone, the currency and the language; Change the time zone, the currency and the language', async (t) => {
  const { app, send } = await start(t);
  t.deepEqual((await send('GET')).body.data, {
    time_zone: 'UTC',
    time_zone_source: 'none',
    currency: 'USD',
    language: null,
  });
  const changed = await send('PUT', path, { time_zone: 'Europe/Berlin', currency: 'eur' });
  t.deepEqual(changed.body.data, {
    time_zone: 'Europe/Berlin',
    time_zone_source: 'console',
    currency: 'EUR',
    language: null,
  });
  t.is((await send('GET', '/console.php')).body.data.tenant.currency, 'EUR');
  t.is(await app.run(async (ctx) => today(ctx)), '2026-03-02', 'in Berlin it is half past midnight');
  t.deepEqual(
    (await app.app.database.findBy(ActivityLine, { entity_type: 'setting' })).map((each) => each.description),
    ['Time zone set to Europe/Berlin', 'Currency set to EUR'],
  );
  await send('PUT', path, { time_zone: 'Europe/Berlin' });
  t.is(await app.app.database.countBy(ActivityLine, { entity_type: 'setting' }), 2);
  for (const [body, error] of [
    [{ time_zone: 'Berlin' }, 'time_zone must be an IANA time zone such as Europe/Berlin'],
    [{ time_zone: '+01:00' }, 'time_zone must be an IANA time zone such as Europe/Berlin'],
    [{ currency: 'XXQ' }, 'currency must be an ISO 4217 currency'],
  ] as const)
    t.is((await send('PUT', path, body)).body.error, error);
});

test('Change the time zone, the currency and the language: schedules move to the new zone, and those now due still run', async (t) => {
  const { app, boss, send } = await start(t);
  const schedule = { cron: '0 8 * * *', format: 'csv', recipients: [boss.user_id] };
  const body = { name: 'Daily', source: 'tickets', schedule };
  const ids: number[] = [];
  for (let index = 0; index < 2; index++)
    ids.push((await send('POST', '/reports.php', { ...body, name: `Daily ${index}` })).body.data.report_id);
  const [planned = 0, due = 0] = ids;
  const at = '2026-03-01T23:29:00.000Z';
  await app.run((ctx) => ctx.db.update(Report, { report_id: due }, { next_run_at: at }));
  await send('PUT', path, { time_zone: 'Asia/Tokyo' });
  await app.app.outbox.drain();
  const next = async (report_id: number) => (await app.app.database.findOneBy(Report, { report_id }))?.next_run_at;
  t.is(await next(planned), '2026-03-02T23:00:00.000Z', '08:00 on 3 March in Tokyo');
  t.is(await next(due), at);
  await app.app.scheduler.runNow('reports.schedule');
  t.is(await next(due), '2026-03-02T23:00:00.000Z');
});

test('Change the time zone, the currency and the language: days in queries sent before are those of the new zone', async (t) => {
  const { app, send } = await start(t);
  const { company_number } = await seedCompany(app);
  await send('POST', '/tickets.php', { subject: 'Late', company_number });
  const total = async () => (await send('GET', '/tickets.php?created_after=2026-03-02')).body.pagination.total;
  t.is(await total(), 0);
  await send('PUT', path, { time_zone: 'Europe/Berlin' });
  t.is(await total(), 1, 'in Berlin it was half past midnight');
});

test('Change the time zone, the currency and the language: other processes follow within seconds', async (t) => {
  const { app, send } = await start(t);
  const second = await secondProcess(t, app);
  t.is(second.zone.name, 'UTC');
  await send('PUT', path, { time_zone: 'Asia/Tokyo' });
  app.clock.set(plus(app.clock.now(), { seconds: 3 }));
  await second.refreshZone(second.system());
  t.is(second.zone.name, 'Asia/Tokyo');
  t.is((await secondProcess(t, app)).zone.name, 'Asia/Tokyo', 'a process that starts knows it at once');
});

test('Change the time zone, the currency and the language: TIME_ZONE takes precedence and is reported', async (t) => {
  const { app, send } = await start(t, { config: { timeZone: 'America/New_York' } });
  t.like((await send('GET')).body.data, { time_zone: 'America/New_York', time_zone_source: 'environment' });
  t.is((await send('PUT', path, { time_zone: 'America/New_York', currency: 'CAD' })).status, 200);
  const refused = await send('PUT', path, { time_zone: 'Europe/Berlin' });
  t.is(refused.status, 400);
  t.is(refused.body.error, 'The time zone is set by TIME_ZONE in the environment: change it there');
  t.is(app.app.zone.name, 'America/New_York');
});

test('Change the time zone, the currency and the language: the currency is fixed once there are invoices', async (t) => {
  const { app, send } = await start(t);
  const { company_number } = await seedCompany(app);
  await seedInvoice(app, { company_number });
  const refused = await send('PUT', path, { currency: 'EUR' });
  t.is(refused.status, 400);
  t.is(refused.body.error, 'The currency cannot be changed once there are invoices');
  t.is((await send('GET')).body.data.currency, 'USD');
  t.is((await send('PUT', path, { currency: 'USD', time_zone: 'UTC' })).status, 200);
});

test('Change the time zone, the currency and the language: administrators only', async (t) => {
  const { app } = await start(t);
  const cookie = await signInOnPage(app, await seedTechnician(app, 'technician'));
  const body = { time_zone: 'UTC' };
  t.is((await app.request('PUT', staff + path, { cookie, headers, body })).status, 403);
});
