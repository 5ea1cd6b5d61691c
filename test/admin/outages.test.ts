import { readMails, startApp, type TestApp } from '@keelson/testing';
import test from 'ava';
import { In } from 'typeorm';
import { Delivery, StoredEvent } from '../../packages/events/delivery/delivery.ts';
import { JobRun } from '../../packages/events/job/job-run.ts';
import { ActivityLine } from '../../packages/log/activity.ts';
import { seedCompany, seedEmployee } from '../accounts-seed.ts';
import { asKey } from '../tickets-seed.ts';

const rights = ['tickets:read', 'tickets:write', 'companies:read', 'companies:write'];
const now = '2026-03-02T09:00:00Z';

async function start(t: Parameters<typeof startApp>[0]) {
  const app = await startApp(t);
  const send = await asKey(app, rights);
  const service = async (name: string) => {
    const { body } = await send('POST', '/outage-services.php', { name });
    return body.data.service_id as number;
  };
  return { app, send, service };
}

const outageEvents = (app: TestApp) =>
  app.app.database.find(StoredEvent, {
    where: { name: In(['outage.started', 'outage.resolved']) },
    order: { event_id: 'ASC' },
  });
const eventsOf = async (app: TestApp) => (await outageEvents(app)).map(({ name }) => name);

/** A maintenance window of an evening. */
const window = {
  title: 'New disks',
  status: 'scheduled',
  scheduled_start: '2026-03-02T20:00:00Z',
  scheduled_end: '2026-03-02T22:00:00Z',
};

test('Declare outage or plan a window', async (t) => {
  const { app, send, service } = await start(t);
  const service_id = await service('Email');
  const { status, body } = await send('POST', '/outages.php', { service_id, title: ' Mail is down ' });
  t.is(status, 201);
  const outage = {
    outage_id: 1,
    service_id,
    service_name: 'Email',
    company_number: null,
    title: 'Mail is down',
    description: '',
    severity: 'minor',
    status: 'active',
    started_at: now,
    scheduled_start: null,
    scheduled_end: null,
    resolved_at: null,
    notes: '',
    created_by: body.data.created_by,
    created_at: now,
    updated_at: now,
  };
  const entry = { status: 'active', notes: '', notified: false, changed_by: body.data.created_by, created_at: now };
  t.deepEqual(body, { success: true, data: { ...outage, status_history: [entry] } });
  const events = await outageEvents(app);
  t.is(events.length, 1);
  t.like(events[0], { name: 'outage.started' });
  t.deepEqual(Object.keys(events[0]?.data ?? {}).toSorted(), Object.keys(outage).toSorted());
  t.is((await app.app.database.findBy(ActivityLine, { entity_type: 'outage' })).length, 1);
});

test('Declare outage or plan a window: rejects invalid input', async (t) => {
  const { send, service } = await start(t);
  const service_id = await service('Email');
  const refused = async (fields: object, error: string) => {
    const answer = await send('POST', '/outages.php', { service_id, title: 'Mail', ...fields });
    t.is(answer.status, 400);
    t.deepEqual(answer.body, { success: false, error });
  };
  await refused({ title: '' }, 'title is required');
  await refused({ service_id: 999 }, 'service_id must be an existing service');
  await refused({ company_number: 999 }, 'company_number must be an existing company');
  await refused({ status: 'scheduled' }, 'scheduled_start is required');
  await refused({ scheduled_end: '2026-03-03' }, 'scheduled_start is required with scheduled_end');
  await refused(
    { status: 'scheduled', scheduled_start: '2026-03-04', scheduled_end: '2026-03-03' },
    'scheduled_end must be after scheduled_start',
  );
  await refused({ started_at: '2027-01-01' }, 'started_at must not be in the future');
  t.is((await send('POST', '/outages.php', { service_id, title: 'Mail', status: 'resolved' })).status, 400);
});

test('Update an outage: resolved and reopened', async (t) => {
  const { app, send, service } = await start(t);
  const service_id = await service('Email');
  const { body } = await send('POST', '/outages.php', { service_id, title: 'Mail is down' });
  const path = `/outages.php?id=${body.data.outage_id}`;
  app.clock.set('2026-03-02T10:00:00.000Z');
  const resolved = await send('PUT', path, { status: 'operating_normally', notes: 'The server is back' });
  t.is(resolved.status, 200);
  t.like(resolved.body.data, { status: 'resolved', resolved_at: '2026-03-02T10:00:00Z', notes: 'The server is back' });
  t.deepEqual(
    resolved.body.data.status_history.map((each: { status: string; notes: string }) => [each.status, each.notes]),
    [
      ['active', ''],
      ['operating_normally', 'The server is back'],
    ],
  );
  // Setting the current status changes nothing and sends no event (V-16).
  const again = await send('PUT', path, { status: 'resolved' });
  t.is(again.body.data.status_history.length, 2);
  app.clock.set('2026-03-02T11:00:00.000Z');
  const back = (await send('PUT', path, { status: 'active', severity: 'critical' })).body.data;
  t.like(back, { status: 'active', severity: 'critical', started_at: '2026-03-02T11:00:00Z', resolved_at: null });
  t.deepEqual(await eventsOf(app), ['outage.started', 'outage.resolved', 'outage.started']);
  const news = (await send('PUT', path, { notes: 'Somebody is on the way' })).body.data;
  t.like(news.status_history.at(-1), { status: 'active', notes: 'Somebody is on the way' });
  t.like((await send('PUT', path, { status: 'scheduled' })).body, {
    error: 'An outage can only be scheduled on creation',
  });
  t.like((await send('PUT', path, { status: 'broken' })).body, {
    error: 'status must be one of: active, scheduled, resolved, operating_normally',
  });
  t.like((await send('PUT', path, {})).body, { error: 'No fields to update' });
  t.is((await send('PUT', '/outages.php?id=999', { notes: 'x' })).status, 404);
});

test('Update an outage: affected people are notified by mail, and no one else', async (t) => {
  const { app, send, service } = await start(t);
  const [email, phone] = [await service('Email'), await service('Phone')];
  const north = (await seedCompany(app, 'North')).company_number;
  const south = (await seedCompany(app, 'South')).company_number;
  const person = (email_: string, company_number: number, more: object = {}) =>
    seedEmployee(app, { company_number, email: email_, ...more });
  await person('manager@north.example', north, { ismgr: true });
  await person('plain@north.example', north);
  await person('it@south.example', south, { it_privileges: true });
  await send('PUT', `/company-services.php?company_number=${south}`, { service_ids: [phone] });
  await send('POST', '/outage-subscribers.php', { company_number: north, email: 'board@north.example', name: 'Board' });
  const told = async (service_id: number, more: object = {}) => {
    await app.app.database.query({ text: 'DELETE FROM mail', params: [] });
    const made = await send('POST', '/outages.php', { service_id, title: 'Down', send_notification: true, ...more });
    t.true(made.body.data.status_history[0].notified);
    await app.app.outbox.drain();
    return (await readMails(app)).map((each) => each.to).toSorted();
  };
  t.deepEqual(await told(email), ['board@north.example', 'manager@north.example']);
  t.deepEqual(await told(phone), ['board@north.example', 'it@south.example', 'manager@north.example']);
  t.deepEqual(await told(email, { company_number: south }), ['it@south.example']);
  t.deepEqual(await told(email, { company_number: north }), ['board@north.example', 'manager@north.example']);
  const [mail] = await readMails(app);
  t.is(mail?.subject, 'Down: active');
  await send('POST', subscribers, { company_number: south, email: 'IT@south.example' });
  t.deepEqual(await told(email, { company_number: south }), ['it@south.example'], 'a subscriber in charge gets one');
  const [{ outage_id }] = (await send('GET', '/outages.php?per_page=1')).body.data;
  t.like((await send('GET', `/outages.php?action=affected&id=${outage_id}`)).body.data, {
    people: 1,
    list: [{ company_number: south, company_name: 'South', people: 1 }],
  });
});

test('an outage with many recipients is announced in batches, once each', async (t) => {
  const { app, send, service } = await start(t);
  const service_id = await service('Email');
  const { company_number } = await seedCompany(app);
  await app.run(async (ctx) => {
    const rows = Array.from({ length: 450 }, (_, i) => ({
      company_number,
      site_number: null,
      first_name: 'M',
      last_name: `No ${i}`,
      email: `m${i}@many.example`,
      ismgr: true,
      created_at: ctx.now,
      updated_at: ctx.now,
    }));
    const { Employee } = await import('@keelson/modules/directory');
    await ctx.db.insert(Employee, rows);
  });
  await send('POST', '/outages.php', { service_id, title: 'Down', send_notification: true });
  await app.app.outbox.drain();
  const told = (await readMails(app)).map((each) => each.to);
  t.is(told.length, 450);
  t.is(new Set(told).size, 450);
  t.is(await app.app.database.countBy(Delivery, { subscriber: 'outages.mail', state: 'done' }), 3);
});

test('a planned window starts and ends automatically, notifying its original recipients', async (t) => {
  const { app, send, service } = await start(t);
  const service_id = await service('Servers');
  const { company_number } = await seedCompany(app);
  await seedEmployee(app, { company_number, email: 'm@x.example', ismgr: true });
  const { body } = await send('POST', '/outages.php', {
    ...window,
    service_id,
    send_notification: true,
  });
  t.is(body.data.started_at, null);
  t.deepEqual(await eventsOf(app), []);
  const path = `/outages.php?id=${body.data.outage_id}`;
  const stateAt = async (at: string) => {
    app.clock.set(at);
    await app.app.scheduler.runNow('outages.windows');
    const { data } = (await send('GET', path)).body;
    const services = (await send('GET', '/outage-services.php')).body.data;
    return [data.status, services.find((each: { name: string }) => each.name === 'Servers').status];
  };
  t.deepEqual(await stateAt('2026-03-02T19:59:00.000Z'), ['scheduled', 'operating_normally']);
  t.deepEqual(await stateAt('2026-03-02T20:00:00.000Z'), ['active', 'maintenance']);
  t.deepEqual(await stateAt('2026-03-02T22:00:30.000Z'), ['resolved', 'operating_normally']);
  t.deepEqual(await eventsOf(app), ['outage.started', 'outage.resolved']);
  const { data } = (await send('GET', path)).body;
  t.deepEqual(
    data.status_history.map((each: { status: string; changed_by: string }) => [each.status, each.changed_by]).slice(1),
    [
      ['active', 'System'],
      ['operating_normally', 'System'],
    ],
  );
  await app.app.outbox.drain();
  t.is((await readMails(app)).length, 3);
  // Reactivated after its end, it stays active until changed.
  await send('PUT', path, { status: 'active' });
  t.deepEqual(await stateAt('2026-03-03T08:00:00.000Z'), ['active', 'maintenance']);
});

test('people who are notified of a planned window by an update are notified of its start and end', async (t) => {
  const { app, send, service } = await start(t);
  const { company_number } = await seedCompany(app);
  await seedEmployee(app, { company_number, email: 'm@x.example', ismgr: true });
  const { body } = await send('POST', '/outages.php', { ...window, service_id: await service('Servers') });
  await send('PUT', `/outages.php?id=${body.data.outage_id}`, { send_notification: true });
  for (const at of ['2026-03-02T20:00:00.000Z', '2026-03-02T22:00:00.000Z']) {
    app.clock.set(at);
    await app.app.scheduler.runNow('outages.windows');
  }
  await app.app.outbox.drain();
  const subjects = (await readMails(app)).map((each) => each.subject);
  t.deepEqual(subjects.toSorted(), ['New disks: active', 'New disks: operating normally', 'New disks: scheduled']);
});

test('a planned window that passed while no job ran ends without having started', async (t) => {
  const { app, send, service } = await start(t);
  const { body } = await send('POST', '/outages.php', { ...window, service_id: await service('Servers') });
  app.clock.set('2026-03-02T22:05:00.000Z');
  await app.app.scheduler.runNow('outages.windows');
  const { data } = (await send('GET', `/outages.php?id=${body.data.outage_id}`)).body;
  t.like(data, { status: 'resolved', started_at: null, resolved_at: '2026-03-02T22:05:00Z' });
  t.deepEqual(await eventsOf(app), ['outage.resolved']);
});

test('a planned window that is reactivated just as it would end stays active', async (t) => {
  const { app, send, service } = await start(t);
  const { body } = await send('POST', '/outages.php', { ...window, service_id: await service('Servers') });
  const path = `/outages.php?id=${body.data.outage_id}`;
  app.clock.set('2026-03-02T22:05:00.000Z');
  const { database } = app.app;
  const { transaction } = database;
  let reactivated = false;
  // The first transaction of a run that was claimed moves the window, which the job has read by then.
  database.transaction = async (work, how) => {
    if (!reactivated && (await database.existsBy(JobRun, { running_job: 'outages.windows' }))) {
      reactivated = true;
      await send('PUT', path, { status: 'active' });
    }
    return transaction(work, how);
  };
  t.teardown(() => (database.transaction = transaction));
  await app.app.scheduler.runNow('outages.windows');
  t.true(reactivated);
  t.is((await send('GET', path)).body.data.status, 'active');
});

test('List outages: filters, pages and few statements', async (t) => {
  const { app, send, service } = await start(t);
  const [email, phone] = [await service('Email'), await service('Phone')];
  const { company_number } = await seedCompany(app);
  const other = await seedCompany(app);
  const declare = (title: string, service_id: number, more: object = {}) =>
    send('POST', '/outages.php', { service_id, title, ...more });
  await declare('Everybody', email);
  await declare('Theirs', phone, { company_number });
  await declare('Others', phone, { company_number: other.company_number });
  await declare('Planned', email, { status: 'scheduled', scheduled_start: '2026-04-01' });
  const titles = async (query: string) =>
    (await send('GET', `/outages.php?${query}`)).body.data.map((each: { title: string }) => each.title);
  t.deepEqual(await titles(''), ['Planned', 'Others', 'Theirs', 'Everybody']);
  t.deepEqual(await titles(`company_number=${company_number}`), ['Planned', 'Theirs', 'Everybody']);
  t.deepEqual(await titles(`service_id=${email}&status=active`), ['Everybody']);
  t.deepEqual(await titles('status=scheduled'), ['Planned']);
  t.deepEqual(await titles('status=ALL&per_page=1&page=2'), ['Others']);
  t.deepEqual(await titles('company_number=999999&status=resolved'), []);
  const { body } = await send('GET', '/outages.php?per_page=3');
  t.deepEqual(body.pagination, { page: 1, per_page: 3, total: 4, total_pages: 2 });
  t.true((await app.fewestStatements(() => send('GET', '/outages.php'))) <= 6);
  t.is((await send('GET', '/outages.php?status=broken')).status, 400);
});

test('Read an outage with its history', async (t) => {
  const { send, service } = await start(t);
  const { body } = await send('POST', '/outages.php', { service_id: await service('Email'), title: 'Mail is down' });
  const answer = await send('GET', `/outages.php?id=${body.data.outage_id}`);
  t.is(answer.status, 200);
  t.deepEqual(answer.body, body);
  t.deepEqual((await send('GET', '/outages.php?id=999')).body, { success: false, error: 'Outage not found' });
  t.is((await send('DELETE', `/outages.php?id=${body.data.outage_id}`)).status, 405);
});

test('List outage services: their status and available actions', async (t) => {
  const { app, send, service } = await start(t);
  const [email] = [await service('Email'), await service('Phone')];
  const { company_number } = await seedCompany(app);
  await send('POST', '/outages.php', { service_id: email, title: 'One company only', company_number });
  const { body: outage } = await send('POST', '/outages.php', { service_id: email, title: 'Everybody' });
  const { status, body } = await send('GET', '/outage-services.php');
  t.is(status, 200);
  t.deepEqual(body, {
    success: true,
    data: [
      {
        service_id: email,
        name: 'Email',
        description: '',
        category: '',
        active: true,
        created_at: now,
        updated_at: now,
        status: 'outage',
        active_outage_id: outage.data.outage_id,
      },
      { ...body.data[1], name: 'Phone', status: 'operating_normally', active_outage_id: null },
    ],
  });
});

test('Create an outage service', async (t) => {
  const { send } = await start(t);
  const made = await send('POST', '/outage-services.php', { name: 'VPN', category: 'Network' });
  t.is(made.status, 201);
  t.like(made.body.data, { name: 'VPN', category: 'Network', status: 'operating_normally' });
  t.deepEqual((await send('POST', '/outage-services.php', { name: 'vpn' })).body, {
    success: false,
    error: 'name vpn already exists',
  });
});

test('Read an outage service', async (t) => {
  const { send, service } = await start(t);
  const path = `/outage-services.php?id=${await service('VPN')}`;
  t.like((await send('GET', path)).body.data, { name: 'VPN', active: true });
  t.is((await send('GET', '/outage-services.php?id=999')).status, 404);
});

test('Update an outage service', async (t) => {
  const { send, service } = await start(t);
  const path = `/outage-services.php?id=${await service('VPN')}`;
  await service('Email');
  t.like((await send('PUT', path, { name: 'Remote access', active: false })).body.data, {
    name: 'Remote access',
    active: false,
  });
  t.is((await send('PUT', path, { name: 'EMAIL' })).status, 409);
});

test('Delete an outage service', async (t) => {
  const { send, service } = await start(t);
  const path = `/outage-services.php?id=${await service('VPN')}`;
  t.is((await send('DELETE', path)).status, 204);
  t.is((await send('GET', path)).status, 404);
  t.is((await send('POST', '/outage-services.php', { name: 'VPN' })).status, 201);
});

test('List a company’s services', async (t) => {
  const { app, send, service } = await start(t);
  const [email, phone] = [await service('Email'), await service('Phone')];
  const { company_number } = await seedCompany(app);
  const path = `/company-services.php?company_number=${company_number}`;
  const { body: outage } = await send('POST', '/outages.php', { service_id: phone, title: 'Theirs', company_number });
  const phoneNow = {
    company_number,
    service_id: phone,
    service_name: 'Phone',
    status: 'outage',
    active_outage_id: outage.data.outage_id,
    since: now,
  };
  const fine = { status: 'operating_normally', active_outage_id: null, since: null };
  t.deepEqual((await send('GET', path)).body, {
    success: true,
    data: [{ company_number, service_id: email, service_name: 'Email', ...fine }, phoneNow],
  });
  t.deepEqual((await send('GET', '/company-services.php')).body, {
    success: false,
    error: 'company_number is required',
  });
  t.is((await send('GET', '/company-services.php?company_number=999999')).status, 404);
});

test('a company whose only selected service is deleted has none, and gets no notices of others', async (t) => {
  const { app, send, service } = await start(t);
  const [email, fax] = [await service('Email'), await service('Fax')];
  const { company_number } = await seedCompany(app);
  await seedEmployee(app, { company_number, email: 'm@x.example', ismgr: true });
  const path = `/company-services.php?company_number=${company_number}`;
  await send('PUT', path, { service_ids: [fax] });
  t.is((await send('DELETE', `/outage-services.php?id=${fax}`)).status, 204);
  t.deepEqual((await send('GET', path)).body.data, []);
  const { body } = await send('POST', '/outages.php', {
    service_id: email,
    title: 'Mail is down',
    send_notification: true,
  });
  t.like((await send('GET', `/outages.php?action=affected&id=${body.data.outage_id}`)).body.data, { people: 0 });
  await app.app.outbox.drain();
  t.deepEqual(await readMails(app), []);
  t.deepEqual((await send('PUT', path, { service_ids: [email] })).body.data.length, 1);
  t.is((await send('PUT', path, { service_ids: [fax] })).status, 400);
});

test('Choose a company’s services', async (t) => {
  const { app, send, service } = await start(t);
  const [, phone] = [await service('Email'), await service('Phone')];
  const { company_number } = await seedCompany(app);
  const path = `/company-services.php?company_number=${company_number}`;
  const chosen = await send('PUT', path, { service_ids: [phone, phone] });
  t.is(chosen.status, 200);
  t.deepEqual(chosen.body, { success: true, data: [chosen.body.data[0]] });
  t.like(chosen.body.data[0], { company_number, service_id: phone, service_name: 'Phone' });
  t.deepEqual((await send('GET', path)).body, chosen.body);
  t.like((await send('PUT', path, { service_ids: [999] })).body, {
    error: 'service_ids contains unknown services: 999',
  });
  t.is((await send('PUT', path, { service_ids: [] })).body.data.length, 2);
});

const subscribers = '/outage-subscribers.php';

test('Subscribe an address to a company’s outages', async (t) => {
  const { app, send } = await start(t);
  const { company_number } = await seedCompany(app);
  const made = await send('POST', subscribers, { company_number, email: 'board@x.example' });
  t.is(made.status, 201);
  const row = { subscriber_id: 1, company_number, name: '', email: 'board@x.example', created_at: now };
  t.deepEqual(made.body.data, row);
  t.is((await send('POST', subscribers, { company_number, email: 'BOARD@x.example' })).status, 409);
  t.like((await send('POST', subscribers, { company_number: 999, email: 'a@x.example' })).body, {
    error: 'company_number must be an existing company',
  });
});

test('List the subscribers to a company’s outages', async (t) => {
  const { app, send } = await start(t);
  const { company_number } = await seedCompany(app);
  const made = await send('POST', subscribers, { company_number, email: 'board@x.example', name: 'Board' });
  const { body } = await send('GET', `${subscribers}?company_number=${company_number}`);
  t.deepEqual(body, { success: true, data: [made.body.data] });
  t.is((await send('GET', `${subscribers}?company_number=999`)).status, 404);
  t.is((await send('GET', subscribers)).status, 400);
});

test('Unsubscribe an address from outages', async (t) => {
  const { app, send } = await start(t);
  const { company_number } = await seedCompany(app);
  await send('POST', subscribers, { company_number, email: 'board@x.example' });
  t.is((await send('DELETE', `${subscribers}?id=1`)).status, 204);
  t.deepEqual((await send('GET', `${subscribers}?company_number=${company_number}`)).body.data, []);
  t.is((await send('DELETE', `${subscribers}?id=1`)).status, 404);
});

test('outages require service desk permissions', async (t) => {
  const { app } = await start(t);
  const reader = await asKey(app, ['tickets:read']);
  t.is((await reader('POST', '/outages.php', { title: 'x' })).status, 403);
  t.is((await reader('GET', '/company-services.php?company_number=1')).status, 403);
  const stranger = await asKey(app, ['kb:read'].slice(1).concat('contacts:read'));
  t.is((await stranger('GET', '/outages.php')).status, 403);
  t.is((await app.request('GET', '/admin/api/v1/outages.php')).status, 401);
});

test('List the companies that an outage affects; Preview the notice of an outage update', async (t) => {
  const { app, send, service } = await start(t);
  const [email, phone] = [await service('Email'), await service('Phone')];
  const north = (await seedCompany(app, 'North')).company_number;
  const south = (await seedCompany(app, 'South')).company_number;
  await seedCompany(app, 'West');
  await seedEmployee(app, { company_number: north, first_name: 'Mona', last_name: 'Manager', ismgr: true });
  await seedEmployee(app, { company_number: north });
  await seedEmployee(app, { company_number: south, it_privileges: true });
  await send('PUT', `/company-services.php?company_number=${south}`, { service_ids: [phone] });
  await send('POST', '/outage-subscribers.php', { company_number: north, email: 'board@north.example', name: 'Board' });
  const declare = async (more: object) =>
    (await send('POST', '/outages.php', { service_id: email, title: 'Mail is down', ...more })).body.data.outage_id;
  const affected = async (id: number, as = send) =>
    (await as('GET', `/outages.php?action=affected&id=${id}`)).body.data;
  const everybody = await declare({ description: 'We are on it.' });
  const list = [
    { company_number: north, company_name: 'North', people: 2 },
    { company_number: south + 1, company_name: 'West', people: 0 },
  ];
  t.deepEqual(await affected(everybody), { companies: 2, people: 2, list });
  t.deepEqual(await affected(await declare({ company_number: south })), {
    companies: 1,
    people: 1,
    list: [{ company_number: south, company_name: 'South', people: 1 }],
  });
  const onlyTickets = await asKey(app, ['tickets:read']);
  t.deepEqual(await affected(everybody, onlyTickets), { companies: 2, people: 2, list: [] });

  const preview = async (body: object) =>
    (await send('POST', `/outages.php?action=preview&id=${everybody}`, body)).body.data;
  const { subject, text, people } = await preview({ status: 'operating_normally', notes: 'It works again.' });
  t.is(subject, 'Mail is down: operating normally');
  t.is(people, 2);
  t.regex(text, /^Hello Mona Manager,[^]*affects North\.[^]*Services: Email[^]*It works again\./);
  t.regex((await preview({})).text, /We are on it\./);
  t.is((await preview({ notes: 'x' })).subject, 'Mail is down: active');
  t.deepEqual(await readMails(app), []);
  t.is((await send('GET', `/outages.php?id=${everybody}`)).body.data.status_history.length, 1);
  t.is((await send('POST', `/outages.php?action=preview&id=${everybody}`, { status: 'broken' })).status, 400);
});
