// Employees' saved searches.
import { SavedSearch } from '@keelson/modules/search';
import { startApp } from '@keelson/testing';
import test from 'ava';
import { asEmployee, asKey, portal, seedTeam } from '../tickets-seed.ts';

const now = '2026-03-02T09:00:00Z';

async function start(t: Parameters<typeof startApp>[0]) {
  const app = await startApp(t);
  const team = await seedTeam(app);
  const [member, itAdmin, stranger] = [
    await asEmployee(app, team.member),
    await asEmployee(app, team.itAdmin),
    await asEmployee(app, team.stranger),
  ];
  return { app, team, member, itAdmin, stranger };
}
type Send = Awaited<ReturnType<typeof asEmployee>>;

const save = async (send: Send, name: string) =>
  (await send('POST', '/searches', { name, query: 'printer' })).body.search_id as number;

test('Save a search', async (t) => {
  const { app, team, member, itAdmin } = await start(t);
  const asked = {
    name: ' Printers ',
    query: 'printer',
    types: ['Tickets', 'kb', 'tickets'],
    filters: { status: 'open' },
  };
  const { status, body } = await member('POST', '/searches', asked);
  t.is(status, 201);
  t.deepEqual(body, {
    success: true,
    search_id: body.search_id,
    name: 'Printers',
    query: 'printer',
    types: ['tickets', 'kb'],
    filters: { status: 'open' },
    created_at: now,
  });
  const least = await member('POST', '/searches', { name: 'All', query: 'printer' });
  t.deepEqual([least.body.types, least.body.filters], [[], {}]);

  const refused = async (fields: object, error: string) => {
    const answer = await member('POST', '/searches', { name: 'Other', query: 'printer', ...fields });
    // Other modules append their types after these.
    const told = { ...answer.body, error: answer.body.error.replace(/(?<=, kb), .*/, '') };
    t.deepEqual([answer.status, told], [400, { error }]);
  };
  // Names are compared case-insensitively.
  await refused({ name: 'PRINTERS' }, 'name PRINTERS already exists');
  await refused({ types: ['companies'] }, 'types must be among: tickets, assets, employees, kb');
  await refused({ query: ' ' }, 'query is required');
  await refused({ filters: { status: ['open'] } }, 'filters.status must be text or a number or true or false or null');
  const many = Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`member${i}`, i]));
  await refused({ filters: many }, 'filters must have at most 20 entries');
  t.is((await itAdmin('POST', '/searches', asked)).status, 201, 'somebody else’s names are free');
  t.is((await app.request('POST', `${portal}/searches`, { body: asked })).status, 401);

  const { employee_number } = team.member;
  const row = (i: number) => ({
    employee_number,
    query: 'x',
    types: [],
    filters: {},
    created_at: app.clock.now(),
    name: `S${i}`,
  });
  const rows = Array.from({ length: 98 }, (_, i) => ({ ...row(i), name_key: `s${i}` }));
  await app.app.database.insert(SavedSearch, rows);
  await refused({}, 'Limit of 100 saved searches reached: delete some first');
});

test('List your saved searches', async (t) => {
  const { app, member, itAdmin, stranger } = await start(t);
  for (const name of ['First', 'Second', 'Third']) await save(member, name);
  const names = async (send: Send, query = '') =>
    ((await send('GET', `/searches${query}`)).body.searches as { name: string }[]).map(({ name }) => name);
  t.deepEqual(await names(member), ['Third', 'Second', 'First']);
  for (const send of [itAdmin, stranger]) t.deepEqual(await names(send), []);
  const { status, body } = await member('GET', '/searches?limit=2&page=2');
  t.is(status, 200);
  t.deepEqual(body, {
    searches: [
      {
        search_id: body.searches[0].search_id,
        name: 'First',
        query: 'printer',
        types: [],
        filters: {},
        created_at: now,
      },
    ],
    pagination: { page: 2, limit: 2, total: 3, total_pages: 2 },
  });
  t.is((await app.request('GET', `${portal}/searches`)).status, 401);
  t.is((await member('GET', '/searches?page=0')).status, 400);
  t.true((await app.fewestStatements(() => member('GET', '/searches'))) <= 6);
});

test('Delete a saved search', async (t) => {
  const { app, member, itAdmin, stranger } = await start(t);
  const id = await save(member, 'Printers');
  const absent = await member('DELETE', '/searches/999999');
  t.deepEqual([absent.status, absent.body], [404, { error: 'Search not found' }]);
  for (const send of [itAdmin, stranger]) t.is((await send('DELETE', `/searches/${id}`)).text, absent.text);
  t.is((await app.request('DELETE', `${portal}/searches/${id}`)).status, 401);
  const deleted = await member('DELETE', `/searches/${id}`);
  t.deepEqual([deleted.status, deleted.text], [204, '']);
  t.is((await member('DELETE', `/searches/${id}`)).text, absent.text);
  t.truthy(await save(member, 'Printers'), 'its name is free again');
});

test('saved searches are deleted with their owner', async (t) => {
  const { app, team, member, itAdmin } = await start(t);
  await save(member, 'Printers');
  await save(itAdmin, 'Printers');
  const integration = await asKey(app, ['contacts:write', 'contacts:access']);
  t.is((await integration('DELETE', `/contacts.php?id=${team.member.employee_number}`)).status, 204);
  await app.app.outbox.drain();
  const left = await app.app.database.find(SavedSearch);
  t.deepEqual(
    left.map((each) => each.employee_number),
    [team.itAdmin.employee_number],
  );
});
