// Prospect accounts.
import { createProspect, updateProspect } from '@keelson/modules/crm';
import { openApp, type TestApp } from '@keelson/testing';
import test from 'ava';
import { add, asCrm, eventsOf, refusals, refused, type Send } from '../crm-seed.ts';

let app: TestApp;
let send: Send;
test.before(async () => {
  app = await openApp();
  send = await asCrm(app);
});
test.after.always(() => app.close());

const north = {
  name: 'North Wind',
  industry: 'Retail',
  website: 'https://north.example',
  phone: '030 1',
  email: 'info@north.example',
  address: '1 Quay',
  city: 'Kiel',
  state: 'SH',
  zip: '24103',
  country: 'DE',
};

test.serial('Add a prospect', async (t) => {
  let answer = await send('GET', '/prospects');
  const events = await eventsOf(app, async () => (answer = await send('POST', '/prospects', north)));
  t.is(answer.status, 201);
  const { prospect_id } = answer.body.data;
  t.deepEqual(answer.body, {
    success: true,
    data: {
      prospect_id,
      ...north,
      status: 'active',
      assigned_to: null,
      company_number: null,
      custom_fields: {},
      created_at: '2026-03-02T09:00:00Z',
      updated_at: '2026-03-02T09:00:00Z',
    },
  });
  t.deepEqual(events, [['prospect.created', { prospect_id, name: 'North Wind', status: 'active' }]]);
  t.is((await add(send, '/prospects', { account_name: 'By account' })).name, 'By account');
  t.is((await add(send, '/prospects', { company_name: 'By company', status: 'inactive' })).status, 'inactive');
  const again = await send('POST', '/prospects', { name: ' NORTH wind' });
  t.deepEqual(
    [again.status, again.body],
    [409, { success: false, error: 'A prospect with this name already exists', code: 'DUPLICATE' }],
  );
  for (const [body, error] of [
    [{}, 'name is required'],
    [{ name: 'x', status: 'converted' }, /can only be set to converted/],
    [{ name: 'x', website: 'north' }, 'website must be an absolute http or https URL'],
    [{ name: 'x', assigned_to: 999 }, 'assigned_to must be an active technician'],
  ] as const) {
    const wrong = await send('POST', '/prospects', body);
    t.is(wrong.status, 400);
    if (typeof error === 'string') t.is(wrong.body.error, error);
    else t.regex(wrong.body.error, error);
  }
});

test.serial('Read a prospect in full', async (t) => {
  const { prospect_id } = await add(send, '/prospects', { name: 'Detail' });
  await add(send, '/people', { prospect_id, first_name: 'Ann' });
  await add(send, '/opportunities', { prospect_id, name: 'Deal', value: 5.5 });
  await add(send, '/activities', { entity_type: 'prospect', entity_id: prospect_id, type: 'call', subject: 'Hello' });
  const { data } = (await send('GET', `/prospects/${prospect_id}`)).body;
  t.deepEqual(
    [
      data.contacts[0].first_name,
      data.opportunities[0].value,
      data.opportunities[0].currency,
      data.activities[0].subject,
    ],
    ['Ann', 5.5, 'USD', 'Hello'],
  );
  t.is(data.opportunities[0].prospect_name, 'Detail');
  await send('PUT', `/prospects/${prospect_id}`, { name: 'Renamed' });
  t.is((await send('GET', '/opportunities')).body.data[0].prospect_name, 'Renamed');
  t.is((await send('GET', '/prospects/999')).body.error, 'Prospect not found');
});

test.serial('Update a prospect', async (t) => {
  const { prospect_id } = await add(send, '/prospects', { name: 'Update me' });
  const change = (body: unknown) => send('PUT', `/prospects/${prospect_id}`, body);
  const answer = await change({ status: 'Inactive', city: 'Bonn', account_name: 'Updated' });
  t.like(answer.body.data, { prospect_id, name: 'Updated', status: 'inactive', city: 'Bonn' });
  t.deepEqual(await eventsOf(app, () => change({ city: 'Ulm' })), [], 'no event of the list says so');
  t.is((await change({ name: 'North Wind' })).status, 409);
  t.is((await change({ name: '' })).body.error, 'name is required');
  t.is((await change({ status: 'converted' })).status, 400);
  t.is((await change({})).body.error, 'No fields to update');
  t.is((await send('PUT', '/prospects/999', { city: 'x' })).status, 404);
});

test.serial('a new prospect can be changed in the same transaction', async (t) => {
  const renamed = await app.run(async (ctx) =>
    updateProspect(ctx, await createProspect(ctx, { name: 'Twice' }), { name: 'Thrice' }),
  );
  t.is((await send('GET', `/prospects?search=thrice`)).body.data[0].prospect_id, renamed.prospect_id);
  t.is((await send('GET', `/prospects?search=twice`)).body.pagination.total, 0);
  await send('DELETE', `/prospects/${renamed.prospect_id}`);
});

test.serial('List prospects', async (t) => {
  const names = async (query: string) => {
    const answer = await send('GET', `/prospects?${query}`);
    t.is(answer.body.pagination.total, answer.body.data.length);
    return answer.body.data.map((each: { name: string }) => each.name);
  };
  for (const [query, wanted] of [
    ['', ['By account', 'By company', 'North Wind', 'Renamed', 'Updated']],
    ['status=inactive', ['By company', 'Updated']],
    ['status=all&search=by', ['By account', 'By company']],
    ['search=kiel', []],
    ['search=win%20nor', ['North Wind']],
    ['industry=retail', ['North Wind']],
    ['industry=retail&status=inactive', []],
  ] as const) {
    t.deepEqual(await names(query), wanted as unknown as string[], query);
  }
  t.is((await send('GET', '/prospects?status=lost')).status, 400);
  t.deepEqual((await send('GET', '/prospects?per_page=2&page=3')).body.pagination, {
    page: 3,
    per_page: 2,
    total: 5,
    total_pages: 3,
  });
  t.true((await app.fewestStatements(() => send('GET', '/prospects?status=active'))) <= 6);
});

test.serial('Delete a prospect', async (t) => {
  const { prospect_id } = await add(send, '/prospects', { name: 'Delete me' });
  const answer = await send('DELETE', `/prospects/${prospect_id}`);
  t.deepEqual([answer.status, answer.body], [200, { success: true, data: { prospect_id, deleted: true } }]);
  t.is((await send('GET', `/prospects/${prospect_id}`)).status, 404);
  await add(send, '/prospects', { name: 'Delete me' });
});

test.serial('prospects: access', async (t) => {
  const { prospect_id } = await add(send, '/prospects', { name: 'Refused' });
  for (const [method, path, permission] of [
    ['GET', '/prospects', 'prospects:read'],
    ['POST', '/prospects', 'prospects:write'],
    ['GET', `/prospects/${prospect_id}`, 'prospects:read'],
    ['PUT', `/prospects/${prospect_id}`, 'prospects:write'],
    ['DELETE', `/prospects/${prospect_id}`, 'prospects:write'],
  ] as const) {
    const { stranger, without, visitor } = await refusals(app, method, path, permission);
    t.is(stranger.status, 401);
    for (const each of [without, visitor]) t.deepEqual([each.status, each.body], [403, refused], `${method} ${path}`);
  }
});
