// Technicians' timers, and the time entries created from them (NW-21).
import { plus } from '@keelson/core';
import { deleteTicket, findTicket } from '@keelson/modules/tickets';
import { startApp, type TestApp } from '@keelson/testing';
import test from 'ava';
import { Timer } from '../../modules/desk/entities.ts';
import { ActivityLine } from '../../packages/log/activity.ts';
import { seedCompany, seedTechnician, signInOnPage } from '../accounts-seed.ts';
import { seedTicket } from '../tickets-seed.ts';

const root = '/admin/api/v1';

async function person(app: TestApp, role: 'technician' | 'administrator' = 'technician') {
  const technician = await seedTechnician(app, role);
  const cookie = await signInOnPage(app, technician);
  const ask = (method: string, path: string, body?: unknown) =>
    app.request(method, root + path, { cookie, ...(body !== undefined && { body }) });
  const start = (ticket_id: number) => ask('POST', '/timers.php', { ticket_id });
  const act = (action: string, id: number, body?: unknown) => ask('PUT', `/timers.php?action=${action}&id=${id}`, body);
  return { ...technician, ask, start, act };
}

const aTicket = async (app: TestApp, customer?: string) =>
  seedTicket(app, { company_number: (await seedCompany(app, customer)).company_number });
const wait = (app: TestApp, time: object) => app.clock.set(plus(app.clock.now(), time));

test('Start a timer; List your timers; Pause a timer; Resume a timer; Stop a timer and log its time: one runs at a time', async (t) => {
  const app = await startApp(t);
  const ada = await person(app);
  const { ticket_id, ticket_number, subject } = await aTicket(app, 'Northwind');
  const other = await aTicket(app);
  const begun = app.clock.now().replace('.000Z', 'Z');
  const started = await ada.start(ticket_id);
  t.is(started.status, 201, started.text);
  const { timer_id } = started.body.data;
  const ticket = { ticket_number, subject, company_name: 'Northwind' };
  const rounding = { step_minutes: 1, least_minutes: 1 };
  const expected = {
    timer_id,
    ticket_id,
    started_at: begun,
    seconds: 0,
    created_at: begun,
    running: true,
    rounding,
    ticket,
  };
  t.deepEqual(started.body.data, expected);
  wait(app, { minutes: 4, seconds: 30 });
  t.deepEqual([(await ada.start(ticket_id)).status, (await ada.start(ticket_id)).body.data], [200, expected]);

  const second = (await ada.start(other.ticket_id)).body.data;
  const all = (await ada.ask('GET', '/timers.php')).body.data;
  t.deepEqual(
    all.map((each: any) => [each.timer_id, each.running, each.seconds]),
    [
      [second.timer_id, true, 0],
      [timer_id, false, 270],
    ],
    'the other one is paused',
  );
  wait(app, { minutes: 1 });
  t.is((await ada.act('pause', second.timer_id)).body.data.seconds, 60);
  wait(app, { hours: 3 });
  t.is((await ada.act('pause', second.timer_id)).body.data.seconds, 60, 'paused is paused');
  t.is((await ada.act('resume', second.timer_id)).body.data.running, true);
  t.is((await ada.act('resume', timer_id)).body.data.running, true);
  t.is((await ada.ask('GET', '/timers.php')).body.data.filter((each: any) => each.running).length, 1);
  wait(app, { seconds: 31 });

  const stopped = await ada.act('stop', timer_id, { description: 'Replaced the switch', billable: false });
  t.is(stopped.status, 200, stopped.text);
  const { duration_minutes, user_name, description, billable } = stopped.body.data;
  t.deepEqual([duration_minutes, user_name, description, billable], [6, ada.name, 'Replaced the switch', false]);
  t.is((await ada.act('stop', timer_id)).status, 404);
  const detail = (await ada.ask('GET', `/tickets.php?id=${ticket_id}`)).body.data;
  t.deepEqual([detail.total_minutes, detail.time_entries.length], [6, 1]);
  t.is((await ada.act('stop', second.timer_id, { duration_minutes: 45 })).body.data.duration_minutes, 45);
  t.deepEqual((await ada.ask('GET', '/timers.php')).body.data, []);
  const lines = await app.app.database.findBy(ActivityLine, { entity_type: 'ticket_time_entry' });
  t.deepEqual(
    lines.map((each) => each.user),
    [ada.name, ada.name],
  );
});

test('Discard a timer: logs nothing; other people’s timers are inaccessible', async (t) => {
  const app = await startApp(t);
  const [ada, ben] = [await person(app), await person(app, 'administrator')];
  const { ticket_id } = await aTicket(app);
  const { timer_id } = (await ada.start(ticket_id)).body.data;
  t.is((await ben.start(ticket_id)).status, 201, 'two people may work on one ticket');
  const absent = await ben.act('pause', 98_765);
  for (const action of ['pause', 'resume', 'stop']) {
    const foreign = await ben.act(action, timer_id);
    t.deepEqual([foreign.status, foreign.text], [404, absent.text]);
  }
  t.is((await ben.ask('DELETE', `/timers.php?id=${timer_id}`)).status, 404);
  t.is((await ada.ask('DELETE', `/timers.php?id=${timer_id}`)).status, 204);
  t.deepEqual((await ada.ask('GET', `/tickets.php?id=${ticket_id}`)).body.data.time_entries, []);
  t.is((await ada.start(987_654)).status, 404);
  t.is((await ada.act('explode', timer_id)).status, 400);
  t.is((await ada.ask('POST', '/timers.php', {})).status, 400);
});

test('implausible durations are not logged, and a deleted ticket’s timer can be discarded', async (t) => {
  const app = await startApp(t);
  const ada = await person(app);
  const { ticket_id } = await aTicket(app);
  const { timer_id } = (await ada.start(ticket_id)).body.data;
  wait(app, { hours: 2 });
  const again = await person(app);
  wait(app, { days: 2 });
  await app.run(async (ctx) =>
    ctx.db.update(Timer, { timer_id }, { user_id: again.user_id, running_of: again.user_id }),
  );
  const cookie = await signInOnPage(app, again);
  const stop = (body: object) => app.request('PUT', `${root}/timers.php?action=stop&id=${timer_id}`, { cookie, body });
  const long = await stop({});
  t.deepEqual([long.status, long.body.error], [400, 'The timer ran for more than a day: set duration_minutes']);
  await app.run(async (ctx) => deleteTicket(ctx, await findTicket(ctx, ticket_id)));
  const [listed] = (await app.request('GET', `${root}/timers.php`, { cookie })).body.data;
  t.deepEqual([listed.timer_id, listed.ticket], [timer_id, null]);
  t.is((await stop({ duration_minutes: 5 })).status, 404);
  t.is((await app.request('DELETE', `${root}/timers.php?id=${timer_id}`, { cookie })).status, 204);
});

test('two devices start only one timer, and each person has at most twenty', async (t) => {
  const app = await startApp(t);
  const ada = await person(app);
  const ids: number[] = [];
  for (let i = 0; i < 21; i++) ids.push((await aTicket(app)).ticket_id);
  const [first = 0, second = 0] = ids;
  const answers = await Promise.all([first, second, first, second].map((each) => ada.start(each)));
  t.true(
    answers.every(({ status }) => [200, 201, 409].includes(status)),
    answers.map((each) => each.text).join(),
  );
  t.is(await app.app.database.countBy(Timer, { running_of: ada.user_id }), 1);
  for (const each of ids.slice(0, 20)) await ada.start(each);
  t.is((await ada.start(ids.at(-1) ?? 0)).status, 400);
  t.is(await app.app.database.countBy(Timer, { user_id: ada.user_id }), 20);
  await ada.ask('GET', '/timers.php');
  t.true((await app.fewestStatements(() => ada.ask('GET', '/timers.php'))) <= 4);
});

test('Read the time rounding settings; Update the time rounding settings: administrators change, technicians read', async (t) => {
  const app = await startApp(t);
  const [ada, chief] = [await person(app), await person(app, 'administrator')];
  const path = '/settings/time-rounding.php';
  t.deepEqual((await ada.ask('GET', path)).body.data, { step_minutes: 1, least_minutes: 1 });
  t.is((await ada.ask('PUT', path, { step_minutes: 15 })).status, 403);
  for (const wrong of [{}, { step_minutes: 0 }, { step_minutes: 61 }, { least_minutes: 481 }])
    t.is((await chief.ask('PUT', path, wrong)).status, 400);
  t.deepEqual((await chief.ask('PUT', path, { step_minutes: 15, least_minutes: 20 })).body.data, {
    step_minutes: 15,
    least_minutes: 20,
  });
  const { ticket_id } = await aTicket(app);
  const measured = async (time: object) => {
    const { timer_id } = (await ada.start(ticket_id)).body.data;
    wait(app, time);
    return (await ada.act('stop', timer_id)).body.data.duration_minutes;
  };
  t.is(await measured({ seconds: 5 }), 30, 'at least 20, in steps of 15');
  t.is(await measured({ minutes: 30 }), 30);
  t.is(await measured({ minutes: 30, seconds: 1 }), 45);
});
