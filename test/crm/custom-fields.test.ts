// Custom field definitions, and their values on records.
import { openApp, type TestApp } from '@keelson/testing';
import test from 'ava';
import { seedKey } from '../accounts-seed.ts';
import { add, asCrm, crmRoot, eventsOf, linesOf, refused, type Send } from '../crm-seed.ts';

let app: TestApp;
let send: Send;
test.before(async () => {
  app = await openApp();
  send = await asCrm(app);
});
test.after.always(() => app.close());

const define = (given: object) => add(send, '/custom-fields', { field_type: 'text', entity_type: 'lead', ...given });

test.serial('Define a custom field', async (t) => {
  let answer = await send('GET', '/custom-fields');
  t.deepEqual(answer.body, { success: true, data: [] });
  const lines = await linesOf(app, async () => {
    answer = await send('POST', '/custom-fields', {
      entity_type: 'lead',
      label: 'Größe (EU)',
      field_type: 'select',
      options: ['Small', 'Large', 'Small'],
      default_value: 'small',
      sort_order: 2,
    });
  });
  t.is(answer.status, 201, answer.text);
  const { field_id, field_key } = answer.body.data;
  t.deepEqual(answer.body.data, {
    field_id,
    entity_type: 'lead',
    field_key: 'grosse_eu',
    label: 'Größe (EU)',
    field_type: 'select',
    options: ['Small', 'Large'],
    required: false,
    default_value: 'Small',
    sort_order: 2,
    created_at: '2026-03-02T09:00:00Z',
    updated_at: '2026-03-02T09:00:00Z',
  });
  t.deepEqual(lines, [`create custom_field ${field_id}`]);
  const again = await send('POST', '/custom-fields', {
    entity_type: 'lead',
    label: 'x',
    field_key,
    field_type: 'text',
  });
  t.deepEqual([again.status, again.body.code], [409, 'DUPLICATE']);
  await add(send, '/custom-fields', { entity_type: 'contact', label: 'x', field_key, field_type: 'text' });
  for (const [body, error] of [
    [{}, 'entity_type is required; label is required; field_type is required'],
    [{ entity_type: 'lead', label: 'x', field_type: 'colour' }, /^field_type must be one of: text, /],
    [{ entity_type: 'lead', label: 'x', field_type: 'select' }, 'options is required for a select field'],
    [{ entity_type: 'lead', label: '…', field_type: 'text' }, 'field_key is required'],
    [
      { entity_type: 'lead', label: 'x', field_key: 'A b', field_type: 'text' },
      'field_key must contain only a-z, 0-9 and _',
    ],
    [
      { entity_type: 'lead', label: 'x', field_type: 'number', default_value: 'many' },
      'default_value must be a number',
    ],
  ] as const) {
    const wrong = await send('POST', '/custom-fields', body);
    t.is(wrong.status, 400);
    if (typeof error === 'string') t.is(wrong.body.error, error);
    else t.regex(wrong.body.error, error);
  }
  await send('DELETE', `/custom-fields/${field_id}`);
});

test.serial('Update a custom field', async (t) => {
  const { field_id } = await define({ label: 'Seats', field_type: 'number', entity_type: 'prospect' });
  const change = (body: unknown) => send('PUT', `/custom-fields/${field_id}`, body);
  const answer = await change({ label: 'Seats (all)', required: true, default_value: 5 });
  t.like(answer.body.data, { field_key: 'seats', label: 'Seats (all)', required: true, default_value: 5 });
  t.is((await change(answer.body.data)).status, 200, 'what was read may be sent back');
  t.is((await change({ field_type: 'text' })).body.error, 'field_type cannot be changed');
  t.is((await change({ entity_type: 'lead' })).body.error, 'entity_type cannot be changed');
  t.is((await change({ default_value: 'x' })).status, 400);
  t.is((await change({})).body.error, 'No fields to update');
  t.is((await send('PUT', '/custom-fields/999', { label: 'x' })).body.error, 'Custom field not found');
  t.is((await add(send, '/prospects', { name: 'Defaulted' })).custom_fields.seats, 5);
  await send('DELETE', `/custom-fields/${field_id}`);
});

test.serial('List custom fields: only types the key may read', async (t) => {
  await define({ label: 'Second', sort_order: 2 });
  await define({ label: 'First', sort_order: 1 });
  await define({ label: 'Deal', entity_type: 'opportunity' });
  const keys = async (from: Send, query = '') =>
    (await from('GET', `/custom-fields${query}`)).body.data.map((each: { field_key: string }) => each.field_key);
  t.deepEqual(await keys(send), ['first', 'second', 'grosse_eu', 'deal']);
  t.deepEqual(await keys(send, '?entity_type=LEAD'), ['first', 'second']);
  const narrow = await asCrm(app, ['opportunities:read', 'leads:write']);
  t.deepEqual(await keys(narrow), ['deal']);
  t.deepEqual((await narrow('GET', '/custom-fields?entity_type=lead')).body, refused);
  t.is((await send('GET', '/custom-fields?entity_type=ticket')).status, 400);
  const other = { entity_type: 'contact', label: 'y', field_type: 'text' };
  t.deepEqual((await narrow('POST', '/custom-fields', other)).body, refused);
  const { data } = (await send('GET', '/custom-fields?entity_type=opportunity')).body;
  t.is((await narrow('PUT', `/custom-fields/${data[0].field_id}`, { label: 'z' })).status, 403);
  t.is((await narrow('DELETE', `/custom-fields/${data[0].field_id}`)).status, 403);
  t.is((await (await asCrm(app, ['activities:read']))('GET', '/custom-fields')).status, 403);
  const { api_key: key } = await seedKey(app, 'crm_public_live');
  for (const [method, path] of [
    ['GET', ''],
    ['POST', ''],
    ['PUT', '/1'],
    ['DELETE', '/1'],
  ] as const) {
    t.is((await app.request(method, `${crmRoot}/custom-fields${path}`)).status, 401);
    t.is((await app.request(method, `${crmRoot}/custom-fields${path}`, { key })).status, 403);
  }
});

test.serial('Remove a custom field', async (t) => {
  const { field_id } = await define({ label: 'Budget', field_type: 'number', required: true });
  const { lead_id } = await add(send, '/leads', { phone: '1', custom_fields: { budget: 12.5 } });
  t.deepEqual((await send('GET', `/leads/${lead_id}`)).body.data.custom_fields, { budget: 12.5 });
  const answer = await send('DELETE', `/custom-fields/${field_id}`);
  t.deepEqual([answer.status, answer.body], [200, { success: true, data: { field_id, deleted: true } }]);
  t.deepEqual((await send('GET', `/leads/${lead_id}`)).body.data.custom_fields, {});
  await define({ label: 'Budget', field_type: 'text' });
  t.deepEqual(
    (await send('GET', `/leads/${lead_id}`)).body.data.custom_fields,
    {},
    'another of its name has no values',
  );
});

test.serial('values of custom fields are validated by type', async (t) => {
  const types = ['text', 'textarea', 'number', 'date', 'boolean', 'email', 'url'];
  for (const field_type of types) await define({ entity_type: 'contact', label: field_type, field_type });
  await define({ entity_type: 'contact', label: 'pick', field_type: 'select', options: ['Red', 'Blue'] });
  await define({ entity_type: 'contact', label: 'many', field_type: 'multiselect', options: ['A', 'B', 'C'] });
  const good = {
    text: 'Words',
    textarea: 'Two\nlines',
    number: -1.25,
    date: '2026-05-01',
    boolean: false,
    email: 'a@b.example',
    url: 'https://b.example/x',
    pick: 'Blue',
    many: ['C', 'A'],
  };
  const { contact_id } = await add(send, '/people', { last_name: 'Typed', custom_fields: { ...good, pick: 'BLUE' } });
  const read = async () => (await send('GET', `/people/${contact_id}`)).body.data.custom_fields;
  t.deepEqual(await read(), good);
  const listed = (await send('GET', '/people')).body.data.find(
    (each: { contact_id: number }) => each.contact_id === contact_id,
  );
  t.deepEqual(listed.custom_fields, good);
  for (const [custom_fields, error] of [
    [{ number: '5' }, 'custom_fields.number must be a number'],
    [{ date: '2026-02-30' }, 'custom_fields.date must be a date (YYYY-MM-DD)'],
    [{ boolean: 'true' }, 'custom_fields.boolean must be true or false'],
    [
      { email: 'b', url: 'c' },
      'custom_fields.email must be an email address; custom_fields.url must be an absolute http or https URL',
    ],
    [{ pick: 'Green' }, 'custom_fields.pick must be one of: Red, Blue'],
    [{ many: ['D'] }, 'custom_fields.many[0] must be one of: A, B, C'],
    [{ text: ['x'] }, 'custom_fields.text must be text'],
    [{ nothing: 1 }, /^custom_fields may only contain: /],
    ['none', 'custom_fields must be an object'],
  ] as const) {
    const answer = await send('PUT', `/people/${contact_id}`, { custom_fields });
    t.is(answer.status, 400);
    if (typeof error === 'string') t.is(answer.body.error, error);
    else t.regex(answer.body.error, error);
  }
  const events = await eventsOf(app, () =>
    send('PUT', `/people/${contact_id}`, { custom_fields: { text: null, number: 7 } }),
  );
  t.deepEqual(
    events.map(([name]) => name),
    ['contact.updated'],
  );
  const { text: _gone, ...rest } = good;
  t.deepEqual(await read(), { ...rest, number: 7 });
  t.deepEqual(await eventsOf(app, () => send('PUT', `/people/${contact_id}`, { custom_fields: { number: 7 } })), []);
});

test.serial('a value whose option was removed can be sent back, but not set again', async (t) => {
  const { field_id } = await define({ field_key: 'tier', label: 'Tier', field_type: 'select', options: ['A', 'B'] });
  const { lead_id } = await add(send, '/leads', { email: 'tier@example.com', custom_fields: { tier: 'A' } });
  await send('PUT', `/custom-fields/${field_id}`, { options: ['B'] });
  const put = (body: object) => send('PUT', `/leads/${lead_id}`, body);
  const back = await put({ first_name: 'Ann', custom_fields: { tier: 'A' } });
  t.is(back.status, 200, back.text);
  t.is((await put({ custom_fields: { tier: 'B' } })).status, 200);
  t.is((await put({ custom_fields: { tier: 'A' } })).status, 400);
});

test.serial('required custom fields are checked on create only', async (t) => {
  const { prospect_id } = await add(send, '/prospects', { name: 'Older' });
  await define({ entity_type: 'prospect', label: 'Region', required: true });
  await define({ entity_type: 'prospect', label: 'Size', field_type: 'number' });
  const missed = await send('POST', '/prospects', { name: 'Newer' });
  t.deepEqual([missed.status, missed.body.error], [400, 'custom_fields.region is required']);
  t.is((await send('PUT', `/prospects/${prospect_id}`, { city: 'Bonn' })).status, 200);
  t.deepEqual(
    (await send('PUT', `/prospects/${prospect_id}`, { custom_fields: { region: 'EU' } })).body.data.custom_fields,
    {
      region: 'EU',
    },
  );
  const cleared = await send('PUT', `/prospects/${prospect_id}`, { custom_fields: { region: null } });
  t.is(cleared.body.error, 'custom_fields.region is required');
  const { lead_id } = await add(send, '/leads', { phone: '1', company_name: 'From a lead' });
  t.is((await send('POST', `/leads/${lead_id}/convert`)).status, 200, 'a conversion does not ask for them');
});

test.serial('changing a lead’s custom fields changes the lead', async (t) => {
  const { lead_id } = await add(send, '/leads', { phone: '2' });
  await define({ label: 'Rating', field_type: 'number' });
  const events = await eventsOf(app, () => send('PUT', `/leads/${lead_id}`, { custom_fields: { rating: 3 } }));
  t.deepEqual(
    events.map(([name, data]) => [name, data.changes]),
    [['lead.updated', ['custom_fields']]],
  );
  const { opportunity_id } = await add(send, '/opportunities', { name: 'x', custom_fields: { deal: 'Big' } });
  t.deepEqual((await send('GET', `/opportunities/${opportunity_id}`)).body.data.custom_fields, { deal: 'Big' });
  t.is((await send('GET', '/search?q=big&types=opportunity')).body.data.total, 1);
});
