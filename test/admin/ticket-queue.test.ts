// The ticket queue as technicians use it: filters, who is waiting, and unread tickets.
import { startApp, testClock, type TestApp } from '@keelson/testing';
import test from 'ava';
import { TicketRead } from '../../modules/tickets/entities.ts';
import { signInOnPage } from '../accounts-seed.ts';
import {
  asEmployee,
  asKey,
  seedCompany,
  seedEmployee,
  seedTechnician,
  seedTicket,
  staff,
  storedTicket,
} from '../tickets-seed.ts';

type Send = Awaited<ReturnType<typeof asKey>>;

async function asTechnician(app: TestApp, technician: Awaited<ReturnType<typeof seedTechnician>>): Promise<Send> {
  const cookie = await signInOnPage(app, technician);
  return (method, path, body) =>
    app.request(method, `${staff}${path}`, body === undefined ? { cookie } : { cookie, body });
}

const upwards = (a: number, b: number) => a - b;
const idsOf = (answer: { body: any }): number[] =>
  answer.body.data.map((each: { ticket_id: number }) => each.ticket_id);
const rowOf = async (send: Send, id: number) =>
  (await send('GET', '/tickets.php?sort=ticket_id')).body.data.find((each: any) => each.ticket_id === id);

test('List tickets: unresolved, unassigned, your own and changed', async (t) => {
  const app = await startApp(t);
  const { company_number } = await seedCompany(app);
  const { company_number: other } = await seedCompany(app);
  const technician = await seedTechnician(app);
  const colleague = await seedTechnician(app);
  const given = [
    { assigned_to: technician.user_id },
    { assigned_to: colleague.user_id, priority: 1 },
    {},
    { priority: 1 },
    { company_number: other },
    { assigned_to: technician.user_id },
  ];
  for (const [i, each] of given.entries()) {
    app.clock.set(`2026-03-0${i + 2}T12:00:00.000Z`);
    await seedTicket(app, { company_number, ...each });
  }
  const key = await asKey(app);
  app.clock.set('2026-03-10T12:00:00.000Z');
  for (const [id, status] of [
    [2, 'on_hold'],
    [3, 'in_progress'],
    [5, 'closed'],
    [6, 'closed'],
  ] as const)
    await key('PUT', `/tickets.php?id=${id}`, { status });
  const send = await asTechnician(app, technician);
  for (const [query, wanted] of [
    ['status=unresolved', [4, 3, 2, 1]],
    ['status=UNRESOLVED&priority=1', [4, 2]],
    ['assigned_to=none', [5, 4, 3]],
    ['assigned_to=none&status=unresolved', [4, 3]],
    ['assigned_to=none&status=closed', [5]],
    ['assigned_to=none&status=on_hold', []],
    ['assigned_to=none&priority=1', [4]],
    [`assigned_to=none&company_number=${company_number}`, [4, 3]],
    ['assigned_to=me', [6, 1]],
    ['assigned_to=ME&status=unresolved', [1]],
    ['updated_after=2026-03-06', [6, 5, 3, 2]],
    ['updated_after=2026-03-06&status=unresolved', [3, 2]],
    ['updated_after=2026-03-11', []],
  ] as const)
    for (const sort of ['created_at', 'updated_at', 'ticket_id', 'status', 'assigned_to', 'company_name', 'priority'])
      for (const per_page of [1, 25]) {
        const answer = await send('GET', `/tickets.php?${query}&sort=${sort}&per_page=${per_page}`);
        const at = `${query} by ${sort}`;
        t.is(answer.body.pagination?.total, wanted.length, at);
        if (sort === 'created_at') t.deepEqual(idsOf(answer), wanted.slice(0, per_page) as unknown as number[], at);
        else if (per_page > 1) t.deepEqual(idsOf(answer).toSorted(upwards), wanted.toSorted(upwards), at);
      }
  t.is((await key('GET', '/tickets.php?assigned_to=me')).body.error, 'assigned_to=me requires a technician session');
  for (const wrong of ['you', '0', '1.5', '-1'])
    t.is(
      (await send('GET', `/tickets.php?assigned_to=${wrong}`)).body.error,
      'assigned_to must be a positive whole number or one of: none, me',
    );
  t.is(
    (await send('GET', '/tickets.php?status=done')).body.error,
    'status must be one of: open, in_progress, on_hold, closed, unresolved, all',
  );
});

test('List tickets: in brief', async (t) => {
  const app = await startApp(t);
  const employee = await seedEmployee(app, { first_name: 'Ada', last_name: 'Byron' });
  const { company_number, employee_number } = employee;
  await seedTicket(app, { company_number, employee_number, description: 'A long story' });
  const send = await asKey(app);
  const [whole] = (await send('GET', '/tickets.php')).body.data;
  t.is(whole.requester_name, 'Ada Byron');
  const { description, ...rest } = whole;
  t.is(description, 'A long story');
  t.deepEqual((await send('GET', '/tickets.php?brief=true')).body.data, [rest]);
  t.deepEqual((await send('GET', '/tickets.php?brief=false')).body.data, [whole]);
});

test('List tickets: with waiting time and last author', async (t) => {
  const app = await startApp(t, { clock: testClock('2026-03-02T10:00:00.000Z') });
  const employee = await seedEmployee(app);
  const technician = await seedTechnician(app);
  const customer = await asEmployee(app, employee);
  const send = await asTechnician(app, technician);
  const standing = async (id: number) => {
    const { waiting_since, last_comment_by } = await rowOf(send, id);
    return [waiting_since, last_comment_by];
  };
  const at = (minute: string) => app.clock.set(`2026-03-02T10:${minute}:00.000Z`);
  const said = (minute: string) => `2026-03-02T10:${minute}:00Z`;
  const say = (comment: string) => customer('POST', '/tickets/1/comments', { comment });
  const answer = (body: object) => send('POST', '/tickets.php?action=comments&id=1', { comment: 'Hello', ...body });

  t.is((await customer('POST', '/tickets', { subject: 'Mine', description: 'Broken' })).status, 201);
  t.deepEqual(await standing(1), [said('00'), null]);
  at('01');
  t.is((await say('Anybody there?')).status, 201);
  t.deepEqual(await standing(1), [said('00'), 'customer'], 'since the first word that nobody has answered');
  at('02');
  await answer({ is_internal: true });
  t.deepEqual(await standing(1), [said('00'), 'customer'], 'a note is no answer');
  await answer({});
  t.deepEqual(await standing(1), [null, 'technician']);
  at('03');
  await say('Still broken');
  t.deepEqual(await standing(1), [said('03'), 'customer']);
  at('04');
  const reply = await send('POST', '/tickets.php?action=reply&id=1', { comment: 'Now it works', status: 'closed' });
  t.like(reply.body.data, { waiting_since: null, last_comment_by: 'technician', updated_at: said('04') });
  t.deepEqual(await standing(1), [null, 'technician']);
  at('05');
  await say('It does not');
  t.deepEqual(await standing(1), [said('05'), 'customer'], 'also on a closed ticket');
  await send('POST', '/bulk/tickets.php', { action: 'close', ticket_ids: [1], comment: 'Closed' });
  t.deepEqual(await standing(1), [said('05'), 'customer'], 'what is closed already does not change');
  at('06');
  await send('PUT', '/tickets.php?id=1', { status: 'open' });
  await send('POST', '/bulk/tickets.php', { action: 'close', ticket_ids: [1], comment: 'Done' });
  t.deepEqual(await standing(1), [null, 'technician']);
  at('07');
  await customer('PUT', '/tickets/1', { status: 'open' });
  t.deepEqual(await standing(1), [said('07'), 'technician'], 'who reopens a ticket waits');
  await send('PUT', '/tickets.php?id=1', { status: 'closed' });
  await send('PUT', '/tickets.php?id=1', { status: 'open' });
  t.deepEqual(await standing(1), [null, 'technician']);
  await seedTicket(app, employee);
  t.deepEqual(await standing(2), [null, null], 'nobody wrote this one but us');
});

test('Mark a ticket as read', async (t) => {
  const app = await startApp(t);
  const employee = await seedEmployee(app);
  const technician = await seedTechnician(app);
  const customer = await asEmployee(app, employee);
  const send = await asTechnician(app, technician);
  const colleague = await asTechnician(app, await seedTechnician(app));
  const unread = async (of = send, id = 1) => (await rowOf(of, id)).unread;
  const read = (body: unknown = {}, of = send) => of('POST', '/tickets.php?action=read&id=1', body);
  const later = (ms: number) => app.clock.set(new Date(Date.parse(app.clock.now()) + ms).toISOString());

  await customer('POST', '/tickets', { subject: 'Mine', description: 'Broken' });
  t.true(await unread());
  t.deepEqual((await read()).body, { success: true, data: { ticket_id: 1, unread: false } });
  t.is((await read()).status, 200);
  t.false(await unread());
  t.true(await unread(colleague));

  later(1000);
  await customer('POST', '/tickets/1/comments', { comment: 'More' });
  t.true(await unread());
  later(1000);
  await send('POST', '/tickets.php?action=comments&id=1', { comment: 'On it' });
  t.true(await unread(), 'what was unread stays so');
  await read();
  later(1000);
  await send('POST', '/tickets.php?action=comments&id=1', { comment: 'Done' });
  await send('PUT', '/tickets.php?id=1', { priority: 1 });
  await send('POST', '/bulk/tickets.php', { action: 'update_priority', ticket_ids: [1], priority: 2 });
  t.false(await unread(), 'what one does is no news to oneself');
  t.true(await unread(colleague));

  const shown = (await rowOf(send, 1)).updated_at;
  later(60_000);
  await colleague('PUT', '/tickets.php?id=1', { priority: 3 });
  t.true((await read({ updated_at: shown })).body.data.unread, 'it has changed since it was shown');
  t.true(await unread());
  t.false((await read({ updated_at: (await rowOf(send, 1)).updated_at })).body.data.unread);
  t.false((await read({ updated_at: shown })).body.data.unread, 'an older tab takes nothing back');
  t.false(await unread());

  await send('POST', '/tickets.php', { company_number: employee.company_number, subject: 'Mine' });
  t.false(await unread(send, 2), 'created by oneself');
  t.true(await unread(colleague, 2));

  t.is((await read({ updated_at: 'yesterday' })).status, 400);
  t.is((await send('POST', '/tickets.php?action=read&id=99', {})).status, 404);
  const key = await asKey(app);
  t.false(await unread(key), 'a key reads nothing');
  t.false((await read({}, key)).body.data.unread);
  t.is(await app.app.database.count(TicketRead), 2);
  t.is((await read({}, await asKey(app, ['assets:read']))).status, 403);
});

test('Mark a ticket as read: tickets unchanged for a month count as read, and older marks are deleted', async (t) => {
  const app = await startApp(t);
  const { company_number } = await seedCompany(app);
  const technician = await seedTechnician(app);
  for (let i = 0; i < 3; i++) await seedTicket(app, { company_number });
  let send = await asTechnician(app, technician);
  await send('POST', '/tickets.php?action=read&id=1', {});
  app.clock.set('2026-03-31T09:00:00.000Z');
  send = await asTechnician(app, technician);
  await send('POST', '/tickets.php?action=read&id=2', {});
  const key = await asKey(app);
  await key('PUT', '/tickets.php?id=3', { priority: 1 });
  app.clock.set('2026-04-02T09:00:00.000Z');
  send = await asTechnician(app, technician);
  const unread = async () =>
    (await send('GET', '/tickets.php?sort=ticket_id&order=asc')).body.data.map((each: any) => each.unread);
  t.deepEqual(await unread(), [false, false, true]);
  await send('POST', '/tickets.php?action=read&id=3', {});
  await app.app.scheduler.runNow('tickets.forget-seen');
  t.is(await app.app.database.count(TicketRead), 1);
  t.deepEqual(await unread(), [false, false, false]);
  await key('PUT', '/tickets.php?id=1', { priority: 1 });
  t.deepEqual(await unread(), [true, false, false]);
  t.is((await storedTicket(app, 1))?.priority, 1);
});

test('List tickets: the queue view takes one more statement per technician', async (t) => {
  const app = await startApp(t);
  const employee = await seedEmployee(app);
  const technician = await seedTechnician(app);
  for (let i = 0; i < 30; i++)
    await seedTicket(app, { ...employee, employee_number: employee.employee_number, assigned_to: technician.user_id });
  const send = await asTechnician(app, technician);
  const queries = ['', 'status=unresolved', 'assigned_to=none', 'assigned_to=me&status=unresolved', 'brief=true'];
  for (const query of queries) {
    await send('GET', `/tickets.php?${query}`);
    const statements = await app.fewestStatements(() => send('GET', `/tickets.php?${query}`));
    t.true(statements <= 6, `${query}: ${statements}`);
  }
});

test('Count tickets per view', async (t) => {
  const app = await startApp(t);
  const { company_number } = await seedCompany(app);
  const { company_number: other } = await seedCompany(app);
  const technician = await seedTechnician(app);
  const { user_id } = technician;
  for (const each of [
    { assigned_to: user_id },
    { assigned_to: user_id, priority: 1 },
    { assigned_to: (await seedTechnician(app)).user_id },
    {},
    { priority: 1, job_type: 'Hardware' },
    { company_number: other, job_type: 'Network' },
  ])
    await seedTicket(app, { company_number, ...each });
  const send = await asTechnician(app, technician);
  await send('PUT', '/tickets.php?id=2', { status: 'closed' });
  await send('PUT', '/tickets.php?id=3', { status: 'on_hold' });
  await send('PUT', '/tickets.php?id=6', { status: 'in_progress' });
  const counts = async (views: string, of = send) => {
    const answer = await of('GET', `/tickets.php?action=counts&views=${encodeURIComponent(views)}`);
    return answer.body.data?.map((each: any) => each.count) ?? answer.body.error;
  };
  const words = 'all,unresolved,mine,unassigned,critical,open,in_progress,on_hold,closed';
  const filters = [
    'status:unresolved',
    'assigned_to:me',
    'assigned_to:none',
    `assigned_to:${user_id};status:closed`,
    'priority:1',
    `company_number:${company_number};status:unresolved;priority:1`,
    `company_number:${other}`,
    'job_type:hardware',
    'job_type:Net%77ork;status:in_progress',
    'priority:1;assigned_to:me',
    'search:printer',
    `company_number:${company_number};site_number:1`,
  ];
  const expected = [5, 2, 3, 1, 2, 1, 1, 1, 1, null, null, null];
  for (const compacted of [false, true]) {
    if (compacted) await app.app.scheduler.runNow('core.fold-counters');
    t.deepEqual(await counts(words), [6, 5, 1, 3, 1, 3, 1, 1, 1]);
    t.deepEqual(await counts(filters.join(',')), expected);
    for (const [i, filter] of filters.entries()) {
      if (expected[i] === null) continue;
      const query = filter.replaceAll(':', '=').replaceAll(';', '&');
      const { body } = await send('GET', `/tickets.php?${query}`);
      t.is(body.pagination.total, expected[i], query);
    }
  }
  t.deepEqual((await send('GET', '/tickets.php?action=counts&views=MINE,%20all')).body.data, [
    { view: 'MINE', count: 1 },
    { view: 'all', count: 6 },
  ]);
  const statements = await app.fewestStatements(() => counts('unresolved,mine,unassigned,critical,closed,on_hold'));
  t.true(statements <= 3, String(statements));

  t.is(await counts(Array.from({ length: 21 }, () => 'all').join()), 'views must be at most 20');
  t.is(await counts('unresolved,urgent'), 'views has an unknown view: urgent');
  t.is(await counts('owner:me'), 'views has an unknown view: owner:me');
  t.is(await counts('__proto__:1'), 'views has an unknown view: __proto__:1');
  t.is(await counts('priority:9'), 'views: priority must be between 1 and 5');
  t.is(await counts('job_type:%zz'), 'views has a value that is not percent-encoded');
  t.deepEqual(
    (await send('GET', '/tickets.php?action=counts')).body.data.map((each: any) => each.count),
    [6, 3, 1, 1, 1, 5, 3, 1],
  );
  const key = await asKey(app);
  t.is(await counts('mine', key), 'assigned_to=me requires a technician session');
  t.deepEqual(await counts('unassigned', key), [3]);
  t.is((await (await asKey(app, ['assets:read']))('GET', '/tickets.php?action=counts&views=all')).status, 403);
});
