// Single tickets as technicians and integrations use them.
import { startApp, type TestApp } from '@keelson/testing';
import test from 'ava';
import { ActivityLine } from '../../packages/log/activity.ts';
import { signInOnPage } from '../accounts-seed.ts';
import {
  asKey,
  forgetEvents,
  seedEmployee,
  seedSite,
  seedTechnician,
  seedTicket,
  staff,
  storedEvents,
  storedTicket,
} from '../tickets-seed.ts';

const at = '2026-03-02T09:00:00Z';

async function seedRequest(app: TestApp) {
  const employee = await seedEmployee(app);
  const { company_number, employee_number } = employee;
  const { site_number } = await seedSite(app, company_number);
  const { user_id } = await seedTechnician(app);
  return { employee, company_number, employee_number, site_number, user_id };
}

test('Create a ticket for a company', async (t) => {
  const app = await startApp(t);
  const { company_number, employee_number, site_number, user_id } = await seedRequest(app);
  const send = await asKey(app);
  const answer = await send('POST', '/tickets.php', {
    subject: 'Server down',
    description: 'All of it',
    priority: 1,
    job_type: 'network',
    company_number,
    site_number,
    assigned_to: user_id,
    employee_number,
    status: 'closed',
  });
  t.is(answer.status, 201);
  t.deepEqual(answer.body, { success: true, data: { ticket_id: 1, ticket_number: 1001, status: 'open' } });
  const events = await storedEvents(app);
  t.deepEqual(events.map((each) => each.name).toSorted(), ['ticket.assigned', 'ticket.created']);
  for (const { data } of events) {
    t.deepEqual(data, {
      ticket_id: 1,
      ticket_number: 1001,
      subject: 'Server down',
      description: 'All of it',
      status: 'open',
      priority: 1,
      job_type: 'Network',
      company_number,
      site_number,
      company_name: data.company_name,
      site_name: 'Head office',
      assigned_to: user_id,
      assigned_name: 'Terry Technician',
      approval_status: 'none',
      due_date: null,
      team_id: null,
      parent_id: null,
      start_date: null,
      estimate_minutes: null,
      tags: [],
      created_at: data.created_at,
      updated_at: data.updated_at,
      closed_at: null,
    });
    t.regex(data.company_name, /^Company/);
    t.regex(data.created_at, /^2026-03-02T09:00:00/);
  }
  const second = await send('POST', '/tickets.php', { subject: 'Next', company_number });
  t.is(second.body.data.ticket_number, 1002);
});

test('Create a ticket for a company: references must exist and match', async (t) => {
  const app = await startApp(t);
  const { company_number, user_id } = await seedRequest(app);
  const other = await seedRequest(app);
  await app.app.database.run({ text: 'UPDATE technician SET active = 0 WHERE user_id = ?', params: [user_id] });
  const send = await asKey(app);
  for (const [given, error] of [
    [{}, 'subject is required; company_number is required'],
    [{ subject: 'a', company_number: '1' }, 'company_number must be a whole number'],
    [{ subject: 'a', company_number: 999 }, 'company_number must be an existing company'],
    [{ subject: 'a', company_number, assigned_to: user_id }, 'assigned_to must be an active technician'],
    [{ subject: 'a', company_number, assigned_to: 999 }, 'assigned_to must be an active technician'],
    [
      { subject: 'a', company_number, site_number: other.site_number, employee_number: other.employee_number },
      'site_number must be a site of the company; employee_number must be a contact of the company',
    ],
  ] as const) {
    const answer = await send('POST', '/tickets.php', given);
    t.is(answer.status, 400);
    t.deepEqual(answer.body, { success: false, error });
  }
  t.deepEqual(await storedEvents(app), []);
});

test('permissions of keys and sessions', async (t) => {
  const app = await startApp(t);
  const { company_number } = await seedRequest(app);
  await seedTicket(app, { company_number });
  const reader = await asKey(app, ['tickets:read']);
  const writer = await asKey(app, ['tickets:write']);
  const remover = await asKey(app, ['tickets:delete']);
  const refusals = [
    await writer('GET', '/tickets.php'),
    await writer('GET', '/tickets.php?id=1'),
    await writer('GET', '/tickets.php?action=comments&id=1'),
    await writer('GET', '/tickets.php?action=time-entries&id=1'),
    await writer('GET', '/tickets.php?action=export'),
    await reader('POST', '/tickets.php', {}),
    await reader('PUT', '/tickets.php?id=999', {}),
    await reader('POST', '/tickets.php?action=comments&id=1', {}),
    await reader('POST', '/tickets.php?action=time-entries&id=1', {}),
    await writer('DELETE', '/tickets.php?id=1'),
    await reader('POST', '/bulk/tickets.php', { action: 'close', ticket_ids: [1] }),
    await writer('POST', '/bulk/tickets.php', { action: 'delete', ticket_ids: [1] }),
    await remover('POST', '/bulk/tickets.php', { action: 'close', ticket_ids: [1] }),
  ];
  for (const { status, body } of refusals)
    t.deepEqual([status, body], [403, { success: false, error: 'Insufficient permissions' }]);
  t.is((await remover('POST', '/bulk/tickets.php', { action: 'delete', ticket_ids: [1] })).status, 200);
  for (const path of ['/tickets.php', '/tickets.php?id=1', '/job-types.php'])
    t.is((await app.request('GET', `${staff}${path}`)).status, 401);
  const cookie = await signInOnPage(app, await seedTechnician(app, 'technician'));
  t.is((await app.request('GET', `${staff}/tickets.php`, { cookie })).status, 200);
});

test('Read a ticket in full', async (t) => {
  const app = await startApp(t);
  const { company_number, employee, employee_number, site_number, user_id } = await seedRequest(app);
  await seedTicket(app, { company_number, employee_number, site_number, assigned_to: user_id, source: 'chat' });
  const send = await asKey(app);
  await send('POST', '/tickets.php?action=comments&id=1', { comment: 'Password is 1234', is_internal: true });
  await send('POST', '/tickets.php?action=time-entries&id=1', { duration_minutes: 30 });
  await send('POST', '/tickets.php?action=time-entries&id=1', { duration_minutes: 15, billable: false });
  const answer = await send('GET', '/tickets.php?id=1');
  t.is(answer.status, 200);
  const { comments, time_entries } = answer.body.data;
  t.deepEqual(answer.body, {
    success: true,
    data: {
      ticket_id: 1,
      ticket_number: 1001,
      subject: 'Printer is broken',
      description: '',
      status: 'open',
      priority: 3,
      job_type: 'General',
      company_number,
      site_number,
      company_name: answer.body.data.company_name,
      site_name: 'Head office',
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
      created_at: at,
      updated_at: at,
      closed_at: null,
      waiting_since: null,
      last_comment_by: null,
      requester_employee_number: employee_number,
      requester_name: 'Erin Example',
      requester_email: employee.email,
      source: 'chat',
      comments,
      assets: [],
      time_entries,
      contracts: [],
      total_minutes: 45,
      merged_into: null,
      watchers: [],
      service_levels: [],
      checklist: [],
      parent: null,
      children: [],
    },
  });
  t.like(comments, { length: 1, 0: { comment: 'Password is 1234', is_internal: true, author_type: 'api' } });
  t.like(time_entries, { length: 2, 0: { duration_minutes: 15, billable: false } });
});

test('a missing ticket returns 404 before anything else is checked', async (t) => {
  const app = await startApp(t);
  const send = await asKey(app);
  for (const [method, path] of [
    ['GET', '/tickets.php?id=9'],
    ['PUT', '/tickets.php?id=9'],
    ['DELETE', '/tickets.php?id=9'],
    ['GET', '/tickets.php?action=comments&id=9'],
    ['POST', '/tickets.php?action=comments&id=9'],
    ['GET', '/tickets.php?action=time-entries&id=9'],
    ['POST', '/tickets.php?action=time-entries&id=9'],
  ] as const) {
    const { status, body } = await send(method, path, method === 'GET' ? undefined : { priority: 'x' });
    t.deepEqual([status, body], [404, { success: false, error: 'Ticket not found' }], `${method} ${path}`);
  }
  t.is((await send('PUT', '/tickets.php', { priority: 1 })).status, 400);
  t.is((await send('GET', '/tickets.php?id=x')).status, 400);
  t.is((await send('GET', '/tickets.php?action=comments')).status, 400);
});

test('Update any ticket', async (t) => {
  const app = await startApp(t);
  const { company_number, employee_number, site_number, user_id } = await seedRequest(app);
  await seedTicket(app, { company_number });
  await forgetEvents(app);
  const send = await asKey(app);
  app.clock.set('2026-03-02T10:00:00.000Z');
  const answer = await send('PUT', '/tickets.php?id=1', {
    subject: 'Paper',
    description: 'None left',
    status: 'In_Progress',
    priority: 5,
    job_type: 'Toner',
    site_number,
    assigned_to: user_id,
    employee_number,
    company_number: 999,
    ticket_number: 7,
  });
  t.is(answer.status, 200);
  t.like(answer.body.data, {
    ticket_number: 1001,
    subject: 'Paper',
    description: 'None left',
    status: 'in_progress',
    priority: 5,
    job_type: 'Toner',
    company_number,
    site_name: 'Head office',
    assigned_name: 'Terry Technician',
    requester_employee_number: employee_number,
    updated_at: '2026-03-02T10:00:00Z',
    comments: [],
  });
  t.deepEqual((await storedEvents(app)).map((each) => each.name).toSorted(), ['ticket.assigned', 'ticket.updated']);
  const lines = await app.app.database.findBy(ActivityLine, { entity_type: 'ticket', action: 'update' });
  t.deepEqual(lines[0]?.changes['status'], ['open', 'in_progress']);
  t.false('updated_at' in (lines[0]?.changes ?? {}));
});

test('Update any ticket: closing, reopening, assigning and no change', async (t) => {
  const app = await startApp(t);
  const { company_number, user_id } = await seedRequest(app);
  await seedTicket(app, { company_number });
  const send = await asKey(app);
  const put = async (body: object) => {
    await forgetEvents(app);
    const answer = await send('PUT', '/tickets.php?id=1', body);
    t.is(answer.status, 200);
    return (await storedEvents(app)).map((each) => each.name.slice(7)).toSorted();
  };
  t.deepEqual(await put({ status: 'closed', assigned_to: user_id }), ['assigned', 'closed', 'updated']);
  t.is((await storedTicket(app, 1)).closed_at, app.clock.now());
  t.deepEqual(await put({ status: 'closed' }), []);
  t.deepEqual(await put({ status: 'on_hold' }), ['updated']);
  t.is((await storedTicket(app, 1)).closed_at, null);
  t.deepEqual(await put({ assigned_to: null }), ['updated']);
  t.deepEqual(await put({ assigned_to: null, priority: 3, description: '' }), []);
  t.is((await send('PUT', '/tickets.php?id=1', {})).body.error, 'No fields to update');
  for (const [body, error] of [
    [{ status: 'pending' }, 'status must be one of: open, in_progress, on_hold, closed'],
    [{ priority: null }, 'priority must not be null'],
    [{ subject: '' }, 'subject is required'],
    [{ assigned_to: 999 }, 'assigned_to must be an active technician'],
    [{ site_number: 999 }, 'site_number must be a site of the company'],
  ] as const)
    t.deepEqual((await send('PUT', '/tickets.php?id=1', body)).body, { success: false, error });
});

test('a former technician keeps their tickets', async (t) => {
  const app = await startApp(t);
  const { company_number, user_id } = await seedRequest(app);
  await seedTicket(app, { company_number, assigned_to: user_id });
  await app.app.database.run({ text: 'UPDATE technician SET active = 0 WHERE user_id = ?', params: [user_id] });
  const send = await asKey(app);
  const answer = await send('PUT', '/tickets.php?id=1', { priority: 2, assigned_to: user_id });
  t.is(answer.status, 200);
  t.like(answer.body.data, { assigned_to: user_id, assigned_name: 'Terry Technician' });
});

test('Delete a ticket', async (t) => {
  const app = await startApp(t);
  const { company_number } = await seedRequest(app);
  await seedTicket(app, { company_number });
  await forgetEvents(app);
  const send = await asKey(app);
  const answer = await send('DELETE', '/tickets.php?id=1');
  t.deepEqual([answer.status, answer.text], [204, '']);
  for (const path of ['?id=1', '?action=comments&id=1', '?action=time-entries&id=1'])
    t.is((await send('GET', `/tickets.php${path}`)).status, 404);
  t.is((await send('DELETE', '/tickets.php?id=1')).status, 404);
  for (const query of ['', `?company_number=${company_number}`, '?search=printer'])
    t.is((await send('GET', `/tickets.php${query}`)).body.pagination.total, 0);
  t.false((await send('GET', '/tickets.php?action=export')).text.includes('Printer'));
  t.deepEqual(await storedEvents(app), []);
});

test('Comment on any ticket', async (t) => {
  const app = await startApp(t);
  const { company_number } = await seedRequest(app);
  await seedTicket(app, { company_number });
  const cookie = await signInOnPage(app, await seedTechnician(app, 'technician'));
  const path = `${staff}/tickets.php?action=comments&id=1`;
  app.clock.set('2026-03-02T09:10:00.000Z');
  const answer = await app.request('POST', path, { cookie, body: { comment: 'Hello' } });
  t.is(answer.status, 201);
  t.deepEqual(answer.body, {
    success: true,
    data: {
      comment_id: 1,
      ticket_id: 1,
      comment: 'Hello',
      author_name: 'Terry Technician',
      author_type: 'technician',
      is_internal: false,
      created_at: '2026-03-02T09:10:00Z',
      edited_at: null,
    },
  });
  t.is((await storedTicket(app, 1)).updated_at, '2026-03-02T09:10:00.000Z');
  const wrong = await app.request('POST', path, { cookie, body: { comment: 1, is_internal: 'no' } });
  t.deepEqual(wrong.body, { success: false, error: 'comment must be text; is_internal must be true or false' });
});

test('List a ticket’s comments', async (t) => {
  const app = await startApp(t);
  const { company_number } = await seedRequest(app);
  await seedTicket(app, { company_number });
  const send = await asKey(app);
  for (let i = 0; i < 30; i++)
    await send('POST', '/tickets.php?action=comments&id=1', { comment: `Comment ${i}`, is_internal: i % 2 === 0 });
  const whole = await send('GET', '/tickets.php?action=comments&id=1');
  t.is(whole.status, 200);
  t.deepEqual(
    whole.body.data.map((each: { comment_id: number }) => each.comment_id),
    Array.from({ length: 30 }, (_, i) => i + 1),
  );
  t.deepEqual(whole.body.pagination, { page: 1, per_page: 1000, total: 30, total_pages: 1 });
  const page = await send('GET', '/tickets.php?action=comments&id=1&page=2');
  t.is(page.body.data[0].comment, 'Comment 25');
  t.deepEqual(page.body.pagination, { page: 2, per_page: 25, total: 30, total_pages: 2 });
});

test('Log time on a ticket', async (t) => {
  const app = await startApp(t);
  const { company_number } = await seedRequest(app);
  await seedTicket(app, { company_number });
  await forgetEvents(app);
  const technician = await seedTechnician(app, 'technician');
  const cookie = await signInOnPage(app, technician);
  const path = `${staff}/tickets.php?action=time-entries&id=1`;
  const answer = await app.request('POST', path, { cookie, body: { duration_minutes: 90, description: ' On site ' } });
  t.is(answer.status, 201);
  t.deepEqual(answer.body, {
    success: true,
    data: {
      time_entry_id: 1,
      ticket_id: 1,
      user_id: technician.user_id,
      user_name: 'Terry Technician',
      duration_minutes: 90,
      description: 'On site',
      billable: true,
      work_date: '2026-03-02',
      created_at: at,
      corrects_id: null,
      billed: false,
    },
  });
  t.deepEqual(await storedEvents(app), []);
  for (const [body, error] of [
    [{}, 'duration_minutes is required'],
    [{ duration_minutes: 0 }, 'duration_minutes must be between 1 and 1440'],
    [{ duration_minutes: 1441 }, 'duration_minutes must be between 1 and 1440'],
    [{ duration_minutes: 5, billable: 1 }, 'billable must be true or false'],
    [{ duration_minutes: 5, work_date: '2026-03-04' }, 'work_date must be between 1 Mar 2016 and 3 Mar 2026'],
    [{ duration_minutes: 5, work_date: '1900-01-01' }, 'work_date must be between 1 Mar 2016 and 3 Mar 2026'],
  ] as const)
    t.deepEqual((await app.request('POST', path, { cookie, body })).body, { success: false, error });
  const entry = `${path}&time_entry_id=1`;
  t.is((await app.request('PUT', entry, { cookie, body: { work_date: '2026-03-03' } })).status, 200);
  t.is((await app.request('PUT', entry, { cookie, body: { work_date: '2027-03-03' } })).status, 400);
});

test('List a ticket’s time entries', async (t) => {
  const app = await startApp(t);
  const { company_number } = await seedRequest(app);
  await seedTicket(app, { company_number });
  const send = await asKey(app);
  for (const duration_minutes of [10, 20])
    await send('POST', '/tickets.php?action=time-entries&id=1', { duration_minutes });
  const answer = await send('GET', '/tickets.php?action=time-entries&id=1');
  t.is(answer.status, 200);
  t.like(answer.body, {
    success: true,
    data: { length: 2, 0: { duration_minutes: 20, user_id: null }, 1: { duration_minutes: 10 } },
    pagination: { page: 1, per_page: 1000, total: 2, total_pages: 1 },
  });
});

test('List all ticket categories', async (t) => {
  const app = await startApp(t);
  const send = await asKey(app, ['tickets:delete']);
  const { status, body } = await send('GET', '/job-types.php');
  t.is(status, 200);
  t.deepEqual(
    body.data.map((each: { name: string }) => each.name),
    [
      'General',
      'Hardware',
      'Software',
      'Network',
      'Email',
      'Security',
      'Access Request',
      'New Employee',
      'Purchase',
      'Backup Restore',
      'Chat',
    ],
  );
});
