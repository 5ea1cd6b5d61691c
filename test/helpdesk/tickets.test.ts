// Helpdesk tickets over HTTP: the caller's own, in every operation except approval.
import { commentOnTicket, lockTicket } from '@keelson/modules/tickets';
import { startApp } from '@keelson/testing';
import test from 'ava';
import { parse } from 'csv-parse/sync';
import {
  asEmployee,
  forgetEvents,
  portal,
  seedEmployee,
  seedSite,
  seedTeam,
  seedTechnician,
  seedTicket,
  storedEvents,
  storedTicket,
} from '../tickets-seed.ts';

const at = '2026-03-02T09:00:00Z';

test('Create a ticket', async (t) => {
  const app = await startApp(t);
  const employee = await seedEmployee(app);
  const send = await asEmployee(app, employee);
  const answer = await send('POST', '/tickets', {
    subject: ' No mail ',
    description: 'Since Monday',
    job_type: 'email',
    priority: 1,
    status: 'closed',
    company_number: 999,
  });
  t.is(answer.status, 201);
  t.deepEqual(answer.body, {
    success: true,
    ticket_id: 1,
    ticket_number: 1001,
    subject: 'No mail',
    status: 'open',
    requires_approval: false,
  });
  const stored = await storedTicket(app, 1);
  t.is(stored.job_type, 'Email');
  t.is(stored.source, 'portal');
  t.is(stored.requester_employee_number, employee.employee_number);
  t.is(stored.company_number, employee.company_number);
  const events = await storedEvents(app);
  t.deepEqual(
    events.map((each) => each.name),
    ['ticket.created'],
  );
  t.like(events[0]?.data, {
    ticket_id: 1,
    ticket_number: 1001,
    approval_status: 'none',
    assigned_name: null,
    site_name: null,
  });
});

test('Create a ticket: missing and invalid fields are named', async (t) => {
  const app = await startApp(t);
  const send = await asEmployee(app, await seedEmployee(app));
  const empty = await send('POST', '/tickets', {});
  t.is(empty.status, 400);
  t.deepEqual(empty.body, { error: 'subject is required; description is required' });
  const wrong = await send('POST', '/tickets', {
    subject: 'x'.repeat(256),
    description: ' ',
    priority: 6,
    job_type: 3,
  });
  t.is(wrong.status, 400);
  t.deepEqual(wrong.body, {
    error:
      'subject must be at most 255 characters; priority must be between 1 and 5; job_type must be text; description is required',
  });
});

test('Create a ticket: 401 without a credential, 403 without permission', async (t) => {
  const app = await startApp(t);
  const body = { subject: 'a', description: 'b' };
  const nobody = await app.request('POST', `${portal}/tickets`, { body });
  t.is(nobody.status, 401);
  const send = await asEmployee(app, await seedEmployee(app, { can_create_tickets: false }));
  const refused = await send('POST', '/tickets', body);
  t.is(refused.status, 403);
  t.deepEqual(refused.body, { error: 'You do not have permission to create tickets' });
});

test('List your tickets', async (t) => {
  const app = await startApp(t);
  const { company_number, member, colleague } = await seedTeam(app);
  const { user_id } = await seedTechnician(app);
  await seedTicket(app, { company_number, employee_number: member.employee_number, assigned_to: user_id });
  await seedTicket(app, { company_number, employee_number: colleague.employee_number });
  const send = await asEmployee(app, member);
  const answer = await send('GET', '/tickets');
  t.is(answer.status, 200);
  t.deepEqual(answer.body, {
    tickets: [
      {
        ticket_id: 1,
        ticket_number: 1001,
        subject: 'Printer is broken',
        description: '',
        status: 'open',
        priority: 3,
        job_type: 'General',
        assigned_tech: user_id,
        assigned_tech_name: 'Terry Technician',
        requester_name: 'Erin Example',
        approval_status: 'none',
        requires_approval: false,
        created_at: at,
        updated_at: at,
        closed_at: null,
      },
    ],
    pagination: { page: 1, limit: 20, total: 1, total_pages: 1 },
  });
});

test('List your tickets: pages, statuses and invalid parameters', async (t) => {
  const app = await startApp(t);
  const employee = await seedEmployee(app, { it_privileges: true });
  const { company_number } = employee;
  const send = await asEmployee(app, employee);
  for (let i = 0; i < 5; i++) await seedTicket(app, { company_number, subject: `Number ${i}` });
  await send('PUT', '/tickets/2', { status: 'closed' });
  const page = await send('GET', '/tickets?page=2&limit=2');
  t.deepEqual(
    page.body.tickets.map((each: { ticket_id: number }) => each.ticket_id),
    [3, 2],
  );
  t.deepEqual(page.body.pagination, { page: 2, limit: 2, total: 5, total_pages: 3 });
  const beyond = await send('GET', '/tickets?page=9&per_page=200');
  t.deepEqual(beyond.body, { tickets: [], pagination: { page: 9, limit: 100, total: 5, total_pages: 1 } });
  for (const path of ['/tickets', '/tickets/search'])
    t.is((await send('GET', `${path}?per_page=2&limit=3`)).body.pagination.limit, 3, 'the documented name wins (N-03)');
  t.is((await send('GET', '/tickets?status=CLOSED')).body.pagination.total, 1);
  t.is((await send('GET', '/tickets?status=all')).body.pagination.total, 5);
  for (const query of ['page=0', 'limit=x', 'status=pending']) {
    const wrong = await send('GET', `/tickets?${query}`);
    t.is(wrong.status, 400, query);
  }
});

test('Read a ticket', async (t) => {
  const app = await startApp(t);
  const employee = await seedEmployee(app);
  const ticket = await seedTicket(app, {
    company_number: employee.company_number,
    employee_number: employee.employee_number,
    description: 'It smokes',
  });
  await app.run(async (ctx) => {
    const locked = await lockTicket(ctx, ticket.ticket_id);
    await commentOnTicket(ctx, locked, { comment: 'CANARY', is_internal: true });
    await commentOnTicket(ctx, locked, { comment: 'We are on it', is_internal: false });
  });
  const send = await asEmployee(app, employee);
  const answer = await send('GET', '/tickets/1');
  t.is(answer.status, 200);
  t.deepEqual(answer.body, {
    ticket_id: 1,
    ticket_number: 1001,
    subject: 'Printer is broken',
    description: 'It smokes',
    status: 'open',
    priority: 3,
    job_type: 'General',
    assigned_tech: null,
    assigned_tech_name: null,
    requester_name: 'Erin Example',
    approval_status: 'none',
    requires_approval: false,
    created_at: at,
    updated_at: at,
    children: [],
    closed_at: null,
    comments: [{ comment_id: 2, comment: 'We are on it', author_name: 'System', is_internal: false, created_at: at }],
    asset: null,
    contracts: [],
    parent: null,
    merged_into: null,
    watchers: [],
    can_add_watchers: true,
    can_change: true,
  });
});

test('an internal note is visible nowhere on the helpdesk surface', async (t) => {
  const app = await startApp(t);
  const employee = await seedEmployee(app, { it_privileges: true });
  await seedTicket(app, { company_number: employee.company_number });
  await app.run(async (ctx) => {
    await commentOnTicket(ctx, await lockTicket(ctx, 1), { comment: 'CANARY', is_internal: true });
  });
  const send = await asEmployee(app, employee);
  const answers = [
    await send('GET', '/tickets'),
    await send('GET', '/tickets/1'),
    await send('GET', '/tickets/search?q=CANARY'),
    await send('GET', '/tickets/export'),
    await send('PUT', '/tickets/1', { priority: 2 }),
    await send('POST', '/tickets/1/comments', { comment: 'Hello' }),
    await send('POST', '/tickets/bulk', { action: 'close', ticket_ids: [1] }),
  ];
  for (const { status, text } of answers) {
    t.true(status < 300);
    t.false(text.includes('CANARY'));
  }
  t.is(answers[2]?.body.pagination.total, 0);
});

test('Update a ticket', async (t) => {
  const app = await startApp(t);
  const employee = await seedEmployee(app);
  const { company_number, employee_number } = employee;
  await seedTicket(app, { company_number, employee_number });
  await forgetEvents(app);
  app.clock.set('2026-03-02T10:00:00.000Z');
  const send = await asEmployee(app, employee);
  const answer = await send('PUT', '/tickets/1', {
    subject: 'Fire',
    status: 'closed',
    priority: 1,
    job_type: 'HARDWARE',
  });
  t.is(answer.status, 200);
  t.deepEqual(answer.body, {
    success: true,
    ticket_id: 1,
    ticket_number: 1001,
    subject: 'Fire',
    description: '',
    status: 'closed',
    priority: 1,
    job_type: 'Hardware',
    assigned_tech: null,
    assigned_tech_name: null,
    requester_name: 'Erin Example',
    approval_status: 'none',
    requires_approval: false,
    created_at: at,
    updated_at: '2026-03-02T10:00:00Z',
    closed_at: '2026-03-02T10:00:00Z',
  });
  const events = await storedEvents(app);
  t.deepEqual(events.map((each) => each.name).toSorted(), ['ticket.closed', 'ticket.updated']);
  for (const { data } of events) t.like(data, { status: 'closed', subject: 'Fire' });
});

test('Update a ticket: no difference notifies no one and keeps updated_at', async (t) => {
  const app = await startApp(t);
  const employee = await seedEmployee(app);
  const { company_number, employee_number } = employee;
  await seedTicket(app, { company_number, employee_number });
  await forgetEvents(app);
  app.clock.set('2026-03-02T10:00:00.000Z');
  const send = await asEmployee(app, employee);
  const answer = await send('PUT', '/tickets/1', { subject: 'Printer is broken', status: 'open', job_type: 'general' });
  t.is(answer.status, 200);
  t.is(answer.body.updated_at, at);
  t.deepEqual(await storedEvents(app), []);
  const nothing = await send('PUT', '/tickets/1', { colour: 'red' });
  t.is(nothing.status, 400);
  t.deepEqual(nothing.body, { error: 'No fields to update' });
});

test('Update a ticket: customers can close a ticket, and set a closed one only to open', async (t) => {
  const app = await startApp(t);
  const employee = await seedEmployee(app);
  const { company_number, employee_number } = employee;
  await seedTicket(app, { company_number, employee_number });
  const send = await asEmployee(app, employee);
  for (const status of ['in_progress', 'on_hold', 'closed'])
    t.is((await send('PUT', '/tickets/1', { status })).status, 200);
  const refused = await send('PUT', '/tickets/1', { status: 'in_progress' });
  t.is(refused.status, 400);
  t.deepEqual(refused.body, { error: 'status of a closed ticket can only be set to open' });
  const reopened = await send('PUT', '/tickets/1', { status: 'open' });
  t.is(reopened.status, 200);
  t.is(reopened.body.closed_at, null);
});

test('Comment on a ticket', async (t) => {
  const app = await startApp(t);
  const employee = await seedEmployee(app);
  const { company_number, employee_number } = employee;
  await seedTicket(app, { company_number, employee_number });
  const send = await asEmployee(app, employee);
  await send('PUT', '/tickets/1', { status: 'closed' });
  await forgetEvents(app);
  app.clock.set('2026-03-02T09:05:00.000Z');
  const answer = await send('POST', '/tickets/1/comments', { comment: ' Still broken ', is_internal: true });
  t.is(answer.status, 201);
  t.deepEqual(answer.body, {
    success: true,
    comment_id: 1,
    ticket_id: 1,
    comment: 'Still broken',
    author_name: 'Erin Example',
    is_internal: false,
    created_at: '2026-03-02T09:05:00Z',
  });
  t.like(await storedTicket(app, 1), { status: 'closed', updated_at: '2026-03-02T09:05:00.000Z' });
  t.deepEqual(await storedEvents(app), []);
  const blank = await send('POST', '/tickets/1/comments', { comment: '  ' });
  t.deepEqual([blank.status, blank.body], [400, { error: 'comment is required' }]);
});

test('Search tickets', async (t) => {
  const app = await startApp(t);
  const { company_number, member, colleague, manager, stranger } = await seedTeam(app);
  const { user_id } = await seedTechnician(app);
  const own = { company_number, employee_number: member.employee_number };
  await seedTicket(app, { ...own, subject: 'Laser 100% empty', priority: 1, assigned_to: user_id });
  await seedTicket(app, { ...own, subject: 'Mail', description: 'The LASER too', job_type: 'Email' });
  await seedTicket(app, { company_number, employee_number: colleague.employee_number, subject: 'Laser' });
  await seedTicket(app, { company_number: stranger.company_number, subject: 'Laser' });
  const send = await asEmployee(app, member);
  const found = async (query: string) => {
    const { body } = await send('GET', `/tickets/search?${query}`);
    return body.tickets.map((each: { ticket_id: number }) => each.ticket_id);
  };
  t.deepEqual(await found('q=laser'), [2, 1]);
  t.deepEqual(await found('q=laser%20mail'), [2]);
  t.deepEqual(await found('q=100%25'), [2, 1], 'the number 1002 has it as well');
  t.deepEqual(await found('q=100%25%20empty'), [1]);
  t.deepEqual(await found('q=1002'), [2]);
  t.deepEqual(await found('q=erin&order=asc'), [1, 2]);
  t.deepEqual(await found('job_type=EMAIL'), [2]);
  t.deepEqual(await found(`assigned_tech=${user_id}`), [1]);
  t.deepEqual(await found('asset_id=7'), []);
  t.deepEqual(await found('priority=1&status=open'), [1]);
  t.deepEqual(await found('created_after=2026-03-02&created_before=2026-03-02'), [2, 1]);
  t.deepEqual(await found('created_after=2026-03-03'), []);
  t.deepEqual(await found('sort=assigned_tech&order=desc'), [1, 2]);
  t.is((await send('GET', '/tickets/search?sort=company_name')).status, 400);
  const lead = await asEmployee(app, manager);
  const { body } = await lead('GET', '/tickets/search?q=laser&limit=1');
  t.deepEqual(body.pagination, { page: 1, limit: 1, total: 2, total_pages: 2 });
});

test('Update several tickets', async (t) => {
  const app = await startApp(t);
  const { company_number, member, colleague } = await seedTeam(app);
  const own = { company_number, employee_number: member.employee_number };
  for (let i = 0; i < 3; i++) await seedTicket(app, own);
  await seedTicket(app, { company_number, employee_number: colleague.employee_number });
  const send = await asEmployee(app, member);
  await send('PUT', '/tickets/2', { status: 'closed' });
  await forgetEvents(app);
  const closed = await send('POST', '/tickets/bulk', {
    action: 'close',
    ticket_ids: [1, 2, 4, 99, 1],
    comment: 'Solved',
  });
  t.is(closed.status, 200);
  t.deepEqual(closed.body, {
    success: true,
    action: 'close',
    requested: 4,
    succeeded: 2,
    failed: 2,
    results: [
      { ticket_id: 1, success: true },
      { ticket_id: 2, success: true },
      { ticket_id: 4, success: false, error: 'Ticket not found' },
      { ticket_id: 99, success: false, error: 'Ticket not found' },
    ],
  });
  t.deepEqual((await storedEvents(app)).map((each) => each.name).toSorted(), ['ticket.closed', 'ticket.updated']);
  t.is((await send('GET', '/tickets/1')).body.comments[0].comment, 'Solved');
  t.deepEqual((await send('GET', '/tickets/2')).body.comments, []);
  const moved = await send('POST', '/tickets/bulk', { action: 'update_status', status: 'on_hold', ticket_ids: [1, 3] });
  t.deepEqual(moved.body.results, [
    { ticket_id: 1, success: false, error: 'status of a closed ticket can only be set to open' },
    { ticket_id: 3, success: true },
  ]);
  const urgent = await send('POST', '/tickets/bulk', { action: 'update_priority', priority: 1, ticket_ids: [3] });
  t.is(urgent.body.succeeded, 1);
  for (const [body, error] of [
    [{ action: 'assign', ticket_ids: [1] }, 'action must be one of: close, update_status, update_priority'],
    [{ action: 'delete', ticket_ids: [1] }, 'action must be one of: close, update_status, update_priority'],
    [{ action: 'close', ticket_ids: [] }, 'ticket_ids must contain between 1 and 500 ids'],
    [{ action: 'update_status', ticket_ids: [1] }, 'status is required'],
  ] as const)
    t.deepEqual((await send('POST', '/tickets/bulk', body)).body, { error });
});

test('Export tickets', async (t) => {
  const app = await startApp(t);
  const { company_number, member, colleague } = await seedTeam(app);
  const site_number = (await seedSite(app, company_number)).site_number;
  await seedTicket(app, { company_number, site_number, employee_number: member.employee_number, subject: '=1+1, "x"' });
  await seedTicket(app, { company_number, employee_number: colleague.employee_number });
  const send = await asEmployee(app, member);
  const answer = await send('GET', '/tickets/export');
  t.is(answer.status, 200);
  t.is(answer.headers.get('content-type'), 'text/csv; charset=utf-8');
  t.regex(answer.headers.get('content-disposition') ?? '', /filename="tickets-20260302\.csv"/);
  t.deepEqual(parse(answer.text), [
    [
      'Ticket number',
      'Subject',
      'Status',
      'Priority',
      'Job type',
      'Requester',
      'Assigned to',
      'Created',
      'Updated',
      'Closed',
    ],
    ['1001', `'=1+1, "x"`, 'open', '3', 'General', 'Erin Example', '', at, at, ''],
  ]);
  const none = await send('GET', '/tickets/export?status=closed&priority=2&job_type=x&date_from=2026-03-03&format=CSV');
  t.is(parse(none.text).length, 1);
  const wrong = await send('GET', '/tickets/export?format=xlsx');
  t.deepEqual([wrong.status, wrong.body], [400, { error: 'format must be one of: csv, pdf' }]);
});

test('List the ticket categories', async (t) => {
  const app = await startApp(t);
  const send = await asEmployee(app, await seedEmployee(app));
  const { status, body } = await send('GET', '/job-types');
  t.is(status, 200);
  t.is(body.job_types.length, 11);
  t.deepEqual(body.job_types[0], {
    job_type_id: 1,
    name: 'General',
    description: '',
    requires_approval: false,
    active: true,
    sort_order: 1,
  });
});
