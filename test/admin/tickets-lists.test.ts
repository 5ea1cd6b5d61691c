// Lists, exports and bulk changes of tickets.
import type { New } from '@keelson/core/database';
import { readCount } from '@keelson/core/list';
import { Company } from '@keelson/modules/directory';
import { Ticket, TicketCount, ticketIdOf } from '@keelson/modules/tickets';
import { startApp, type TestApp } from '@keelson/testing';
import test from 'ava';
import { parse } from 'csv-parse/sync';
import { recount } from '../../packages/list/counter/counter-compaction.ts';
import {
  asKey,
  forgetEvents,
  seedCompany,
  seedEmployee,
  seedSite,
  seedTechnician,
  seedTicket,
  storedEvents,
  storedTicket,
} from '../tickets-seed.ts';

interface Listed {
  readonly ticket_id: number;
}
type Send = Awaited<ReturnType<typeof asKey>>;

async function ids(send: Send, query: string): Promise<number[]> {
  const { status, body } = await send('GET', `/tickets.php?${query}`);
  if (status !== 200) throw new Error(`${query}: ${body.error}`);
  return body.data.map((each: Listed) => each.ticket_id);
}

test('List tickets', async (t) => {
  const app = await startApp(t);
  const { company_number } = await seedCompany(app, 'Acme');
  const { site_number } = await seedSite(app, company_number, 'Harbour');
  const { user_id } = await seedTechnician(app);
  await seedTicket(app, { company_number, site_number, assigned_to: user_id, description: 'Long story' });
  const send = await asKey(app);
  const answer = await send('GET', '/tickets.php');
  t.is(answer.status, 200);
  t.deepEqual(answer.body, {
    success: true,
    data: [
      {
        ticket_id: 1,
        ticket_number: 1001,
        subject: 'Printer is broken',
        description: 'Long story',
        status: 'open',
        priority: 3,
        job_type: 'General',
        company_number,
        site_number,
        company_name: 'Acme',
        site_name: 'Harbour',
        assigned_to: user_id,
        assigned_name: 'Terry Technician',
        approval_status: 'none',
        due_date: null,
        team_id: null,
        parent_id: null,
        parent_number: null,
        start_date: null,
        estimate_minutes: null,
        team_name: null,
        tags: [],
        created_at: '2026-03-02T09:00:00Z',
        updated_at: '2026-03-02T09:00:00Z',
        closed_at: null,
        waiting_since: null,
        last_comment_by: null,
        requester_name: null,
        unread: false,
      },
    ],
    pagination: { page: 1, per_page: 25, total: 1, total_pages: 1 },
  });
});

/** Creates four tickets of two companies that differ in every field used to filter or sort. */
async function seedFour(app: TestApp) {
  const b = await seedEmployee(app, { company_number: (await seedCompany(app, 'Beta Works')).company_number });
  const a = (await seedCompany(app, 'Alpha')).company_number;
  const { site_number } = await seedSite(app, b.company_number);
  const { user_id } = await seedTechnician(app);
  const own = { company_number: b.company_number, employee_number: b.employee_number };
  const days = ['2026-03-02', '2026-03-03', '2026-03-04', '2026-03-05'];
  const given = [
    { ...own, subject: 'Zebra printer', priority: 2, job_type: 'Hardware', site_number },
    { company_number: a, subject: 'Mail is slow', priority: 5, job_type: 'Email', assigned_to: user_id },
    { ...own, subject: 'VPN', description: 'The printer of 50% of us', priority: 1 },
    { company_number: a, subject: 'Access', priority: 3, job_type: 'Something else' },
  ];
  for (const [i, each] of given.entries()) {
    app.clock.set(`${days[i]}T12:00:00.000Z`);
    await seedTicket(app, each);
  }
  return { alpha: a, beta: b.company_number, requester: b.employee_number, site_number, user_id };
}

test('List tickets: every filter, alone and combined', async (t) => {
  const app = await startApp(t);
  const { alpha, beta, requester, site_number, user_id } = await seedFour(app);
  const send = await asKey(app);
  await send('PUT', '/tickets.php?id=4', { status: 'closed' });
  for (const [query, wanted] of [
    ['', [4, 3, 2, 1]],
    ['status=closed', [4]],
    ['status=OPEN', [3, 2, 1]],
    ['status=all', [4, 3, 2, 1]],
    ['priority=5', [2]],
    [`company_number=${alpha}`, [4, 2]],
    [`company_number=${alpha}&status=open`, [2]],
    [`company_number=${beta}&priority=1`, [3]],
    ['company_number=999', []],
    [`site_number=${site_number}`, [1]],
    [`employee_number=${requester}`, [3, 1]],
    [`employee_number=${requester}&priority=1`, [3]],
    ['employee_number=987', []],
    [`assigned_to=${user_id}`, [2]],
    [`assigned_to=${user_id}&status=open`, [2]],
    ['job_type=hardware', [1]],
    ['job_type=Something%20else', [4]],
    ['search=printer', [3, 1]],
    ['search=PRINTER%20zebra', [1]],
    ['search=50%25', [3]],
    ['search=5_%25', [3]],
    ['search=%25_', []],
    ['search=1002', [2]],
    ['search=beta', [3, 1]],
    ['search=example', [3, 1]],
    ['search=printer&priority=1', [3]],
    ['created_after=2026-03-03&created_before=2026-03-04', [3, 2]],
    ['created_after=2026-03-04T12:00:00Z', [4, 3]],
    ['created_after=2026-03-04T12:00:01Z', [4]],
    ['created_before=2026-03-02', [1]],
    ['created_after=2026-03-05&created_before=2026-03-02', []],
    ['unknown=1&page=', [4, 3, 2, 1]],
  ] as const) {
    t.deepEqual(await ids(send, query), wanted as unknown as number[], query);
  }
});

test('List tickets: every sort, both directions', async (t) => {
  const app = await startApp(t);
  await seedFour(app);
  const send = await asKey(app);
  app.clock.set('2026-03-06T12:00:00.000Z');
  await send('PUT', '/tickets.php?id=2', { status: 'closed' });
  app.clock.set('2026-03-07T12:00:00.000Z');
  await send('PUT', '/tickets.php?id=1', { status: 'closed' });
  for (const [sort, wanted] of [
    ['created_at', [1, 2, 3, 4]],
    ['updated_at', [3, 4, 2, 1]],
    ['closed_at', [3, 4, 2, 1]],
    ['ticket_id', [1, 2, 3, 4]],
    ['ticket_number', [1, 2, 3, 4]],
    ['subject', [4, 2, 3, 1]],
    ['status', [1, 2, 3, 4]],
    ['priority', [3, 1, 4, 2]],
    ['job_type', [2, 3, 1, 4]],
    ['company_name', [2, 4, 1, 3]],
    ['assigned_to', [1, 3, 4, 2]],
  ] as const) {
    const up = await ids(send, `sort=${sort}&order=ASC`);
    t.deepEqual(up, wanted as unknown as number[], sort);
    t.deepEqual(await ids(send, `sort=${sort}`), up.toReversed(), sort);
    t.deepEqual(await ids(send, `sort=${sort}&order=asc&page=2&per_page=3`), up.slice(3), sort);
  }
});

test('List tickets: invalid parameters are named', async (t) => {
  const app = await startApp(t);
  const send = await asKey(app);
  for (const [query, error] of [
    ['status=pending', 'status must be one of: open, in_progress, on_hold, closed, unresolved, all'],
    ['priority=6', 'priority must be between 1 and 5'],
    ['company_number=x', 'company_number must be a whole number'],
    ['created_after=yesterday', 'created_after must be an ISO 8601 date or timestamp'],
    ['order=up', 'order must be one of: asc, desc'],
    ['per_page=0', 'per_page must be at least 1'],
  ] as const) {
    const { status, body } = await send('GET', `/tickets.php?${query}`);
    t.deepEqual([status, body], [400, { success: false, error }]);
  }
  const sort = await send('GET', '/tickets.php?sort=description');
  t.is(sort.status, 400);
  t.regex(sort.body.error, /^sort must be one of: created_at, updated_at, .*assigned_to$/);
});

test('a list needs at most six statements, however many tickets it shows', async (t) => {
  const app = await startApp(t);
  const { beta } = await seedFour(app);
  await insertTickets(app, beta, 300);
  const send = await asKey(app);
  await send('GET', '/tickets.php');
  for (const query of [
    '',
    'page=3',
    'status=open&per_page=100',
    'search=printer',
    'sort=company_name',
    'sort=priority&priority=2',
    'sort=status&page=2',
    'sort=subject&page=2',
    'sort=time_left&order=asc',
    'sort=time_left&order=asc&time_left=set&status=unresolved',
    'created_after=2026-03-01&page=2',
  ]) {
    const statements = await app.fewestStatements(() => send('GET', `/tickets.php?${query}`));
    t.true(statements <= 6, `${query} needs ${statements}`);
  }
});

async function insertTickets(app: TestApp, company_number: number, n: number): Promise<void> {
  const at = (i: number) => new Date(Date.parse('2026-02-01T00:00:00.000Z') + i * 60_000).toISOString();
  const rows = Array.from({ length: n }, (_, i): New<typeof Ticket> => ({
    ticket_id: ticketIdOf(5000 + i),
    ticket_number: 5000 + i,
    subject: `Loaded ${i}`,
    priority: 1 + (i % 5),
    status: i % 3 ? 'closed' : 'open',
    job_type: 'General',
    company_number,
    source: 'admin',
    created_at: at(i),
    updated_at: at(i),
  }));
  await app.app.database.insert(Ticket, rows);
  await recount(app.app.database, TicketCount, app.clock.now());
}

test('List tickets: changes since, whether few or nearly all', async (t) => {
  const app = await startApp(t);
  const { company_number } = await seedCompany(app);
  await insertTickets(app, company_number, 2500);
  const send = await asKey(app);
  const at = (i: number) => new Date(Date.parse('2026-02-01T00:00:00.000Z') + i * 60_000).toISOString();
  for (const [after, changed] of [
    [2499, 1],
    [500, 2000],
    [499, 2001],
    [0, 2500],
  ] as const)
    for (const [sort, first] of [
      ['created_at', 2499],
      ['updated_at', 2499],
      ['subject', Math.max(999, after)],
    ] as const) {
      const { body } = await send('GET', `/tickets.php?updated_after=${at(after)}&sort=${sort}&per_page=2`);
      t.is(body.pagination.total, changed, `${after} by ${sort}`);
      t.is(body.data[0].subject, `Loaded ${after === 2499 ? 2499 : first}`, `${after} by ${sort}`);
    }
  const open = await send('GET', `/tickets.php?updated_after=${at(2490)}&status=open`);
  t.is(open.body.pagination.total, 4);
});

test('Export all tickets', async (t) => {
  const app = await startApp(t);
  const { company_number } = await seedCompany(app, '+Acme; "Ltd"');
  const { user_id } = await seedTechnician(app);
  await seedTicket(app, { company_number, subject: 'One\ntwo, "three"', assigned_to: user_id });
  const send = await asKey(app);
  app.clock.set('2026-03-05T10:00:00.000Z');
  await seedTicket(app, { company_number, subject: 'Later' });
  await send('PUT', '/tickets.php?id=2', { status: 'closed' });
  const answer = await send('GET', '/tickets.php?action=export&date_to=2026-03-05');
  t.is(answer.status, 200);
  t.is(answer.headers.get('content-type'), 'text/csv; charset=utf-8');
  t.regex(answer.headers.get('content-disposition') ?? '', /^attachment; filename="tickets-20260305\.csv"/);
  t.deepEqual(parse(answer.text, { columns: true }), [
    {
      'Ticket number': '1002',
      Subject: 'Later',
      Status: 'closed',
      Priority: '3',
      'Job type': 'General',
      Company: `'+Acme; "Ltd"`,
      Requester: '',
      'Assigned to': '',
      Created: '2026-03-05T10:00:00Z',
      Updated: '2026-03-05T10:00:00Z',
      Closed: '2026-03-05T10:00:00Z',
    },
    {
      'Ticket number': '1001',
      Subject: 'One\ntwo, "three"',
      Status: 'open',
      Priority: '3',
      'Job type': 'General',
      Company: `'+Acme; "Ltd"`,
      Requester: '',
      'Assigned to': 'Terry Technician',
      Created: '2026-03-02T09:00:00Z',
      Updated: '2026-03-02T09:00:00Z',
      Closed: '',
    },
  ]);
  const one = await send('GET', '/tickets.php?action=export&status=open&date_from=2026-03-02&date_to=2026-03-02');
  t.is(parse(one.text).length, 2);
  t.is((await send('GET', '/tickets.php?action=export&date_from=x')).status, 400);
  const pdf = await send('GET', '/tickets.php?action=export&format=PDF');
  t.is(pdf.headers.get('content-type'), 'application/pdf');
  t.true(pdf.text.startsWith('%PDF-'));
});

test('Export all tickets: capped at 10,000 rows', async (t) => {
  const app = await startApp(t);
  const { company_number } = await seedCompany(app);
  await insertTickets(app, company_number, 10_000);
  const send = await asKey(app);
  const whole = await send('GET', '/tickets.php?action=export');
  t.is(whole.status, 200);
  const numbers = parse(whole.text)
    .slice(1)
    .map(([number]) => Number(number));
  t.is(new Set(numbers).size, 10_000);
  await seedTicket(app, { company_number });
  const refused = await send('GET', '/tickets.php?action=export');
  t.is(refused.status, 400);
  t.deepEqual(refused.body, {
    success: false,
    error: 'The export has 10001 rows: narrow it down to at most 10000',
  });
  t.is((await send('GET', '/tickets.php?action=export&date_from=2026-03-02')).status, 200);
});

test('Bulk-update tickets', async (t) => {
  const app = await startApp(t);
  const { company_number } = await seedCompany(app);
  const { user_id } = await seedTechnician(app);
  for (let i = 0; i < 4; i++) await seedTicket(app, { company_number });
  const send = await asKey(app);
  await send('PUT', '/tickets.php?id=2', { status: 'closed' });
  await forgetEvents(app);
  const bulk = async (body: object) => (await send('POST', '/bulk/tickets.php', body)).body;
  t.deepEqual(await bulk({ action: 'Close', ticket_ids: [2, 77, 1, 1], comment: 'Spring cleaning' }), {
    success: true,
    data: {
      action: 'close',
      requested: 3,
      succeeded: 2,
      failed: 1,
      results: [
        { ticket_id: 2, success: true },
        { ticket_id: 77, success: false, error: 'Ticket not found' },
        { ticket_id: 1, success: true },
      ],
    },
  });
  t.deepEqual((await storedEvents(app)).map((each) => each.name).toSorted(), ['ticket.closed', 'ticket.updated']);
  t.is((await send('GET', '/tickets.php?id=1')).body.data.comments[0].comment, 'Spring cleaning');
  t.deepEqual((await send('GET', '/tickets.php?id=2')).body.data.comments, []);
  await forgetEvents(app);
  await bulk({ action: 'assign', ticket_ids: [1, 3, 4], assigned_to: user_id });
  const events = await storedEvents(app);
  t.is(events.filter((each) => each.name === 'ticket.assigned').length, 3);
  t.is(events.find((each) => each.name === 'ticket.assigned')?.data.assigned_name, 'Terry Technician');
  await bulk({ action: 'update_priority', ticket_ids: [3], priority: 1 });
  await bulk({ action: 'update_status', ticket_ids: [2, 3], status: 'on_hold' });
  t.like(await storedTicket(app, 2), { status: 'on_hold', closed_at: null });
  t.like(await storedTicket(app, 3), { status: 'on_hold', priority: 1, assigned_to: user_id });
  t.is((await bulk({ action: 'delete', ticket_ids: [4, 78] })).data.succeeded, 1);
  t.is((await send('GET', '/tickets.php?id=4')).status, 404);
  const nothing = await bulk({ action: 'close', ticket_ids: [98, 99] });
  t.like(nothing, { success: true, data: { requested: 2, succeeded: 0, failed: 2 } });
  const counted = (filter: Record<string, string | number>) => readCount(app.app.database, TicketCount, filter);
  t.deepEqual(
    [await counted({}), await counted({ status: 'on_hold' }), await counted({ status: 'closed', priority: 3 })],
    [3, 2, 1],
  );
});

test('Bulk-update tickets: invalid input is rejected before anything changes', async (t) => {
  const app = await startApp(t);
  const { company_number } = await seedCompany(app);
  await seedTicket(app, { company_number });
  const send = await asKey(app);
  const many = Array.from({ length: 501 }, (_, i) => i + 1);
  for (const [body, error] of [
    [{}, 'action is required; ticket_ids is required'],
    [
      { action: 'merge', ticket_ids: [1] },
      'action must be one of: assign, close, update_priority, update_status, add_tag, remove_tag, delete',
    ],
    [{ action: 'close', ticket_ids: [] }, 'ticket_ids must contain between 1 and 500 ids'],
    [{ action: 'close', ticket_ids: many }, 'ticket_ids must contain between 1 and 500 ids'],
    [{ action: 'assign', ticket_ids: [1] }, 'assigned_to is required'],
    [{ action: 'assign', ticket_ids: [1], assigned_to: 999 }, 'assigned_to must be an active technician'],
    [{ action: 'update_priority', ticket_ids: [1] }, 'priority is required'],
    [{ action: 'update_priority', ticket_ids: [1], priority: 0 }, 'priority must be between 1 and 5'],
    [{ action: 'update_status', ticket_ids: [1] }, 'status is required'],
  ] as const) {
    const answer = await send('POST', '/bulk/tickets.php', body);
    t.deepEqual([answer.status, answer.body], [400, { success: false, error }]);
  }
  t.like(await storedTicket(app, 1), { status: 'open', priority: 3, assigned_to: null });
});

test('See what would change on many tickets', async (t) => {
  const app = await startApp(t);
  const { company_number } = await seedCompany(app);
  const { user_id, name } = await seedTechnician(app);
  const [first, second, full] = [
    await seedTicket(app, { company_number, subject: 'First' }),
    await seedTicket(app, { company_number, subject: 'Second', assigned_to: user_id }),
    await seedTicket(app, { company_number, tags: Array.from({ length: 20 }, (_, i) => `tag ${i}`) }),
  ];
  const send = await asKey(app, ['tickets:read', 'tickets:write']);
  const ticket_ids = [first.ticket_id, 999, second.ticket_id, full.ticket_id];
  const preview = async (body: object) =>
    (await send('POST', '/bulk/tickets-preview.php', { ticket_ids, ...body })).body;
  const { data } = await preview({ action: 'assign', assigned_to: user_id });
  t.is(data.changes, 2);
  t.like(data.tickets[0], { subject: 'First', field: 'assigned_to', before: null, after: name, outcome: 'changes' });
  t.like(data.tickets[1], { ticket_id: 999, ticket_number: null, outcome: 'refused', error: 'Ticket not found' });
  t.like(data.tickets[2], { before: name, after: name, outcome: 'stays' });
  const tagged = (await preview({ action: 'add_tag', tag: 'Loud' })).data.tickets;
  t.like(tagged[0], { field: 'tags', before: [], after: ['loud'], outcome: 'changes' });
  t.like(tagged[3], { outcome: 'refused', error: 'A ticket can have at most 20 tags' });
  t.is((await preview({ action: 'update_status' })).error, 'status is required');
  t.is((await preview({ action: 'assign', assigned_to: 77 })).error, 'assigned_to must be an active technician');
  const refused = await send('POST', '/bulk/tickets-preview.php', { ticket_ids, action: 'delete' });
  t.is(refused.status, 403);
  t.is((await storedTicket(app, first.ticket_id)).assigned_to, null);
});

test('five hundred tickets are changed in a handful of statements', async (t) => {
  const app = await startApp(t);
  const { company_number } = await seedCompany(app);
  await insertTickets(app, company_number, 500);
  const send = await asKey(app);
  const ticket_ids = (await app.app.database.find(Ticket)).map((each) => each.ticket_id);
  const statements = await app.statements(() => send('POST', '/bulk/tickets.php', { action: 'close', ticket_ids }));
  // Rows are inserted in batches of 250.
  t.true(statements <= 40, `${statements} statements`);
  t.is(await readCount(app.app.database, TicketCount, { status: 'closed' }), 500);
  t.is(await app.app.database.count(Company), 1);
});

test('concurrently created tickets get different numbers', async (t) => {
  const app = await startApp(t);
  const { company_number } = await seedCompany(app);
  const send = await asKey(app);
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => send('POST', '/tickets.php', { subject: 'Together', company_number })),
  );
  t.true(answers.every((each) => each.status === 201));
  t.is(new Set(answers.map((each) => each.body.data.ticket_number)).size, 20);
});
