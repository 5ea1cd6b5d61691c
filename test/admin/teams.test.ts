// Teams: members with skills, absences, the team of a ticket, and assignment by rule.
import { plus } from '@keelson/core';
import { Technician } from '@keelson/modules/directory';
import { Ticket } from '@keelson/modules/tickets';
import { startApp, testClock, type TestApp } from '@keelson/testing';
import test, { type ExecutionContext } from 'ava';
import { Notification } from '../../modules/desk/entities.ts';
import { handOverAll } from '../../modules/teams/absences/hand-over.ts';
import { assignWaiting } from '../../modules/teams/assignment/assign.ts';
import { TeamMember } from '../../modules/teams/members/entities.ts';
import { Team } from '../../modules/teams/teams/entities.ts';
import { ActivityLine } from '../../packages/log/activity.ts';
import { failing, refuseWrites } from '../_refused-writes.ts';
import { secondProcess } from '../core/_second-process.ts';
import {
  asEmployee,
  asKey,
  seedCompany,
  seedEmployee,
  seedTechnician,
  seedTicket,
  storedTicket,
} from '../tickets-seed.ts';

const rights = [
  'tickets:read',
  'tickets:write',
  'tickets:delete',
  'teams:read',
  'teams:write',
  'settings:read',
  'settings:write',
];

async function desk(t: ExecutionContext, now = '2026-03-02T09:00:00.000Z') {
  const app = await startApp(t, { clock: testClock(now) });
  const send = await asKey(app, rights);
  const made = async (path: string, body: unknown) => {
    const answer = await send('POST', path, body);
    if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
    return answer.body.data;
  };
  const { company_number } = await seedCompany(app);
  return { app, send, made, company_number };
}
type Desk = Awaited<ReturnType<typeof desk>>;

/** Creates a team of `size` technicians with a rule. */
async function staffed({ app, made }: Desk, assignment: string, size = 3, skills: readonly string[][] = []) {
  const { team_id } = await made('/teams.php', { name: `Team ${assignment}`, assignment });
  const people = [];
  const members = [];
  for (let i = 0; i < size; i++) {
    const { user_id } = await seedTechnician(app);
    people.push(user_id);
    members.push(await made('/teams/members.php', { team_id, user_id, skills: skills[i] ?? [] }));
  }
  return { team_id, people, members };
}

const deactivate = (app: TestApp, user_id: number) =>
  app.run((ctx) => ctx.db.update(Technician, { user_id }, { active: false }));

const assigneeOf = async (app: TestApp, { ticket_id }: Ticket) => (await storedTicket(app, ticket_id)).assigned_to;

test('Create a team; Change a team; Read a team; List teams; Delete a team', async (t) => {
  const { app, send, made, company_number } = await desk(t);
  const calendar = await made('/levels/calendars.php', {
    name: 'Office',
    time_zone: 'Europe/Berlin',
    hours: [{ weekday: 'monday', from: '09:00', to: '17:00' }],
  });
  const { calendar_id } = calendar;
  const team = await made('/teams.php', { name: 'Network', calendar_id });
  t.like(team, { name: 'Network', calendar_name: 'Office', assignment: 'off' });
  await made('/teams.php', { name: 'Applications' });
  t.deepEqual(
    (await send('GET', '/teams.php')).body.data.map((each: any) => each.name),
    ['Applications', 'Network'],
  );
  t.is((await send('GET', '/teams.php?search=netw')).body.pagination.total, 1);
  t.is((await send('POST', '/teams.php', { name: ' NETWORK ' })).status, 409);
  t.regex(
    (await send('POST', '/teams.php', { name: 'A', calendar_id: 99 })).body.error,
    /calendar_id must be an existing/,
  );
  t.regex(
    (await send('POST', '/teams.php', { name: 'A', assignment: 'dice' })).body.error,
    /assignment must be one of/,
  );
  const path = `/teams.php?id=${team.team_id}`;
  t.is((await send('PUT', path, { assignment: 'sticky' })).body.data.assignment, 'sticky');
  t.is((await send('GET', path)).body.data.assignment, 'sticky');
  const refused = await send('DELETE', `/levels/calendars.php?id=${calendar_id}`);
  t.is(refused.status, 409);
  t.regex(refused.body.error, /Office is used by teams/);
  const ticket = await seedTicket(app, { company_number, team_id: team.team_id });
  const held = await send('DELETE', path);
  t.is(held.status, 409);
  t.is(held.body.error, 'Network still has open tickets');
  await send('PUT', `/tickets.php?id=${ticket.ticket_id}`, { status: 'closed' });
  t.is((await send('DELETE', path)).status, 204);
  t.is((await send('GET', path)).status, 404);
  t.is((await send('GET', `/tickets.php?id=${ticket.ticket_id}`)).body.data.team_name, 'Network');
});

test('Add a technician to a team; Read a member of a team; List members of teams; Change a member of a team; Remove a technician from a team', async (t) => {
  const its = await desk(t);
  const { app, send, made } = its;
  const { team_id, members } = await staffed(its, 'off', 2, [[' Cisco ', 'printers', 'CISCO'], []]);
  t.deepEqual(members[0].skills, ['cisco', 'printers']);
  t.like(members[0], { team_name: 'Team off', status: 'available' });
  const path = `/teams/members.php?id=${members[0].member_id}`;
  t.deepEqual((await send('PUT', path, { skills: ['wifi'] })).body.data.skills, ['wifi']);
  t.deepEqual((await send('GET', path)).body.data.skills, ['wifi']);
  t.is((await send('GET', `/teams/members.php?team_id=${team_id}`)).body.pagination.total, 2);
  const again = await send('POST', '/teams/members.php', { team_id, user_id: members[0].user_id, skills: [] });
  t.is(again.status, 409);
  t.is(again.body.error, 'user_id is already a member of the team');
  const { user_id } = await seedTechnician(app);
  await deactivate(app, user_id);
  for (const [body, error] of [
    [{ team_id, user_id: 999 }, /user_id must be an active technician/],
    [{ team_id, user_id }, /user_id must be an active technician/],
    [{ team_id: 999, user_id }, /team_id must be an existing team/],
    [{ team_id, user_id, skills: ['a,b'] }, /skills.*must not contain a comma/],
  ] as const)
    t.regex((await send('POST', '/teams/members.php', body)).body.error, error);
  await deactivate(app, members[1].user_id);
  t.is((await send('GET', `/teams/members.php?id=${members[1].member_id}`)).body.data.status, 'inactive');
  await made('/teams/absences.php', { user_id: members[0].user_id, first_day: '2026-03-02', last_day: '2026-03-02' });
  t.is((await send('GET', path)).body.data.status, 'absent');
  t.is((await send('DELETE', path)).status, 204);
  t.is((await send('GET', path)).status, 404);
  t.deepEqual(await logged(app, 'team_member'), [
    'Terry Technician added to team Team off',
    'Terry Technician added to team Team off',
    'Membership of Terry Technician in team Team off changed',
    'Terry Technician removed from team Team off',
  ]);
  t.is((await send('DELETE', `/teams.php?id=${team_id}`)).status, 204);
  t.is((await send('GET', `/teams/members.php?team_id=${team_id}`)).body.pagination.total, 0);
});

/** What the activity log says of a type of record. */
const logged = async ({ app }: TestApp, entity_type: string) =>
  (await app.database.find(ActivityLine, { where: { entity_type }, order: { log_id: 'ASC' } })).map(
    ({ description }) => description,
  );

test('Add an absence of a technician; Read an absence; List absences of technicians; Change an absence; Delete an absence', async (t) => {
  const { app, send, made } = await desk(t);
  const { user_id } = await seedTechnician(app);
  const now = await made('/teams/absences.php', {
    user_id,
    first_day: '2026-03-01',
    last_day: '2026-03-02',
    note: 'Flu',
  });
  await made('/teams/absences.php', { user_id, first_day: '2026-03-03', last_day: '2026-03-20' });
  await made('/teams/absences.php', { user_id, first_day: '2026-02-01', last_day: '2026-03-01' });
  const listed = async (query: string) =>
    (await send('GET', `/teams/absences.php?${query}`)).body.data.map((each: any) => each.first_day);
  t.deepEqual(await listed('when=current'), ['2026-03-01']);
  t.deepEqual(await listed('when=upcoming'), ['2026-03-03']);
  t.deepEqual(await listed('when=past'), ['2026-02-01']);
  t.deepEqual(await listed(`user_id=${user_id}`), ['2026-03-03', '2026-03-01', '2026-02-01']);
  const path = `/teams/absences.php?id=${now.absence_id}`;
  t.like((await send('GET', path)).body.data, { note: 'Flu', user_id });
  t.is((await send('PUT', path, { last_day: '2026-03-05' })).body.data.last_day, '2026-03-05');
  const wrong = await send('PUT', path, { last_day: '2026-02-05' });
  t.is(wrong.body.error, 'last_day must not be before first_day');
  t.is((await send('DELETE', path)).status, 204);
  t.is((await logged(app, 'absence')).at(-1), 'Absence of Terry Technician from 1 Mar 2026 to 5 Mar 2026 deleted');
  t.is((await send('GET', path)).status, 404);
});

test('Update any ticket: the team is set, changed, cleared and recorded', async (t) => {
  const { app, send, made, company_number } = await desk(t);
  const { team_id } = await made('/teams.php', { name: 'Network' });
  const other = await made('/teams.php', { name: 'Servers' });
  const created = await send('POST', '/tickets.php', { company_number, subject: 'Slow', team_id });
  t.is(created.status, 201, created.body.error);
  t.is(
    (await send('POST', '/tickets.php', { company_number, subject: 'Slow', team_id: 99 })).body.error,
    'team_id must be an existing team',
  );
  const path = '/tickets.php?id=1';
  t.like((await send('GET', path)).body.data, { team_id, team_name: 'Network' });
  t.like((await send('PUT', path, { team_id: other.team_id })).body.data, { team_name: 'Servers' });
  t.like((await send('PUT', path, { team_id: null })).body.data, { team_id: null, team_name: null });
  t.is((await send('PUT', path, { team_id: 99 })).body.error, 'team_id must be an existing team');
  const history = (await send('GET', '/tickets.php?action=history&id=1')).body.data.map((each: any) => each.changes);
  t.deepEqual(history.slice(0, 2), [{ team_id: [other.team_id, null] }, { team_id: [team_id, other.team_id] }]);
  await seedTicket(app, { company_number, team_id });
  const found = async (query: string) =>
    (await send('GET', `/tickets.php?${query}`)).body.data.map((each: any) => [each.ticket_id, each.team_name]);
  t.deepEqual(await found(`team_id=${team_id}`), [[2, 'Network']]);
  t.deepEqual(await found('team_id=none'), [[1, null]]);
  t.deepEqual(await found(`team_id=${team_id}&brief=true&status=open`), [[2, 'Network']]);
  await send('PUT', '/tickets.php?id=2', { status: 'closed' });
  t.is((await send('DELETE', `/teams.php?id=${team_id}`)).status, 204);
  t.is((await send('PUT', path, { team_id })).body.error, 'team_id must be an existing team');
});

test('Read a ticket: customers do not see the team', async (t) => {
  const { app, made } = await desk(t);
  const { team_id } = await made('/teams.php', { name: 'Secret squad' });
  const employee = await seedEmployee(app);
  const { company_number, employee_number } = employee;
  await seedTicket(app, { company_number, employee_number, team_id });
  const customer = await asEmployee(app, employee);
  for (const path of ['/tickets', '/tickets/1', '/tickets/search?team_id=1']) {
    const answer = JSON.stringify((await customer('GET', path)).body);
    t.false(/squad|team_id/.test(answer), path);
  }
});

test('a team assigns tickets in turn, skipping absent and inactive members, and the history says so', async (t) => {
  const its = await desk(t);
  const { app, send, made, company_number } = its;
  const { team_id, people } = await staffed(its, 'round_robin');
  const [first, second, third] = people as [number, number, number];
  const next = async () => {
    const ticket = await seedTicket(app, { company_number, team_id });
    await app.app.outbox.drain();
    return assigneeOf(app, ticket);
  };
  t.deepEqual([await next(), await next(), await next(), await next()], [first, second, third, first]);
  const [line] = (await send('GET', '/tickets.php?action=history&id=1')).body.data;
  t.deepEqual(line.changes, {
    assigned_to: [null, first],
    assigned_because: [null, 'by turn in team Team round_robin'],
  });
  await made('/teams/absences.php', { user_id: second, first_day: '2026-03-01', last_day: '2026-03-03' });
  await deactivate(app, third);
  t.deepEqual([await next(), await next()], [first, first]);
  app.clock.set('2026-03-04T09:00:00.000Z');
  t.is(await next(), second);
  await made('/teams/absences.php', { user_id: second, first_day: '2026-03-04', last_day: '2026-03-04' });
  await made('/teams/absences.php', { user_id: first, first_day: '2026-03-04', last_day: '2026-03-04' });
  t.is(await next(), null);
});

test('a ticket is assigned when its team is set, unless it has an assignee or the team has no rule', async (t) => {
  const its = await desk(t);
  const { app, send, company_number } = its;
  const { team_id, people } = await staffed(its, 'round_robin', 1);
  const off = await staffed(its, 'off', 1);
  const { user_id } = await seedTechnician(app);
  const ticket = await seedTicket(app, { company_number });
  const taken = await seedTicket(app, { company_number, assigned_to: user_id });
  const closed = await seedTicket(app, { company_number });
  await send('PUT', `/tickets.php?id=${closed.ticket_id}`, { status: 'closed' });
  const quiet = await seedTicket(app, { company_number, team_id: off.team_id });
  for (const each of [ticket, taken, closed]) await send('PUT', `/tickets.php?id=${each.ticket_id}`, { team_id });
  await app.app.outbox.drain();
  t.is(await assigneeOf(app, ticket), people[0] as number);
  t.is(await assigneeOf(app, taken), user_id);
  t.is(await assigneeOf(app, closed), null);
  t.is(await assigneeOf(app, quiet), null);
  // Once unassigned by hand, it stays unassigned.
  await send('PUT', `/tickets.php?id=${ticket.ticket_id}`, { assigned_to: null });
  await app.app.outbox.drain();
  t.is(await assigneeOf(app, ticket), null);
  // The event of a ticket that has moved to another team since has no effect.
  await send('PUT', `/tickets.php?id=${ticket.ticket_id}`, { team_id: null });
  await app.run((ctx) => assignWaiting(ctx, { ticket_id: ticket.ticket_id, team_id }));
  t.is(await assigneeOf(app, ticket), null);
});

test('a team assigns tickets to the member with the fewest open ones', async (t) => {
  const its = await desk(t);
  const { app, send, company_number } = its;
  const { team_id, people } = await staffed(its, 'least_loaded');
  const [first, second, third] = people as [number, number, number];
  for (const assigned_to of [first, first, second]) await seedTicket(app, { company_number, assigned_to });
  const next = async () => {
    const ticket = await seedTicket(app, { company_number, team_id });
    await app.app.outbox.drain();
    return assigneeOf(app, ticket);
  };
  t.deepEqual([await next(), await next(), await next()], [third, second, third]);
  await send('PUT', '/tickets.php?id=1', { status: 'closed' });
  await send('PUT', '/tickets.php?id=2', { status: 'closed' });
  t.is(await next(), first);
  const [line] = (await send('GET', '/tickets.php?action=history&id=7')).body.data;
  t.is(line.changes.assigned_because[1], 'by fewest open tickets in team Team least_loaded');
});

test('a team assigns tickets to the member with the matching skills, otherwise in turn', async (t) => {
  const its = await desk(t);
  const { app, send, company_number } = its;
  const { team_id, people } = await staffed(its, 'skill', 3, [['printers'], ['printers', 'vip'], ['hardware']]);
  const [first, second, third] = people as [number, number, number];
  const next = async (more: object) => {
    const ticket = await seedTicket(app, { company_number, team_id, ...more });
    await app.app.outbox.drain();
    return assigneeOf(app, ticket);
  };
  t.is(await next({ tags: ['printers', 'vip'] }), second);
  t.is(await next({ tags: ['printers'] }), first);
  t.is(await next({ tags: ['printers'] }), second);
  const [other, category] = (await send('GET', '/job-types.php')).body.data;
  await send('PUT', `/teams/members.php?id=${(await memberOf(app, third)).member_id}`, { skills: [category.name] });
  t.is(await next({ job_type: category.name, tags: [] }), third);
  t.is(await next({ tags: ['fax'], job_type: other.name }), first);
  const [line] = (await send('GET', '/tickets.php?action=history&id=1')).body.data;
  t.is(line.changes.assigned_because[1], 'by skill printers, vip in team Team skill');
});

const memberOf = async (app: TestApp, user_id: number) => {
  const member = await app.app.database.findOneBy(TeamMember, { user_id });
  if (!member) throw new Error('No member');
  return member;
};

test('a team assigns tickets to the member who last handled the requester, otherwise in turn', async (t) => {
  const its = await desk(t);
  const { app } = its;
  const { team_id, people } = await staffed(its, 'sticky');
  const [first, second, third] = people as [number, number, number];
  const { company_number, employee_number } = await seedEmployee(app);
  const stranger = await seedTechnician(app);
  await seedTicket(app, { company_number, employee_number, assigned_to: third });
  app.clock.set(plus(app.clock.now(), { minutes: 1 }));
  await seedTicket(app, { company_number, employee_number, assigned_to: stranger.user_id });
  const next = async (more: object) => {
    const ticket = await seedTicket(app, { company_number, team_id, ...more });
    await app.app.outbox.drain();
    return assigneeOf(app, ticket);
  };
  t.is(await next({ employee_number }), third);
  t.is(await next({}), first);
  t.is(await next({ employee_number }), third);
  t.is(await next({}), second);
});

test('two processes never assign two tickets for the same turn', async (t) => {
  const its = await desk(t);
  const { app, company_number } = its;
  const { team_id, people } = await staffed(its, 'off', 4);
  const tickets = [];
  for (let i = 0; i < 8; i++) tickets.push(await seedTicket(app, { company_number, team_id }));
  await app.app.outbox.drain();
  await app.run((ctx) => ctx.db.update(Team, { team_id }, { assignment: 'round_robin' }));
  const other = await secondProcess(t, app);
  await Promise.all(
    tickets.flatMap(({ ticket_id }) =>
      // Events are delivered at least once.
      [app.app, other].map((each) => each.system().transaction((ctx) => assignWaiting(ctx, { ticket_id, team_id }))),
    ),
  );
  const assigned = await Promise.all(tickets.map((each) => assigneeOf(app, each)));
  for (const each of people) t.is(assigned.filter((who) => who === each).length, 2);
});

test('the team is notified of replies to tickets whose assignee is absent', async (t) => {
  const its = await desk(t);
  const { app, made } = its;
  const { team_id, people } = await staffed(its, 'off');
  const [first, second, third] = people as [number, number, number];
  const employee = await seedEmployee(app);
  const { company_number, employee_number } = employee;
  const customer = async (id: number) =>
    (await asEmployee(app, employee))('POST', `/tickets/${id}/comments`, { comment: 'Any news?' });
  await seedTicket(app, { company_number, employee_number, team_id, assigned_to: first });
  await seedTicket(app, { company_number, employee_number, assigned_to: first });
  const told = async () => {
    await app.app.outbox.drain();
    const rows = await app.app.database.findBy(Notification, { kind: 'answered_absent' });
    return rows.map(({ user_id, record_id }) => `${record_id} ${user_id}`).toSorted();
  };
  t.is((await customer(1)).status, 201);
  t.deepEqual(await told(), []);
  await made('/teams/absences.php', { user_id: first, first_day: '2026-03-02', last_day: '2026-03-06' });
  await made('/teams/absences.php', { user_id: third, first_day: '2026-03-02', last_day: '2026-03-02' });
  await customer(1);
  t.deepEqual(await told(), [`1 ${second}`]);
  app.clock.set('2026-03-03T09:00:00.000Z');
  await customer(2);
  t.deepEqual(await told(), [`1 ${second}`, `2 ${second}`, `2 ${third}`]);
  app.clock.set('2026-03-07T09:00:00.000Z');
  await customer(1);
  t.is((await told()).length, 3);
});

test('open tickets are handed over when an absence begins: to the substitute, or by the rules of the teams', async (t) => {
  const its = await desk(t);
  const { app, send, made } = its;
  const { team_id, members } = await staffed(its, 'off', 3, [[], [], []]);
  const [first, second, third] = members.map(({ user_id }: any) => user_id) as [number, number, number];
  const employee = await seedEmployee(app);
  const of = { company_number: employee.company_number, employee_number: employee.employee_number };
  for (const more of [{ team_id }, { team_id }, {}, { team_id }])
    await seedTicket(app, { ...of, ...more, assigned_to: first });
  await send('PUT', '/tickets.php?id=4', { status: 'closed' });
  const assignees = async () =>
    (await app.app.database.find(Ticket, { order: { ticket_id: 'ASC' } })).map(({ assigned_to }) => assigned_to);
  const nextMinute = async () => {
    app.clock.set(plus(app.app.system().now, { minutes: 1 }));
    await app.app.scheduler.runNow('teams.hand-over');
  };
  const absence = await made('/teams/absences.php', {
    user_id: first,
    first_day: '2026-03-03',
    last_day: '2026-03-06',
    hand_over: true,
  });
  t.like(absence, { hand_over: true, substitute_user_id: null, handed_over_at: null });
  await nextMinute();
  t.deepEqual(await assignees(), [first, first, first, first], 'not before it begins');
  app.clock.set('2026-03-03T09:00:00.000Z');
  await nextMinute();
  t.deepEqual(await assignees(), [second, third, second, first], 'in turn; without a team, in those of the technician');
  const path = `/teams/absences.php?id=${absence.absence_id}`;
  t.truthy((await send('GET', path)).body.data.handed_over_at);
  const [line] = (await send('GET', '/tickets.php?action=history&id=1')).body.data;
  t.deepEqual(line.changes, { assigned_to: [first, second], assigned_because: [null, 'by turn in team Team off'] });

  // What they are given during the absence stays.
  await send('PUT', '/tickets.php?id=2', { assigned_to: first });
  await nextMinute();
  t.is((await assignees())[1], first);
  // With another substitute, it begins again.
  const other = await send('PUT', path, { substitute_user_id: third });
  t.like(other.body.data, { substitute_user_id: third, substitute_name: 'Terry Technician', handed_over_at: null });
  await nextMinute();
  t.deepEqual(await assignees(), [second, third, second, first]);
});

test('tickets are handed over later if nobody is available, and an absent substitute takes none', async (t) => {
  const its = await desk(t);
  const { app, send, made } = its;
  const { members } = await staffed(its, 'off', 2, [[], []]);
  const [first, second] = members.map(({ user_id }: any) => user_id) as [number, number];
  const { company_number } = await seedEmployee(app);
  await seedTicket(app, { company_number, assigned_to: first });
  const day = { first_day: '2026-03-02', last_day: '2026-03-02' };
  const away = await made('/teams/absences.php', { user_id: second, ...day });
  const absence = await made('/teams/absences.php', {
    user_id: first,
    ...day,
    last_day: '2026-03-06',
    hand_over: true,
    substitute_user_id: second,
  });
  const run = async () => {
    app.clock.set(plus(app.app.system().now, { minutes: 1 }));
    await app.app.scheduler.runNow('teams.hand-over');
    return (await send('GET', '/tickets.php?id=1')).body.data.assigned_to;
  };
  t.is(await run(), first);
  const path = `/teams/absences.php?id=${absence.absence_id}`;
  t.is((await send('GET', path)).body.data.handed_over_at, null);
  await send('DELETE', `/teams/absences.php?id=${away.absence_id}`);
  t.is(await run(), second);
  t.truthy((await send('GET', path)).body.data.handed_over_at);
});

test('an absence that is postponed or deleted while its tickets are handed over keeps them, and hands over when it begins', async (t) => {
  const app = await startApp(t, { clock: testClock('2026-03-03T09:00:00.000Z') });
  const send = await asKey(app, ['tickets:read', 'tickets:write', 'teams:read', 'teams:write']);
  const { company_number } = await seedCompany(app);
  const { user_id } = await seedTechnician(app);
  const { user_id: substitute_user_id } = await seedTechnician(app);
  await seedTicket(app, { company_number, assigned_to: user_id });
  const days = { first_day: '2026-03-03', last_day: '2026-03-06' };
  const made = await send('POST', '/teams/absences.php', { user_id, substitute_user_id, ...days, hand_over: true });
  const path = `/teams/absences.php?id=${made.body.data.absence_id}`;
  const assignee = async () => (await send('GET', '/tickets.php?id=1')).body.data.assigned_to;
  /** Runs the job, and does something as soon as it has read the absences. */
  const runWhile = async (meanwhile: () => Promise<{ status: number }>) => {
    const outside = app.app.system();
    let isFirst = true;
    await handOverAll({
      ...outside,
      transaction: async (work: (ctx: any) => any) => {
        if (isFirst) t.true((await meanwhile()).status < 300);
        isFirst = false;
        return outside.transaction(work);
      },
    });
  };
  await runWhile(() => send('PUT', path, { first_day: '2026-03-05' }));
  t.is(await assignee(), user_id);
  t.is((await send('GET', path)).body.data.handed_over_at, null);
  app.clock.set('2026-03-05T09:00:00.000Z');
  await runWhile(() => send('DELETE', path));
  t.is(await assignee(), user_id);
  await send('POST', '/teams/absences.php', { user_id, substitute_user_id, ...days, hand_over: true });
  await handOverAll(app.app.system());
  t.is(await assignee(), substitute_user_id);
});

test('a ticket that cannot be handed over does not keep the others from it', async (t) => {
  const app = await startApp(t, { clock: testClock('2026-03-03T09:00:00.000Z') });
  const send = await asKey(app, ['tickets:read', 'tickets:write', 'teams:read', 'teams:write']);
  const { company_number } = await seedCompany(app);
  const { user_id } = await seedTechnician(app);
  const { user_id: substitute_user_id } = await seedTechnician(app);
  const { ticket_id } = await seedTicket(app, { company_number, assigned_to: user_id });
  for (let i = 0; i < 2; i++) await seedTicket(app, { company_number, assigned_to: user_id });
  const days = { first_day: '2026-03-03', last_day: '2026-03-06' };
  const made = await send('POST', '/teams/absences.php', { user_id, substitute_user_id, ...days, hand_over: true });
  const path = `/teams/absences.php?id=${made.body.data.absence_id}`;
  const allow = await refuseWrites(t, app, { table: 'ticket', column: 'ticket_id', value: ticket_id });
  t.regex(await failing(t, app, 'teams.hand-over'), /absence \d+: ticket \d+: /);
  const assignees = async () =>
    (await app.app.database.find(Ticket, { order: { ticket_id: 'ASC' } })).map((each) => each.assigned_to);
  t.deepEqual(await assignees(), [user_id, substitute_user_id, substitute_user_id]);
  t.is((await send('GET', path)).body.data.handed_over_at, null);
  await allow();
  app.clock.set('2026-03-03T09:01:00.000Z');
  await app.app.scheduler.runNow('teams.hand-over');
  t.deepEqual(await assignees(), [substitute_user_id, substitute_user_id, substitute_user_id]);
  t.truthy((await send('GET', path)).body.data.handed_over_at);
});

test('handing over tickets needs the permission to change tickets, and another active technician', async (t) => {
  const { app, made } = await desk(t);
  const { user_id } = await seedTechnician(app);
  const send = await asKey(app, ['teams:read', 'teams:write']);
  const days = { user_id, first_day: '2026-03-02', last_day: '2026-03-02' };
  const refused = await send('POST', '/teams/absences.php', { ...days, hand_over: true });
  t.deepEqual(
    [refused.status, refused.body.error],
    [403, 'Handing over tickets requires the permission tickets:write'],
  );
  const { body } = await send('POST', '/teams/absences.php', days);
  const path = `/teams/absences.php?id=${body.data.absence_id}`;
  t.is((await send('PUT', path, { hand_over: true })).status, 403);
  t.is((await send('PUT', path, { note: 'Flu' })).status, 200);
  const itself = await send('PUT', path, { substitute_user_id: user_id });
  t.is(itself.body.error, 'substitute_user_id must be another technician');
  const left = await seedTechnician(app);
  await deactivate(app, left.user_id);
  const inactive = await send('PUT', path, { substitute_user_id: left.user_id });
  t.is(inactive.body.error, 'substitute_user_id must be an active technician');
  t.truthy((await made('/teams/absences.php', { ...days, hand_over: true })).absence_id);
});
