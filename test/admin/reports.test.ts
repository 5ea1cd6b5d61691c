import { sql } from '@keelson/core';
import { Technician } from '@keelson/modules/directory';
import { closeTicket, findTicket, logTime, deleteTicket } from '@keelson/modules/tickets';
import { startApp } from '@keelson/testing';
import test from 'ava';
import { chance } from '../_random.ts';
import { seedCompany, seedTechnician } from '../accounts-seed.ts';
import { asKey, seedTicket } from '../tickets-seed.ts';

const now = '2026-03-02T09:00:00Z';
const rights = ['reports:read', 'reports:write', 'tickets:read', 'companies:read', 'contacts:read'];

async function start(t: Parameters<typeof startApp>[0], options: Parameters<typeof startApp>[1] = {}) {
  const app = await startApp(t, options);
  const send = await asKey(app, rights);
  const run = async (query: object, source = 'tickets') => {
    const { status, body } = await send('POST', '/reports.php', { name: 'Report', source, ...query });
    if (status !== 201) throw new Error(body.error);
    return send('POST', `/reports.php?action=run&id=${body.data.report_id}`);
  };
  const rows = async (query: object, source?: string) => {
    const { status, body } = await run(query, source);
    if (status !== 200) throw new Error(body.error);
    return body.data.rows as Record<string, unknown>[];
  };
  return { app, send, run, rows };
}

test('Create a report', async (t) => {
  const { app, send } = await start(t);
  const { status, body } = await send('POST', '/reports.php', { name: ' Open work ', source: 'tickets' });
  t.is(status, 201);
  const report = {
    report_id: body.data.report_id,
    name: 'Open work',
    description: '',
    source: 'tickets',
    fields: [],
    filters: [],
    group_by: null,
    aggregates: [],
    sort: [],
    shared: false,
    schedule: null,
    next_run_at: null,
    created_by: body.data.created_by,
    last_run_at: null,
    last_problem: null,
    created_at: now,
    updated_at: now,
  };
  t.deepEqual(body, { success: true, data: report });
  const refused = async (fields: object, error: string, expected = 400) => {
    const answer = await send('POST', '/reports.php', { name: 'Report', source: 'tickets', ...fields });
    t.deepEqual([answer.status, answer.body], [expected, { success: false, error }]);
  };
  const { error } = (await send('POST', '/reports.php', { name: 'Report', source: 'secrets' })).body;
  t.regex(error, /^source must be one of tickets, time_entries|^source must be one of /);
  t.true(error.includes('tickets'));
  await refused({ name: '' }, 'name is required');
  await refused({ fields: ['password'] }, 'fields[0] must be a field of tickets');
  const filtered = (field: string, operator: string, value?: unknown) => ({ filters: [{ field, operator, value }] });
  await refused(filtered('colour', 'eq', 1), 'filters[0].field must be a field of tickets');
  await refused(
    filtered('status', 'near', 1),
    'filters[0].operator must be one of: eq, ne, contains, gt, gte, lt, lte, in, between, empty',
  );
  await refused(filtered('status', 'gt', 'open'), 'filters[0].operator must be one of eq, ne, in for status');
  await refused(
    filtered('status', 'eq', 'broken'),
    'filters[0].value must be one of: open, in_progress, on_hold, closed',
  );
  await refused(filtered('priority', 'eq', 'high'), 'filters[0].value must be a number');
  await refused(filtered('priority', 'eq'), 'filters[0].value is required');
  await refused(filtered('priority', 'between', [1]), 'filters[0].value must be a list of two values');
  await refused(filtered('priority', 'in', []), 'filters[0].value must be a list of 1 to 100 values');
  await refused(filtered('created_at', 'gte', 'soon'), 'filters[0].value must be a date or an ISO 8601 timestamp');
  const periods = 'created_at:day, created_at:week, created_at:month, created_at:quarter';
  await refused({ group_by: 'created_at' }, `group_by must be one of ${periods}`);
  await refused({ group_by: 'created_at:year' }, `group_by must be one of ${periods}`);
  await refused({ group_by: 'created_at:month:day' }, `group_by must be one of ${periods}`);
  await refused({ group_by: 'status:month' }, 'group_by must be a groupable field');
  await refused({ group_by: 'description' }, 'group_by must be a groupable field');
  await refused({ group_by: 'nothing' }, 'group_by must be a field of tickets');
  await refused({ aggregates: [{ function: 'count' }] }, 'aggregates require group_by');
  await refused(
    { group_by: 'status', aggregates: [{ function: 'sum', field: 'subject' }] },
    'aggregates[0].field must be a numeric field',
  );
  await refused(
    { group_by: 'status', aggregates: [{ function: 'sum', field: 'company_number' }] },
    'aggregates[0].field must be a numeric field',
  );
  await refused({ sort: [{ field: 'description' }] }, 'sort[0].field must be a sortable field');
  await refused({ group_by: 'status', sort: [{ field: 'subject' }] }, 'sort[0].field must be one of status, count');
  await refused(
    { schedule: { cron: 'daily', recipients: [1] } },
    'schedule.cron must be a cron line of five fields: minute hour day month weekday',
  );
  await refused(
    { schedule: { cron: '*/5 * * * *', recipients: [1] } },
    'schedule.cron must not be due more than once an hour',
  );
  await refused({ schedule: { cron: '0 8 31 2 *', recipients: [1] } }, 'schedule.cron is never due');
  await refused(
    { schedule: { cron: '0 8 * * *', recipients: [999] } },
    'schedule.recipients must be active technicians',
  );
  const { user_id } = await seedTechnician(app);
  const daily = { cron: '0 8 * * 1-5', format: 'pdf', recipients: [user_id] };
  const scheduled = await send('POST', '/reports.php', { name: 'Daily', source: 'tickets', schedule: daily });
  t.like(scheduled.body.data, { schedule: daily, next_run_at: '2026-03-03T08:00:00Z' });
  const plain = await asKey(app, ['reports:read']);
  t.is((await plain('POST', '/reports.php', { name: 'Report', source: 'tickets' })).status, 403);
  const other = await asKey(app, ['reports:read', 'reports:write']);
  t.is(
    (await other('POST', '/reports.php', { name: 'Report', source: 'tickets' })).status,
    403,
    'without the area’s right',
  );
});

test('Update a report: recipients who have become inactive may stay, but none may be added', async (t) => {
  const { app, send } = await start(t);
  const [gone, other] = [await seedTechnician(app), await seedTechnician(app)];
  const schedule = { cron: '0 8 * * 1-5', format: 'pdf', recipients: [gone.user_id] };
  const { report_id } = (await send('POST', '/reports.php', { name: 'Daily', source: 'tickets', schedule })).body.data;
  for (const { user_id } of [gone, other])
    await app.run(async (ctx) => void (await ctx.db.update(Technician, { user_id }, { active: false })));
  const renamed = await send('PUT', `/reports.php?id=${report_id}`, { name: 'Every day', schedule });
  t.like(renamed.body.data, { name: 'Every day', schedule });
  const both = { ...schedule, recipients: [gone.user_id, other.user_id] };
  const refused = await send('PUT', `/reports.php?id=${report_id}`, { schedule: both });
  t.is(refused.body.error, 'schedule.recipients must be active technicians');
});

test('List reports', async (t) => {
  const { send } = await start(t);
  for (const name of ['One', 'Two', 'Three']) await send('POST', '/reports.php', { name, source: 'tickets' });
  const { status, body } = await send('GET', '/reports.php?per_page=2&page=2');
  t.is(status, 200);
  t.deepEqual(body.pagination, { page: 2, per_page: 2, total: 3, total_pages: 2 });
  t.deepEqual(
    body.data.map((each: { name: string }) => each.name),
    ['One'],
  );
});

test('Read a report’s definition', async (t) => {
  const { send } = await start(t);
  const { body } = await send('POST', '/reports.php', { name: 'One', source: 'tickets' });
  t.deepEqual((await send('GET', `/reports.php?id=${body.data.report_id}`)).body, body);
  const absent = await send('GET', '/reports.php?id=999');
  t.deepEqual([absent.status, absent.body], [404, { success: false, error: 'Report not found' }]);
});

test('Change a report', async (t) => {
  const { send } = await start(t);
  const filters = [{ field: 'status', operator: 'eq', value: 'open' }];
  const { body } = await send('POST', '/reports.php', { name: 'One', source: 'tickets', filters });
  const path = `/reports.php?id=${body.data.report_id}`;
  const changed = await send('PUT', path, { name: 'Two', group_by: 'priority', shared: true });
  t.is(changed.status, 200);
  t.deepEqual(changed.body.data, { ...body.data, name: 'Two', group_by: 'priority', shared: true });
  const outages = await send('PUT', path, { source: 'outages' });
  t.is(
    outages.body.error,
    'filters[0].value must be one of: active, resolved, scheduled',
    'the whole is checked again',
  );
  t.is((await send('PUT', path, {})).body.error, 'No fields to update');
  t.is((await send('PUT', '/reports.php?id=999', { name: 'Two' })).status, 404);
});

test('Delete a report', async (t) => {
  const { send } = await start(t);
  const { body } = await send('POST', '/reports.php', { name: 'One', source: 'tickets' });
  const path = `/reports.php?id=${body.data.report_id}`;
  t.is((await send('DELETE', path)).status, 204);
  t.is((await send('GET', path)).status, 404);
  t.is((await send('DELETE', path)).status, 404);
});

test('List the fields of a source', async (t) => {
  const { app, send } = await start(t);
  const { status, body } = await send('GET', '/reports/fields.php?source=tickets');
  t.is(status, 200);
  t.is(body.data.source, 'tickets');
  const field = (name: string) => body.data.fields.find((each: { name: string }) => each.name === name);
  t.deepEqual(field('status'), {
    name: 'status',
    label: 'Status',
    type: 'choice',
    filterable: true,
    sortable: true,
    groupable: true,
    periods: [],
    operators: ['eq', 'ne', 'in'],
    summable: false,
    choices: ['open', 'in_progress', 'on_hold', 'closed'],
    labels: null,
  });
  for (const name of ['company_number', 'ticket_number']) t.is(field(name)?.summable ?? false, false, name);
  t.like(field('created_at'), {
    choices: null,
    type: 'datetime',
    sortable: true,
    groupable: false,
    periods: ['day', 'week', 'month', 'quarter'],
  });
  t.like(field('priority'), { type: 'number', choices: null, labels: { 1: 'Critical', 3: 'Normal' } });
  t.deepEqual(field('company_name').operators, ['eq', 'ne', 'contains', 'in']);
  t.deepEqual(field('closed_at').operators.at(-1), 'empty');
  t.is((await send('GET', '/reports/fields.php?source=secrets')).status, 400);
  t.is((await send('GET', '/reports/fields.php')).status, 400);
  const other = await asKey(app, ['reports:read']);
  t.is((await other('GET', '/reports/fields.php?source=tickets')).status, 403);
  t.is((await (await asKey(app, ['tickets:read']))('GET', '/reports/fields.php?source=tickets')).status, 403);
});

test('Preview a report: runs it without storing it; List what can be reported on', async (t) => {
  const { app, send } = await start(t);
  const { company_number } = await seedCompany(app);
  for (let i = 0; i < 3; i++) await seedTicket(app, { company_number, priority: i === 0 ? 1 : 3 });
  const preview = async (body: object) => send('POST', '/reports.php?action=preview', body);
  const { status, body } = await preview({ source: 'tickets', group_by: 'priority' });
  t.is(status, 200);
  t.is(body.data.total, 2);
  t.deepEqual(body.data.rows.map((each: { count: number }) => each.count).toSorted(), [1, 2]);
  t.deepEqual((await preview({ source: 'tickets', fields: ['subject'] })).body.data.columns.map(keyOf), ['subject']);
  for (let i = 0; i < 60; i++) await seedTicket(app, { company_number });
  const { rows, ...counted } = (await preview({ source: 'tickets' })).body.data;
  t.is(rows.length, 60);
  t.like(counted, { total: 63, truncated: true });
  t.is((await preview({ source: 'tickets', fields: ['nonsense'] })).status, 400);
  t.is((await preview({ source: 'secrets' })).status, 400);
  t.is((await preview({})).status, 400);
  t.deepEqual((await send('GET', '/reports.php')).body.data, []);
  const sources = (await send('GET', '/reports/sources.php')).body.data;
  t.true(sources.some((each: object) => JSON.stringify(each) === '{"name":"tickets","title":"Tickets"}'));
  const reader = await asKey(app, ['reports:read', 'reports:write']);
  t.deepEqual((await reader('GET', '/reports/sources.php')).body.data, []);
  t.is((await reader('POST', '/reports.php?action=preview', { source: 'tickets' })).status, 403);
});

const keyOf = ({ key }: { key: string }) => key;

test('Run a report', async (t) => {
  const { app, send, run, rows } = await start(t);
  const { company_number } = await seedCompany(app, 'Acme Ltd');
  const other = await seedCompany(app, 'Beta GmbH');
  const made: { ticket_id: number }[] = [];
  for (const [i, priority] of [1, 2, 3, 3].entries()) {
    app.clock.set(`2026-03-0${i + 3}T09:00:00.000Z`);
    made.push(await seedTicket(app, { company_number, subject: `Ticket ${i}`, priority }));
  }
  const foreign = await seedTicket(app, { company_number: other.company_number, subject: '=Formula', priority: 5 });
  const gone = await seedTicket(app, { company_number, subject: 'Gone', priority: 1 });
  await app.run(async (ctx) => deleteTicket(ctx, await findTicket(ctx, gone.ticket_id)));
  await app.run(async (ctx) => closeTicket(ctx, await findTicket(ctx, made[0]!.ticket_id)));

  const fields = ['ticket_number', 'subject', 'company_name', 'created_at'];
  const filters = [{ field: 'priority', operator: 'eq', value: 5 }];
  const { status, body } = await run({ fields, filters });
  t.is(status, 200);
  t.deepEqual(body.data, {
    report_id: body.data.report_id,
    name: 'Report',
    source: 'tickets',
    columns: [
      { key: 'ticket_number', label: 'Ticket number', type: 'number' },
      { key: 'subject', label: 'Subject', type: 'text' },
      { key: 'company_name', label: 'Company', type: 'text' },
      { key: 'created_at', label: 'Created', type: 'datetime' },
    ],
    rows: [
      {
        ticket_number: foreign.ticket_number,
        subject: '=Formula',
        company_name: 'Beta GmbH',
        created_at: '2026-03-06T09:00:00Z',
      },
    ],
    total: 1,
    truncated: false,
    generated_at: '2026-03-06T09:00:00Z',
  });
  const again = await send('POST', `/reports.php?action=run&id=${body.data.report_id}`, { filters: [] });
  t.is(again.body.data.total, 5, 'filters of the run replace those of the definition');
  t.is((await send('GET', `/reports.php?id=${body.data.report_id}`)).body.data.last_run_at, '2026-03-06T09:00:00Z');

  const found = async (field: string, operator: string, value?: unknown) =>
    (await rows({ fields: ['subject'], filters: [{ field, operator, value }], sort: [{ field: 'ticket_id' }] })).map(
      (each) => String(each['subject']).slice(-1),
    );
  t.deepEqual(await found('priority', 'ne', 3), ['0', '1', 'a']);
  t.deepEqual(await found('priority', 'gt', 2), ['2', '3', 'a']);
  t.deepEqual(await found('priority', 'between', [2, 3]), ['1', '2', '3']);
  t.deepEqual(await found('priority', 'in', [1, 5]), ['0', 'a']);
  t.deepEqual(await found('status', 'in', ['closed', 'on_hold']), ['0']);
  t.deepEqual(await found('subject', 'contains', 'ticket'), ['0', '1', '2', '3']);
  t.deepEqual(await found('subject', 'eq', 'ticket 2'), ['2']);
  t.deepEqual(await found('company_name', 'eq', 'beta gmbh'), ['a']);
  t.deepEqual(await found('company_name', 'contains', 'acm'), ['0', '1', '2', '3']);
  t.deepEqual(await found('company_name', 'ne', 'Acme Ltd'), ['a']);
  t.deepEqual(await found('created_at', 'eq', '2026-03-04'), ['1']);
  t.deepEqual(await found('created_at', 'lt', '2026-03-04'), ['0']);
  t.deepEqual(await found('created_at', 'gt', '2026-03-05'), ['3', 'a']);
  t.deepEqual(await found('created_at', 'between', ['2026-03-04', '2026-03-05']), ['1', '2']);
  t.deepEqual(await found('closed_at', 'empty'), ['1', '2', '3', 'a']);
  t.deepEqual(await found('closed_at', 'empty', false), ['0']);
  t.deepEqual(await found('assigned_name', 'eq', 'Nobody'), []);
  t.deepEqual(await found('assigned_to', 'empty', true), ['0', '1', '2', '3', 'a']);

  const grouped = await run({
    group_by: 'company_name',
    aggregates: [{ function: 'count' }, { function: 'average', field: 'priority' }],
  });
  t.deepEqual(grouped.body.data.columns, [
    { key: 'company_name', label: 'Company', type: 'text' },
    { key: 'count', label: 'Count', type: 'number' },
    { key: 'average_priority', label: 'Average of priority', type: 'number' },
  ]);
  t.deepEqual(grouped.body.data.rows, [
    { company_name: 'Acme Ltd', count: 4, average_priority: 2.25 },
    { company_name: 'Beta GmbH', count: 1, average_priority: 5 },
  ]);
  t.deepEqual(await rows({ group_by: 'status' }), [
    { status: 'open', count: 4 },
    { status: 'closed', count: 1 },
  ]);
  t.deepEqual(await rows({ group_by: 'status', filters: [{ field: 'priority', operator: 'gte', value: 3 }] }), [
    { status: 'open', count: 3 },
  ]);
  t.deepEqual(await rows({ group_by: 'priority', sort: [{ field: 'count' }, { field: 'priority', order: 'desc' }] }), [
    { priority: 5, count: 1 },
    { priority: 2, count: 1 },
    { priority: 1, count: 1 },
    { priority: 3, count: 2 },
  ]);
  for (const each of ['laser', 'inkjet'])
    await seedTicket(app, { company_number, subject: `Replace the ${each} printer`, priority: 4 });
  const filtered = { filters: [{ field: 'priority', operator: 'eq', value: 4 }], sort: [{ field: 'subject' }] };
  t.deepEqual(await rows({ group_by: 'subject', ...filtered }), [
    { subject: 'Replace the inkjet printer', count: 1 },
    { subject: 'Replace the laser printer', count: 1 },
  ]);
  t.is((await send('POST', '/reports.php?action=run&id=999')).status, 404);
  const without = await asKey(app, ['reports:read']);
  t.is((await without('POST', `/reports.php?action=run&id=${body.data.report_id}`)).status, 403);
});

for (const timeZone of ['UTC', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe'])
  test(`Run a report: by day, week, month and quarter in ${timeZone}`, async (t) => {
    const { app, run, rows } = await start(t, { config: { timeZone } });
    const { company_number } = await seedCompany(app);
    const local = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' });
    const days: string[] = [];
    for (let i = 0; i < 60; i++) {
      // Many fall near midnight in some time zone, across clock changes and the new year.
      const at = new Date(
        Date.UTC(2025, 8, 1) + Math.floor(chance() * 190) * 86_400_000 + Math.floor(chance() * 96) * 900_000,
      );
      app.clock.set(at.toISOString());
      await seedTicket(app, { company_number });
      days.push(local.format(at));
    }
    const monday = (day: string) => {
      const at = new Date(day);
      at.setUTCDate(at.getUTCDate() - ((at.getUTCDay() + 6) % 7));
      return at.toISOString().slice(0, 10);
    };
    const periods = {
      day: (day: string) => day,
      week: monday,
      month: (day: string) => day.slice(0, 7),
      quarter: (day: string) => `${day.slice(0, 4)}-Q${Math.ceil(Number(day.slice(5, 7)) / 3)}`,
    };
    for (const [period, of] of Object.entries(periods)) {
      const group_by = `created_at:${period}`;
      const expected = [...Map.groupBy(days, of)].map(([key, list]) => ({ [group_by]: key, count: list.length }));
      const byKey = (list: readonly Record<string, unknown>[]) => list.map((each) => JSON.stringify(each)).toSorted();
      const inTime = await rows({ group_by });
      t.deepEqual(
        inTime,
        byKey(expected).map((each) => JSON.parse(each) as Record<string, unknown>),
        period,
      );
      t.deepEqual(await rows({ group_by, sort: [{ field: group_by }] }), inTime, period);
    }
    const { body } = await run({ group_by: 'created_at:month', aggregates: [{ function: 'sum', field: 'priority' }] });
    t.deepEqual(body.data.columns, [
      { key: 'created_at:month', label: 'Created (month)', type: 'text' },
      { key: 'sum_priority', label: 'Sum of priority', type: 'number' },
    ]);
    t.deepEqual(await rows({ group_by: 'closed_at:week' }), [{ 'closed_at:week': null, count: 60 }]);
  });

test('Run a report: every source with all fields', async (t) => {
  const { app, send, rows } = await start(t);
  const { company_number } = await seedCompany(app);
  const ticket = await seedTicket(app, { company_number, subject: 'Printer' });
  const deleted = await seedTicket(app, { company_number, subject: 'Gone' });
  await app.run(async (ctx) => {
    await logTime(ctx, await findTicket(ctx, ticket.ticket_id), { duration_minutes: 30 });
    await logTime(ctx, await findTicket(ctx, ticket.ticket_id), { duration_minutes: 45, billable: false });
    await logTime(ctx, await findTicket(ctx, deleted.ticket_id), { duration_minutes: 5 });
    await deleteTicket(ctx, await findTicket(ctx, deleted.ticket_id));
  });
  const all = await rows({}, 'time_entries');
  t.deepEqual(
    all.map((each) => [each['ticket_number'], each['duration_minutes'], each['billable']]),
    [
      [ticket.ticket_number, 45, false],
      [ticket.ticket_number, 30, true],
    ],
  );
  const worked = { group_by: 'billable', aggregates: [{ function: 'sum', field: 'duration_minutes' }] };
  t.deepEqual(await rows({ ...worked, sort: [{ field: 'billable', order: 'desc' }] }, 'time_entries'), [
    { billable: true, sum_duration_minutes: 30 },
    { billable: false, sum_duration_minutes: 45 },
  ]);
  const { error } = (await send('POST', '/reports.php', { name: 'All', source: '?' })).body;
  const sources: string[] = error.slice('source must be one of '.length).split(', ');
  for (const source of sources) {
    // Each key has its own rate limit.
    const every = await asKey(app, [...rights, 'warranty:read']);
    const { status, body } = await every('GET', `/reports/fields.php?source=${source}`);
    if (status === 403) continue;
    const report = await every('POST', '/reports.php', { name: 'All', source });
    const answer = await every('POST', `/reports.php?action=run&id=${report.body.data.report_id}`);
    t.is(answer.status, 200, source);
    t.is(answer.body.data.columns.length, body.data.fields.length);
    for (const { name } of body.data.fields.filter((each: { groupable: boolean }) => each.groupable)) {
      const by = await every('PUT', `/reports.php?id=${report.body.data.report_id}`, { group_by: name });
      t.is(by.status, 200, `${source} by ${name}`);
      t.is(
        (await every('POST', `/reports.php?action=run&id=${report.body.data.report_id}`)).status,
        200,
        `${source} by ${name}`,
      );
    }
  }
  for (const source of ['tickets', 'time_entries', 'companies', 'contacts', 'outages', 'leads'])
    t.true(sources.includes(source));
});

test('Run a report: many rows, in batches, in every order', async (t) => {
  const { app, run, rows } = await start(t);
  const { company_number } = await seedCompany(app);
  const one = await seedTicket(app, { company_number, subject: 'First' });
  const columns = sql`subject, description, status, priority, job_type, company_number, approval_status, source, created_at, updated_at`;
  for (let i = 0; i < 11; i++)
    await app.app.database.run(
      sql`INSERT INTO ticket (ticket_number, ${columns}) SELECT ticket_number + ${5000 * 2 ** i}, ${columns} FROM ticket`,
    );
  await app.app.database.run(
    sql`UPDATE ticket SET priority = ticket_id % 5 + 1, closed_at = CASE WHEN ticket_id % 3 = 0 THEN NULL ELSE created_at END`,
  );
  // No counter covers these rows.
  const counted = [{ field: 'ticket_id', operator: 'gt', value: 0 }];
  const { body } = await run({ fields: ['ticket_id'], filters: counted, sort: [{ field: 'ticket_id' }] });
  t.like(body.data, { truncated: true });
  t.is(body.data.rows.length, 1000);
  t.is(body.data.total, 2048);
  t.is(body.data.rows[0].ticket_id, one.ticket_id);
  const half = { filters: [{ field: 'priority', operator: 'lte', value: 2 }] };
  for (const field of ['created_at', 'closed_at', 'priority', 'subject']) {
    for (const order of ['asc', 'desc']) {
      const found = await rows({ fields: ['ticket_id'], ...half, sort: [{ field, order }] });
      t.is(new Set(found.map((each) => each['ticket_id'])).size, 819, `${field} ${order}`);
    }
  }
  const groups = await rows({
    group_by: 'priority',
    filters: [{ field: 'subject', operator: 'contains', value: 'first' }],
  });
  t.is(
    groups.reduce((sum, each) => sum + Number(each['count']), 0),
    body.data.total,
  );
});

test('Read technicians’ report limits', async (t) => {
  const app = await startApp(t);
  const send = await asKey(app, ['reports:read', 'reports:write', 'tickets:read']);
  await send('POST', '/reports.php', { name: 'Mine', source: 'tickets' });
  const { status, body } = await send('GET', '/reports/limits.php');
  t.is(status, 200);
  t.deepEqual(body.data, {
    reports: 1,
    most_reports: 100,
    scheduled: 0,
    most_scheduled: 20,
    mails_today: 0,
    mails_per_day: 5000,
  });
});
