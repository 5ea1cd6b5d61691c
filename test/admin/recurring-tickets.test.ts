// Recurring tickets: created once for each date, with any number of processes.
import { Company, Employee, Technician } from '@keelson/modules/directory';
import { TicketTemplate } from '@keelson/modules/planned';
import { startApp, testClock, type TestApp } from '@keelson/testing';
import test, { type ExecutionContext } from 'ava';
import { readTroubles } from '../../core/plugin/troubles.ts';
import { createDue, planAnew } from '../../modules/planned/recurring/create-due.ts';
import { dueAt } from '../../modules/planned/recurring/dates.ts';
import { zoneOf } from '../../packages/kit/moment.ts';
import { Mail } from '../../packages/mail/mail.ts';
import { failing, refuseWrites } from '../_refused-writes.ts';
import { seedCompany, seedTechnician } from '../accounts-seed.ts';
import { secondProcess } from '../core/_second-process.ts';
import { asKey, seedEmployee } from '../tickets-seed.ts';

const rights = ['tickets:read', 'tickets:write', 'planned:write', 'settings:read'];

/** A Monday, 08:00 UTC. */
const MONDAY = '2026-03-02T08:00:00.000Z';

async function planned(t: ExecutionContext, given: object = {}) {
  const app = await startApp(t, { clock: testClock(MONDAY) });
  const send = await asKey(app, rights);
  const data = async (method: string, path: string, body?: unknown) => {
    const answer = await send(method, path, body);
    if (answer.status >= 300) throw new Error(JSON.stringify(answer.body));
    return answer.body?.data;
  };
  const { company_number } = await seedCompany(app);
  const { template_id } = await data('POST', '/ticket-templates.php', {
    name: 'Backup check',
    subject: 'Check backups',
    due_in_days: 1,
    checklist: [{ title: 'Restore a file', required: true }],
  });
  const body = {
    name: 'Daily backup check',
    template_id,
    company_numbers: [company_number],
    starts_on: '2026-03-02',
    time: '09:00',
    rrule: 'FREQ=DAILY',
    ...given,
  };
  const recurring = await data('POST', '/recurring-tickets.php', body);
  const path = `/recurring-tickets.php?id=${recurring.recurring_id}`;
  const tickets = async () => (await data('GET', '/tickets.php?sort=created_at&order=asc')) as any[];
  const at = (time: string) => app.clock.set(time);
  const run = () => createDue(app.app.system());
  return { app, send, data, company_number, template_id, body, recurring, path, tickets, at, run };
}

async function problemMails(app: TestApp): Promise<string[]> {
  const mails = await app.run((ctx) => ctx.db.findBy(Mail, { template: 'recurring_ticket_problem' }));
  return mails.map((each) => each.recipient_address);
}

test('Create a recurring ticket; Read a recurring ticket; Change a recurring ticket; List recurring tickets; Delete a recurring ticket', async (t) => {
  const { send, data, recurring, path, body, company_number, template_id } = await planned(t);
  t.like(recurring, {
    next_at: '2026-03-02T09:00:00Z',
    schedule: 'Every day',
    template_name: 'Backup check',
    on_closed_days: 'create',
    active: true,
    problem: '',
  });
  t.deepEqual(recurring.company_numbers, [company_number]);
  const changed = await data('PUT', path, { rrule: 'RRULE:FREQ=WEEKLY;BYDAY=FR', time: '07:30' });
  t.like(changed, { next_at: '2026-03-06T07:30:00Z', schedule: 'Every week on Friday' });
  t.is((await data('PUT', path, { active: false })).next_at, null);
  t.is((await data('GET', path)).active, false);
  t.is((await data('GET', '/recurring-tickets.php')).length, 1);
  const refused = async (change: object) =>
    (await send('POST', '/recurring-tickets.php', { ...body, ...change })).body.error;
  t.is(await refused({}), 'name Daily backup check already exists');
  t.is(await refused({ name: 'B', template_id: 999 }), 'template_id must be an existing ticket template');
  t.is(await refused({ name: 'B', company_numbers: [99999] }), 'company_numbers must be active companies');
  t.is(await refused({ name: 'B', calendar_id: 99 }), 'calendar_id must be an existing calendar');
  t.is(await refused({ name: 'B', time: '25:00' }), 'time must be a time (HH:MM)');
  t.is(await refused({ name: 'B', rrule: 'FREQ=HOURLY' }), 'rrule must have FREQ=DAILY, WEEKLY, MONTHLY, YEARLY');
  t.is(await refused({ name: 'B', rrule: 'FREQ=DAILY;UNTIL=20260101' }), 'rrule must have at least one date');
  t.regex((await send('DELETE', `/ticket-templates.php?id=${template_id}`)).body.error, /used by .*recurring ticket/);
  t.is((await send('DELETE', path)).status, 204);
  t.is((await send('GET', path)).status, 404);
});

test('Preview the dates of a recurrence rule', async (t) => {
  const { data, send } = await planned(t);
  const asked = 'starts_on=2026-03-02&time=09:00&rrule=FREQ%3DMONTHLY;BYMONTHDAY%3D31';
  const shown = await data('GET', `/recurring-tickets.php?action=preview&${asked}`);
  t.is(shown.schedule, 'Every month on the 31st');
  t.deepEqual(
    shown.dates.map((each: any) => each.at),
    [
      '2026-03-31T09:00:00Z',
      '2026-05-31T09:00:00Z',
      '2026-07-31T09:00:00Z',
      '2026-08-31T09:00:00Z',
      '2026-10-31T09:00:00Z',
    ],
  );
  const wrong = await send(
    'GET',
    '/recurring-tickets.php?action=preview&starts_on=2026-03-02&time=9&rrule=FREQ%3DDAILY',
  );
  t.is(wrong.status, 400);
});

test('a rule that started long ago costs no more than a new one', async (t) => {
  const { recurring, data } = await planned(t, { starts_on: '1900-01-01' });
  t.is(recurring.next_at, '2026-03-02T09:00:00Z');
  const asked = 'starts_on=1900-01-01&time=09:00&rrule=FREQ%3DDAILY%3BINTERVAL%3D2';
  const { dates } = await data('GET', `/recurring-tickets.php?action=preview&${asked}`);
  t.deepEqual(
    dates.map((each: { day: string }) => each.day),
    ['2026-03-03', '2026-03-05', '2026-03-07', '2026-03-09', '2026-03-11'],
  );
  // Each step of the rule creates an object, so count those.
  let seen = 0;
  const open = { zone: zoneOf('UTC'), isOpen: () => ++seen > 0 };
  const plan = { rrule: 'FREQ=DAILY', starts_on: '1900-01-01', time: '09:00', on_closed_days: 'skip' } as const;
  t.is(dueAt(plan, open, MONDAY, undefined).next?.day, '2026-03-02');
  t.true(seen <= 402);
});

test('a ticket is created from the template for each date, once; List the tickets of a recurring ticket', async (t) => {
  const { data, tickets, path, at, run, company_number } = await planned(t);
  await run();
  t.deepEqual(await tickets(), []);
  at('2026-03-02T09:00:00.000Z');
  await run();
  await run();
  const [ticket, ...others] = await tickets();
  t.deepEqual(others, []);
  t.like(ticket, { subject: 'Check backups', company_number, due_date: '2026-03-03' });
  const { checklist, comments, source } = await data('GET', `/tickets.php?id=${ticket.ticket_id}`);
  t.is(source, 'schedule');
  t.like(checklist[0], { title: 'Restore a file', required: true });
  t.deepEqual(comments, []);
  t.is((await data('GET', path)).next_at, '2026-03-03T09:00:00Z');
  at('2026-03-03T09:00:30.000Z');
  await run();
  t.is((await tickets()).length, 2);
  const occurrences = await data('GET', path.replace('?', '?action=occurrences&'));
  t.deepEqual(
    occurrences.map((each: any) => [each.day, each.missed]),
    [
      ['2026-03-03', 0],
      ['2026-03-02', 0],
    ],
  );
});

test('two processes create one ticket', async (t) => {
  const { app, tickets, at, run } = await planned(t);
  at('2026-03-02T09:00:00.000Z');
  const second = await secondProcess(t, app);
  await Promise.all([run(), createDue(second.system()), run(), createDue(second.system())]);
  t.is((await tickets()).length, 1);
});

test('after downtime only the latest missed date gets a ticket, which mentions the others', async (t) => {
  const { data, tickets, path, at, run } = await planned(t);
  at('2026-03-06T12:00:00.000Z');
  await run();
  const [ticket, ...others] = await tickets();
  t.deepEqual(others, []);
  const { comments } = await data('GET', `/tickets.php?id=${ticket.ticket_id}`);
  t.is(comments.length, 1);
  t.true(comments[0].is_internal);
  t.regex(comments[0].comment, /^4 earlier dates .* This ticket is for 6 Mar 2026\.$/);
  t.is((await data('GET', path)).next_at, '2026-03-07T09:00:00Z');
});

test('changing a recurring ticket does not create a date’s ticket again', async (t) => {
  const { data, tickets, path, at, run } = await planned(t);
  at('2026-03-02T09:00:00.000Z');
  await run();
  t.is((await data('PUT', path, { time: '15:00' })).next_at, '2026-03-03T15:00:00Z');
  at('2026-03-02T16:00:00.000Z');
  await run();
  t.is((await tickets()).length, 1);
});

test('a company that cannot have a ticket is reported to administrators once, and the others get theirs', async (t) => {
  const its = await planned(t);
  const { app, data, tickets, path, at, run, company_number } = its;
  const { email } = await seedTechnician(app, 'administrator');
  const other = await seedCompany(app);
  await data('PUT', path, { company_numbers: [company_number, other.company_number] });
  await app.run((ctx) => ctx.db.update(Company, { company_number }, { status: 'inactive' }));
  at('2026-03-02T09:00:00.000Z');
  await run();
  t.deepEqual(
    (await tickets()).map((each) => each.company_number),
    [other.company_number],
  );
  t.regex((await data('GET', path)).problem, /is inactive\.$/);
  t.deepEqual(await problemMails(app), [email]);
  at('2026-03-03T09:00:00.000Z');
  await run();
  t.is((await problemMails(app)).length, 1);
  await app.run((ctx) => ctx.db.update(Company, { company_number }, { status: 'active' }));
  at('2026-03-04T09:00:00.000Z');
  await run();
  t.is((await data('GET', path)).problem, '');
  t.is((await tickets()).length, 4);
});

test('a recurring ticket without its template is reported, and the others continue', async (t) => {
  const { app, data, tickets, path, at, run, body } = await planned(t);
  const { template_id } = await data('POST', '/ticket-templates.php', {
    name: 'Patch day',
    subject: 'Install patches',
  });
  await data('POST', '/recurring-tickets.php', { ...body, name: 'Patch day', template_id });
  await app.run((ctx) => ctx.db.update(TicketTemplate, { template_id: body.template_id }, { deleted_at: ctx.now }));
  at('2026-03-02T09:00:00.000Z');
  await run();
  t.is((await data('GET', path)).problem, 'The template has been deleted.');
  t.deepEqual(
    (await tickets()).map((each) => each.subject),
    ['Install patches'],
  );
});

/** Makes the tickets of the first date, at 09:27, fail once. */
async function failedOnce(t: ExecutionContext) {
  const its = await planned(t, { time: '09:27', rrule: 'FREQ=MONTHLY' });
  const value = its.recurring.recurring_id;
  const occurrence = { table: 'recurring_ticket_occurrence', column: 'recurring_id', value, write: 'INSERT' } as const;
  const allow = await refuseWrites(t, its.app, occurrence);
  its.at('2026-03-02T09:27:00.000Z');
  await t.throwsAsync(its.run, { message: /Daily backup check/ });
  await allow();
  t.is((await its.data('GET', its.path)).next_at, '2026-03-02T09:32:00Z');
  return its;
}

test('tickets that could not be created are tried again after five minutes, even if the dates are planned in between', async (t) => {
  const { app, at, data, path, run, tickets } = await failedOnce(t);
  at('2026-03-02T09:30:00.000Z');
  await planAnew(app.app.system());
  t.is((await data('GET', path)).next_at, '2026-03-02T09:32:00Z');
  at('2026-03-02T09:32:00.000Z');
  await run();
  t.is((await tickets()).length, 1);
  t.like(await data('GET', path), { next_at: '2026-04-02T09:27:00Z', problem: '' });
});

test('tickets that could not be created are tried again although the recurring ticket is renamed in between', async (t) => {
  const { at, data, path, run, tickets } = await failedOnce(t);
  await data('PUT', path, { name: 'Monthly backup check', time: '09:27' });
  at('2026-03-02T09:32:00.000Z');
  await run();
  t.is((await tickets()).length, 1);
  t.is((await data('GET', path)).next_at, '2026-04-02T09:27:00Z');
});

test('tickets that could not be created are tried again although the schedule is changed in between', async (t) => {
  const { app, at, data, path, run, tickets } = await failedOnce(t);
  at('2026-03-02T09:28:00.000Z');
  await data('PUT', path, { rrule: 'FREQ=WEEKLY;BYDAY=FR' });
  t.like(await data('PUT', path, { time: '08:00' }), { next_at: '2026-03-02T09:32:00Z' });
  await planAnew(app.app.system());
  at('2026-03-02T09:32:00.000Z');
  await run();
  const [ticket, ...others] = await tickets();
  t.deepEqual(others, []);
  t.is(ticket.due_date, '2026-03-03', 'a day after the date');
  t.like(await data('GET', path), { next_at: '2026-03-06T08:00:00Z', problem: '' });
  at('2026-03-06T08:00:00.000Z');
  await run();
  t.is((await tickets()).length, 2);
});

test('a date that waits is not created twice after its time is changed', async (t) => {
  const { at, data, path, run, tickets } = await failedOnce(t);
  await data('PUT', path, { time: '09:30' });
  at('2026-03-02T09:32:00.000Z');
  await run();
  await run();
  t.is((await tickets()).length, 1);
  t.like(await data('GET', path), { next_at: '2026-04-02T09:30:00Z', problem: '' });
});

test('a date that waits counts as missed once a later date of the changed schedule is due', async (t) => {
  const { at, data, path, run, tickets } = await failedOnce(t);
  await data('PUT', path, { rrule: 'FREQ=WEEKLY;BYDAY=TU' });
  at('2026-03-03T10:00:00.000Z');
  await run();
  const [ticket, ...others] = await tickets();
  t.deepEqual(others, []);
  const { comments } = await data('GET', `/tickets.php?id=${ticket.ticket_id}`);
  t.regex(comments[0].comment, /^One earlier date .* This ticket is for 3 Mar 2026\.$/);
  t.is((await data('GET', path)).next_at, '2026-03-10T09:27:00Z');
});

test('a date that is due when the schedule is changed still gets its tickets', async (t) => {
  const { at, data, path, run, tickets } = await planned(t);
  at('2026-03-02T09:00:30.000Z');
  await data('PUT', path, { rrule: 'FREQ=WEEKLY;BYDAY=FR' });
  await run();
  t.is((await tickets()).length, 1);
  t.is((await data('GET', path)).next_at, '2026-03-06T09:00:00Z');
});

test('pausing a recurring ticket gives up the date that waits', async (t) => {
  const { at, data, path, run, tickets } = await failedOnce(t);
  await data('PUT', path, { active: false });
  t.is((await data('PUT', path, { active: true })).next_at, '2026-04-02T09:27:00Z');
  at('2026-03-02T09:32:00.000Z');
  await run();
  t.deepEqual(await tickets(), []);
});

test('a recurring ticket that keeps failing is reported, although the job succeeds while it is put off', async (t) => {
  const { app, at, recurring } = await planned(t);
  const value = recurring.recurring_id;
  await refuseWrites(t, app, {
    table: 'recurring_ticket_occurrence',
    column: 'recurring_id',
    value,
    write: 'INSERT',
  });
  for (const minutes of ['00', '05', '10']) {
    at(`2026-03-02T09:${minutes}:00.000Z`);
    t.regex(await failing(t, app, 'planned.create'), /^recurring ticket Daily backup check: /);
    at(`2026-03-02T09:${minutes}:30.000Z`);
    t.is((await app.app.scheduler.runNow('planned.create'))?.outcome, 'done');
  }
  t.like(await readTroubles(app.app.system()), [{ kind: 'job', name: 'planned.create' }]);
});

test('an inactive assignee leaves the ticket unassigned', async (t) => {
  const { app, data, tickets, path, at, run, template_id } = await planned(t);
  const { user_id } = await seedTechnician(app);
  await data('PUT', `/ticket-templates.php?id=${template_id}`, { assigned_to: user_id });
  at('2026-03-02T09:00:00.000Z');
  await run();
  t.is((await tickets())[0]?.assigned_to, user_id);
  await app.run((ctx) => ctx.db.update(Technician, { user_id }, { active: false }));
  at('2026-03-03T09:00:00.000Z');
  await run();
  t.deepEqual(
    (await tickets()).map((each) => each.assigned_to),
    [user_id, null],
  );
  t.regex((await data('GET', path)).problem, /no longer active/);
});

test('dates follow the calendar: its time zone, its closed days, and later changes', async (t) => {
  const { app, data, tickets, path, at, run } = await planned(t, { on_closed_days: 'move' });
  const admin = await asKey(app, ['settings:read', 'settings:write']);
  const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'];
  const hours = weekdays.map((weekday) => ({ weekday, from: '09:00', to: '17:00' }));
  const calendar = { name: 'Office', time_zone: 'America/New_York', is_default: true, hours };
  const { calendar_id } = (await admin('POST', '/levels/calendars.php', calendar)).body.data;
  await planAnew(app.app.system());
  t.is((await data('GET', path)).next_at, '2026-03-02T14:00:00Z');
  at('2026-03-06T14:00:00.000Z');
  await run();
  t.is((await tickets()).length, 1);
  // Saturday, Sunday and Monday are one date: Monday, after the clock change.
  t.is((await data('GET', path)).next_at, '2026-03-09T13:00:00Z');
  const day = { calendar_id, day: '2026-03-09', name: 'Founders’ Day' };
  await admin('POST', '/levels/holidays.php', day);
  at('2026-03-09T13:00:00.000Z');
  await run();
  t.is((await tickets()).length, 1);
  t.is((await data('GET', path)).next_at, '2026-03-10T13:00:00Z');
  at('2026-03-10T13:00:00.000Z');
  await run();
  const [, second, ...others] = await tickets();
  t.deepEqual(others, []);
  const { comments } = await data('GET', `/tickets.php?id=${second.ticket_id}`);
  t.deepEqual(comments, []);
});

test('Update a recurring ticket: a contact of its visits who has become inactive does not prevent other changes', async (t) => {
  const { app, send, data, body, company_number } = await planned(t, { active: false });
  const { user_id } = await seedTechnician(app);
  const { employee_number } = await seedEmployee(app, { company_number });
  const visits = { visit_user_id: user_id, visit_minutes: 60, visit_employee_number: employee_number };
  const path = `/recurring-tickets.php?id=${(await data('POST', '/recurring-tickets.php', { ...body, name: 'Round', ...visits })).recurring_id}`;
  await app.run(async (ctx) => void (await ctx.db.update(Employee, { employee_number }, { status: 'Inactive' })));
  t.like(await data('PUT', path, { name: 'Rounds', visit_employee_number: employee_number }), {
    name: 'Rounds',
    visit_employee_number: employee_number,
  });
  const elsewhere = await seedCompany(app);
  const moved = await send('PUT', path, { company_numbers: [elsewhere.company_number] });
  t.is(moved.body.error, 'visit_employee_number must be an active contact of the company');
});

test('visits are planned ahead, each once with any number of processes, and their contact is invited', async (t) => {
  const { app, send, data, body, company_number } = await planned(t, { active: false });
  const { employee_number } = await seedEmployee(app, { company_number });
  const { user_id } = await seedTechnician(app);
  const weekly = { ...body, name: 'Visit', starts_on: '2026-03-01', rrule: 'FREQ=WEEKLY;BYDAY=TU', active: true };
  const visits = {
    visit_user_id: user_id,
    visit_minutes: 90,
    visit_days_ahead: 14,
    visit_employee_number: employee_number,
  };
  const refused = async (more: object) =>
    (await send('POST', '/recurring-tickets.php', { ...weekly, ...visits, ...more })).body.error;
  t.is(await refused({ visit_user_id: 999 }), 'visit_user_id must be an active technician');
  t.is(await refused({ visit_user_id: null }), 'visit_employee_number requires visit_user_id');
  const stranger = await seedEmployee(app);
  t.is(
    await refused({ visit_employee_number: stranger.employee_number }),
    'visit_employee_number must be an active contact of the company',
  );
  t.is(
    await refused({ company_numbers: [company_number, stranger.company_number] }),
    'visit_employee_number requires a single company',
  );
  const { recurring_id, next_at } = await data('POST', '/recurring-tickets.php', { ...weekly, ...visits });
  t.is(next_at, '2026-02-17T09:00:00Z', 'two weeks before the first date');
  const second = await secondProcess(t, app);
  const run = () => Promise.all([createDue(app.app.system()), createDue(second.system())]);
  const starts = async () => {
    const its = await data('GET', `/dispatch/appointments.php?user_id=${user_id}`);
    return its.map((each: any) => each.starts_at);
  };
  for (let i = 0; i < 4; i++) await run();
  t.deepEqual(await starts(), ['2026-03-03T09:00:00Z', '2026-03-10T09:00:00Z']);
  const path = `/recurring-tickets.php?id=${recurring_id}`;
  t.like(await data('GET', path), { next_at: '2026-03-03T09:00:00Z', problem: '' });
  const [first] = await data('GET', `/dispatch/appointments.php?user_id=${user_id}`);
  t.like(first, {
    ...{ kind: 'visit', ends_at: '2026-03-03T10:30:00Z', confirmation: 'asked', employee_number },
    ticket_subject: 'Check backups',
  });
  await app.app.outbox.drain();
  const mails = await app.run((ctx) => ctx.db.find(Mail));
  t.deepEqual(
    mails.map((each) => each.template),
    ['appointment_asked', 'appointment_asked'],
  );
  // A change of the schedule keeps what is planned.
  await data('PUT', path, { time: '10:00' });
  await run();
  t.is((await starts()).length, 2);
  app.clock.set('2026-03-03T10:00:00.000Z');
  await run();
  t.deepEqual((await starts()).at(-1), '2026-03-17T10:00:00Z');
  // Dates that passed during a downtime get no visit.
  app.clock.set('2026-04-08T08:00:00.000Z');
  for (let i = 0; i < 4; i++) await run();
  t.deepEqual((await starts()).slice(3), ['2026-04-14T10:00:00Z', '2026-04-21T10:00:00Z']);
  await app.run((ctx) => ctx.db.update(Technician, { user_id }, { active: false }));
  app.clock.set('2026-04-15T08:00:00.000Z');
  await run();
  t.is((await starts()).length, 5);
  t.is((await data('GET', path)).problem, 'The technician is no longer active: no visits are planned.');
});

test('a recurring ticket ends after its last date', async (t) => {
  const { data, tickets, path, at, run } = await planned(t, { rrule: 'FREQ=DAILY;COUNT=2' });
  for (const day of ['02', '03', '04', '05']) {
    at(`2026-03-${day}T09:00:00.000Z`);
    await run();
  }
  t.is((await tickets()).length, 2);
  t.is((await data('GET', path)).next_at, null);
});
