// Technicians' saved views and preferences (NW-19, NW-20).
import { startApp, type TestApp } from '@keelson/testing';
import test from 'ava';
import { SavedView } from '../../modules/desk/entities.ts';
import { seedTechnician, signInOnPage } from '../accounts-seed.ts';
import { listen, streamsOf } from '../core/_live.ts';

const root = '/admin/api/v1';

async function person(app: TestApp, role: 'technician' | 'administrator' = 'technician') {
  const technician = await seedTechnician(app, role);
  const cookie = await signInOnPage(app, technician);
  const ask = (method: string, path: string, body?: unknown) =>
    app.request(method, root + path, { cookie, ...(body !== undefined && { body }) });
  return { ...technician, ask };
}

const mine = {
  title: 'My open ones',
  list: 'tickets',
  query: { status: 'open', assigned_to: 7 },
  columns: ['subject'],
};

test('Save a view; List saved views; Change a saved view; Delete a saved view: only your own', async (t) => {
  const app = await startApp(t);
  const [ada, ben] = [await person(app), await person(app)];
  const saved = await ada.ask('POST', '/views.php', { ...mine, sort: 'priority', order: 'ASC' });
  t.is(saved.status, 201, saved.text);
  const { view_id, created_at, updated_at, ...rest } = saved.body.data;
  const expected = {
    ...mine,
    user_id: ada.user_id,
    user_name: ada.name,
    sort: 'priority',
    order: 'asc',
    shared: false,
  };
  t.deepEqual(rest, expected);
  t.is((await ada.ask('POST', '/views.php', { ...mine, title: 'MY open ones' })).status, 409, 'the title is taken');
  t.is((await ada.ask('POST', '/views.php', { ...mine, list: 'assets' })).status, 201, 'of another list it is free');
  t.deepEqual(
    (await ada.ask('GET', '/views.php?list=tickets')).body.data.map((each: any) => each.view_id),
    [view_id],
  );
  t.is((await ada.ask('GET', '/views.php')).body.data.length, 2);
  t.deepEqual((await ben.ask('GET', '/views.php')).body.data, []);

  const path = `/views.php?id=${view_id}`;
  const absent = await ben.ask('PUT', '/views.php?id=987654', { title: 'x' });
  const foreign = await ben.ask('PUT', path, { title: 'x' });
  t.deepEqual([foreign.status, foreign.text], [404, absent.text], 'another’s is as if it were not there');
  t.is((await ben.ask('DELETE', path)).status, 404);
  const changed = await ada.ask('PUT', path, { title: 'Mine', query: {}, order: null });
  t.deepEqual(changed.body.data, {
    ...expected,
    view_id,
    created_at,
    updated_at,
    title: 'Mine',
    query: {},
    order: null,
  });
  t.is((await ada.ask('DELETE', path)).status, 204);
  t.is((await ada.ask('DELETE', path)).status, 404);
});

test('an administrator can share views and stop sharing them', async (t) => {
  const app = await startApp(t);
  const [ada, ben, chief] = [await person(app), await person(app, 'administrator'), await person(app, 'administrator')];
  const shared = { ...mine, shared: true };
  const refused = await ada.ask('POST', '/views.php', shared);
  t.deepEqual([refused.status, refused.body.error], [403, 'Only administrators can share views']);
  const { view_id } = (await ben.ask('POST', '/views.php', shared)).body.data;
  const path = `/views.php?id=${view_id}`;
  const [seen] = (await ada.ask('GET', '/views.php')).body.data;
  t.deepEqual([seen.view_id, seen.user_name], [view_id, ben.name]);
  t.is((await ada.ask('PUT', path, { title: 'x' })).status, 403, 'seen, and not to be changed');
  t.is((await ada.ask('DELETE', path)).status, 403);
  t.is((await chief.ask('PUT', path, { title: 'Unassigned' })).body.data.user_id, ben.user_id);
  t.is((await ben.ask('PUT', path, { shared: false })).status, 200);
  t.deepEqual((await ada.ask('GET', '/views.php')).body.data, []);
  t.is((await chief.ask('PUT', path, { shared: true })).status, 404, 'private again');
  const own = (await ada.ask('POST', '/views.php', mine)).body.data.view_id;
  t.is((await ada.ask('PUT', `/views.php?id=${own}`, { shared: true })).status, 403);
});

test('views are validated and limited, and deleted with their technician', async (t) => {
  const app = await startApp(t);
  const ada = await person(app);
  const status = async (more: object) => (await ada.ask('POST', '/views.php', { ...mine, ...more })).status;
  const many = Object.fromEntries(Array.from({ length: 31 }, (_, i) => [`f${i}`, i]));
  for (const wrong of [
    { title: '' },
    { title: 'x'.repeat(101) },
    { list: 'Drop Table' },
    { list: '../etc' },
    { query: many },
    { query: { a: { b: 1 } } },
    { query: { a: 'x'.repeat(256) } },
    { columns: 'subject' },
    { columns: Array.from({ length: 41 }, (_, i) => `c${i}`) },
    { order: 'up' },
    { shared: 'yes' },
  ])
    t.is(await status(wrong), 400, JSON.stringify(wrong).slice(0, 60));
  t.is(await status({ query: { search: '', from: null } }), 201);
  const stamp = app.clock.now();
  await app.run(async (ctx) => {
    for (let i = 0; i < 99; i++) {
      const row = { user_id: ada.user_id, title: `${i}`, title_key: `${i}`, list: 'x', query: {}, columns: [] };
      await ctx.db.insert(SavedView, { ...row, shared: i === 0, created_at: stamp, updated_at: stamp });
    }
  });
  t.is(await status({ title: 'One too many' }), 400);
  await ada.ask('GET', '/views.php');
  t.true((await app.fewestStatements(() => ada.ask('GET', '/views.php'))) <= 4, 'however many there are');
  const chief = await person(app, 'administrator');
  t.is((await chief.ask('DELETE', `/technicians.php?id=${ada.user_id}`)).status, 204);
  await app.app.scheduler.runNow('desk.forget-deleted');
  t.is(await app.app.database.count(SavedView), 1, 'what was shared stays');
  t.is((await chief.ask('GET', '/views.php')).body.data.length, 1);
});

test('Read your preferences; Update your preferences: stored across devices', async (t) => {
  const app = await startApp(t);
  const [ada, ben] = [await person(app), await person(app)];
  const path = '/preferences.php';
  const usual = {
    theme: 'system',
    density: 'compact',
    single_keys: true,
    columns: {},
    keys: {},
    pins: [],
    mails: 'none',
  };
  t.deepEqual((await ada.ask('GET', path)).body.data, usual);
  const live = streamsOf(app);
  const actor = { kind: 'technician', name: '', email: '', role: 'technician', session_id: 1 } as const;
  const device = await listen(app, { ...actor, user_id: ada.user_id });
  const other = await listen(app, { ...actor, user_id: ben.user_id });
  const changed = await ada.ask('PUT', path, { theme: 'Dark', columns: { tickets: ['subject', 'priority'] } });
  t.deepEqual(changed.body.data, { ...usual, theme: 'dark', columns: { tickets: ['subject', 'priority'] } });
  await ada.ask('POST', '/views.php', mine);
  await live.look();
  const by = `${ada.user_id} by technician ${ada.user_id}`;
  t.deepEqual([device.heard(), other.heard()], [[`changed preference ${by}`, `changed saved_view ${by}`], []]);
  await ada.ask('PUT', path, { keys: { 'ticket.reply': 'r', 'ticket.close': '' }, single_keys: false });
  const now = { ...changed.body.data, keys: { 'ticket.reply': 'r', 'ticket.close': '' }, single_keys: false };
  t.deepEqual((await ada.ask('GET', path)).body.data, now);
  t.deepEqual((await ben.ask('GET', path)).body.data, usual);
  const long = Object.fromEntries(Array.from({ length: 90 }, (_, i) => [`list${i}`, Array(10).fill('x'.repeat(60))]));
  for (const wrong of [
    {},
    { theme: 'pink' },
    { density: 1 },
    { single_keys: 'no' },
    { columns: ['a'] },
    { columns: { tickets: [1] } },
    { keys: { a: 'x'.repeat(41) } },
    { keys: Object.fromEntries(Array.from({ length: 201 }, (_, i) => [`k${i}`, 'a'])) },
    { columns: long },
    { pins: [{ path: '//elsewhere.example', title: 'Elsewhere' }] },
    { pins: Array.from({ length: 31 }, () => ({ path: '/tickets', title: 'Tickets' })) },
  ])
    t.is((await ada.ask('PUT', path, wrong)).status, 400, JSON.stringify(wrong).slice(0, 60));
  t.deepEqual((await ada.ask('GET', path)).body.data, now);
});
