// Service levels: calendars, policies, and the clocks of tickets.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { lock, plus } from '@keelson/core';
import { createContract } from '@keelson/modules/inventory';
import { createOutage, OutageService, updateOutage } from '@keelson/modules/outages';
import { closeTicket, commentOnTicket, createTicket, lockTicket } from '@keelson/modules/tickets';
import { startApp, testClock, type TestApp } from '@keelson/testing';
import test, { type ExecutionContext } from 'ava';
import { readTroubles } from '../../core/plugin/troubles.ts';
import { readHolidays } from '../../modules/levels/calendars/ics.ts';
import { announceDue } from '../../modules/levels/clocks/announce.ts';
import { LevelClock, LevelStep, LevelTicket } from '../../modules/levels/clocks/entities.ts';
import { Outages } from '../../modules/outages/outages/outages.ts';
import { chooseServices } from '../../modules/outages/status/services.ts';
import { OpenTime } from '../../modules/tickets/entities.ts';
import { repairCounter } from '../../packages/list/counter/counter-compaction.ts';
import { ActivityLine } from '../../packages/log/activity.ts';
import { seedTechnician, signInOnPage } from '../accounts-seed.ts';
import { seedAsset } from '../assets-seed.ts';
import { secondProcess } from '../core/_second-process.ts';
import {
  asEmployee,
  asKey,
  seedEmployee,
  seedTeam,
  seedTicket,
  staff,
  storedEvents,
  storedTicket,
} from '../tickets-seed.ts';

const rights = [
  'companies:read',
  'companies:write',
  'settings:read',
  'settings:write',
  'tickets:read',
  'tickets:write',
  'tickets:delete',
  'reports:read',
  'teams:read',
  'teams:write',
];

const office = {
  name: 'Office',
  time_zone: 'Europe/Berlin',
  is_default: true,
  hours: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'].map((weekday) => ({
    weekday,
    from: '09:00',
    to: '17:00',
  })),
};
const minutes = (response: number | null, next: number | null, resolution: number | null) => ({
  response_minutes: response,
  next_response_minutes: next,
  resolution_minutes: resolution,
});
const gold = {
  name: 'Gold',
  targets: [
    { priority: 3, ...minutes(60, 120, 480) },
    { priority: 1, ...minutes(15, 30, 120) },
  ],
};

/** A Monday, 10:00 in Berlin. */
const MONDAY = '2026-03-02T09:00:00.000Z';

async function desk(app: TestApp) {
  const send = await asKey(app, rights);
  const made = async (path: string, body: unknown) => {
    const answer = await send('POST', path, body);
    if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
    return answer.body.data;
  };
  const levels = async (id: number) => (await send('GET', `/tickets.php?id=${id}`)).body.data.service_levels;
  const level = async (id: number, kind: string) => (await levels(id)).find((each: any) => each.kind === kind);
  return { send, made, levels, level };
}

/** Creates a service for outages; returns its id. */
function seedService(app: TestApp, name: string): Promise<number> {
  const now = app.clock.now();
  return app.app.database.insertReturningId(OutageService, { name, created_at: now, updated_at: now });
}

/** Sets up a clock at 10:00 on a Monday, a calendar, a policy, and a customer's ticket. */
async function measured(t: ExecutionContext, policy: object = {}) {
  const app = await startApp(t, { clock: testClock(MONDAY) });
  const its = await desk(app);
  const calendar = await its.made('/levels/calendars.php', office);
  const made = await its.made('/levels/policies.php', { ...gold, ...policy });
  const employee = await seedEmployee(app);
  // Signs in each time, because the clock moves past session expiry.
  const customer = async (method: string, path: string, body?: unknown) =>
    (await asEmployee(app, employee))(method, path, body);
  await customer('POST', '/tickets', { subject: 'Printer', description: 'On fire' });
  const ticket_id = 1;
  const at = (time: string, day = '2026-03-02') => app.clock.set(`${day}T${time}:00.000Z`);
  const reply = (body: object) => its.send('POST', `/tickets.php?action=reply&id=${ticket_id}`, body);
  return { app, ...its, calendar, policy: made, employee, customer, ticket_id, at, reply };
}

test('Create a calendar; Change a calendar; Read a calendar; List calendars; Delete a calendar', async (t) => {
  const app = await startApp(t);
  const { send, made } = await desk(app);
  const first = await made('/levels/calendars.php', {
    ...office,
    hours: [
      { weekday: 'friday', from: '09:00', to: '12:00' },
      { weekday: 'monday', from: '13:00', to: '24:00' },
      { weekday: 'monday', from: '08:00', to: '12:00' },
    ],
  });
  t.deepEqual(first.hours, [
    { weekday: 'monday', from: '08:00', to: '12:00' },
    { weekday: 'monday', from: '13:00', to: '24:00' },
    { weekday: 'friday', from: '09:00', to: '12:00' },
  ]);
  const second = await made('/levels/calendars.php', { ...office, name: 'Night' });
  const { data } = (await send('GET', '/levels/calendars.php')).body;
  t.deepEqual(
    data.map((each: any) => [each.name, each.is_default]),
    [
      ['Night', true],
      ['Office', false],
    ],
  );
  t.is((await send('POST', '/levels/calendars.php', { ...office, name: ' NIGHT ' })).status, 409);
  const path = `/levels/calendars.php?id=${second.calendar_id}`;
  t.is((await send('PUT', path, { time_zone: 'Asia/Tokyo' })).body.data.time_zone, 'Asia/Tokyo');
  t.is((await send('GET', path)).body.data.time_zone, 'Asia/Tokyo');
  const { policy_id } = await made('/levels/policies.php', { ...gold, calendar_id: second.calendar_id });
  t.is((await send('DELETE', path)).status, 409);
  await send('DELETE', `/levels/policies.php?id=${policy_id}`);
  // Policies without a calendar would silently count around the clock.
  t.like(await send('DELETE', path), {
    status: 409,
    body: { error: 'Night is the default calendar: choose another default first' },
  });
  await send('PUT', path, { is_default: false });
  t.is((await send('DELETE', path)).status, 204);
  t.is((await send('GET', path)).status, 404);
});

test('an inconsistent calendar is rejected by name', async (t) => {
  const app = await startApp(t);
  const { send } = await desk(app);
  const refused = async (change: object) =>
    (await send('POST', '/levels/calendars.php', { ...office, ...change })).body.error;
  t.regex(await refused({ time_zone: 'Mars/Olympus' }), /time_zone must be an IANA time zone/);
  t.regex(await refused({ hours: [] }), /hours must contain at least one span/);
  t.regex(await refused({ hours: [{ weekday: 'monday', from: '9:00', to: '17:00' }] }), /hours.*from must be a time/);
  t.regex(
    await refused({ hours: [{ weekday: 'monday', from: '17:00', to: '09:00' }] }),
    /hours.*to must be after from/,
  );
  t.regex(
    await refused({
      hours: [
        { weekday: 'monday', from: '09:00', to: '17:00' },
        { weekday: 'monday', from: '16:00', to: '18:00' },
      ],
    }),
    /hours.*from must not be within another span/,
  );
});

test('Add a holiday to a calendar; List holidays; Read a holiday; Change a holiday; Delete a holiday', async (t) => {
  const app = await startApp(t);
  const { send, made } = await desk(app);
  const { calendar_id } = await made('/levels/calendars.php', office);
  const eve = await made('/levels/holidays.php', {
    calendar_id,
    day: '2026-12-24',
    name: 'Christmas Eve',
    hours: [{ from: '09:00', to: '12:00' }],
  });
  t.like(eve, { calendar_name: 'Office', hours: [{ from: '09:00', to: '12:00' }], opening: '09:00–12:00' });
  t.is((await send('POST', '/levels/holidays.php', { calendar_id, day: '2026-12-24', name: 'Again' })).status, 409);
  t.is((await send('POST', '/levels/holidays.php', { calendar_id: 99, day: '2026-12-24', name: 'X' })).status, 404);
  const path = `/levels/holidays.php?id=${eve.holiday_id}`;
  t.is((await send('PUT', path, { day: '2026-12-23' })).body.data.day, '2026-12-23');
  const hours = [
    { from: '13:00', to: '15:00' },
    { from: '09:00', to: '12:00' },
  ];
  t.deepEqual((await send('PUT', path, { hours })).body.data.hours, hours.toReversed(), 'in order of the day');
  t.is((await send('GET', path)).body.data.day, '2026-12-23');
  t.is((await send('GET', `/levels/holidays.php?calendar_id=${calendar_id}`)).body.pagination.total, 1);
  t.is((await send('DELETE', path)).status, 204);
  t.is((await send('GET', path)).status, 404);
});

test('holidays are read from a calendar’s address every day', async (t) => {
  const clock = testClock(MONDAY);
  const app = await startApp(t, { clock });
  const { send, made } = await desk(app);
  let days = ['20261225'];
  let status = 200;
  const server = createServer((_request, response) => {
    const events = days.map(
      (day) => `BEGIN:VEVENT\r\nDTSTART;VALUE=DATE:${day}\r\nSUMMARY:Day ${day}\r\nEND:VEVENT\r\n`,
    );
    response.writeHead(status).end(`BEGIN:VCALENDAR\r\nVERSION:2.0\r\n${events.join('')}END:VCALENDAR\r\n`);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  const holidays_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/holidays.ics`;
  const { calendar_id } = await made('/levels/calendars.php', { ...office, holidays_url });
  await made('/levels/calendars.php', { ...office, name: 'Without an address' });
  const path = `/levels/calendars.php?id=${calendar_id}`;
  const readAt = async (moment: string) => {
    clock.set(`${moment}.000Z`);
    await app.app.scheduler.runNow('levels.holidays');
  };
  const known = async () => {
    const { data } = (await send('GET', '/levels/holidays.php?per_page=100')).body;
    return data.map((each: any) => each.day);
  };
  await readAt('2026-06-01T12:00:00');
  t.deepEqual(await known(), ['2026-12-25']);
  t.like((await send('GET', path)).body.data, { holidays_read_at: '2026-06-01T12:00:00Z', holidays_error: null });
  days = ['20261225', '20270101'];
  await readAt('2026-06-02T11:55:00');
  t.deepEqual(await known(), ['2026-12-25'], 'not before a day has passed');
  await readAt('2026-06-02T12:00:00');
  t.deepEqual(await known(), ['2026-12-25', '2027-01-01']);

  // A failure is shown at the calendar and fails the job; the next attempt is an hour later.
  status = 503;
  app.expectError(/holidays of Office.*job: failed/);
  await readAt('2026-06-03T12:00:00');
  const fault = 'url cannot be read: the server responded with 503';
  t.like((await send('GET', path)).body.data, { holidays_read_at: '2026-06-03T12:00:00Z', holidays_error: fault });
  for (const time of ['12:05', '13:00', '13:05', '14:00']) await readAt(`2026-06-03T${time}:00`);
  t.like((await send('GET', path)).body.data, { holidays_read_at: '2026-06-03T14:00:00Z', holidays_error: fault });
  t.like(await readTroubles(app.app.system()), [{ kind: 'job', name: 'levels.holidays' }]);
  status = 200;
  days = [];
  await readAt('2026-06-03T15:00:00');
  t.is((await send('GET', path)).body.data.holidays_error, null, 'no holidays left is no failure');

  // A new address is read at once, and none not at all.
  days = ['20270501'];
  t.is((await send('PUT', path, { holidays_url: `${holidays_url}?new` })).body.data.holidays_read_at, null);
  await readAt('2026-06-04T12:05:00');
  t.deepEqual(await known(), ['2026-12-25', '2027-01-01', '2027-05-01']);
  await send('PUT', path, { holidays_url: '' });
  days = ['20270502'];
  await readAt('2026-06-06T12:05:00');
  t.is((await known()).length, 3);
  t.is(
    (await send('PUT', path, { holidays_url: 'ftp://x' })).body.error,
    'holidays_url must be an absolute http or https URL',
  );
});

test('Import holidays into a calendar', async (t) => {
  const app = await startApp(t, { clock: testClock(MONDAY) });
  const { send, made } = await desk(app);
  const { calendar_id } = await made('/levels/calendars.php', office);
  await made('/levels/holidays.php', { calendar_id, day: '2026-12-25', name: 'Ours' });
  const path = `/levels/calendars.php?action=import&id=${calendar_id}`;
  const ics_text = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'BEGIN:VEVENT',
    'DTSTART;VALUE=DATE:20261225',
    'DTEND;VALUE=DATE:20261227',
    'SUMMARY:Christmas\\, both',
    '  days',
    'END:VEVENT',
    'BEGIN:VEVENT',
    'DTSTART;VALUE=DATE:20200101',
    'SUMMARY:New Year',
    'RRULE:FREQ=YEARLY',
    'END:VEVENT',
    'BEGIN:VEVENT',
    'DTSTART:20260601T090000Z',
    'SUMMARY:A meeting',
    'END:VEVENT',
    'END:VCALENDAR',
  ].join('\r\n');
  const { body } = await send('POST', path, { ics_text });
  t.deepEqual(body.data, { calendar_id, imported: 7, known: 1 });
  const answers: [status: number, text: string][] = [
    [200, ics_text],
    [404, 'Not found'],
    [200, '<html>'],
    [200, 'x'.repeat(1_000_001)],
  ];
  const server = createServer((_request, response) => {
    const [status, text] = answers.shift() ?? [500, ''];
    response.writeHead(status, { 'Content-Type': 'text/calendar' }).end(text);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/holidays.ics`;
  t.deepEqual((await send('POST', path, { url })).body.data, { calendar_id, imported: 0, known: 8 });
  const why = async (given: object) => (await send('POST', path, given)).body.error;
  t.is(await why({ url }), 'url cannot be read: the server responded with 404');
  t.is(await why({ url }), 'url must be an iCalendar file');
  t.is(await why({ url }), 'url must have at most 1000000 characters');
  t.regex(await why({ url: 'http://10.0.0.1/holidays.ics' }), /^url cannot be read: /);
  t.is(await why({}), 'Either ics_text or url is required');
  t.is(await why({ url, ics_text }), 'Either ics_text or url is required');
  const { data } = (await send('GET', '/levels/holidays.php?per_page=100')).body;
  t.deepEqual(
    data.map((each: any) => `${each.day} ${each.name}`),
    [
      '2026-01-01 New Year',
      '2026-12-25 Ours',
      '2026-12-26 Christmas, both days',
      '2027-01-01 New Year',
      '2028-01-01 New Year',
      '2029-01-01 New Year',
      '2030-01-01 New Year',
      '2031-01-01 New Year',
    ],
  );
  t.is((await send('POST', path, { ics_text })).body.data.imported, 0, 'twice adds nothing');
  t.is((await send('POST', path, { ics_text: 'Hello' })).body.error, 'ics_text must be an iCalendar file');
});

test('Create a service level policy; List service level policies; Read a service level policy; Change a service level policy; Delete a service level policy', async (t) => {
  const app = await startApp(t);
  const { send, made } = await desk(app);
  const policy = await made('/levels/policies.php', gold);
  t.like(policy, {
    active: true,
    position: 100,
    warnings: [{ percent: 50 }, { percent: 80 }],
    pause_on_hold: true,
    targets: [
      { priority: 1, ...minutes(15, 30, 120) },
      { priority: 3, ...minutes(60, 120, 480) },
    ],
  });
  const path = `/levels/policies.php?id=${policy.policy_id}`;
  t.is((await send('PUT', path, { active: false })).body.data.active, false);
  t.is((await send('GET', path)).body.data.active, false);
  t.is((await send('GET', '/levels/policies.php?active=true')).body.pagination.total, 0);
  const refused = async (change: object) => (await send('PUT', path, change)).body.error;
  t.is(await refused({ calendar_id: 99 }), 'calendar_id must be an existing calendar');
  t.is(await refused({ company_number: 9999 }), 'company_number must be an existing company');
  t.is(await refused({ contract_id: 9999 }), 'contract_id must be an existing contract');
  t.regex(
    await refused({ targets: [...gold.targets, ...gold.targets] }),
    /targets.*priority must be a priority without/,
  );
  t.is((await send('DELETE', path)).status, 204);
  t.is((await send('GET', path)).status, 404);
  const lines = await app.app.database.findBy(ActivityLine, { entity_type: 'level_policy' });
  t.deepEqual(
    lines.map((each) => each.description),
    ['created', 'updated', 'deleted'].map((each) => `Service level policy Gold ${each}`),
  );
});

test('without a policy tickets have no SLA', async (t) => {
  const app = await startApp(t);
  const { levels } = await desk(app);
  const { company_number } = await seedEmployee(app);
  const { ticket_id } = await seedTicket(app, { company_number });
  t.deepEqual(await levels(ticket_id), []);
  for (const table of [LevelTicket, LevelStep, LevelClock]) t.is(await app.app.database.count(table), 0);
});

test('a new ticket is due within working hours', async (t) => {
  const { level, levels, ticket_id } = await measured(t);
  t.is((await levels(ticket_id)).length, 2);
  t.like(await level(ticket_id, 'response'), {
    policy_name: 'Gold',
    started_at: '2026-03-02T09:00:00Z',
    target_minutes: 60,
    due_at: '2026-03-02T10:00:00Z',
    breached_at: null,
    met_at: null,
  });
  // 10:00 to 17:00 are seven hours; the eighth is on Tuesday.
  t.is((await level(ticket_id, 'resolution')).due_at, '2026-03-03T09:00:00Z');
});

test('a public reply meets the response target, and the customer’s next comment starts another', async (t) => {
  const { customer, level, ticket_id, at, reply } = await measured(t);
  at('09:20');
  await reply({ comment: 'Internal', is_internal: true });
  t.is((await level(ticket_id, 'response')).met_at, null, 'a note is no reply');
  at('09:30');
  await reply({ comment: 'We look into it' });
  t.like(await level(ticket_id, 'response'), { met_at: '2026-03-02T09:30:00Z', due_at: null, breached_at: null });
  t.is(await level(ticket_id, 'next_response'), undefined);
  at('10:00');
  t.is((await customer('POST', `/tickets/${ticket_id}/comments`, { comment: 'Hello?' })).status, 201);
  t.like(await level(ticket_id, 'next_response'), {
    started_at: '2026-03-02T10:00:00Z',
    due_at: '2026-03-02T12:00:00Z',
  });
  at('10:05');
  await customer('POST', `/tickets/${ticket_id}/comments`, { comment: 'Anybody?' });
  t.is((await level(ticket_id, 'next_response')).due_at, '2026-03-02T12:00:00Z', 'the first question counts');
  at('11:00');
  await reply({ comment: 'Yes' });
  t.is((await level(ticket_id, 'next_response')).met_at, '2026-03-02T11:00:00Z');
  at('11:30');
  await customer('POST', `/tickets/${ticket_id}/comments`, { comment: 'And?' });
  t.like(await level(ticket_id, 'next_response'), { started_at: '2026-03-02T11:30:00Z', met_at: null });
});

test('on-hold statuses pause resolution, and closing meets it', async (t) => {
  const { send, level, ticket_id, at, reply } = await measured(t, { pause_waiting_for_customer: false });
  at('10:00');
  await reply({ status: 'on_hold' });
  t.like(await level(ticket_id, 'resolution'), {
    paused_since: '2026-03-02T10:00:00Z',
    paused_by: 'on_hold',
    due_at: null,
    remaining_minutes: 420,
  });
  at('11:00');
  await send('PUT', `/tickets.php?id=${ticket_id}`, { status: 'in_progress' });
  t.like(await level(ticket_id, 'resolution'), { paused_since: null, paused_by: null, due_at: '2026-03-03T10:00:00Z' });
  at('12:00');
  await reply({ comment: 'Done', status: 'closed' });
  t.like(await level(ticket_id, 'resolution'), { met_at: '2026-03-02T12:00:00Z', due_at: null, breached_at: null });
  t.is((await level(ticket_id, 'response')).breached_at, '2026-03-02T10:00:00Z');
  at('13:00');
  await send('PUT', `/tickets.php?id=${ticket_id}`, { status: 'open' });
  // Two hours were used up; six remain, of which three are today.
  t.like(await level(ticket_id, 'resolution'), { met_at: null, due_at: '2026-03-03T11:00:00Z' });
});

test('waiting for the customer pauses resolution', async (t) => {
  const { customer, level, ticket_id, at, reply } = await measured(t);
  at('10:00');
  await reply({ comment: 'Which printer?' });
  t.like(await level(ticket_id, 'resolution'), {
    ...{ paused_since: '2026-03-02T10:00:00Z', paused_by: 'customer', remaining_minutes: 420 },
  });
  at('11:00');
  await customer('POST', `/tickets/${ticket_id}/comments`, { comment: 'The red one' });
  t.like(await level(ticket_id, 'resolution'), { paused_since: null, due_at: '2026-03-03T10:00:00Z' });
});

test('several pauses, also overlapping ones and one overnight, each count once', async (t) => {
  const { send, customer, level, ticket_id, at, reply } = await measured(t);
  const resolution = () => level(ticket_id, 'resolution');
  const ask = () => customer('POST', `/tickets/${ticket_id}/comments`, { comment: 'Any news?' });
  at('09:30');
  await reply({ comment: 'Which printer?' });
  t.like(await resolution(), { paused_by: 'customer', remaining_minutes: 450 });
  at('10:30');
  await ask();
  t.like(await resolution(), { paused_since: null, due_at: '2026-03-03T10:00:00Z' });
  at('11:00');
  await reply({ comment: 'Ordered a part' });
  at('11:10');
  await send('PUT', `/tickets.php?id=${ticket_id}`, { status: 'on_hold' });
  t.like(await resolution(), { paused_since: '2026-03-02T11:00:00Z', remaining_minutes: 420 });
  at('12:00');
  await ask();
  t.like(await resolution(), { paused_by: 'on_hold', due_at: null, remaining_minutes: 420 });
  at('13:00');
  await send('PUT', `/tickets.php?id=${ticket_id}`, { status: 'open' });
  // Three of seven hours are left today.
  t.like(await resolution(), { paused_since: null, due_at: '2026-03-03T12:00:00Z' });
  at('13:30');
  await reply({ comment: 'It arrives tomorrow' });
  t.like(await resolution(), { paused_since: '2026-03-02T13:30:00Z', remaining_minutes: 390 });
  at('07:00', '2026-03-03');
  await ask();
  // Answered before opening at 09:00 in Berlin: 6.5 hours from there.
  t.like(await resolution(), { paused_since: null, due_at: '2026-03-03T14:30:00Z' });
  at('09:00', '2026-03-03');
  await send('PUT', `/tickets.php?id=${ticket_id}`, { priority: 1 });
  t.is((await resolution()).due_at, '2026-03-03T08:30:00Z', '90 of 120 minutes were used on Monday');
});

test('changing priority or category restarts planning, keeping earlier pauses', async (t) => {
  const { send, made, level, levels, ticket_id, at, reply } = await measured(t);
  await made('/levels/policies.php', {
    name: 'Network',
    position: 1,
    job_type: 'network',
    targets: [{ priority: 1, ...minutes(null, null, 60) }],
  });
  at('09:10');
  await reply({ status: 'on_hold' });
  at('09:40');
  await reply({ status: 'in_progress' });
  await send('PUT', `/tickets.php?id=${ticket_id}`, { priority: 1 });
  t.is((await level(ticket_id, 'resolution')).due_at, '2026-03-02T11:30:00Z');
  t.is((await level(ticket_id, 'response')).breached_at, '2026-03-02T09:15:00Z', 'it is late by the new target');
  await send('PUT', `/tickets.php?id=${ticket_id}`, { job_type: 'Network' });
  t.deepEqual(
    (await levels(ticket_id)).map((each: any) => [each.policy_name, each.kind, each.due_at]),
    [['Network', 'resolution', '2026-03-02T10:30:00Z']],
  );
  await send('PUT', `/tickets.php?id=${ticket_id}`, { priority: 4 });
  t.deepEqual(await levels(ticket_id), [], 'there is no target for this priority');
  await send('PUT', `/tickets.php?id=${ticket_id}`, { priority: 1 });
  t.is((await levels(ticket_id)).length, 1);
});

test('the policy with the lowest position that covers a ticket applies', async (t) => {
  const app = await startApp(t, { clock: testClock(MONDAY) });
  const { made, levels } = await desk(app);
  const { company_number } = await seedEmployee(app);
  const other = await seedEmployee(app);
  const of = (name: string, more: object) => made('/levels/policies.php', { ...gold, name, ...more });
  await of('Everybody', { position: 50 });
  await of('One company', { position: 10, company_number });
  await of('Off', { position: 1, active: false });
  const nameOf = async (of: number) => {
    const { ticket_id } = await seedTicket(app, { company_number: of });
    return (await levels(ticket_id))[0].policy_name;
  };
  t.is(await nameOf(company_number), 'One company');
  t.is(await nameOf(other.company_number), 'Everybody');
});

test('a policy for a site or a team covers their tickets, including those that move there', async (t) => {
  const app = await startApp(t, { clock: testClock(MONDAY) });
  const { made, levels, send } = await desk(app);
  const { company_number } = await seedEmployee(app);
  const other = await seedEmployee(app);
  const site = await made('/sites.php', { company_number, site_name: 'Harbour' });
  const { team_id } = await made('/teams.php', { name: 'Network' });
  const of = (name: string, more: object) => made('/levels/policies.php', { ...gold, name, ...more });
  const atSite = await of('Site', { position: 10, site_number: site.site_number });
  t.like(atSite, { site_name: 'Harbour', team_name: null });
  t.like(await of('Team', { position: 20, team_id }), { team_name: 'Network' });
  await of('Everybody', { position: 50 });
  const { ticket_id } = await seedTicket(app, { company_number });
  const policyName = async () => (await levels(ticket_id))[0].policy_name;
  t.is(await policyName(), 'Everybody');
  await send('PUT', `/tickets.php?id=${ticket_id}`, { team_id });
  t.is(await policyName(), 'Team');
  await send('PUT', `/tickets.php?id=${ticket_id}`, { site_number: site.site_number });
  t.is(await policyName(), 'Site');
  const refused = async (more: object) =>
    (await send('POST', '/levels/policies.php', { ...gold, name: 'Wrong', ...more })).body.error;
  t.is(await refused({ team_id: 99 }), 'team_id must be an existing team');
  t.is(await refused({ site_number: 99 }), 'site_number must be an existing site');
  const foreign = { company_number: other.company_number, site_number: site.site_number };
  t.is(await refused(foreign), 'site_number must be a site of the company');
  t.is((await send('DELETE', `/sites.php?id=${site.site_number}`)).status, 409);
});

test('a policy can be changed after its contract was deleted', async (t) => {
  const app = await startApp(t, { clock: testClock(MONDAY) });
  const { made, send } = await desk(app);
  const { company_number } = await seedEmployee(app);
  const { contract_id } = await app.run((ctx) =>
    createContract(ctx, { company_number, name: 'Support', start_date: '2026-01-01' }),
  );
  const { policy_id } = await made('/levels/policies.php', { ...gold, contract_id });
  const contracts = await asKey(app, ['contracts:read', 'contracts:write', 'companies:read']);
  t.is((await contracts('DELETE', `/contracts.php?id=${contract_id}`)).status, 204);
  const change = (body: object) => send('PUT', `/levels/policies.php?id=${policy_id}`, body);
  t.like((await change({ active: false })).body.data, { active: false, contract_id });
  t.is((await change({ company_number })).body.error, 'contract_id must be a contract of the company');
  t.like((await change({ contract_id: null, company_number })).body.data, { contract_id: null, company_number });
});

test('a warning and a breach are announced once each', async (t) => {
  const { app, send, ticket_id, level, at } = await measured(t);
  const technician = await seedTechnician(app, 'technician');
  await send('PUT', `/tickets.php?id=${ticket_id}`, { assigned_to: technician.user_id });
  const run = () => app.app.scheduler.runNow('levels.announce');
  const told = async () =>
    (await storedEvents(app))
      .filter(({ name }) => name.startsWith('ticket.sla'))
      .map(({ name, data }) => `${name} ${data.clock} ${data.percent}`);
  at('09:29');
  await run();
  t.deepEqual(await told(), []);
  at('09:30');
  await run();
  await run();
  const first = 'ticket.sla_warned response 50';
  t.deepEqual(await told(), [first]);
  at('09:50');
  await Promise.all([announceDue(app.app.system()), announceDue(app.app.system())]);
  t.deepEqual(await told(), [first, 'ticket.sla_warned response 80']);
  at('10:00');
  await run();
  at('10:01');
  await run();
  const all = [first, 'ticket.sla_warned response 80', 'ticket.sla_breached response 100'];
  t.deepEqual(await told(), all);
  t.is((await level(ticket_id, 'response')).breached_at, '2026-03-02T10:00:00Z');
  const { data } = (await send('GET', `/tickets.php?action=history&id=${ticket_id}`)).body;
  t.true(data.some((each: any) => each.description === 'The first response target of ticket 1001 was missed'));
  await app.app.outbox.drain();
  const cookie = await signInOnPage(app, technician);
  const { body } = await app.request('GET', `${staff}/notifications.php?unread=true`, { cookie });
  t.deepEqual(
    body.data
      .filter((each: any) => each.kind !== 'assigned')
      .map((each: any) => `${each.by_name} ${each.kind}`)
      .toSorted(),
    ['First response sla_breached', 'First response sla_warned'],
  );
});

test('announcing many targets takes as many statements as one', async (t) => {
  const { app, employee, at } = await measured(t);
  const { company_number } = employee;
  const announce = () => app.statements(() => announceDue(app.app.system()));
  for (let i = 0; i < 21; i++) {
    app.clock.set(plus(app.clock.now(), { seconds: 1 }));
    await seedTicket(app, { company_number });
  }
  at('09:31');
  const many = await announce();
  t.is((await storedEvents(app)).filter(({ name }) => name === 'ticket.sla_warned').length, 22);
  app.clock.set('2026-03-03T08:00:00.000Z');
  await announceDue(app.app.system());
  await seedTicket(app, { company_number });
  app.clock.set('2026-03-03T08:30:00.000Z');
  const one = await announce();
  t.true(many <= one + 3, `${many} statements for 22 tickets, ${one} for one`);
});

test('a breach not noticed in time is announced after a late reply', async (t) => {
  const { app, ticket_id, level, at, reply } = await measured(t);
  at('10:20');
  await reply({ comment: 'Sorry' });
  t.like(await level(ticket_id, 'response'), {
    breached_at: '2026-03-02T10:00:00Z',
    met_at: '2026-03-02T10:20:00Z',
  });
  await app.app.scheduler.runNow('levels.announce');
  await app.app.scheduler.runNow('levels.announce');
  const told = (await storedEvents(app)).filter(({ name }) => name.startsWith('ticket.sla'));
  t.deepEqual(
    told.map(({ name, data }) => [name, data.clock, data.due_at]),
    [['ticket.sla_breached', 'response', '2026-03-02T10:00:00.000Z']],
  );
});

test('a new holiday or target replans open tickets', async (t) => {
  const { app, send, made, calendar, policy, ticket_id, level } = await measured(t);
  const run = async () => {
    app.clock.set(plus(app.clock.now(), { seconds: 5 }));
    await announceDue(app.app.system());
  };
  await made('/levels/holidays.php', { calendar_id: calendar.calendar_id, day: '2026-03-03', name: 'Founding day' });
  await run();
  t.is((await level(ticket_id, 'resolution')).due_at, '2026-03-04T09:00:00Z');
  await send('PUT', `/levels/policies.php?id=${policy.policy_id}`, {
    targets: [{ priority: 3, ...minutes(30, null, 60) }],
  });
  await run();
  t.is((await level(ticket_id, 'resolution')).due_at, '2026-03-02T10:00:00Z');
  t.is((await level(ticket_id, 'response')).due_at, '2026-03-02T09:30:00Z');
});

test('a target that a higher priority has mostly used up is warned about at once', async (t) => {
  const { app, send, ticket_id, at } = await measured(t);
  at('09:10');
  await send('PUT', `/tickets.php?id=${ticket_id}`, { priority: 1 });
  await app.app.scheduler.runNow('levels.announce');
  const told = (await storedEvents(app)).filter(({ name }) => name.startsWith('ticket.sla'));
  t.deepEqual(
    told.map(({ name, data }) => [name, data.clock, data.percent]),
    [['ticket.sla_warned', 'response', 50]],
  );
});

test('a ticket planned by another process with an old target is replanned', async (t) => {
  const { app, send, policy, employee, level, at } = await measured(t);
  const other = await secondProcess(t, app);
  const { company_number } = employee;
  const asked = (subject: string) =>
    other.system().transaction((ctx) => createTicket(ctx, { company_number, subject }));
  await asked('Before');
  const targets = [{ priority: 3, ...minutes(30, null, 60) }];
  t.is((await send('PUT', `/levels/policies.php?id=${policy.policy_id}`, { targets })).status, 200);
  const { ticket_id } = await asked('Within the two seconds of its cache');
  await announceDue(other.system());
  at('09:01');
  await announceDue(other.system());
  t.is((await level(ticket_id, 'resolution')).due_at, '2026-03-02T10:00:00Z');
});

test('recurrence rules that never match, or match too often, do not block the server', async (t) => {
  const event = (rule: string) =>
    `BEGIN:VEVENT\r\nDTSTART;VALUE=DATE:20260201\r\nSUMMARY:Odd\r\nRRULE:${rule}\r\nEND:VEVENT\r\n`;
  const calendar = (rules: readonly string[]) => `BEGIN:VCALENDAR\r\n${rules.map(event).join('')}END:VCALENDAR`;
  for (const rule of [
    'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30',
    'FREQ=SECONDLY;BYMONTH=1',
    'FREQ=MONTHLY;BYDAY=5MO;BYMONTH=2',
  ])
    t.deepEqual(readHolidays(calendar([rule]), '2026-01-01'), [{ day: '2026-02-01', name: 'Odd' }], rule);
  const often = readHolidays(calendar(Array.from({ length: 200 }, () => 'FREQ=DAILY')), '2026-01-01');
  t.is(often?.length, 1000);
});

test('a thank-you on a closed ticket does not restart its clocks', async (t) => {
  const { app, send, policy, ticket_id, level, at, reply } = await measured(t);
  at('09:30');
  await reply({ comment: 'Done', status: 'closed' });
  const before = await level(ticket_id, 'resolution');
  const strict = { targets: [{ priority: 3, response_minutes: 1, next_response_minutes: 1, resolution_minutes: 1 }] };
  t.is((await send('PUT', `/levels/policies.php?id=${policy.policy_id}`, strict)).status, 200);
  at('10:00');
  await app.run(async (ctx) => {
    const ticket = await lockTicket(ctx, ticket_id);
    await commentOnTicket(ctx, ticket, { comment: 'Thank you', is_internal: false });
  });
  await app.app.scheduler.runNow('levels.announce');
  t.deepEqual(await level(ticket_id, 'resolution'), before);
  t.is((await storedEvents(app)).filter(({ name }) => name === 'ticket.sla_breached').length, 0);
});

test('a deleted policy stops its clocks', async (t) => {
  const { app, send, policy, ticket_id, levels, at, reply } = await measured(t);
  at('09:30');
  await reply({ comment: 'Hello' });
  await send('DELETE', `/levels/policies.php?id=${policy.policy_id}`);
  t.deepEqual(
    (await levels(ticket_id)).map((each: any) => each.kind),
    ['response'],
  );
  at('12:00');
  await app.app.scheduler.runNow('levels.announce');
  await reply({ comment: 'Done', status: 'closed' });
  t.is((await levels(ticket_id)).length, 1);
});

test('a deleted ticket’s clocks are deleted', async (t) => {
  const { app, send, ticket_id } = await measured(t);
  await send('DELETE', `/tickets.php?id=${ticket_id}`);
  for (const table of [LevelTicket, LevelStep, LevelClock]) t.is(await app.app.database.count(table), 0);
});

test('Read SLA due times of tickets; List tickets due next; Read SLA compliance', async (t) => {
  const { app, send, employee, policy, ticket_id, at, reply } = await measured(t);
  const { company_number } = employee;
  const second = await seedTicket(app, { company_number });
  at('09:30');
  await reply({ comment: 'Hello', status: 'closed' });
  at('10:30');
  const { data } = (await send('GET', `/levels/due.php?ids=${ticket_id},${second.ticket_id},99`)).body;
  t.deepEqual(data, [
    {
      ticket_id: second.ticket_id,
      kind: 'response',
      due_at: '2026-03-02T10:00:00Z',
      paused_since: null,
      breached_at: null,
    },
  ]);
  const next = (await send('GET', '/levels/next.php')).body.data;
  t.like(next, { length: 1, 0: { ticket_id: second.ticket_id, kind: 'response', due_at: '2026-03-02T10:00:00Z' } });
  t.deepEqual((await send('GET', '/levels/next.php?assigned_to=1')).body.data, []);
  const rowsOf = async (query: string) => (await send('GET', `/levels/compliance.php?${query}`)).body.data;
  const figures = { clocks: 2, met: 1, breached: 1, open_breached: 1, open: 0, met_percent: 50 };
  const [response, resolution] = await rowsOf('group=policy');
  t.like(response, { policy_id: policy.policy_id, policy_name: 'Gold', kind: 'response', ...figures });
  t.like(resolution, { kind: 'resolution', clocks: 2, met: 1, breached: 0, open: 1, met_percent: 100 });
  t.like((await rowsOf('group=company'))[0], { company_number, policy_id: null, ...figures });
  t.like((await rowsOf('group=team'))[0], { name: 'No team', team_id: null, team_name: 'No team', ...figures });
  const made = await send('POST', '/teams.php', { name: 'Network' });
  const { team_id } = made.body.data;
  await send('PUT', `/tickets.php?id=${ticket_id}`, { team_id });
  const ofTeam = { team_id, team_name: 'Network', kind: 'response', clocks: 1, met: 1, breached: 0 };
  t.like((await rowsOf('group=team'))[2], ofTeam);
  t.like((await rowsOf(`group=policy&team_id=${team_id}`))[0], { kind: 'response', clocks: 1, met: 1 });
  t.like((await rowsOf('group=month'))[0], { name: '2026-03', month: '2026-03', ...figures });
  t.deepEqual(await rowsOf('group=month&from=2026-03-03'), []);
  const ticketsOf = async ({ key }: { key: string }) => {
    const { data } = (await send('GET', `/levels/compliance.php?id=${key}`)).body;
    const ids = (rows: { ticket_id: number }[]) => rows.map((each) => each.ticket_id);
    return { clocks: data.clocks, missed: ids(data.missed), others: ids(data.others) };
  };
  for (const group of ['policy', 'company', 'month'])
    t.deepEqual(
      await ticketsOf((await rowsOf(`group=${group}`))[0]),
      { clocks: 2, missed: [second.ticket_id], others: [ticket_id] },
      group,
    );
  t.deepEqual(await ticketsOf({ key: 'team-0-response' }), { clocks: 1, missed: [second.ticket_id], others: [] });
  for (const key of ['policy-99-response', 'month-3-response', 'policy-2026-03-response', 'policy-1', 'x'])
    t.is((await send('GET', `/levels/compliance.php?id=${key}`)).status, 404, key);
  t.deepEqual(await rowsOf(`company_number=${company_number + 1}`), []);
});

test('the statistics use the SLA if there is one', async (t) => {
  const { app, send, employee, ticket_id, at, reply } = await measured(t, {
    targets: [{ priority: 3, ...minutes(null, null, 30) }],
    pause_waiting_for_customer: false,
  });
  const figures = async () => (await send('GET', '/reports/metrics.php')).body.data;
  const figure = async () => (await figures()).sla_compliance;
  t.is(await figure(), 100);
  at('10:00');
  await announceDue(app.app.system());
  t.is((await storedTicket(app, ticket_id)).target_met, false);
  t.is(await figure(), 0, 'an open ticket that is late counts');
  await reply({ comment: 'Done', status: 'closed' });
  t.is((await storedTicket(app, ticket_id)).target_met, false);
  const before = await figure();
  const { ticket_id: other } = await seedTicket(app, { company_number: employee.company_number, priority: 5 });
  await send('PUT', `/tickets.php?id=${other}`, { status: 'closed' });
  t.is((await storedTicket(app, other)).target_met, null);
  t.deepEqual([before, await figure()], [0, 50]);
  await send('PUT', `/tickets.php?id=${ticket_id}`, { status: 'open' });
  t.is((await storedTicket(app, ticket_id)).target_met, false);
  t.is(await figure(), 50);
  const customer = await asEmployee(app, employee);
  t.is((await customer('GET', '/reports/metrics')).body.sla_compliance, 0, 'of their own tickets');
});

test('the average time to resolution counts working hours, without pauses', async (t) => {
  const { app, send, employee, ticket_id, at, reply } = await measured(t, {
    targets: [{ priority: 3, ...minutes(null, null, 600) }],
  });
  const average = async () => (await send('GET', '/reports/metrics.php')).body.data.avg_resolution_hours;
  at('10:00');
  await send('PUT', `/tickets.php?id=${ticket_id}`, { status: 'on_hold' });
  at('11:30');
  await send('PUT', `/tickets.php?id=${ticket_id}`, { status: 'in_progress' });
  at('12:00');
  await reply({ comment: 'Done', status: 'closed' });
  // From 09:00, less the pause.
  t.is((await storedTicket(app, ticket_id)).resolution_ms, 1.5 * 3_600_000);
  t.is(await average(), 1.5);
  const customer = await asEmployee(app, employee);
  t.is((await customer('GET', '/reports/metrics')).body.avg_resolution_hours, 1.5, 'of their own tickets');
  // Without a policy, from creation to closing.
  const { ticket_id: other } = await seedTicket(app, { company_number: employee.company_number, priority: 5 });
  at('14:30');
  await send('PUT', `/tickets.php?id=${other}`, { status: 'closed' });
  t.is((await storedTicket(app, other)).resolution_ms, null);
  t.is(await average(), 2);
  await send('PUT', `/tickets.php?id=${ticket_id}`, { status: 'open' });
  t.is((await storedTicket(app, ticket_id)).resolution_ms, null);
  t.is(await average(), 2.5);
  t.is(await repairCounter(app.app.database, OpenTime, app.app.system().now), 0);
});

test('the queue is sorted and filtered by time left; paused, answered and unmeasured tickets come last', async (t) => {
  const { send, made, policy, employee, at } = await measured(t);
  const { company_number } = employee;
  const idOf = async (more: object) =>
    (await made('/tickets.php', { company_number, subject: 'Down', ...more })).ticket_id;
  at('09:05');
  const unmeasured = await idOf({ priority: 4 });
  const urgent = await idOf({ priority: 1 });
  const later = await idOf({ priority: 3 });
  const queue = async (more = '') => {
    const { body } = await send('GET', `/tickets.php?status=unresolved&sort=time_left&order=asc${more}`);
    return body.data.map((each: any) => each.ticket_id);
  };
  // Due at 09:20, 10:00 and 10:05.
  t.deepEqual(await queue(), [urgent, 1, later, unmeasured]);
  t.deepEqual(await queue('&time_left=hour'), [urgent, 1, later]);
  t.deepEqual(await queue('&time_left=none'), [unmeasured]);
  t.deepEqual(await queue('&time_left=set&per_page=1&page=2'), [1]);
  at('09:59');
  t.deepEqual(await queue('&time_left=overdue'), [urgent]);
  await send('POST', `/tickets.php?action=reply&id=${urgent}`, { comment: 'On it', send_email: false });
  // Its resolution is paused while the customer is asked.
  t.deepEqual(await queue(), [1, later, unmeasured, urgent]);
  await send('POST', '/bulk/tickets.php', { action: 'update_priority', ticket_ids: [later, 1], priority: 1 });
  t.deepEqual(await queue('&time_left=overdue'), [1, later]);
  await send('PUT', '/tickets.php?id=1', { status: 'closed' });
  t.deepEqual(await queue(), [later, unmeasured, urgent]);
  await send('DELETE', `/levels/policies.php?id=${policy.policy_id}`);
  t.deepEqual(await queue('&time_left=set'), []);
  t.is((await send('GET', '/tickets.php?time_left=soon')).status, 400);
});

test('bulk changes and merges update clocks too', async (t) => {
  const { app, send, employee, ticket_id, at, level } = await measured(t);
  const second = await seedTicket(app, { company_number: employee.company_number });
  at('09:30');
  const ids = [ticket_id, second.ticket_id];
  const before = await app.statements(() =>
    send('POST', '/bulk/tickets.php', { action: 'update_status', ticket_ids: ids, status: 'on_hold' }),
  );
  t.log(`${before} statements`);
  for (const id of ids) t.is((await level(id, 'resolution')).paused_since, '2026-03-02T09:30:00Z');
  at('10:00');
  await send('POST', `/tickets.php?action=merge&id=${second.ticket_id}`, { into: ticket_id });
  t.is((await level(second.ticket_id, 'resolution')).met_at, '2026-03-02T10:00:00Z');
  t.is((await level(ticket_id, 'resolution')).met_at, null);
});

test('a policy for a contract applies to the tickets the contract covers', async (t) => {
  const app = await startApp(t, { clock: testClock(MONDAY) });
  const { send, made, levels } = await desk(app);
  const employee = await seedEmployee(app);
  const { company_number } = employee;
  const asset = await seedAsset(app, employee);
  const [one, whole] = await app.run(async (ctx) => {
    const dates = { company_number, start_date: '2026-01-01', end_date: '2026-12-31' };
    return [
      await createContract(ctx, { ...dates, name: 'Server', asset_ids: [asset.asset_id] }),
      await createContract(ctx, { ...dates, name: 'Everything' }),
    ];
  });
  const of = (name: string, more: object) => made('/levels/policies.php', { ...gold, name, ...more });
  await of('Server', { contract_id: one?.contract_id, position: 1 });
  const ticketOf = async (more: object) =>
    (await made('/tickets.php', { company_number, subject: 'Down', ...more })).ticket_id;
  t.deepEqual(await levels(await ticketOf({})), []);
  const named = await ticketOf({ asset_ids: [asset.asset_id] });
  t.is((await levels(named))[0].policy_name, 'Server');
  await of('Everything', { contract_id: whole?.contract_id, company_number });
  t.is((await levels(await ticketOf({})))[0].policy_name, 'Everything');
  const other = await seedEmployee(app);
  const refused = { ...gold, name: 'X', contract_id: whole?.contract_id, company_number: other.company_number };
  t.is(
    (await send('POST', '/levels/policies.php', refused)).body.error,
    'contract_id must be a contract of the company',
  );
});

test('the first policy whose conditions a ticket meets applies, also after its category or assets change', async (t) => {
  const app = await startApp(t, { clock: testClock(MONDAY) });
  const { send, made, levels } = await desk(app);
  const employee = await seedEmployee(app);
  const { company_number } = employee;
  const [server, printer] = await Promise.all(
    ['Server', 'Printer'].map((asset_type) => seedAsset(app, { company_number, asset_type })),
  );
  const policies = [
    { position: 1, job_type: 'Network', asset_type: 'server' },
    { position: 2, asset_type: 'SERVER' },
    { position: 3, job_type: 'Hardware', asset_type: 'Printer' },
    { position: 4, job_type: 'Network' },
    { position: 5, asset_type: 'Printer', active: false },
  ];
  for (const each of policies) {
    const targets = [{ priority: 3, ...minutes(each.position, null, 60) }];
    await made('/levels/policies.php', { name: `P${each.position}`, targets, ...each });
  }
  const { ticket_id } = await made('/tickets.php', { company_number, subject: 'Down' });
  const same = (a: string | undefined, b: string) => a === undefined || a.toLowerCase() === b.toLowerCase();
  for (const job_type of ['Network', 'Hardware', 'Other'])
    for (const assets of [[], [server], [printer], [printer, server]]) {
      const ids = { asset_ids: assets.map((each) => each?.asset_id) };
      t.is((await send('PUT', `/tickets.php?id=${ticket_id}`, { job_type, ...ids })).status, 200);
      const expected = policies.find(
        (each) =>
          each.active !== false &&
          same(each.job_type, job_type) &&
          (each.asset_type === undefined || assets.some((its) => same(each.asset_type, its?.asset_type ?? ''))),
      );
      const [first] = await levels(ticket_id);
      const target = expected && { policy_name: `P${expected.position}`, target_minutes: expected.position };
      t.deepEqual(first && { policy_name: first.policy_name, target_minutes: first.target_minutes }, target);
      if (expected) t.is(first.due_at, `2026-03-02T09:0${expected.position}:00Z`);
    }
  // A merge brings the other ticket's assets.
  const { ticket_id: other } = await made('/tickets.php', {
    company_number,
    subject: 'Also down',
    asset_ids: [server?.asset_id],
  });
  await send('PUT', `/tickets.php?id=${ticket_id}`, { asset_ids: [] });
  t.deepEqual(await levels(ticket_id), []);
  await send('POST', `/tickets.php?action=merge&id=${other}`, { into: ticket_id });
  t.is((await levels(ticket_id))[0].policy_name, 'P2');
});

test('a ticket created, answered and closed in one transaction has its clocks', async (t) => {
  const { app, employee, levels } = await measured(t);
  const { ticket_id } = await app.run(async (ctx) => {
    const ticket = await createTicket(ctx, { company_number: employee.company_number, subject: 'Quick' });
    return closeTicket(ctx, ticket);
  });
  t.deepEqual(
    (await levels(ticket_id)).map((each: any) => [each.kind, each.met_at]),
    [
      ['response', '2026-03-02T09:00:00Z'],
      ['resolution', '2026-03-02T09:00:00Z'],
    ],
  );
});

test('a pending approval stops all clocks', async (t) => {
  const app = await startApp(t, { clock: testClock(MONDAY) });
  const { made, level } = await desk(app);
  await made('/levels/policies.php', gold);
  const { member, manager } = await seedTeam(app, { require_approval: true });
  const ask = await asEmployee(app, member);
  const { ticket_id } = (await ask('POST', '/tickets', { subject: 'Headset', description: 'Please' })).body;
  for (const kind of ['response', 'resolution'])
    t.is((await level(ticket_id, kind)).paused_since, '2026-03-02T09:00:00Z');
  app.clock.set('2026-03-02T10:00:00.000Z');
  const decide = await asEmployee(app, manager);
  t.is((await decide('POST', `/tickets/${ticket_id}/approve`)).status, 200);
  t.like(await level(ticket_id, 'response'), { paused_since: null, due_at: '2026-03-02T11:00:00Z' });
});

test('customers see nothing of service levels', async (t) => {
  const { customer, ticket_id, app } = await measured(t);
  t.false(JSON.stringify((await customer('GET', `/tickets/${ticket_id}`)).body).includes('service_level'));
  const narrow = await asKey(app, ['settings:read']);
  t.is((await narrow('GET', '/levels/compliance.php')).status, 403);
  t.is((await narrow('POST', '/levels/calendars.php', office)).status, 403);
});

test('List the targets of a ticket: its customer sees them if the policy is shown to customers', async (t) => {
  const { app, send, policy, customer, at, reply } = await measured(t);
  const seen = async () => (await customer('GET', '/tickets/1/service-levels')).body.service_levels;
  t.deepEqual(await seen(), [], 'policies are not shown unless set');
  const path = `/levels/policies.php?id=${policy.policy_id}`;
  t.true((await send('PUT', path, { shown_to_customers: true })).body.data.shown_to_customers);
  t.deepEqual(await seen(), [
    { kind: 'response', due_at: '2026-03-02T10:00:00Z', paused: false, met_at: null },
    { kind: 'resolution', due_at: '2026-03-03T09:00:00Z', paused: false, met_at: null },
  ]);
  at('09:30');
  await reply({ comment: 'What colour is the smoke?' });
  t.deepEqual(await seen(), [
    { kind: 'response', due_at: null, paused: false, met_at: '2026-03-02T09:30:00Z' },
    { kind: 'resolution', due_at: null, paused: true, met_at: null },
  ]);
  const stranger = await asEmployee(app, await seedEmployee(app));
  const [theirs, absent] = [
    await stranger('GET', '/tickets/1/service-levels'),
    await stranger('GET', '/tickets/999/service-levels'),
  ];
  t.is(theirs.status, 404);
  t.is(theirs.text, absent.text);
});

test('outages of the company pause all clocks of policies that say so, from start to end', async (t) => {
  const { app, level, ticket_id, at, employee } = await measured(t, { pause_during_outages: true });
  const response = () => level(ticket_id, 'response');
  t.is((await response()).due_at, '2026-03-02T10:00:00Z');
  const service_id = await seedService(app, 'Email');
  const elsewhere = await seedEmployee(app);

  at('09:20');
  const own = await app.run((ctx) =>
    createOutage(ctx, { service_id, company_number: employee.company_number, title: 'Mail is down' }),
  );
  const other = { service_id, company_number: elsewhere.company_number, title: 'Theirs is down' };
  await app.run((ctx) => createOutage(ctx, other));
  at('09:30');
  await app.app.scheduler.runNow('levels.announce');
  t.like(await response(), {
    ...{ due_at: null, paused_since: '2026-03-02T09:20:00Z', paused_by: 'outage', remaining_minutes: 40 },
  });
  t.is((await level(ticket_id, 'resolution')).paused_since, '2026-03-02T09:20:00Z');

  at('10:30');
  t.is((await response()).breached_at, null);
  await app.run((ctx) => updateOutage(ctx, own, { status: 'resolved' }));
  at('10:31');
  await app.app.scheduler.runNow('levels.announce');
  t.like(await response(), { due_at: '2026-03-02T11:10:00Z', paused_since: null, breached_at: null });

  // Made active again, it pauses again; the first time still counts.
  await app.run(async (ctx) => updateOutage(ctx, await lock(ctx, Outages, own.outage_id), { status: 'active' }));
  at('10:41');
  await app.app.scheduler.runNow('levels.announce');
  t.like(await response(), { due_at: null, paused_since: '2026-03-02T10:31:00Z' });
  await app.run(async (ctx) => updateOutage(ctx, await lock(ctx, Outages, own.outage_id), { status: 'resolved' }));
  at('10:47');
  await app.app.scheduler.runNow('levels.announce');
  t.is((await response()).due_at, '2026-03-02T11:20:00Z');

  // Another company's outage, or one of a service that the company does not use, pauses nothing.
  const unused = await seedService(app, 'Internet');
  await app.run((ctx) => chooseServices(ctx, employee.company_number, [service_id]));
  await app.run((ctx) => createOutage(ctx, { service_id: unused, title: 'The line is down' }));
  at('10:55');
  await app.app.scheduler.runNow('levels.announce');
  t.is((await response()).due_at, '2026-03-02T11:20:00Z');
});

test('outages pause nothing unless the policy says so', async (t) => {
  const { app, level, ticket_id, at } = await measured(t);
  const service_id = await seedService(app, 'Email');
  at('09:20');
  await app.run((ctx) => createOutage(ctx, { service_id, title: 'Mail is down' }));
  at('09:30');
  await app.app.scheduler.runNow('levels.announce');
  t.is((await level(ticket_id, 'response')).due_at, '2026-03-02T10:00:00Z');
});
