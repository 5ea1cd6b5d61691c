// Ticket approval by managers, and ticket visibility.
import { readCount } from '@keelson/core/list';
import { changed } from '@keelson/core/plugin';
import { changeDropdown } from '@keelson/core/system';
import { createGroup, Employee, Site } from '@keelson/modules/directory';
import { TicketCount, JobTypes } from '@keelson/modules/tickets';
import { readMails, startApp, type TestApp } from '@keelson/testing';
import test from 'ava';
import { addSilentMailbox, receiveMail } from '../admin/_received-mail.ts';
import {
  asEmployee,
  asKey,
  forgetEvents,
  portal,
  seedCompany,
  seedEmployee,
  seedSite,
  seedTeam,
  seedTicket,
  storedEvents,
  storedTicket,
} from '../tickets-seed.ts';

const newTicket = { subject: 'New laptop', description: 'Please' };

async function pendingTicket(app: TestApp, group = {}) {
  const team = await seedTeam(app, group);
  const member = await asEmployee(app, team.member);
  const manager = await asEmployee(app, team.manager);
  const { body } = await member('POST', '/tickets', newTicket);
  await forgetEvents(app);
  return { ...team, asMember: member, asManager: manager, path: `/tickets/${body.ticket_id}`, ticket: body };
}

test('a member of a group requiring approval gets a pending ticket', async (t) => {
  const app = await startApp(t);
  const { ticket } = await pendingTicket(app);
  t.true(ticket.requires_approval);
  t.is(ticket.status, 'open');
  t.is((await storedTicket(app, ticket.ticket_id)).approval_status, 'pending');
});

test('managers, IT admins, other job types and groups without the rule need no approval', async (t) => {
  const app = await startApp(t);
  const team = await seedTeam(app, { approval_job_types: ['Purchase'] });
  const free = await seedTeam(app, { require_approval: false });
  const raise = async (employee: { email: string }, more = {}) => {
    const send = await asEmployee(app, employee);
    return (await send('POST', '/tickets', { ...newTicket, ...more })).body.requires_approval;
  };
  t.false(await raise(team.manager));
  t.false(await raise(team.itAdmin));
  t.false(await raise(team.colleague));
  t.false(await raise(team.member));
  t.true(await raise(team.member, { job_type: 'purchase' }));
  t.false(await raise(free.member));
  await app.run(async (ctx) => {
    await changeDropdown(ctx, JobTypes, ['General', { value: 'Security', requires_approval: true }, 'Purchase']);
  });
  t.true(await raise(team.member, { job_type: 'Security' }));
  t.false(await raise(free.member, { job_type: 'Security' }));
});

test('a ticket created by the provider never waits for approval', async (t) => {
  const app = await startApp(t);
  const { company_number, member } = await seedTeam(app);
  const send = await asKey(app);
  const body = { subject: 'Call', company_number, employee_number: member.employee_number };
  const { ticket_id } = (await send('POST', '/tickets.php', body)).body.data;
  t.like(await storedTicket(app, ticket_id), { approval_status: 'none', source: 'admin' });
});

test('List tickets pending your approval', async (t) => {
  const app = await startApp(t);
  const { asManager, asMember, colleague, company_number } = await pendingTicket(app);
  app.clock.set('2026-03-02T09:05:00.000Z');
  await asMember('POST', '/tickets', { ...newTicket, subject: 'Second' });
  await seedTicket(app, { company_number, employee_number: colleague.employee_number });
  const { status, body } = await asManager('GET', '/tickets/pending-approval');
  t.is(status, 200);
  t.deepEqual(
    body.tickets.map((each: { subject: string }) => each.subject),
    ['New laptop', 'Second'],
  );
  t.like(body.tickets[0], { approval_status: 'pending', requires_approval: true });
  t.deepEqual(body.pagination, { page: 1, limit: 1000, total: 2, total_pages: 1 });
  const refused = await asMember('GET', '/tickets/pending-approval');
  t.deepEqual([refused.status, refused.body], [403, { error: 'Manager role required' }]);
  t.is((await app.request('GET', `${portal}/tickets/pending-approval`)).status, 401);
});

test('Count tickets pending your approval', async (t) => {
  const app = await startApp(t);
  const { asManager, asMember } = await pendingTicket(app);
  const counted = await asManager('GET', '/tickets/approval-count');
  t.deepEqual([counted.status, counted.body], [200, { is_manager: true, pending_count: 1 }]);
  const other = await asMember('GET', '/tickets/approval-count');
  t.deepEqual([other.status, other.body], [200, { is_manager: false, pending_count: 0 }]);
});

test('Approve a ticket', async (t) => {
  const app = await startApp(t);
  const { asManager, asMember, path } = await pendingTicket(app);
  const answer = await asManager('POST', `${path}/approve`);
  t.is(answer.status, 200);
  t.deepEqual(answer.body, {
    success: true,
    ticket_id: 1,
    ticket_number: 1001,
    status: 'open',
    approval_status: 'approved',
  });
  const { body } = await asMember('GET', path);
  t.like(body.comments[0], { comment: 'Approved by Erin Example', author_name: 'System' });
  const events = await storedEvents(app);
  t.deepEqual(
    events.map((each) => each.name),
    ['ticket.updated'],
  );
  t.is(events[0]?.data.approval_status, 'approved');
  const again = await asManager('POST', `${path}/approve`);
  t.deepEqual([again.status, again.body], [400, { error: 'Ticket is not pending approval' }]);
});

test('Reject a ticket', async (t) => {
  const app = await startApp(t);
  const { asManager, asMember, path } = await pendingTicket(app);
  for (const body of [{}, { reason: '  ' }]) {
    const blank = await asManager('POST', `${path}/reject`, body);
    t.deepEqual([blank.status, blank.body], [400, { error: 'reason is required' }]);
  }
  const answer = await asManager('POST', `${path}/reject`, { reason: 'Too expensive' });
  t.is(answer.status, 200);
  t.deepEqual(answer.body, {
    success: true,
    ticket_id: 1,
    ticket_number: 1001,
    status: 'closed',
    approval_status: 'rejected',
  });
  const { body } = await asMember('GET', path);
  t.like(body.comments[0], { comment: 'Too expensive', author_name: 'Erin Example', is_internal: false });
  t.is(body.closed_at, '2026-03-02T09:00:00Z');
  t.deepEqual((await storedEvents(app)).map((each) => each.name).toSorted(), ['ticket.closed', 'ticket.updated']);
  const reopened = await asMember('PUT', path, { status: 'open' });
  t.deepEqual([reopened.status, reopened.body], [400, { error: 'A rejected ticket cannot be reopened' }]);
  const again = await asManager('POST', `${path}/reject`, { reason: 'No' });
  t.deepEqual([again.status, again.body], [400, { error: 'Ticket is not pending approval' }]);
});

test('no one can decide on their own ticket, and only managers of the requester’s group on others’', async (t) => {
  const app = await startApp(t);
  const { company_number, manager, path, asMember } = await pendingTicket(app);
  const elsewhere = await seedTeam(app);
  const administrator = await seedEmployee(app, { company_number, it_privileges: true, ismgr: true });
  const own = await seedTicket(app, { company_number, employee_number: manager.employee_number });
  const refused = await (await asEmployee(app, manager))('POST', `/tickets/${own.ticket_id}/approve`);
  t.deepEqual([refused.status, refused.body], [403, { error: 'You cannot approve or reject your own ticket' }]);
  t.is((await asMember('POST', `${path}/approve`)).status, 403);
  for (const outsider of [elsewhere.manager, administrator]) {
    const send = await asEmployee(app, outsider);
    for (const action of ['approve', 'reject']) {
      const answer = await send('POST', `${path}/${action}`, { reason: 'x' });
      const absent = await send('POST', `/tickets/999/${action}`, { reason: 'x' });
      t.is(answer.status, 404);
      t.is(answer.text, absent.text);
    }
  }
});

test('of fifty concurrent approvals exactly one succeeds', async (t) => {
  const app = await startApp(t);
  const { asManager, path } = await pendingTicket(app);
  const answers = await Promise.all(Array.from({ length: 50 }, () => asManager('POST', `${path}/approve`)));
  t.is(answers.filter((each) => each.status === 200).length, 1);
  t.true(answers.every((each) => [200, 400, 503].includes(each.status)));
  t.is((await storedEvents(app)).length, 1);
});

test('while approval is pending a ticket accepts comments and can only be withdrawn', async (t) => {
  const app = await startApp(t);
  const { asMember, path } = await pendingTicket(app);
  t.is((await asMember('POST', `${path}/comments`, { comment: 'Urgent' })).status, 201);
  const moved = await asMember('PUT', path, { status: 'in_progress' });
  t.deepEqual(
    [moved.status, moved.body],
    [400, { error: 'status can only be set to closed while approval is pending' }],
  );
  const withdrawn = await asMember('PUT', path, { status: 'closed' });
  t.is(withdrawn.status, 200);
  t.like(withdrawn.body, { status: 'closed', approval_status: 'none', requires_approval: false });
});

test('a withdrawn ticket waits for approval again when reopened', async (t) => {
  const app = await startApp(t);
  const { asMember, asManager, itAdmin, path, ticket } = await pendingTicket(app);
  t.is((await asMember('PUT', path, { status: 'closed' })).body.approval_status, 'none');
  await forgetEvents(app);
  const reopened = await asMember('PUT', path, { status: 'open' });
  t.is(reopened.status, 200);
  t.like(reopened.body, { status: 'open', approval_status: 'pending', requires_approval: true, closed_at: null });
  const events = await storedEvents(app);
  t.deepEqual(
    events.map((each) => each.name),
    ['ticket.updated'],
  );
  t.like(events[0]?.data, { status: 'open', approval_status: 'pending' });
  t.is((await asMember('PUT', path, { status: 'in_progress' })).status, 400);
  t.is((await asManager('GET', '/tickets/approval-count')).body.pending_count, 1);
  await asMember('PUT', path, { status: 'closed' });
  const byAdmin = await (await asEmployee(app, itAdmin))('PUT', path, { status: 'open' });
  t.is(byAdmin.body.approval_status, 'pending');
  t.is((await asManager('POST', `${path}/approve`)).status, 200);
  await asMember('PUT', path, { status: 'closed' });
  await asMember('PUT', path, { status: 'open' });
  t.like(await storedTicket(app, ticket.ticket_id), { status: 'open', approval_status: 'approved' });
});

test('a withdrawn ticket waits for approval again when a reply by mail reopens it', async (t) => {
  const app = await startApp(t);
  const mailbox_id = await addSilentMailbox(app, { address: 'support@provider.example' });
  const { asMember, member, manager, path, ticket } = await pendingTicket(app);
  await asMember('PUT', path, { status: 'closed' });
  await app.app.outbox.drain();
  const { ticket_number } = await storedTicket(app, ticket.ticket_id);
  const requests = async () =>
    (await readMails(app)).filter((each) => each.to === manager.email && each.template === 'approval_requested').length;
  const before = await requests();
  const mail = await receiveMail(app, {
    mailbox_id,
    message_id: '<after-all@customer.example>',
    headers: [`From: ${member.email}`, 'To: support@provider.example', `Subject: Re: [#${ticket_number}] New laptop`],
    body: 'I need it after all.',
  });
  t.like(mail, { state: 'comment', reason: 'Reply to the ticket' });
  t.like(await storedTicket(app, ticket.ticket_id), { status: 'open', approval_status: 'pending' });
  t.is((await requests()) - before, 1);
});

test('reopening needs no approval if the requester, job type or group requires none', async (t) => {
  const app = await startApp(t);
  const team = await seedTeam(app, { approval_job_types: ['Purchase'] });
  const free = await seedTeam(app, { require_approval: false });
  const administrator = await asEmployee(app, team.itAdmin);
  const reopen = async ({ company_number }: { company_number: number }, more: object, by = administrator) => {
    const { ticket_id } = await seedTicket(app, { company_number, ...more });
    await by('PUT', `/tickets/${ticket_id}`, { status: 'closed' });
    return (await by('PUT', `/tickets/${ticket_id}`, { status: 'open' })).body.approval_status;
  };
  const of = ({ employee_number }: { employee_number: number }) => ({ employee_number, job_type: 'Purchase' });
  t.is(await reopen(team, of(team.member)), 'pending');
  t.is(await reopen(team, { ...of(team.member), job_type: 'Email' }), 'none');
  t.is(await reopen(team, of(team.manager)), 'none');
  t.is(await reopen(team, of(team.itAdmin)), 'none');
  t.is(await reopen(team, of(team.colleague)), 'none');
  t.is(await reopen(team, { job_type: 'Purchase' }), 'none');
  t.is(await reopen(free, of(free.member), await asEmployee(app, free.member)), 'none');
});

test('the provider reopens without approval', async (t) => {
  const app = await startApp(t);
  const { asMember, path, ticket } = await pendingTicket(app);
  await asMember('PUT', path, { status: 'closed' });
  const send = await asKey(app);
  await send('PUT', `/tickets.php?id=${ticket.ticket_id}`, { status: 'open', job_type: 'Email' });
  t.like(await storedTicket(app, ticket.ticket_id), { status: 'open', approval_status: 'none' });
});

test('tickets reopened together wait for approval individually', async (t) => {
  const app = await startApp(t);
  const { company_number, member, manager, colleague, itAdmin } = await seedTeam(app, {
    approval_job_types: ['Purchase'],
  });
  const people = [member, manager, colleague, itAdmin];
  for (const job_type of ['Purchase', 'Email'])
    for (const { employee_number } of people) await seedTicket(app, { company_number, employee_number, job_type });
  const send = await asEmployee(app, itAdmin);
  const ticket_ids = [1, 2, 3, 4, 5, 6, 7, 8];
  await send('POST', '/tickets/bulk', { action: 'close', ticket_ids });
  await forgetEvents(app);
  const { body } = await send('POST', '/tickets/bulk', { action: 'update_status', status: 'open', ticket_ids });
  t.is(body.succeeded, 8);
  const stored = await Promise.all(ticket_ids.map((id) => storedTicket(app, id)));
  t.true(stored.every((each) => each.status === 'open' && each.closed_at === null));
  t.deepEqual(
    stored.map((each) => each.approval_status),
    ['pending', 'none', 'none', 'none', 'none', 'none', 'none', 'none'],
  );
  const events = await storedEvents(app);
  t.deepEqual(
    events.map(({ name, data }) => [name, data.ticket_id, data.approval_status]).toSorted(([, a], [, b]) => a - b),
    ticket_ids.map((id) => ['ticket.updated', id, id === 1 ? 'pending' : 'none']),
  );
  const again = await send('POST', '/tickets/bulk', { action: 'update_status', status: 'on_hold', ticket_ids: [1, 2] });
  t.is(again.body.results[0].error, 'status can only be set to closed while approval is pending');
});

test('reopening many tickets takes a constant number of statements', async (t) => {
  const app = await startApp(t);
  const { company_number, member, itAdmin } = await seedTeam(app);
  const { employee_number } = member;
  for (let i = 0; i < 40; i++) await seedTicket(app, { company_number, employee_number });
  const send = await asEmployee(app, itAdmin);
  const ids = Array.from({ length: 40 }, (_, i) => i + 1);
  await send('POST', '/tickets/bulk', { action: 'close', ticket_ids: ids });
  const reopen = (ticket_ids: number[]) =>
    app.statements(() => send('POST', '/tickets/bulk', { action: 'update_status', status: 'open', ticket_ids }));
  // Caches of a second or two may expire in between, so another ticket is reopened first each time. A few extra
  // statements are far from one for each of 35 tickets.
  const fewest = async (ticket_ids: number[]) => {
    const counts: number[] = [];
    for (let i = 0; i < 3; i++) {
      await reopen(ids.slice(0, 1));
      counts.push(await reopen(ticket_ids));
      await send('POST', '/tickets/bulk', { action: 'close', ticket_ids: [1, ...ticket_ids] });
    }
    return Math.min(...counts);
  };
  const two = await fewest(ids.slice(1, 3));
  const many = await fewest(ids.slice(3));
  t.true(many < two + 10, `${two} and ${many} statements`);
});

test('changing to a job type that requires approval holds an open ticket', async (t) => {
  const app = await startApp(t);
  const { company_number, member, manager } = await seedTeam(app, { approval_job_types: ['Purchase'] });
  const send = await asEmployee(app, member);
  const { ticket_id } = (await send('POST', '/tickets', newTicket)).body;
  const path = `/tickets/${ticket_id}`;
  t.is((await send('PUT', path, { job_type: 'Email', subject: 'Mail' })).body.approval_status, 'none');
  await forgetEvents(app);
  t.like((await send('PUT', path, { job_type: 'purchase' })).body, {
    job_type: 'Purchase',
    approval_status: 'pending',
  });
  const events = await storedEvents(app);
  t.deepEqual(
    events.map(({ name, data }) => [name, data.approval_status]),
    [['ticket.updated', 'pending']],
  );
  const own = await seedTicket(app, { company_number, employee_number: manager.employee_number });
  const byManager = await asEmployee(app, manager);
  const changed = await byManager('PUT', `/tickets/${own.ticket_id}`, { job_type: 'Purchase' });
  t.is(changed.body.approval_status, 'none');
});

test('the job type of a closed ticket is checked on reopening', async (t) => {
  const app = await startApp(t);
  const { member } = await seedTeam(app, { approval_job_types: ['Purchase'] });
  const send = await asEmployee(app, member);
  const { ticket_id } = (await send('POST', '/tickets', newTicket)).body;
  const put = async (body: object) => (await send('PUT', `/tickets/${ticket_id}`, body)).body.approval_status;
  t.is(await put({ status: 'closed', job_type: 'Purchase' }), 'none');
  t.is(await put({ job_type: 'Email' }), 'none');
  t.is(await put({ status: 'open' }), 'none');
  t.is(await put({ status: 'closed' }), 'none');
  t.is(await put({ status: 'open', job_type: 'Purchase' }), 'pending');
});

test('invisible characters do not make a different job type', async (t) => {
  const app = await startApp(t);
  const { member } = await seedTeam(app, { approval_job_types: ['Purchase', 'Spe\u200bcial'] });
  const send = await asEmployee(app, member);
  for (const [text, job_type] of [
    ['Pur\u200bchase', 'Purchase'],
    ['\u2060 purchase\u00ad', 'Purchase'],
    ['special', 'special'],
    ['SPEC\u200dIAL', 'SPECIAL'],
    ['Pur\u0001ch\u0085as\u007fe', 'Purchase'],
    ['spe\u0008cial\u001b', 'special'],
    ['Pur\ufeffchase', 'Purchase'],
  ]) {
    const raised = await send('POST', '/tickets', { ...newTicket, job_type: text });
    t.is(raised.status, 201, raised.text);
    t.like(await storedTicket(app, raised.body.ticket_id), { job_type, approval_status: 'pending' });
    const { ticket_id } = (await send('POST', '/tickets', newTicket)).body;
    const changed = await send('PUT', `/tickets/${ticket_id}`, { job_type: text });
    t.like(changed.body, { job_type, approval_status: 'pending' });
  }
  const { body } = await send('POST', '/tickets', { ...newTicket, job_type: '\u200b' });
  t.like(await storedTicket(app, body.ticket_id), { job_type: 'General', approval_status: 'none' });
});

test('an approved ticket keeps its subject and job type', async (t) => {
  const app = await startApp(t);
  const { asMember, asManager, itAdmin, path } = await pendingTicket(app);
  await asManager('POST', `${path}/approve`);
  const error = 'The subject and job type of an approved ticket cannot be changed';
  for (const body of [{ subject: 'New car' }, { job_type: 'Purchase' }, { subject: 'New car', status: 'closed' }]) {
    const refused = await asMember('PUT', path, body);
    t.deepEqual([refused.status, refused.body], [400, { error }]);
  }
  const same = { subject: newTicket.subject, job_type: 'gen\u200beral', priority: 1, status: 'in_progress' };
  t.like((await asMember('PUT', path, same)).body, { priority: 1, status: 'in_progress', approval_status: 'approved' });
  t.is((await asManager('PUT', path, { subject: 'Two laptops' })).status, 200);
  const byAdmin = await (await asEmployee(app, itAdmin))('PUT', path, { job_type: 'Purchase' });
  t.like(byAdmin.body, { subject: 'Two laptops', job_type: 'Purchase', approval_status: 'approved' });
  await asMember('PUT', path, { status: 'closed' });
  t.is((await asMember('PUT', path, { subject: 'New car' })).status, 400);
});

test('requesters whose site is gone or moved create tickets without a site', async (t) => {
  const app = await startApp(t);
  const { company_number } = await seedCompany(app);
  const { site_number } = await seedSite(app, company_number);
  const employee = await seedEmployee(app, { company_number });
  const { employee_number } = employee;
  await app.run((ctx) => ctx.db.update(Employee, { employee_number }, { site_number }));
  const send = await asEmployee(app, employee);
  const raise = async () => {
    const { status, body } = await send('POST', '/tickets', newTicket);
    t.is(status, 201);
    return (await storedTicket(app, body.ticket_id)).site_number;
  };
  t.is(await raise(), site_number);
  await app.run(async (ctx) => {
    await ctx.db.update(Site, { site_number }, { deleted_at: ctx.now });
    changed(ctx, Site);
  });
  await forgetEvents(app);
  t.is(await raise(), null);
  t.like((await storedEvents(app))[0]?.data, { site_number: null, site_name: null });
  const other = await seedCompany(app);
  await app.run(async (ctx) => {
    await ctx.db.update(Site, { site_number }, { deleted_at: null, company_number: other.company_number });
    changed(ctx, Site);
  });
  t.is(await raise(), null);
  const byKey = await (await asKey(app))('POST', '/tickets.php', { subject: 'Call', company_number, site_number });
  t.deepEqual([byKey.status, byKey.body.error], [400, 'site_number must be a site of the company']);
});

test('a pending ticket without remaining approvers is released', async (t) => {
  const app = await startApp(t);
  const { asManager, itAdmin, path, ticket } = await pendingTicket(app);
  const administrator = await asEmployee(app, itAdmin);
  t.is((await administrator('DELETE', '/managers/workshop')).status, 204);
  await app.app.outbox.drain();
  t.is((await storedTicket(app, ticket.ticket_id)).approval_status, 'none');
  const events = await storedEvents(app);
  t.deepEqual(
    events.map((each) => each.name),
    ['ticket.updated'],
  );
  t.is((await asManager('GET', path)).status, 404);
});

test('a pending ticket that gets another requester waits for their approvers, or is released if there are none', async (t) => {
  const app = await startApp(t);
  const { asManager, company_number, colleague, path, ticket } = await pendingTicket(app);
  const other = await seedEmployee(app, { company_number });
  const boss = await seedEmployee(app, { company_number });
  await app.run((ctx) =>
    createGroup(ctx, company_number, {
      name: 'Office',
      code: 'office',
      managers: [boss.employee_number],
      members: [other.employee_number],
    }),
  );
  const send = await asKey(app);
  const hand = async ({ employee_number }: { employee_number: number }) => {
    t.is((await send('PUT', `/tickets.php?id=${ticket.ticket_id}`, { employee_number })).status, 200);
    await app.app.outbox.drain();
  };
  await hand(other);
  t.is((await storedTicket(app, ticket.ticket_id)).approval_status, 'pending');
  const mails = await readMails(app);
  t.true(mails.some((each) => each.to === boss.email && each.template === 'approval_requested'));
  t.is((await asManager('POST', `${path}/approve`)).status, 404);
  t.is((await (await asEmployee(app, boss))('GET', '/tickets/approval-count')).body.pending_count, 1);
  await hand(colleague);
  t.is((await storedTicket(app, ticket.ticket_id)).approval_status, 'none');
});

test('List your team’s tickets', async (t) => {
  const app = await startApp(t);
  const { company_number, asManager, asMember, manager, colleague } = await pendingTicket(app);
  await seedTicket(app, { company_number, employee_number: manager.employee_number });
  await seedTicket(app, { company_number, employee_number: colleague.employee_number });
  const { status, body } = await asManager('GET', '/tickets/team?status=open');
  t.is(status, 200);
  t.deepEqual(
    body.tickets.map((each: { ticket_id: number }) => each.ticket_id),
    [1],
  );
  t.deepEqual(body.pagination, { page: 1, limit: 1000, total: 1, total_pages: 1 });
  t.is((await asManager('GET', '/tickets/team?status=closed&limit=5')).body.pagination.limit, 5);
  t.is((await asMember('GET', '/tickets/team')).status, 403);
});

test('a helpdesk list takes at most six statements', async (t) => {
  const app = await startApp(t);
  const { company_number, member, manager } = await seedTeam(app);
  for (let i = 0; i < 30; i++) await seedTicket(app, { company_number, employee_number: member.employee_number });
  const send = await asEmployee(app, manager);
  for (const path of [
    '/tickets',
    '/tickets/team?page=2',
    '/tickets/pending-approval',
    '/tickets/search?q=printer&page=2',
    '/tickets/export',
  ]) {
    await send('GET', path);
    const statements = await app.fewestStatements(() => send('GET', path));
    t.true(statements <= 6, `${path} needs ${statements}`);
  }
});

test('requester, manager and IT admin see a ticket; for anyone else it does not exist', async (t) => {
  const app = await startApp(t);
  const { company_number, member, manager, colleague, itAdmin, stranger } = await seedTeam(app);
  await seedTicket(app, { company_number, employee_number: member.employee_number, subject: 'Seen' });
  for (const person of [member, manager, itAdmin]) {
    const send = await asEmployee(app, person);
    t.is((await send('GET', '/tickets/1')).status, 200);
    t.is((await send('PUT', '/tickets/1', { priority: person.employee_number % 5 || 1 })).status, 200);
    t.is((await send('POST', '/tickets/1/comments', { comment: 'x' })).status, 201);
    t.is((await send('GET', '/tickets/search?q=seen')).body.tickets.length, 1);
    t.true((await send('GET', '/tickets/export')).text.includes('Seen'));
    t.is((await send('POST', '/tickets/bulk', { action: 'close', ticket_ids: [1] })).body.succeeded, 1);
    t.is((await send('GET', '/tickets')).body.tickets.length, person === manager ? 0 : 1);
  }
  for (const person of [colleague, stranger]) {
    const send = await asEmployee(app, person);
    for (const [method, path, body] of [
      ['GET', '/tickets/{id}', undefined],
      ['PUT', '/tickets/{id}', { priority: 9 }],
      ['POST', '/tickets/{id}/comments', {}],
    ] as const) {
      const hidden = await send(method, path.replace('{id}', '1'), body);
      const absent = await send(method, path.replace('{id}', '999'), body);
      t.is(hidden.status, 404);
      t.is(hidden.text, absent.text);
      t.deepEqual(hidden.body, { error: 'Ticket not found' });
    }
    t.is((await send('GET', '/tickets/search?q=seen')).body.pagination.total, 0);
    t.false((await send('GET', '/tickets/export')).text.includes('Seen'));
    t.is((await send('POST', '/tickets/bulk', { action: 'close', ticket_ids: [1] })).body.failed, 1);
    t.deepEqual((await send('GET', '/tickets')).body.tickets, []);
  }
});

test('maintained counts are correct after every kind of change', async (t) => {
  const app = await startApp(t);
  const { company_number, asManager, asMember, path } = await pendingTicket(app);
  await seedTicket(app, { company_number, priority: 1 });
  await asManager('POST', `${path}/reject`, { reason: 'No' });
  await asMember('PUT', path, { priority: 2 });
  const read = (filter: Record<string, string | number>) =>
    readCount(app.app.database, TicketCount, { company_number, ...filter });
  t.deepEqual(
    [await read({}), await read({ status: 'open' }), await read({ status: 'closed' }), await read({ priority: 2 })],
    [2, 1, 1, 1],
  );
});
