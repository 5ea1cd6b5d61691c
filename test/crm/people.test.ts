// CRM contacts.
import { openApp, type TestApp } from '@keelson/testing';
import test from 'ava';
import { seedTechnician } from '../accounts-seed.ts';
import { add, asCrm, eventsOf, linesOf, refusals, refused, type Send } from '../crm-seed.ts';

let app: TestApp;
let send: Send;
test.before(async () => {
  app = await openApp();
  send = await asCrm(app);
});
test.after.always(() => app.close());

test.serial('Create a CRM contact', async (t) => {
  const { user_id } = await seedTechnician(app);
  const { prospect_id } = await add(send, '/prospects', { name: 'North Wind' });
  let answer = await send('GET', '/people');
  let lines: string[] = [];
  const events = await eventsOf(app, async () => {
    lines = await linesOf(app, async () => {
      answer = await send('POST', '/people', {
        first_name: ' Ann ',
        last_name: 'Lee',
        email: 'Ann@Example.com',
        phone: '030 1',
        mobile: '0170 2',
        title: 'CEO',
        company_name: 'North Wind',
        tags: ['VIP', 'Fair 2026'],
        prospect_id,
        assigned_to: user_id,
      });
    });
  });
  t.is(answer.status, 201, answer.text);
  const { contact_id } = answer.body.data;
  t.deepEqual(answer.body, {
    success: true,
    data: {
      contact_id,
      prospect_id,
      first_name: 'Ann',
      last_name: 'Lee',
      email: 'Ann@Example.com',
      phone: '030 1',
      mobile: '0170 2',
      title: 'CEO',
      company_name: 'North Wind',
      tags: ['VIP', 'Fair 2026'],
      assigned_to: user_id,
      lead_id: null,
      custom_fields: {},
      created_at: '2026-03-02T09:00:00Z',
      updated_at: '2026-03-02T09:00:00Z',
    },
  });
  t.deepEqual(events, [['contact.created', { contact_id, email: 'Ann@Example.com', prospect_id }]]);
  t.deepEqual(lines, [`create crm_contact ${contact_id}`]);
  const again = await send('POST', '/people', { email: 'ann@example.com' });
  t.deepEqual(
    [again.status, again.body],
    [409, { success: false, error: 'A contact with this email already exists', code: 'DUPLICATE' }],
  );
  for (const [body, error] of [
    [{ phone: '1' }, 'Enter a first name, a last name or an email'],
    [{ email: 'x' }, 'email must be an email address'],
    [{ first_name: 'A', prospect_id: 999 }, 'prospect_id must be an existing prospect'],
    [{ first_name: 'A', tags: 'VIP' }, 'tags must be a list'],
    [{ first_name: 'A', tags: [''] }, 'tags[0] is required'],
  ] as const) {
    const wrong = await send('POST', '/people', body);
    t.deepEqual([wrong.status, wrong.body.error], [400, error]);
  }
});

test.serial('Read a CRM contact', async (t) => {
  const { contact_id } = await add(send, '/people', { last_name: 'Reader' });
  const answer = await send('GET', `/people/${contact_id}`);
  t.deepEqual([answer.status, answer.body.data.last_name], [200, 'Reader']);
  t.deepEqual((await send('GET', '/people/999')).body, {
    success: false,
    error: 'Contact not found',
    code: 'NOT_FOUND',
  });
});

test.serial('Update a CRM contact', async (t) => {
  const made = await add(send, '/people', { first_name: 'Upton', email: 'upton@example.com', tags: ['old'] });
  const { contact_id } = made;
  let answer = await send('GET', '/people');
  app.clock.set('2026-03-03T09:00:00.000Z');
  const events = await eventsOf(app, async () => {
    answer = await send('PUT', `/people/${contact_id}`, { email: '', tags: ['new', 'New'], title: 'CTO' });
  });
  t.like(answer.body.data, { email: '', title: 'CTO', tags: ['new'], updated_at: '2026-03-03T09:00:00Z' });
  t.deepEqual(events, [['contact.updated', { contact_id, email: '', prospect_id: null }]]);
  t.is((await send('GET', '/people?tag=NEW')).body.pagination.total, 1);
  t.is((await send('GET', '/people?tag=old')).body.pagination.total, 0);
  await add(send, '/people', { email: 'upton@example.com' });
  t.is((await send('PUT', `/people/${contact_id}`, { email: 'Upton@example.com' })).status, 409);
  t.deepEqual(await eventsOf(app, () => send('PUT', `/people/${contact_id}`, answer.body.data)), []);
  t.is((await send('PUT', `/people/${contact_id}`, { first_name: '' })).status, 400, 'it keeps a name');
  t.is((await send('PUT', `/people/${contact_id}`, {})).body.error, 'No fields to update');
  t.is((await send('PUT', '/people/999', { title: 'x' })).status, 404);
});

test.serial('List CRM contacts', async (t) => {
  const { prospect_id } = await add(send, '/prospects', { name: 'List Works' });
  const b = await add(send, '/people', { first_name: 'Bea', last_name: 'Aalto', prospect_id, phone: '+49 (30) 1234' });
  const a = await add(send, '/people', { first_name: 'Ada', last_name: 'Zorn', prospect_id, tags: ['Key user'] });
  const c = await add(send, '/people', { first_name: 'Cy', last_name: 'Aalto', company_name: 'List Works' });
  const ids = async (query: string) => {
    const answer = await send('GET', `/people?${query}`);
    t.is(answer.body.pagination.total, answer.body.data.length);
    return answer.body.data.map((each: { contact_id: number }) => each.contact_id);
  };
  for (const [query, wanted] of [
    [`prospect_id=${prospect_id}`, [b, a]],
    ['prospect_id=999', []],
    ['search=aalto', [b, c]],
    ['search=aalto%20bea', [b]],
    ['search=list%20works', [c]],
    ['tag=key%20USER', [a]],
    ['tag=key', []],
    [`tag=Key%20user&prospect_id=${prospect_id}&search=zor`, [a]],
  ] as const) {
    t.deepEqual(
      await ids(query),
      wanted.map((each) => each.contact_id),
      query,
    );
  }
  const page = (await send('GET', `/people?prospect_id=${prospect_id}&per_page=1&page=2`)).body;
  t.deepEqual(page.pagination, { page: 2, per_page: 1, total: 2, total_pages: 2 });
  t.is(page.data[0].contact_id, a.contact_id);
  t.is(
    (await send('GET', '/people')).body.pagination.total,
    (await send('GET', '/people?per_page=100')).body.data.length,
  );
  t.true((await app.fewestStatements(() => send('GET', `/people?prospect_id=${prospect_id}`))) <= 6);
  await send('PUT', `/people/${b.contact_id}`, { prospect_id: null });
  t.deepEqual(await ids(`prospect_id=${prospect_id}`), [a.contact_id]);
  await send('DELETE', `/prospects/${prospect_id}`);
  t.deepEqual(await ids(`prospect_id=${prospect_id}`), []);
  t.is((await send('GET', `/people/${a.contact_id}`)).body.data.prospect_id, null);
});

test.serial('Delete a CRM contact', async (t) => {
  const { contact_id } = await add(send, '/people', { email: 'gone@example.com', tags: ['Gone'] });
  await add(send, '/notes', { entity_type: 'contact', entity_id: contact_id, content: 'Note' });
  const answer = await send('DELETE', `/people/${contact_id}`);
  t.deepEqual([answer.status, answer.body], [200, { success: true, data: { contact_id, deleted: true } }]);
  t.is((await send('DELETE', `/people/${contact_id}`)).status, 404);
  t.is((await send('GET', '/people?tag=gone')).body.pagination.total, 0);
  t.is((await send('GET', '/notes?entity_type=contact')).body.pagination.total, 0);
  await add(send, '/people', { email: 'gone@example.com' });
});

test.serial('people: access', async (t) => {
  const { contact_id } = await add(send, '/people', { last_name: 'Refused' });
  for (const [method, path, permission] of [
    ['GET', '/people', 'contacts:read'],
    ['POST', '/people', 'contacts:write'],
    ['GET', `/people/${contact_id}`, 'contacts:read'],
    ['PUT', `/people/${contact_id}`, 'contacts:write'],
    ['DELETE', `/people/${contact_id}`, 'contacts:write'],
  ] as const) {
    const { stranger, without, visitor } = await refusals(app, method, path, permission);
    t.is(stranger.status, 401);
    for (const each of [without, visitor]) t.deepEqual([each.status, each.body], [403, refused], `${method} ${path}`);
  }
});
