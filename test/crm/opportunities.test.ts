// Opportunities and their stages.
import { changeDropdown } from '@keelson/core/system';
import { openApp, type TestApp } from '@keelson/testing';
import test from 'ava';
import { seedTechnician } from '../accounts-seed.ts';
import { add, asCrm, eventsOf, refusals, refused, type Send } from '../crm-seed.ts';

let app: TestApp;
let send: Send;
test.before(async () => {
  app = await openApp();
  send = await asCrm(app);
});
test.after.always(() => app.close());

const open = (given: object = {}) => add(send, '/opportunities', { name: 'Deal', ...given });
const change = (id: number, body: unknown) => send('PUT', `/opportunities/${id}`, body);
const advance = (id: number) => send('POST', `/opportunities/${id}/advance-stage`);

test.serial('Open an opportunity', async (t) => {
  const { user_id } = await seedTechnician(app);
  const { prospect_id } = await add(send, '/prospects', { name: 'North Wind' });
  let answer = await send('GET', '/opportunities');
  t.is(answer.body.pagination.total, 0);
  const events = await eventsOf(app, async () => {
    answer = await send('POST', '/opportunities', {
      name: 'Managed network',
      prospect_id,
      stage: 'Qualification',
      value: 1999.99,
      expected_close_date: '2026-05-01T10:00:00Z',
      assigned_to: user_id,
    });
  });
  t.is(answer.status, 201, answer.text);
  const { opportunity_id } = answer.body.data;
  t.deepEqual(answer.body, {
    success: true,
    data: {
      opportunity_id,
      name: 'Managed network',
      prospect_id,
      prospect_name: 'North Wind',
      contact_id: null,
      lead_id: null,
      stage: 'qualification',
      status: 'open',
      value: 1999.99,
      currency: 'USD',
      probability: 25,
      expected_close_date: '2026-05-01',
      assigned_to: user_id,
      lost_reason: null,
      closed_at: null,
      custom_fields: {},
      created_at: '2026-03-02T09:00:00Z',
      updated_at: '2026-03-02T09:00:00Z',
    },
  });
  const data = {
    opportunity_id,
    name: 'Managed network',
    prospect_id,
    stage: 'qualification',
    value: 1999.99,
    status: 'open',
  };
  t.deepEqual(events, [['opportunity.created', data]]);
  t.like(await open(), { stage: 'prospecting', probability: 10, value: 0 });
  t.like(await open({ stage: 'NEGOTIATION', probability: 33 }), { stage: 'negotiation', probability: 33 });
});

test.serial('Open an opportunity: rejects invalid input', async (t) => {
  for (const [body, error] of [
    [{}, 'name is required'],
    [{ name: ' ' }, 'name is required'],
    [{ name: 'x', stage: 'signing' }, /^stage must be one of: prospecting, /],
    [{ name: 'x', value: -1 }, 'value must be at least 0'],
    [{ name: 'x', value: 1.999 }, 'value must be an amount with at most 2 decimals'],
    [{ name: 'x', value: '5' }, 'value must be a number'],
    [{ name: 'x', probability: 101 }, 'probability must be between 0 and 100'],
    [{ name: 'x', prospect_id: 999 }, 'prospect_id must be an existing prospect'],
    [
      { name: 'x', contact_id: 999, assigned_to: 999 },
      'assigned_to must be an active technician; contact_id must be an existing contact',
    ],
    [{ name: 'x', expected_close_date: '2026-02-30' }, 'expected_close_date must be a date (YYYY-MM-DD)'],
  ] as const) {
    const answer = await send('POST', '/opportunities', body);
    t.deepEqual([answer.status, answer.body.code], [400, 'VALIDATION_ERROR']);
    if (typeof error === 'string') t.is(answer.body.error, error);
    else t.regex(answer.body.error, error);
  }
});

test.serial('Advance an opportunity to its next stage', async (t) => {
  const { opportunity_id } = await open({ value: 500, prospect_id: null });
  const stages: string[] = [];
  for (let i = 0; i < 4; i++) {
    const answer = await advance(opportunity_id);
    t.is(answer.status, 200);
    stages.push(`${answer.body.data.stage} ${answer.body.data.probability}`);
  }
  t.deepEqual(stages, ['qualification 25', 'discovery 40', 'proposal 60', 'negotiation 80']);
  app.clock.set('2026-03-05T09:00:00.000Z');
  let answer = await send('GET', '/opportunities');
  const events = await eventsOf(app, async () => (answer = await advance(opportunity_id)));
  t.like(answer.body.data, { stage: 'closed_won', status: 'won', probability: 100, closed_at: '2026-03-05T09:00:00Z' });
  const data = { opportunity_id, name: 'Deal', prospect_id: null, stage: 'closed_won', value: 500, status: 'won' };
  t.deepEqual(events, [
    ['opportunity.stage_changed', { ...data, previous_stage: 'negotiation' }],
    ['opportunity.won', data],
  ]);
  const beyond = await advance(opportunity_id);
  t.deepEqual(beyond.body, { success: false, error: 'A won opportunity has no next stage', code: 'VALIDATION_ERROR' });
  t.is(beyond.status, 400);
  t.is((await advance(99_999)).status, 404);
  const { without, stranger } = await refusals(
    app,
    'POST',
    `/opportunities/${opportunity_id}/advance-stage`,
    'opportunities:write',
  );
  t.deepEqual([stranger.status, without.status, without.body], [401, 403, refused]);
});

test.serial('Advance an opportunity to its next stage: concurrent calls each advance it', async (t) => {
  const { opportunity_id } = await open();
  const answers = await Promise.all([advance(opportunity_id), advance(opportunity_id), advance(opportunity_id)]);
  t.deepEqual(
    answers.map((each) => String(each.body.data.stage)).toSorted((a, b) => a.localeCompare(b)),
    ['discovery', 'proposal', 'qualification'],
  );
});

test.serial('Update an opportunity', async (t) => {
  const { opportunity_id } = await open({ stage: 'proposal' });
  const names = async (work: () => Promise<unknown>) => (await eventsOf(app, work)).map(([name]) => name);
  let answer = await change(opportunity_id, { value: 10.1 });
  t.is(answer.body.data.value, 10.1);
  t.deepEqual(await names(() => change(opportunity_id, { stage: 'closed-won' })), [
    'opportunity.stage_changed',
    'opportunity.won',
  ]);
  answer = await change(opportunity_id, { status: 'lost' });
  t.is(answer.body.error, 'status cannot change from won to lost: reopen it first');
  t.deepEqual(await names(() => change(opportunity_id, { status: 'open' })), ['opportunity.stage_changed']);
  answer = await send('GET', `/opportunities/${opportunity_id}`);
  t.like(answer.body.data, { stage: 'proposal', status: 'open', probability: 60, closed_at: null });
  t.deepEqual(
    await names(() => change(opportunity_id, { ...answer.body.data, status: 'lost', lost_reason: 'Price' })),
    ['opportunity.lost', 'opportunity.stage_changed'],
  );
  answer = await send('GET', `/opportunities/${opportunity_id}`);
  t.like(answer.body.data, { stage: 'closed_lost', status: 'lost', probability: 0, lost_reason: 'Price' });
  answer = await change(opportunity_id, { stage: 'discovery', probability: 45 });
  t.like(answer.body.data, { stage: 'discovery', status: 'open', probability: 45, lost_reason: null, closed_at: null });
  t.deepEqual(await names(() => change(opportunity_id, answer.body.data)), [], 'a change of nothing');
  t.is(
    (await change(opportunity_id, { stage: 'proposal', status: 'won' })).body.error,
    'status won does not match the stage',
  );
  t.is((await change(opportunity_id, { stage: 'nowhere' })).status, 400);
  t.is((await change(opportunity_id, { unknown: 1 })).body.error, 'No fields to update');
  t.is((await change(99_999, { name: 'x' })).status, 404);
});

test.serial('Read an opportunity with its history and links', async (t) => {
  const prospect = await add(send, '/prospects', { name: 'Linked' });
  const contact = await add(send, '/people', { first_name: 'Ann', email: 'ann@linked.example' });
  const { prospect_id } = prospect;
  const { contact_id } = contact;
  const { opportunity_id } = await open({ prospect_id, contact_id });
  await add(send, '/activities', {
    entity_type: 'opportunity',
    entity_id: opportunity_id,
    type: 'meeting',
    subject: 'Demo',
  });
  await add(send, '/notes', { entity_type: 'opportunity', entity_id: opportunity_id, content: 'Keen' });
  const { data } = (await send('GET', `/opportunities/${opportunity_id}`)).body;
  t.deepEqual(data.linked_entities, {
    prospect: { prospect_id, name: 'Linked', status: 'active' },
    contact: { contact_id, first_name: 'Ann', last_name: '', email: 'ann@linked.example' },
    lead: null,
  });
  t.deepEqual([data.activities[0].subject, data.notes[0].content], ['Demo', 'Keen']);
  await send('DELETE', `/prospects/${prospect_id}`);
  await send('DELETE', `/people/${contact_id}`);
  t.like((await send('GET', `/opportunities/${opportunity_id}`)).body.data, {
    prospect_id: null,
    prospect_name: null,
    contact_id: null,
    linked_entities: { prospect: null, contact: null, lead: null },
  });
});

test.serial('List opportunities: every filter, newest first', async (t) => {
  const { user_id } = await seedTechnician(app);
  const { prospect_id } = await add(send, '/prospects', { name: 'Lister' });
  const a = await open({ prospect_id, value: 100 });
  const b = await open({ prospect_id, value: 250.5, stage: 'proposal' });
  const c = await open({ prospect_id, value: 900, stage: 'proposal', assigned_to: user_id });
  await change(c.opportunity_id, { status: 'won' });
  const ids = async (query: string) => {
    const answer = await send('GET', `/opportunities?prospect_id=${prospect_id}&${query}`);
    t.is(answer.body.pagination.total, answer.body.data.length);
    return answer.body.data.map((each: { opportunity_id: number }) => each.opportunity_id);
  };
  for (const [query, wanted] of [
    ['', [c, b, a]],
    ['status=open', [b, a]],
    ['status=Won', [c]],
    ['status=all&stage=Closed%20Won', [c]],
    ['stage=proposal', [b]],
    ['stage=nowhere', []],
    [`assigned_to=${user_id}`, [c]],
    ['min_value=250.5', [c, b]],
    ['min_value=100.01&max_value=250.50', [b]],
    ['min_value=500&max_value=100', []],
    ['min_value=-5', [c, b, a]],
  ] as const) {
    t.deepEqual(
      await ids(query),
      wanted.map((each) => each.opportunity_id),
      query,
    );
  }
  t.is((await send('GET', '/opportunities?prospect_id=99999')).body.pagination.total, 0);
  t.is((await send('GET', '/opportunities?min_value=much')).body.error, 'min_value must be a number');
  t.is((await send('GET', '/opportunities?status=closed')).status, 400);
  t.true((await app.fewestStatements(() => send('GET', '/opportunities?status=open'))) <= 6);
  const paged = (await send('GET', `/opportunities?prospect_id=${prospect_id}&per_page=2&page=2`)).body;
  t.deepEqual(paged.pagination, { page: 2, per_page: 2, total: 3, total_pages: 2 });
  const { stranger, without, visitor } = await refusals(app, 'GET', '/opportunities', 'opportunities:read');
  t.deepEqual([stranger.status, without.status, visitor.status], [401, 403, 403]);
});

test.serial('List opportunities', async (t) => {
  const { body } = await send('GET', '/opportunities?per_page=1');
  t.deepEqual(Object.keys(body), ['success', 'data', 'pagination']);
  t.is(body.data.length, 1);
});

test.serial('Delete an opportunity', async (t) => {
  const { opportunity_id } = await open();
  const answer = await send('DELETE', `/opportunities/${opportunity_id}`);
  t.deepEqual([answer.status, answer.body], [200, { success: true, data: { opportunity_id, deleted: true } }]);
  t.is((await send('GET', `/opportunities/${opportunity_id}`)).status, 404);
  t.is((await advance(opportunity_id)).status, 404);
  const { without } = await refusals(app, 'DELETE', `/opportunities/${opportunity_id}`, 'opportunities:write');
  t.is(without.status, 403);
});

test.serial('custom pipeline stages', async (t) => {
  const { opportunity_id } = await open({ stage: 'discovery' });
  const list = app.app.plugins.flatMap((each) => each.dropdowns ?? []).find((each) => each.name === 'pipeline_stages');
  await app.run(async (ctx) => list && changeDropdown(ctx, list, ['First Talk', 'offer', 'closed_won', 'closed_lost']));
  t.like(await open({ stage: 'first-talk' }), { stage: 'First Talk', probability: 10 });
  t.like(await open({ stage: 'offer' }), { probability: 80 });
  t.is((await advance(opportunity_id)).body.error, 'stage is no longer part of the pipeline: set another one');
  t.is((await send('GET', '/opportunities?stage=discovery')).body.data[0].opportunity_id, opportunity_id);
  t.is((await change(opportunity_id, { stage: 'offer' })).body.data.stage, 'offer');
  t.is((await advance(opportunity_id)).body.data.status, 'won');
});
