import { createOutage, OutageService } from '@keelson/modules/outages';
import { startApp } from '@keelson/testing';
import test from 'ava';
import { seedCompany, seedEmployee, seedTechnician, signInOnPage } from '../accounts-seed.ts';
import { asEmployee } from '../tickets-seed.ts';

const at = '2026-03-02T09:00:00.000Z';

async function start(t: Parameters<typeof startApp>[0]) {
  const app = await startApp(t);
  const service = (name: string) =>
    app.app.database.insertReturningId(OutageService, {
      name,
      name_key: name.toLowerCase(),
      created_at: at,
      updated_at: at,
    });
  return { app, email: await service('Email'), phone: await service('Phone') };
}

test('Show the status of your company’s services', async (t) => {
  const { app, email, phone } = await start(t);
  const { company_number } = await seedCompany(app);
  const other = await seedCompany(app);
  const send = await asEmployee(app, await seedEmployee(app, { company_number }));
  t.like((await send('GET', '/status')).body, { status: 'operating_normally', outages: [] });
  const declare = (title: string, service_id: number, more: object = {}) =>
    app.run((ctx) => createOutage(ctx, { title, service_id, ...more }));
  await declare('Theirs alone', phone, { company_number: other.company_number });
  await declare('Later', email, { status: 'scheduled', scheduled_start: '2026-03-20T20:00:00.000Z' });
  await declare('Much later', email, { status: 'scheduled', scheduled_start: '2026-06-20T20:00:00.000Z' });
  const { outage_id } = await declare('Lines are dead', phone, { company_number, severity: 'major' });
  const { status, body } = await send('GET', '/status');
  t.is(status, 200);
  const [now, later] = body.outages;
  t.deepEqual(body, {
    status: 'outage',
    services: [
      {
        company_number,
        service_id: email,
        service_name: 'Email',
        status: 'operating_normally',
        active_outage_id: null,
        since: null,
      },
      {
        company_number,
        service_id: phone,
        service_name: 'Phone',
        status: 'outage',
        active_outage_id: outage_id,
        since: '2026-03-02T09:00:00Z',
      },
    ],
    outages: [
      {
        outage_id,
        service_id: phone,
        service_name: 'Phone',
        title: 'Lines are dead',
        description: '',
        severity: 'major',
        status: 'active',
        started_at: '2026-03-02T09:00:00Z',
        scheduled_start: null,
        scheduled_end: null,
        resolved_at: null,
        notes: '',
        updated_at: '2026-03-02T09:00:00Z',
      },
      { ...later, title: 'Later', status: 'scheduled' },
    ],
    updated_at: '2026-03-02T09:00:00Z',
  });
  t.is(body.outages.length, 2);
  t.is(now.outage_id, outage_id);
  t.is((await app.request('GET', '/helpdesk/api/v1/status')).status, 401);
});

test('Show the public status page: without names, and with cached status while the database is down', async (t) => {
  const { app, email, phone } = await start(t);
  const { company_number } = await seedCompany(app, 'Secretive Ltd');
  const first = await app.request('GET', '/status');
  t.is(first.status, 200);
  t.regex(first.text, /All services are operating normally/);
  await app.run(async (ctx) => {
    await createOutage(ctx, { title: 'Only Secretive', service_id: phone, company_number });
    await createOutage(ctx, { title: 'Mail <b>stops</b>', service_id: email });
  });
  const { text } = await app.request('GET', '/status');
  t.regex(text, /Some services are down/);
  t.regex(text, /Mail &lt;b&gt;stops/);
  t.notRegex(text, /Secretive/);
  // The page ignores cookies, so it also works when no session can be read.
  const technician = await seedTechnician(app);
  const cookie = await signInOnPage(app, technician);
  await app.run((ctx) => createOutage(ctx, { title: 'The line too', service_id: phone }));
  const away = () => Promise.reject(new Error('The database is down'));
  Object.assign(app.app.database, { query: away, find: away });
  const known = await app.request('GET', '/status', { cookie });
  t.is(known.status, 200);
  t.regex(known.text, /last known status/);
  t.regex(known.text, /Mail &lt;b&gt;stops/);
});
