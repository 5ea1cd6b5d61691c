// Activities.
import { openApp, type TestApp } from '@keelson/testing';
import test from 'ava';
import { seedTechnician } from '../accounts-seed.ts';
import { add, asCrm, eventsOf, refusals, refused, type Send } from '../crm-seed.ts';

let app: TestApp;
let send: Send;
let lead_id = 0;
test.before(async () => {
  app = await openApp();
  send = await asCrm(app);
  lead_id = (await add(send, '/leads', { phone: '1' })).lead_id;
});
test.after.always(() => app.close());

const log = (given: object = {}) =>
  add(send, '/activities', { type: 'task', subject: 'Do it', entity_type: 'lead', entity_id: lead_id, ...given });

test.serial('Log activity', async (t) => {
  const { user_id } = await seedTechnician(app);
  const answer = await send('POST', '/activities', {
    type: 'Meeting',
    subject: 'Kick-off',
    description: 'On site',
    entity_type: 'Lead',
    entity_id: lead_id,
    assigned_to: user_id,
    due_date: '2026-03-10T08:00:00',
    duration_minutes: 90,
  });
  t.is(answer.status, 201);
  const { activity_id, created_by } = answer.body.data;
  t.regex(created_by, /^Key /, 'the key’s name');
  t.deepEqual(answer.body.data, {
    activity_id,
    type: 'meeting',
    subject: 'Kick-off',
    description: 'On site',
    entity_type: 'lead',
    entity_id: lead_id,
    entity_name: '1',
    assigned_to: user_id,
    due_date: '2026-03-10T08:00:00Z',
    duration_minutes: 90,
    completed: false,
    completed_at: null,
    created_by,
    created_at: '2026-03-02T09:00:00Z',
    updated_at: '2026-03-02T09:00:00Z',
  });
  for (const [body, error] of [
    [{}, 'type is required; subject is required; entity_type is required; entity_id is required'],
    [
      { type: 'fax', subject: 'x', entity_type: 'lead', entity_id: 1 },
      'type must be one of: call, email, meeting, task, note',
    ],
    [{ type: 'call', subject: 'x', entity_type: 'contact', entity_id: 99 }, 'entity_id must be an existing contact'],
    [
      { type: 'call', subject: 'x', entity_type: 'lead', entity_id: lead_id, due_date: 'soon' },
      'due_date must be an ISO 8601 timestamp',
    ],
    [
      { type: 'call', subject: 'x', entity_type: 'lead', entity_id: lead_id, assigned_to: 99 },
      'assigned_to must be an active technician',
    ],
  ] as const) {
    const wrong = await send('POST', '/activities', body);
    t.deepEqual([wrong.status, wrong.body.error], [400, error]);
  }
});

test.serial('Read an activity', async (t) => {
  const { activity_id } = await log();
  const answer = await send('GET', `/activities/${activity_id}`);
  t.deepEqual([answer.status, answer.body.data.subject], [200, 'Do it']);
  t.deepEqual((await send('GET', '/activities/999')).body, {
    success: false,
    error: 'Activity not found',
    code: 'NOT_FOUND',
  });
});

test.serial('Complete or change an activity', async (t) => {
  const { activity_id } = await log({ due_date: '2026-03-04T00:00:00Z' });
  const change = (body: unknown) => send('PUT', `/activities/${activity_id}`, body);
  app.clock.set('2026-03-03T10:00:00.000Z');
  let answer = await change({ due_date: null });
  t.is(answer.body.data.due_date, null);
  const events = await eventsOf(app, async () => (answer = await change({ completed: true })));
  t.like(answer.body.data, { completed: true, completed_at: '2026-03-03T10:00:00Z' });
  t.deepEqual(events, [
    [
      'activity.completed',
      {
        activity_id,
        type: 'task',
        subject: 'Do it',
        entity_type: 'lead',
        entity_id: lead_id,
        completed_at: '2026-03-03T10:00:00.000Z',
      },
    ],
  ]);
  app.clock.set('2026-03-04T10:00:00.000Z');
  t.deepEqual(await eventsOf(app, () => change({ completed: true })), []);
  t.is((await change({ completed: true, subject: 'Done' })).body.data.completed_at, '2026-03-03T10:00:00Z');
  t.like((await change({ completed: false })).body.data, { completed: false, completed_at: null });
  t.is((await change({ completed: 'yes' })).body.error, 'completed must be true or false');
  t.is((await change({})).body.error, 'No fields to update');
  t.is((await send('PUT', '/activities/999', { completed: true })).status, 404);
});

test.serial('List activities', async (t) => {
  const { user_id } = await seedTechnician(app);
  const { prospect_id } = await add(send, '/prospects', { name: 'Busy' });
  const about = { entity_type: 'prospect', entity_id: prospect_id };
  const a = await log({ ...about, type: 'call' });
  const b = await log({ ...about, type: 'email', assigned_to: user_id });
  const c = await log({ ...about, type: 'call' });
  await send('PUT', `/activities/${a.activity_id}`, { completed: true });
  const ids = async (query: string) => {
    const answer = await send('GET', `/activities?${query}`);
    t.is(answer.body.pagination.total, answer.body.data.length);
    return answer.body.data.map((each: { activity_id: number }) => each.activity_id);
  };
  const its = `entity_type=prospect&entity_id=${prospect_id}`;
  for (const [query, wanted] of [
    [its, [c, b, a]],
    ['entity_type=prospect', [c, b, a]],
    ['entity_type=prospect&type=CALL', [c, a]],
    [`${its}&completed=true`, [a]],
    ['entity_type=prospect&completed=0', [c, b]],
    ['entity_type=prospect&type=call&completed=false', [c]],
    [`assigned_to=${user_id}`, [b]],
    ['entity_type=opportunity', []],
  ] as const) {
    t.deepEqual(
      await ids(query),
      wanted.map((each) => each.activity_id),
      query,
    );
  }
  t.is((await send('GET', '/activities?entity_id=1')).body.error, 'entity_type is required with entity_id');
  t.is((await send('GET', '/activities?completed=maybe')).status, 400);
  t.is((await send('GET', '/activities?type=fax')).status, 400);
  t.is((await send('GET', `/activities?${its}&per_page=2&page=2`)).body.data[0].activity_id, a.activity_id);
  t.true((await app.fewestStatements(() => send('GET', '/activities?completed=true'))) <= 6);
});

test.serial('List activities by due date', async (t) => {
  const { lead_id: own } = await add(send, '/leads', { phone: '2' });
  const { clock } = app;
  clock.set('2026-04-01T12:00:00.000Z');
  const due = (subject: string, due_date: string | null) => log({ entity_id: own, subject, due_date });
  await due('none', null);
  await due('in a week', '2026-04-08T00:00:00Z');
  const done = await due('done', '2026-03-31T12:00:00Z');
  await send('PUT', `/activities/${done.activity_id}`, { completed: true });
  await due('tonight', '2026-04-01T23:59:59Z');
  await due('this morning', '2026-04-01T08:00:00Z');
  await due('in six days', '2026-04-07T23:59:59Z');
  const subjects = async (query: string) => {
    const { body } = await send('GET', `/activities?entity_type=lead&entity_id=${own}&${query}`);
    return body.data.map((each: { subject: string }) => each.subject);
  };
  const dated = ['done', 'this morning', 'tonight', 'in six days', 'in a week'];
  t.deepEqual(await subjects('due=set&sort=due_date&order=asc'), dated);
  t.deepEqual(await subjects('due=set&sort=due_date'), dated.toReversed());
  for (const [query, wanted] of [
    ['due=none', ['none']],
    ['due=overdue', ['this morning']],
    ['due=today', ['this morning', 'tonight']],
    ['due=week', ['in six days', 'this morning', 'tonight']],
    ['completed=false&due_before=2026-04-01', ['this morning', 'tonight']],
    ['due_after=2026-04-01T20:00:00Z&due_before=2026-04-07', ['in six days', 'tonight']],
  ] as const)
    t.deepEqual(await subjects(query), wanted, query);
  t.is((await send('GET', '/activities?due=soon')).body.error, 'due must be one of: overdue, today, week, set, none');
});

test.serial('Delete an activity', async (t) => {
  const { activity_id } = await log();
  const answer = await send('DELETE', `/activities/${activity_id}`);
  t.deepEqual([answer.status, answer.body], [200, { success: true, data: { activity_id, deleted: true } }]);
  t.is((await send('GET', `/activities/${activity_id}`)).status, 404);
});

test.serial('activities: access', async (t) => {
  const { activity_id } = await log();
  for (const [method, path, permission] of [
    ['GET', '/activities', 'activities:read'],
    ['POST', '/activities', 'activities:write'],
    ['GET', `/activities/${activity_id}`, 'activities:read'],
    ['PUT', `/activities/${activity_id}`, 'activities:write'],
    ['DELETE', `/activities/${activity_id}`, 'activities:write'],
  ] as const) {
    const { stranger, without, visitor } = await refusals(app, method, path, permission);
    t.is(stranger.status, 401);
    for (const each of [without, visitor]) t.deepEqual([each.status, each.body], [403, refused], `${method} ${path}`);
  }
});

test.serial('an activity names its record to those who may read the record', async (t) => {
  const person = { first_name: 'Ada', last_name: 'Byron' };
  const records = [
    ['lead', (await add(send, '/leads', { ...person, phone: '1' })).lead_id, 'Ada Byron'],
    ['contact', (await add(send, '/people', { email: 'grace@navy.example' })).contact_id, 'grace@navy.example'],
    ['opportunity', (await add(send, '/opportunities', { name: 'New laptops' })).opportunity_id, 'New laptops'],
    ['prospect', (await add(send, '/prospects', { name: 'Analytical Engines' })).prospect_id, 'Analytical Engines'],
  ] as const;
  for (const [entity_type, entity_id] of records) await log({ entity_type, entity_id });
  const namesFor = async (reader: Send) =>
    (await reader('GET', '/activities?per_page=4')).body.data.map((each: { entity_name: string }) => each.entity_name);
  const names = records.map(([, , name]) => name).toReversed();
  t.deepEqual(await namesFor(send), names);
  t.deepEqual(await namesFor(await asCrm(app, ['activities:read'])), [null, null, null, null]);
  t.deepEqual(await namesFor(await asCrm(app, ['activities:read', 'leads:read'])), [null, null, null, 'Ada Byron']);
  const [[, lead]] = records;
  await send('PUT', `/leads/${lead}`, { last_name: 'Lovelace' });
  t.is((await namesFor(send)).at(-1), 'Ada Lovelace', 'renamed');
  const called = await send('POST', `/leads/${lead}/activities`, { type: 'call', subject: 'Asked for prices' });
  t.is(called.body.data.entity_name, 'Ada Lovelace', 'logged with the lead');
});
