// Leads: captured, listed, changed, deleted.
import { openApp, startApp, type TestApp } from '@keelson/testing';
import test from 'ava';
import { seedTechnician } from '../accounts-seed.ts';
import { add, asCrm, eventsOf, linesOf, refusals, refused, type Send } from '../crm-seed.ts';

let shared: { app: TestApp; send: Send };
test.before(async () => {
  const app = await openApp();
  shared = { app, send: await asCrm(app) };
});
test.after.always(() => shared.app.close());

/** Starts a separate app for tests that count rows or expect specific ids. */
async function start(t: Parameters<typeof startApp>[0]): Promise<{ app: TestApp; send: Send }> {
  const app = await startApp(t);
  return { app, send: await asCrm(app) };
}

const jane = {
  first_name: 'Jane',
  last_name: 'Doe',
  email: 'Jane.Doe@example.com',
  phone: '+1 555 010',
  company_name: 'Doe & Co',
  source: 'Website',
  form_type: 'contact',
  raw_payload: { question: 'How much?', seats: 12, trial: true },
};

test.serial('Create a lead', async (t) => {
  const { app, send } = await start(t);
  let answer = await send('GET', '/leads');
  const events = await eventsOf(app, async () => (answer = await send('POST', '/leads', jane)));
  t.is(answer.status, 201);
  t.deepEqual(answer.body, {
    success: true,
    data: { lead_id: 1, status: 'new', created_at: '2026-03-02T09:00:00Z' },
  });
  t.deepEqual(events, [['lead.created', { lead_id: 1, email: 'Jane.Doe@example.com', source: 'website' }]]);
  t.deepEqual(await linesOf(app, () => send('POST', '/leads', { phone: '1' })), ['create lead 2']);
  t.is((await send('GET', '/leads/2')).body.data.source, 'api', 'the usual source');
});

test.serial('Create a lead: rejects invalid input', async (t) => {
  const { send } = shared;
  const error = async (body: unknown) => {
    const answer = await send('POST', '/leads', body);
    t.is(answer.body.code, 'VALIDATION_ERROR');
    t.is(answer.status, 400);
    return answer.body.error;
  };
  t.is(await error({ first_name: 'Jane' }), 'Enter an email or a phone number');
  t.is(await error({ email: 'nonsense' }), 'email must be an email address');
  t.is(
    await error({ email: 'a@b.co', raw_payload: { a: { b: 1 } } }),
    'raw_payload.a must be text or a number or true or false',
  );
  t.is(
    await error({ phone: '1', raw_payload: Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`k${i}`, ''])) }),
    'raw_payload must have at most 100 members',
  );
  t.is(await error({ phone: '1', raw_payload: { a: 'x'.repeat(65_536) } }), 'raw_payload must be at most 64 KiB');
  t.is(await error({ phone: '1', first_name: 3 }), 'first_name must be text');
});

test.serial('Create a lead: an email is taken while the lead is open', async (t) => {
  const { send } = shared;
  const first = await add(send, '/leads', { email: 'a@example.com' });
  const again = await send('POST', '/leads', { email: 'A@Example.com' });
  t.is(again.status, 409);
  t.deepEqual(again.body, { success: false, error: 'A lead with this email already exists', code: 'DUPLICATE' });
  await send('PUT', `/leads/${first.lead_id}`, { status: 'unqualified' });
  const second = await add(send, '/leads', { email: 'a@example.com' });
  t.is(
    (await send('PUT', `/leads/${first.lead_id}`, { status: 'new' })).status,
    409,
    'not back while the other is there',
  );
  await send('DELETE', `/leads/${second.lead_id}`);
  t.is((await send('PUT', `/leads/${first.lead_id}`, { status: 'new' })).status, 200);
});

test.serial('Read a lead with its history and links', async (t) => {
  const { send } = await start(t);
  const { lead_id } = await add(send, '/leads', jane);
  await add(send, `/leads/${lead_id}/activities`, { type: 'call', subject: 'First call' });
  await add(send, '/notes', { entity_type: 'lead', entity_id: lead_id, content: 'Nice person' });
  const answer = await send('GET', `/leads/${lead_id}`);
  t.is(answer.status, 200);
  const { activities, notes, ...rest } = answer.body.data;
  t.deepEqual(rest, {
    lead_id,
    first_name: 'Jane',
    last_name: 'Doe',
    email: 'Jane.Doe@example.com',
    phone: '+1 555 010',
    company_name: 'Doe & Co',
    status: 'new',
    source: 'website',
    score: 0,
    assigned_to: null,
    created_at: '2026-03-02T09:00:00Z',
    updated_at: '2026-03-02T09:00:00Z',
    form_type: 'contact',
    raw_payload: { question: 'How much?', seats: '12', trial: 'true' },
    custom_fields: {},
    contact_id: null,
    prospect_id: null,
    opportunity_id: null,
    converted_at: null,
    linked_entities: { contact: null, prospect: null, opportunity: null },
  });
  t.deepEqual(
    [activities, notes].map(([each]) => each.subject ?? each.content),
    ['First call', 'Nice person'],
  );
  t.deepEqual((await send('GET', '/leads/99')).body, { success: false, error: 'Lead not found', code: 'NOT_FOUND' });
  t.is((await send('GET', '/leads/x')).status, 404);
});

test.serial('List leads', async (t) => {
  const { send } = await start(t);
  await add(send, '/leads', jane);
  const answer = await send('GET', '/leads');
  t.is(answer.status, 200);
  t.deepEqual(answer.body, {
    success: true,
    data: [
      {
        lead_id: 1,
        first_name: 'Jane',
        last_name: 'Doe',
        email: 'Jane.Doe@example.com',
        phone: '+1 555 010',
        company_name: 'Doe & Co',
        status: 'new',
        source: 'website',
        score: 0,
        assigned_to: null,
        created_at: '2026-03-02T09:00:00Z',
        updated_at: '2026-03-02T09:00:00Z',
      },
    ],
    pagination: { page: 1, per_page: 25, total: 1, total_pages: 1 },
  });
});

test.serial('List leads: every filter and sort, and pages', async (t) => {
  const { app, send } = await start(t);
  const { user_id } = await seedTechnician(app);
  const given = [
    {
      first_name: 'Zoë',
      last_name: 'Adams',
      email: 'zoe@north.example',
      company_name: 'North Wind',
      source: 'referral',
    },
    { first_name: 'Ben', last_name: 'Young', email: 'ben@south.example', company_name: 'South', source: 'Trade fair' },
    { first_name: 'Cleo', last_name: "O'Brien", phone: '555', company_name: 'northern lights' },
    { first_name: 'Ann', last_name: 'Miller', email: 'ann@west.example', company_name: '100% West_End' },
  ];
  for (const [i, each] of given.entries()) {
    app.clock.set(`2026-03-0${i + 2}T12:00:00.000Z`);
    await add(send, '/leads', each);
  }
  app.clock.set('2026-03-09T12:00:00.000Z');
  await send('PUT', '/leads/2', { status: 'qualified', assigned_to: user_id, score: 80 });
  await send('PUT', '/leads/1', { score: 30 });
  const ids = async (query: string) => {
    const answer = await send('GET', `/leads?${query}`);
    t.is(answer.status, 200, `${query}: ${answer.text}`);
    t.is(answer.body.pagination.total, answer.body.data.length, query);
    return answer.body.data.map((each: { lead_id: number }) => each.lead_id);
  };
  for (const [query, wanted] of [
    ['', [4, 3, 2, 1]],
    ['status=all', [4, 3, 2, 1]],
    ['status=Qualified', [2]],
    ['status=new', [4, 3, 1]],
    ['source=REFERRAL', [1]],
    ['source=Trade%20fair', [2]],
    ['source=api&status=new', [4, 3]],
    [`assigned_to=${user_id}`, [2]],
    ['assigned_to=999', []],
    ['search=north', [3, 1]],
    ['search=NORTH%20wind', [1]],
    ['search=orth', [3, 1]],
    ['search=zo%C3%8B', [1]],
    ['search=ZOE', [1]],
    ['search=n+no+nor+nort+north+wi+win+wind', [1]],
    ['search=n+no+nor+nort+north+o+or+ort+wind', [3, 1]],
    ['search=n+no+nor+nort+north+o+or+ort+orth', [3, 1]],
    ['search=brien', [3]],
    ["search=o'brien", [3]],
    ['search=south.exam', [2]],
    ['search=100%25', [4]],
    ['search=%25', []],
    ['search=555', []],
    ['created_after=2026-03-03&created_before=2026-03-04', [3, 2]],
    ['created_after=2026-03-05T12:00:00Z', [4]],
    ['created_after=2026-03-05&created_before=2026-03-02', []],
    ['search=north&status=new&created_after=2026-03-03', [3]],
    ['unknown=1&page=', [4, 3, 2, 1]],
    ['sort=created_at&order=ASC', [1, 2, 3, 4]],
    ['sort=updated_at', [2, 1, 4, 3]],
    ['sort=lead_id&order=asc', [1, 2, 3, 4]],
    ['sort=first_name&order=asc', [4, 2, 3, 1]],
    ['sort=last_name&order=asc', [1, 4, 3, 2]],
    ['sort=email&order=asc', [3, 4, 2, 1]],
    ['sort=company_name&order=asc', [4, 1, 3, 2]],
    ['sort=status&order=asc', [1, 3, 4, 2]],
    ['sort=source&order=asc', [3, 4, 1, 2]],
    ['sort=score', [2, 1, 4, 3]],
    ['sort=assigned_to', [2, 4, 3, 1]],
  ] as const) {
    const found = await ids(query);
    t.deepEqual(found, wanted as unknown as number[], query);
  }
  const second = await send('GET', '/leads?per_page=3&page=2');
  t.deepEqual(second.body.pagination, { page: 2, per_page: 3, total: 4, total_pages: 2 });
  t.is(second.body.data.length, 1);
  t.deepEqual((await send('GET', '/leads?page=9')).body.data, []);
  t.is((await send('GET', '/leads?per_page=500')).body.pagination.per_page, 100);
  for (const [query, error] of [
    ['page=0', 'page must be at least 1'],
    ['status=open', 'status must be one of: new, contacted, qualified, unqualified, converted, all'],
    ['sort=phone', /^sort must be one of: created_at, updated_at/],
    ['order=up', 'order must be one of: asc, desc'],
    ['created_after=yesterday', 'created_after must be an ISO 8601 date or timestamp'],
  ] as const) {
    const answer = await send('GET', `/leads?${query}`);
    t.is(answer.status, 400, query);
    if (typeof error === 'string') t.is(answer.body.error, error);
    else t.regex(answer.body.error, error);
  }
  for (const query of ['status=new', 'search=north', 'source=api&page=1']) {
    t.true((await app.fewestStatements(() => send('GET', `/leads?${query}`))) <= 6, query);
  }
});

test.serial('Update a lead', async (t) => {
  const { app, send } = shared;
  const { user_id } = await seedTechnician(app);
  const { lead_id } = await add(send, '/leads', jane);
  app.clock.set('2026-03-03T10:00:00.000Z');
  let answer = await send('GET', `/leads/${lead_id}`);
  const events = await eventsOf(app, async () => {
    answer = await send('PUT', `/leads/${lead_id}`, {
      status: 'Contacted',
      score: 55,
      assigned_to: user_id,
      source: 'PHONE',
    });
  });
  t.is(answer.status, 200);
  t.like(answer.body.data, { status: 'contacted', score: 55, assigned_to: user_id, source: 'phone' });
  t.is(answer.body.data.updated_at, '2026-03-03T10:00:00Z');
  t.is(answer.body.data.notes.length, 0, 'the whole record');
  t.deepEqual(events, [
    [
      'lead.updated',
      {
        lead_id,
        email: 'Jane.Doe@example.com',
        source: 'phone',
        status: 'contacted',
        changes: ['source', 'status', 'score', 'assigned_to'],
      },
    ],
  ]);
  app.clock.set('2026-03-04T10:00:00.000Z');
  const same = await eventsOf(app, async () => {
    answer = await send('PUT', `/leads/${lead_id}`, answer.body.data);
  });
  t.is(answer.status, 200, answer.text);
  t.is(answer.body.data.updated_at, '2026-03-03T10:00:00Z', 'a change of nothing');
  t.deepEqual(same, []);
  t.is((await send('PUT', `/leads/${lead_id}`, { assigned_to: null })).body.data.assigned_to, null);
});

test.serial('Update a lead: rejects invalid input', async (t) => {
  const { app, send } = shared;
  const gone = await seedTechnician(app);
  const { lead_id } = await add(send, '/leads', { email: 'u1@example.com' });
  for (const [body, error] of [
    [{}, 'No fields to update'],
    [{ colour: 'red' }, 'No fields to update'],
    [{ score: 101 }, 'score must be between 0 and 100'],
    [{ score: '5' }, 'score must be a whole number'],
    [{ status: 'converted' }, 'status can only be set to converted with POST /leads/{id}/convert'],
    [{ status: 'open' }, 'status must be one of: new, contacted, qualified, unqualified, converted'],
    [{ assigned_to: gone.user_id + 1 }, 'assigned_to must be an active technician'],
    [{ email: '' }, 'Enter an email or a phone number'],
  ] as const) {
    const answer = await send('PUT', `/leads/${lead_id}`, body);
    t.deepEqual([answer.status, answer.body.error], [400, error]);
  }
  t.is((await send('PUT', '/leads/99', { score: -1 })).status, 404, 'absence is told first');
});

test.serial('Delete a lead', async (t) => {
  const { app, send } = await start(t);
  const { lead_id } = await add(send, '/leads', { email: 'a@example.com', source: 'email' });
  const { activity_id } = await add(send, `/leads/${lead_id}/activities`, { type: 'call', subject: 'Call' });
  await add(send, '/notes', { entity_type: 'lead', entity_id: lead_id, content: 'Note' });
  let answer = await send('GET', '/leads');
  const events = await eventsOf(app, async () => (answer = await send('DELETE', `/leads/${lead_id}`)));
  t.is(answer.status, 200);
  t.deepEqual(answer.body, { success: true, data: { lead_id, deleted: true } });
  t.deepEqual(events, [['lead.deleted', { lead_id, email: 'a@example.com', source: 'email' }]]);
  t.is((await send('GET', `/leads/${lead_id}`)).status, 404);
  t.is((await send('DELETE', `/leads/${lead_id}`)).status, 404);
  t.is((await send('GET', `/activities/${activity_id}`)).status, 404);
  for (const path of ['/leads', '/activities', '/notes', '/leads?search=example'])
    t.is((await send('GET', path)).body.pagination.total, 0, path);
  t.is((await send('GET', '/search?q=example')).body.data.total, 0);
  await add(send, '/leads', { email: 'a@example.com' });
});

test.serial('Log activity of a lead', async (t) => {
  const { app, send } = shared;
  const { lead_id } = await add(send, '/leads', { email: 'u2@example.com' });
  const body = {
    type: 'Call',
    subject: 'Hello',
    entity_type: 'prospect',
    entity_id: 5,
    due_date: '2026-03-04T08:00:00+02:00',
  };
  const answer = await send('POST', `/leads/${lead_id}/activities`, body);
  t.is(answer.status, 201);
  t.like(answer.body.data, { type: 'call', entity_type: 'lead', entity_id: lead_id, due_date: '2026-03-04T06:00:00Z' });
  t.is((await send('POST', '/leads/99/activities', body)).status, 404);
  t.is((await send('POST', `/leads/${lead_id}/activities`, { type: 'call' })).body.error, 'subject is required');
  t.deepEqual((await refusals(app, 'POST', `/leads/${lead_id}/activities`, 'activities:write')).without.body, refused);
});

test.serial('List a lead’s activities', async (t) => {
  const { send } = shared;
  const { lead_id } = await add(send, '/leads', { email: 'u3@example.com' });
  const other = await add(send, '/leads', { email: 'u5@example.com' });
  for (const subject of ['One', 'Two', 'Three'])
    await add(send, `/leads/${lead_id}/activities`, { type: 'task', subject });
  await add(send, `/leads/${other.lead_id}/activities`, { type: 'task', subject: 'Elsewhere' });
  const { body } = await send('GET', `/leads/${lead_id}/activities?per_page=2`);
  t.deepEqual(
    body.data.map((each: { subject: string }) => each.subject),
    ['Three', 'Two'],
  );
  t.deepEqual(body.pagination, { page: 1, per_page: 2, total: 3, total_pages: 2 });
  t.is((await send('GET', '/leads/99/activities')).status, 404);
});

test.serial('leads: access', async (t) => {
  const { app, send } = shared;
  const { lead_id } = await add(send, '/leads', { email: 'u4@example.com' });
  for (const [method, path, permission] of [
    ['GET', '/leads', 'leads:read'],
    ['POST', '/leads', 'leads:write'],
    ['GET', `/leads/${lead_id}`, 'leads:read'],
    ['PUT', `/leads/${lead_id}`, 'leads:write'],
    ['DELETE', `/leads/${lead_id}`, 'leads:delete'],
    ['POST', `/leads/${lead_id}/convert`, 'leads:write'],
    ['GET', `/leads/${lead_id}/activities`, 'activities:read'],
  ] as const) {
    const { stranger, without, visitor } = await refusals(app, method, path, permission);
    t.deepEqual(stranger.body, { success: false, error: 'Authentication required', code: 'AUTH_REQUIRED' }, path);
    t.is(stranger.status, 401);
    for (const each of [without, visitor]) t.deepEqual([each.status, each.body], [403, refused], `${method} ${path}`);
  }
});
