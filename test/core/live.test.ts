// Event streams: recipients, reconnects, slow clients, late commits, and ends.
import { create, id, int, liveRecord, plus, record, remove, signedIn, table, text } from '@keelson/core';
import { createApiKey } from '@keelson/modules/accounts';
import { commentOnTicket, deleteTicket, ReadTickets, updateTicket } from '@keelson/modules/tickets';
import { startApp } from '@keelson/testing';
import test from 'ava';
import { RecordChange } from '../../core/plugin/change-feed.ts';
import { changeReader } from '../../modules/live/changes.ts';
import { streams } from '../../modules/live/live.ts';
import { seedCompany, seedEmployee, signIn } from '../accounts-seed.ts';
import { seedTicket } from '../tickets-seed.ts';
import { aKey, anAdministrator, anEmployee, listen, streamsOf } from './_live.ts';
import { secondProcess } from './_second-process.ts';

test('callers receive only the changes they may see, without their content', async (t) => {
  const app = await startApp(t);
  const live = streamsOf(app);
  const { company_number } = await seedCompany(app);
  const { company_number: elsewhere } = await seedCompany(app);
  const [requester, colleague, itAdmin, stranger] = [
    await anEmployee(app, company_number),
    await anEmployee(app, company_number),
    await anEmployee(app, company_number, { it_privileges: true }),
    await anEmployee(app, elsewhere, { it_privileges: true }),
  ];
  const staff = await listen(app, anAdministrator);
  const companyKey = await listen(app, aKey(['companies:read']));
  const own = await listen(app, requester);
  const others = await listen(app, colleague);
  const all = await listen(app, itAdmin);
  const foreign = await listen(app, stranger);
  const everybody = [staff, companyKey, own, others, all, foreign];
  const told = async () => {
    await live.look();
    return everybody.map((each) => each.heard());
  };

  const ticket = await seedTicket(app, { company_number, employee_number: requester.employee_number });
  const of = `ticket ${ticket.ticket_id} by system null`;
  t.deepEqual(await told(), [[`created ${of}`], [], [`created ${of}`], [], [`created ${of}`], []]);
  await app.run((ctx) => commentOnTicket(ctx, ticket, { comment: 'Psst', is_internal: true }));
  t.deepEqual(await told(), [[`changed ${of}`], [], [], [], [], []], 'an internal comment');
  t.is(await app.statements(() => live.look()), 1, 'nothing new: one statement, however many listen');
  await app.run((ctx) => commentOnTicket(ctx, ticket, { comment: 'Hello', is_internal: false }));
  const closed = await app.run((ctx) => updateTicket(ctx, ticket, { status: 'closed' }));
  t.is(await app.statements(() => live.look()), 2, 'one more asks for all customers what they see');
  t.deepEqual(await told(), [[`changed ${of}`], [], [`changed ${of}`], [], [`changed ${of}`], []], 'told once');
  await app.run((ctx) => deleteTicket(ctx, closed));
  t.deepEqual(await told(), [[`removed ${of}`], [], [`removed ${of}`], [], [`removed ${of}`], []]);

  const { company_number: added } = await seedCompany(app);
  const line = `created company ${added} by system null`;
  t.deepEqual(await told(), [[line], [line], [], [], [], []]);
  t.is(live.streams, 6);
  for (const each of everybody) each.close();
  t.is(live.streams, 0);
});

const Bell = table('bells_bell', { bell_id: id(), company_number: int().nullable(), tone: text(20) });
const Bells = record(Bell, { title: 'Bell', call: ({ tone }) => tone });
const bells = {
  id: 'bells',
  title: 'Bells',
  perCompany: { default: true },
  entities: [Bell],
  live: [liveRecord(Bell, { helpdesk: { access: signedIn, common: true } })],
};

test('a plugin table: disabled modules are silent, deletions reach the company', async (t) => {
  const app = await startApp(t, { plugins: [bells] });
  const { company_number } = await seedCompany(app);
  const { company_number: elsewhere } = await seedCompany(app);
  const here = await listen(app, await anEmployee(app, company_number));
  const there = await listen(app, await anEmployee(app, elsewhere));
  const staff = await listen(app, anAdministrator);
  const told = async () => {
    await streamsOf(app).look();
    return [here.heard(), there.heard()];
  };
  await told();
  const [own, common] = await app.run(async (ctx) => [
    await create(ctx, Bells, { company_number, tone: 'c' }),
    await create(ctx, Bells, { tone: 'd' }),
  ]);
  const line = (kind: string, bell_id: number) => `${kind} bells_bell ${bell_id} by system null`;
  t.deepEqual(await told(), [
    [line('created', own.bell_id), line('created', common.bell_id)],
    [line('created', common.bell_id)],
  ]);
  await app.run((ctx) => remove(ctx, Bells, own));
  t.deepEqual(await told(), [[line('removed', own.bell_id)], []]);
  t.false(
    staff.heard().some((each) => each.includes('bell')),
    'the provider’s people have no access',
  );

  const off = { bells: false };
  await app.app.database.transaction((tx) => app.app.switches.set(tx, company_number, off, app.clock.now()));
  await app.run((ctx) => remove(ctx, Bells, common));
  t.deepEqual(await told(), [[], [line('removed', common.bell_id)]]);
});

test('a deleted report is announced only to the person who deleted it', async (t) => {
  const app = await startApp(t);
  const { company_number } = await seedCompany(app);
  const [owner, colleague] = [await anEmployee(app, company_number), await anEmployee(app, company_number)];
  const [own, others] = [await listen(app, owner), await listen(app, colleague)];
  const told = async () => {
    await streamsOf(app).look();
    return [own.heard(), others.heard()];
  };
  await told();
  const { token } = await signIn(app, owner);
  const send = (method: string, path: string, body?: unknown) =>
    app.request(method, `/helpdesk/api/v1${path}`, { token, ...(body !== undefined && { body }) });
  const made = await send('POST', '/reports', { name: 'Mine', source: 'tickets', fields: ['ticket_number'] });
  t.is(made.status, 201, made.text);
  const { report_id } = made.body as { report_id: number };
  const line = (kind: string) => `${kind} report ${report_id} by employee ${owner.employee_number}`;
  t.deepEqual(await told(), [[line('created')], []]);
  t.is((await send('DELETE', `/reports/${report_id}`)).status, 204);
  t.deepEqual(await told(), [[line('removed')], []]);
});

test('a stream resumes where it broke off, unless that is too long ago', async (t) => {
  const app = await startApp(t);
  const live = streamsOf(app);
  const keeper = await listen(app, anAdministrator);
  const first = await listen(app, anAdministrator);
  await seedCompany(app);
  await live.look();
  t.is(first.heard().length, 1);
  const at = first.lastId();
  first.close();
  const { company_number } = await seedCompany(app);
  await live.look();

  const back = await listen(app, anAdministrator, at);
  await live.look();
  t.deepEqual(back.heard(), [`created company ${company_number} by system null`]);
  t.is(keeper.heard().length, 2, 'others are told once');
  await live.look();
  t.deepEqual(back.heard(), []);

  app.clock.set(plus(app.clock.now(), { minutes: 14, seconds: 1 }));
  for (const each of [at, 'x', '1', '-1.5']) {
    const late = await listen(app, anAdministrator, each);
    t.deepEqual(late.heard(), ['reload'], each);
    late.close();
  }
});

test('a slow client is told to reload after catching up; too many changes cause a reload', async (t) => {
  const app = await startApp(t);
  const live = streamsOf(app);
  const slow = await listen(app, anAdministrator);
  slow.unread = 64 * 1024;
  for (let i = 0; i < 3; i++) await seedCompany(app);
  await live.look();
  t.deepEqual(slow.heard(), []);
  slow.unread = 0;
  await live.look();
  t.deepEqual(slow.heard(), ['reload']);
  await seedCompany(app);
  await live.look();
  t.is(slow.heard().length, 1, 'and hears again');

  const many = (n: number) =>
    Array.from({ length: n }, (_, i) => ({
      type: 'company',
      record_id: i + 1,
      kind: 'changed' as const,
      company_number: i + 1,
      author_type: 'system' as const,
      author_id: null,
      created_at: app.clock.now(),
    }));
  await app.app.database.insert(RecordChange, many(501));
  await live.look();
  t.deepEqual(slow.heard(), ['reload'], 'more than a page would read one by one');
  const at = slow.lastId();
  await app.app.database.insert(RecordChange, many(2001));
  await live.look();
  t.deepEqual(slow.heard(), ['reload'], 'more than is read at once');
  const back = await listen(app, aKey(['companies:read']), at);
  await live.look();
  t.deepEqual(back.heard(), ['reload']);
  await seedCompany(app);
  await live.look();
  t.deepEqual([slow.heard().length, back.heard().length], [1, 1]);
});

test('if it cannot be read who may see changes, pages reload', async (t) => {
  let isSlow = false;
  const visible = () => {
    if (isSlow) throw new Error('The database did not answer in time');
    return [];
  };
  const live = [liveRecord(Bell, { admin: ReadTickets, helpdesk: { access: signedIn, visible } })];
  const app = await startApp(t, { plugins: [{ ...bells, live }] });
  const { company_number } = await seedCompany(app);
  const staff = await listen(app, anAdministrator);
  const own = await listen(app, await anEmployee(app, company_number));
  const told = async () => {
    await streamsOf(app).look();
    return [staff.heard(), own.heard()];
  };
  await told();
  isSlow = true;
  await app.run((ctx) => create(ctx, Bells, { company_number, tone: 'c' }));
  t.deepEqual(await told(), [['reload'], ['reload']]);
  isSlow = false;
  const { bell_id } = await app.run((ctx) => create(ctx, Bells, { company_number, tone: 'd' }));
  const line = `created bells_bell ${bell_id} by system null`;
  t.deepEqual(await told(), [[line], [line]]);
});

test('a change committed late is still delivered', async (t) => {
  const { app } = await startApp(t);
  const { database } = app;
  const reader = changeReader();
  const rows = (...ids: number[]) =>
    database.insert(
      RecordChange,
      ids.map((change_id) => ({
        change_id,
        type: 'company',
        record_id: change_id,
        kind: 'changed' as const,
        company_number: null,
        author_type: 'system' as const,
        author_id: null,
        created_at: app.clock.now(),
      })),
    );
  await database.delete(RecordChange, { indexed: true });
  await rows(1001, 1003);
  await reader.start(database);
  t.is(reader.safe, 1001, '1002 may still be on its way');
  const idsOf = async (after?: number) => {
    const { fresh, since } = await reader.read(database, after);
    return [fresh, since].map((each) => each?.map(({ change_id }) => change_id));
  };
  await rows(1006);
  t.deepEqual(await idsOf(), [[1006], []]);
  await rows(1002, 1005);
  t.deepEqual(await idsOf(), [[1002, 1005], []]);
  t.is(reader.safe, 1003);
  t.deepEqual(await idsOf(1003), [[], [1005, 1006]], 'who comes back gets what followed');
  await rows(1004);
  t.deepEqual(await idsOf(), [[1004], []]);
  t.is(reader.safe, 1006);
});

test('a stream ends with its credential and follows permission changes', async (t) => {
  const app = await startApp(t);
  const live = streamsOf(app);
  const reader = await listen(app, aKey(['companies:read', 'tickets:read']));
  const gone = await listen(app, anAdministrator);
  gone.caller = undefined;
  reader.caller = aKey(['tickets:read']);
  live.checkAll();
  await live.look();
  t.true(gone.over);
  t.false(reader.over);
  await seedCompany(app);
  await live.look();
  t.deepEqual(reader.heard(), [], 'a right was taken away');
  reader.caller = aKey(['tickets:read'], 2);
  live.checkAll();
  await live.look();
  t.true(reader.over, 'somebody else');
});

test('a person has at most ten streams, and a draining process none', async (t) => {
  const app = await startApp(t);
  const { app: other } = await startApp(t);
  streamsOf(app);
  const ears = [];
  for (let i = 0; i < 10; i++) ears.push(await listen(app, anAdministrator));
  await t.throwsAsync(listen(app, anAdministrator), { message: 'At most 10 streams at once are allowed' });
  t.false((await listen(app, aKey(['tickets:read']))).over, 'others have their own');
  ears[0]?.close();
  ears.push(await listen(app, anAdministrator));
  app.app.drain();
  t.true(ears.every((each) => each.over));
  t.is(streams(app.app).streams, 0);
  await t.throwsAsync(listen(app, anAdministrator), { message: 'Too many streams, try again shortly' });
  t.is(streams(other).streams, 0);
});

test('a company has at most half of the streams, however many people it has', async (t) => {
  const app = await startApp(t);
  // Nobody reads who they are.
  streamsOf(app);
  const [many, few] = [await seedCompany(app), await seedCompany(app)];
  const one = await anEmployee(app, many.company_number);
  const person = (n: number) => ({ ...one, employee_number: 1000 + n });
  for (let n = 0; n < 250; n++) for (let i = 0; i < 10; i++) await listen(app, person(n));
  await t.throwsAsync(listen(app, person(999)), { message: 'Too many streams, try again shortly' });
  t.false((await listen(app, await anEmployee(app, few.company_number))).over);
  t.false((await listen(app, anAdministrator)).over);
});

test('Subscribe to record changes', async (t) => {
  const app = await startApp(t);
  const { api_key: token } = await app.run((ctx) =>
    createApiKey(ctx, { type: 'admin', name: 'Test', permissions: ['companies:read'] }),
  );
  const path = '/admin/api/v1/live.php';
  const answer = await app.request('GET', path, { token });
  t.is(answer.status, 200);
  t.is(answer.headers.get('content-type'), 'text/event-stream; charset=utf-8');
  t.deepEqual((await app.request('GET', path)).body, { success: false, error: 'Authentication required' });
  t.is((await app.request('POST', path, { token, body: {} })).status, 405);
});

test('Subscribe to changes of your records', async (t) => {
  const app = await startApp(t);
  const live = streamsOf(app);
  const person = await seedEmployee(app, { it_privileges: true });
  const { token } = await signIn(app, person);
  const path = '/helpdesk/api/v1/live';
  t.is((await app.request('GET', path)).status, 401);
  t.is((await app.request('HEAD', path, { token })).status, 200);
  const answer = await fetch(app.url + path, { headers: { Authorization: `Bearer ${token}` } });
  t.is(answer.status, 200);
  t.is(answer.headers.get('content-type'), 'text/event-stream; charset=utf-8');
  t.is(answer.headers.get('cache-control'), 'no-store');
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  const until = async (pattern: RegExp) => {
    while (!pattern.test(text)) {
      const { value, done } = (await reader?.read()) ?? { done: true };
      if (done) break;
      text += value;
    }
  };
  await until(/^id: \d+\.\d+\n\n/m);
  t.regex(text, /^retry: 2000\n\n/);
  const { company_number } = person;
  const { ticket_id } = await seedTicket(app, { company_number });
  await live.look();
  await until(/event: change/);
  const [, data = '{}'] = /^data: (.*)$/m.exec(text) ?? [];
  const { id: change, ...rest } = JSON.parse(data);
  t.deepEqual(rest, { event: 'created', type: 'ticket', key: ticket_id, by: { type: 'system', id: null } });
  t.true(Number.isInteger(change));
  await app.request('POST', '/helpdesk/api/v1/auth/logout', { token });
  live.checkAll();
  await live.look();
  await until(/never/);
  t.is(streams(app.app).streams, 0);
});

test('another process on the same database receives it within a second', async (t) => {
  const one = await startApp(t);
  const { app } = one;
  const two = await secondProcess(t, one);
  const live = streamsOf({ ...one, app: two });
  const ear = await listen({ ...one, app: two }, anAdministrator);
  const { company_number } = await seedCompany(one);
  t.is(streams(app).streams, 0);
  await live.look();
  t.deepEqual(ear.heard(), [`created company ${company_number} by system null`]);
});
