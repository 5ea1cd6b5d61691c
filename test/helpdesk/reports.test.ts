import { commentOnTicket, findTicket } from '@keelson/modules/tickets';
import { startApp, type TestApp } from '@keelson/testing';
import test from 'ava';
import { ReportMailUse } from '../../modules/reports/entities.ts';
import { Mail } from '../../packages/mail/mail.ts';
import { asEmployee, seedTeam, seedTicket, portal } from '../tickets-seed.ts';

const now = '2026-03-02T09:00:00Z';

async function start(t: Parameters<typeof startApp>[0]) {
  const app = await startApp(t);
  const team = await seedTeam(app);
  const [member, colleague, itAdmin, stranger] = [
    await asEmployee(app, team.member),
    await asEmployee(app, team.colleague),
    await asEmployee(app, team.itAdmin),
    await asEmployee(app, team.stranger),
  ];
  return { app, team, member, colleague, itAdmin, stranger };
}
type Send = Awaited<ReturnType<typeof asEmployee>>;

async function define(send: Send, fields: object = {}): Promise<number> {
  const { body } = await send('POST', '/reports', { name: 'Report', source: 'tickets', ...fields });
  return body.report_id as number;
}

/** Asserts 401 without a session. */
async function refusals(t: import('ava').ExecutionContext, app: TestApp, method: string, path: string) {
  t.is((await app.request(method, portal + path)).status, 401);
}

test('Create a report of your own', async (t) => {
  const { app, team, member } = await start(t);
  const query = { fields: ['ticket_number', 'subject'], filters: [{ field: 'status', operator: 'EQ', value: 'open' }] };
  const { status, body } = await member('POST', '/reports', { name: 'Mine', source: 'tickets', ...query });
  t.is(status, 201);
  t.deepEqual(body, {
    success: true,
    report_id: body.report_id,
    name: 'Mine',
    description: '',
    source: 'tickets',
    fields: ['ticket_number', 'subject'],
    filters: [{ field: 'status', operator: 'eq', value: 'open' }],
    group_by: null,
    aggregates: [],
    sort: [],
    shared: false,
    schedule: null,
    next_run_at: null,
    created_by: body.created_by,
    last_run_at: null,
    last_problem: null,
    created_at: now,
    updated_at: now,
  });
  const refused = async (fields: object, error: RegExp) => {
    const answer = await member('POST', '/reports', { name: 'Mine', source: 'tickets', ...fields });
    t.is(answer.status, 400);
    t.regex(answer.body.error, error);
  };
  await refused(
    { source: 'companies' },
    /^source must be one of tickets, employees|^source must be one of employees, tickets/,
  );
  await refused({ fields: ['company_name'] }, /^fields\[0\] must be a field of tickets$/);
  await refused({ fields: ['source'] }, /^fields\[0\] must be/);
  const foreign = { cron: '0 8 * * *', recipients: [team.stranger.employee_number] };
  await refused({ schedule: foreign }, /^schedule.recipients must be active employees of the company$/);
  await refusals(t, app, 'POST', '/reports');
  await app.run((ctx) => ctx.app.switches.set(ctx.tx!, team.company_number, { reports: false }, ctx.now));
  t.is((await member('POST', '/reports', { name: 'Mine', source: 'tickets' })).status, 403);
  t.is((await member('GET', '/reports')).status, 403);
});

test('List your reports and shared ones', async (t) => {
  const { app, member, colleague, itAdmin, stranger } = await start(t);
  await define(member, { name: 'Mine' });
  await define(member, { name: 'Ours', shared: true });
  await define(colleague, { name: 'Theirs' });
  const names = async (send: Send, query = '') =>
    ((await send('GET', `/reports${query}`)).body.reports as { name: string }[]).map(({ name }) => name);
  t.deepEqual((await names(member)).toSorted(), ['Mine', 'Ours']);
  t.deepEqual((await names(colleague)).toSorted(), ['Ours', 'Theirs']);
  t.deepEqual((await names(itAdmin)).toSorted(), ['Mine', 'Ours', 'Theirs']);
  t.deepEqual(await names(stranger), []);
  const { body } = await itAdmin('GET', '/reports?limit=2&page=2');
  t.deepEqual(body.pagination, { page: 2, limit: 2, total: 3, total_pages: 2 });
  t.is(body.reports.length, 1);
  await refusals(t, app, 'GET', '/reports');
});

test('Read the definition of a visible report', async (t) => {
  const { member, colleague, itAdmin, stranger } = await start(t);
  const mine = await define(member);
  const ours = await define(member, { shared: true });
  t.is((await member('GET', `/reports/${mine}`)).body.report_id, mine);
  t.is((await itAdmin('GET', `/reports/${mine}`)).status, 200);
  t.is((await colleague('GET', `/reports/${ours}`)).status, 200);
  const absent = await colleague('GET', '/reports/9999');
  t.is(absent.status, 404);
  t.is((await colleague('GET', `/reports/${mine}`)).text, absent.text);
  t.is((await stranger('GET', `/reports/${ours}`)).text, absent.text);
});

test('Update a report of your own', async (t) => {
  const { member, colleague, itAdmin, stranger } = await start(t);
  const ours = await define(member, { shared: true });
  const change = (send: Send, body: object) => send('PUT', `/reports/${ours}`, body);
  t.is((await change(member, { name: 'New' })).body.name, 'New');
  t.is((await change(itAdmin, { name: 'Newer' })).body.name, 'Newer');
  t.is((await change(colleague, { name: 'No' })).status, 403);
  t.is((await change(stranger, { name: 'No' })).status, 404);
  t.is((await change(member, { group_by: 'subject', sort: [{ field: 'priority' }] })).status, 400);
  t.is((await change(member, {})).status, 400);
});

test('Delete a report of your own', async (t) => {
  const { member, colleague, itAdmin, stranger } = await start(t);
  const ours = await define(member, { shared: true });
  t.is((await colleague('DELETE', `/reports/${ours}`)).status, 403);
  t.is((await stranger('DELETE', `/reports/${ours}`)).status, 404);
  t.is((await itAdmin('DELETE', `/reports/${ours}`)).status, 204);
  t.is((await member('DELETE', `/reports/${ours}`)).status, 404);
});

test('List the fields of a visible source', async (t) => {
  const { app, member, itAdmin } = await start(t);
  const names = async (send: Send, source: string) =>
    ((await send('GET', `/reports/fields/${source}`)).body.fields as { name: string }[]).map(({ name }) => name);
  t.false((await names(member, 'tickets')).some((each) => /company|source|site/.test(each)));
  t.false((await names(member, 'employees')).includes('it_privileges'));
  t.true((await names(itAdmin, 'employees')).includes('it_privileges'));
  const unknown = await member('GET', '/reports/fields/companies');
  t.deepEqual([unknown.status, unknown.body], [404, { error: 'Source not found' }]);
  await refusals(t, app, 'GET', '/reports/fields/tickets');
});

test('Run a visible report', async (t) => {
  const { app, team, member, colleague, itAdmin, stranger } = await start(t);
  const { company_number } = team;
  const of = (person: { employee_number: number }, subject: string, priority = 3) =>
    seedTicket(app, { company_number, employee_number: person.employee_number, subject, priority });
  const own = await of(team.member, 'Canary of the member');
  await of(team.colleague, 'Canary of the colleague', 1);
  await seedTicket(app, { company_number: team.stranger.company_number, subject: 'Canary of a stranger' });
  await app.run(async (ctx) => {
    await commentOnTicket(ctx, await findTicket(ctx, own.ticket_id), { comment: 'Canary within', is_internal: true });
  });
  const ours = await define(member, { shared: true });
  const grouped = await define(member, { shared: true, group_by: 'priority' });
  const run = async (send: Send, id: number, body?: object) => send('POST', `/reports/${id}/run`, body);
  const subjects = async (send: Send) =>
    ((await run(send, ours)).body.rows as { subject: string }[]).map(({ subject }) => subject).toSorted();
  t.deepEqual(await subjects(member), ['Canary of the member']);
  t.deepEqual(await subjects(colleague), ['Canary of the colleague']);
  t.deepEqual(await subjects(itAdmin), ['Canary of the colleague', 'Canary of the member']);
  t.deepEqual((await run(member, grouped)).body.rows, [{ priority: 3, count: 1 }], 'nobody else’s are counted');
  t.deepEqual((await run(itAdmin, grouped)).body.rows.length, 2);
  const answer = await run(member, ours);
  t.like(answer.body, { success: true, report_id: ours, source: 'tickets', total: 1, truncated: false });
  t.false(answer.text.includes('within'));
  t.is(
    (await run(member, ours, { filters: [{ field: 'subject', operator: 'contains', value: 'COLLEAGUE' }] })).body.total,
    0,
  );
  t.is((await run(member, ours, { filters: [{ field: 'company_number', operator: 'eq', value: 1 }] })).status, 400);
  t.is((await run(stranger, ours)).status, 404);

  const people = await define(itAdmin, { source: 'employees', shared: true, fields: ['email', 'it_privileges'] });
  t.deepEqual(
    (await run(member, people)).body.columns.map((each: { key: string }) => each.key),
    ['email'],
  );
  t.true((await run(itAdmin, people)).body.rows.some((each: { it_privileges: boolean }) => each.it_privileges));
  t.is((await run(itAdmin, people)).body.total, 4, 'none of the other company');
  const rights = { filters: [{ field: 'it_privileges', operator: 'eq', value: true }] };
  t.is((await run(itAdmin, people, rights)).body.total, 1);
  t.is((await run(member, people, rights)).status, 403, 'what is filtered by would tell');
  const byRight = await define(itAdmin, { source: 'employees', shared: true, group_by: 'ismgr' });
  t.is((await run(member, byRight)).status, 403);
  await refusals(t, app, 'POST', `/reports/${ours}/run`);
});

test('Export a visible report', async (t) => {
  const { app, team, member, colleague, stranger } = await start(t);
  const { company_number } = team;
  await seedTicket(app, { company_number, employee_number: team.member.employee_number, subject: 'Mine' });
  await seedTicket(app, { company_number: team.stranger.company_number, subject: 'Canary' });
  const ours = await define(member, { shared: true, fields: ['subject'] });
  t.is((await member('GET', `/reports/${ours}/export`)).text, '"Subject"\r\n"Mine"\r\n');
  t.is((await colleague('GET', `/reports/${ours}/export?format=csv`)).text, '"Subject"\r\n');
  t.is((await member('GET', `/reports/${ours}/export?format=doc`)).status, 400);
  t.is((await stranger('GET', `/reports/${ours}/export`)).status, 404);
  await refusals(t, app, 'GET', `/reports/${ours}/export`);
});

test('Read your report limits: no one can use up the company’s quota', async (t) => {
  const { app, team, member, colleague } = await start(t);
  const recipients = [team.member.employee_number, team.colleague.employee_number];
  const daily = { cron: '0 10 * * *', format: 'csv', recipients };
  const first = await define(member, { schedule: daily });
  for (let i = 1; i < 20; i++) t.true((await define(member, { schedule: daily })) > 0);
  const twentyFirst = await member('POST', '/reports', { name: 'More', source: 'tickets', schedule: daily });
  t.deepEqual(
    [twentyFirst.status, twentyFirst.body.error],
    [400, 'Limit of 20 scheduled reports per person reached: unschedule one first'],
  );
  const plain = await define(member);
  t.is((await member('PUT', `/reports/${plain}`, { schedule: daily })).status, 400);
  t.true((await define(colleague, { schedule: daily })) > 0);

  // 21 reports with two mails each; the company has 5 mails left.
  await app.run((ctx) =>
    ctx.db.insertReturningId(ReportMailUse, {
      company_number: team.member.company_number,
      day: '2026-03-02',
      mails: 495,
    }),
  );
  app.clock.set('2026-03-02T10:00:30.000Z');
  await app.app.scheduler.runNow('reports.schedule');
  await app.app.outbox.drain();
  t.is(await app.app.database.countBy(Mail, { template: 'scheduled_report' }), 4);
  const later = await asEmployee(app, team.member);
  const limits = (await later('GET', '/reports/limits')).body;
  t.like(limits, { scheduled: 20, most_scheduled: 20, mails_today: 499, mails_per_day: 500, reports: 21 });
  const { reports } = (await later('GET', '/reports')).body;
  const told = reports.filter(({ last_problem }: { last_problem: string | null }) => last_problem !== null);
  t.is(told.length, 18);
  t.is(told[0].last_problem, 'Not mailed: the daily limit of 500 report mails was reached');

  // A new day resets the budget and clears the messages.
  app.clock.set('2026-03-03T10:00:30.000Z');
  await app.app.scheduler.runNow('reports.schedule');
  await app.app.outbox.drain();
  t.is(await app.app.database.countBy(Mail, { template: 'scheduled_report' }), 4 + 42);
  const nextDay = await asEmployee(app, team.member);
  t.is((await nextDay('GET', `/reports/${first}`)).body.last_problem, null);
});

test('a scheduled report that takes too long says so and is not tried again before its next time', async (t) => {
  const { app, team, member } = await start(t);
  const { company_number, member: owner } = team;
  await seedTicket(app, { company_number, employee_number: owner.employee_number, subject: 'Mine' });
  const schedule = { cron: '0 10 * * *', format: 'csv', recipients: [owner.employee_number] };
  const id = await define(member, { schedule });
  const mailed = async (at: string) => {
    app.clock.set(at);
    await app.app.scheduler.runNow('reports.schedule');
    await app.app.outbox.drain();
    const report = (await (await asEmployee(app, owner))('GET', `/reports/${id}`)).body;
    return { ...report, mails: await app.app.database.countBy(Mail, { template: 'scheduled_report' }) };
  };
  const { monotonic } = app.clock;
  // Every look at the clock finds a minute gone.
  let minutes = 0;
  app.app.clock.monotonic = () => monotonic() + ++minutes * 61_000;
  const slow = await mailed('2026-03-02T10:00:30.000Z');
  app.app.clock.monotonic = monotonic;
  t.like(slow, {
    last_problem: 'Could not be generated: The report takes too long: narrow it down with filters',
    last_run_at: null,
    next_run_at: '2026-03-03T10:00:00Z',
    mails: 0,
  });
  t.like(await mailed('2026-03-03T10:00:30.000Z'), { last_problem: null, mails: 1 });
});
