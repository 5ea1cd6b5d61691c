// Presence: technicians viewing the same record (NW-18).
import { plus } from '@keelson/core';
import { startApp, type TestApp } from '@keelson/testing';
import test from 'ava';
import { RecordChange } from '../../core/plugin/change-feed.ts';
import { Presence } from '../../modules/desk/entities.ts';
import { seedCompany, seedKey, seedTechnician, signInOnPage } from '../accounts-seed.ts';
import { aKey, anEmployee, listen, streamsOf } from '../core/_live.ts';
import { seedTicket } from '../tickets-seed.ts';

const aTicket = async (app: TestApp) => seedTicket(app, { company_number: (await seedCompany(app)).company_number });

const path = '/admin/api/v1/presence.php';

async function person(app: TestApp, role: 'technician' | 'administrator' = 'technician') {
  const technician = await seedTechnician(app, role);
  const cookie = await signInOnPage(app, technician);
  const be = (doing: string, key: number, type = 'ticket') =>
    app.request('POST', path, { cookie, body: { type, key, doing } });
  const see = async (query = '') => (await app.request('GET', path + query, { cookie })).body.data;
  return { ...technician, cookie, be, see };
}

test('Report that you are viewing a record; List who is viewing which records: others are notified when you start and stop', async (t) => {
  const app = await startApp(t);
  const [ada, ben] = [await person(app), await person(app, 'administrator')];
  const { ticket_id: key, company_number } = await aTicket(app);
  const live = streamsOf(app);
  const staff = await listen(app, aKey(['tickets:read']));
  const others = await listen(app, aKey(['assets:read'], 2));
  const customer = await listen(app, await anEmployee(app, company_number, { it_privileges: true }));
  await live.look();
  for (const each of [staff, others, customer]) each.heard();
  const told = async () => {
    await live.look();
    return staff.heard();
  };
  const at = `ticket ${key} by technician`;
  const adas = { type: 'ticket', key, user_id: ada.user_id, name: ada.name };

  t.deepEqual((await ada.be('viewing', key)).body.data, { people: [] });
  t.deepEqual(await told(), [`viewing ${at} ${ada.user_id}`]);
  t.deepEqual((await ben.be('viewing', key)).body.data, { people: [{ ...adas, doing: 'viewing' }] });
  t.deepEqual(await told(), [`viewing ${at} ${ben.user_id}`]);
  await ada.be('viewing', key);
  t.deepEqual(await told(), [], 'the same again is no news');
  app.clock.set(plus(app.clock.now(), { seconds: 1 }));
  await ada.be('writing', key);
  await ada.be('viewing', key);
  await ada.be('writing', key);
  t.deepEqual(await told(), [`writing ${at} ${ada.user_id}`], 'the last word of a second counts');
  t.deepEqual(await ben.see(`?type=ticket&key=${key}`), [
    { ...adas, doing: 'writing' },
    { ...adas, user_id: ben.user_id, name: ben.name, doing: 'viewing' },
  ]);
  t.deepEqual(await ben.see(`?key=${key + 1}`), []);
  t.deepEqual((await ada.be('left', key)).body.data.people.length, 1);
  await ada.be('left', key);
  t.deepEqual(await told(), [`left ${at} ${ada.user_id}`], 'at once, and once');

  app.clock.set(plus(app.clock.now(), { seconds: 38 }));
  t.is((await ada.see()).length, 1);
  app.clock.set(plus(app.clock.now(), { seconds: 1 }));
  t.deepEqual(await ada.see(), [], 'forgotten after 40 seconds');
  await app.app.scheduler.runNow('desk.forget-presence');
  t.deepEqual(await told(), [`left ${at} ${ben.user_id}`]);
  t.is(await app.app.database.count(Presence), 0);
  await app.app.scheduler.runNow('desk.forget-presence');
  t.deepEqual(await told(), []);
  t.deepEqual([others.heard(), customer.heard()], [[], []], 'nobody else hears of it');
});

test('only people who may read an existing record can report presence', async (t) => {
  const app = await startApp(t);
  const ada = await person(app);
  const { ticket_id: key } = await aTicket(app);
  const { api_key: token } = await seedKey(app, 'admin', ['tickets:read']);
  const body = { type: 'ticket', key, doing: 'viewing' };
  t.is((await app.request('POST', path, { token, body })).status, 403);
  t.is((await app.request('GET', path, { token })).status, 403);
  t.is((await app.request('POST', path, { body })).status, 401);
  t.is((await ada.be('viewing', key + 1)).status, 404);
  t.is((await ada.be('viewing', 1, 'api_key')).status, 400, 'an administrators’ record');
  t.is((await ada.be('viewing', 1, 'preference')).status, 400, 'somebody’s own');
  t.is((await ada.be('viewing', 1, '__proto__')).status, 400);
  t.is((await ada.be('viewing', 1, 'TICKET')).status, 400);
  t.is((await ada.be('dancing', key)).status, 400);
  t.is((await app.request('GET', `${path}?type=api_key`, { cookie: ada.cookie })).status, 400);
  t.is((await ada.be('left', key)).status, 200, 'who was never there may leave');
  t.is(await app.app.database.count(Presence), 0);
});

test('presence is limited: the oldest records are dropped, and a full record admits no one', async (t) => {
  const app = await startApp(t);
  const ada = await person(app);
  const keys: number[] = [];
  for (let i = 0; i < 22; i++) keys.push((await aTicket(app)).ticket_id);
  for (const key of keys) {
    app.clock.set(plus(app.clock.now(), { seconds: 1 }));
    t.is((await ada.be('viewing', key)).status, 200);
  }
  const kept = await app.app.database.findBy(Presence, { user_id: ada.user_id });
  t.deepEqual(
    kept.map((each) => each.record_id).toSorted((a, b) => a - b),
    keys.slice(2),
  );
  const left = await app.app.database.find(RecordChange, { where: { kind: 'left' }, order: { change_id: 'ASC' } });
  t.deepEqual(
    left.map((each) => each.record_id),
    keys.slice(0, 2),
  );
  const [key = 0] = keys;
  for (let i = 0; i < 50; i++) {
    const { user_id } = await seedTechnician(app);
    const row = { user_id, type: 'ticket', record_id: key, doing: 'viewing', seen_at: app.clock.now() } as const;
    await app.run((ctx) => ctx.db.insertReturningId(Presence, row));
  }
  const full = await ada.be('viewing', key);
  t.deepEqual([full.status, full.body.error], [400, 'Limit of 50 viewers reached']);
});

test('repeating the same presence is cheap', async (t) => {
  const app = await startApp(t);
  const ada = await person(app);
  const { ticket_id: key } = await aTicket(app);
  // Caches of a second or two may expire in between, so take the minimum.
  const fewest = { arrived: Infinity, again: Infinity, other: Infinity, left: Infinity };
  const step = async (name: keyof typeof fewest, doing: string) => {
    fewest[name] = Math.min(fewest[name], await app.statements(() => ada.be(doing, key)));
  };
  for (let round = 0; round < 4; round++) {
    await step('arrived', 'viewing');
    await step('again', 'viewing');
    await step('other', 'writing');
    await step('left', 'left');
  }
  const { arrived, again, other, left } = fewest;
  const seen = await app.fewestStatements(() => ada.see());
  t.log({ arrived, again, other, left, seen });
  t.true(arrived <= 8 && again <= 4 && other <= 5 && left <= 5 && seen <= 2);
});
