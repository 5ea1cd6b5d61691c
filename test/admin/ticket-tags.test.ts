// Tags of tickets (T-39).
import { startApp } from '@keelson/testing';
import test from 'ava';
import { TicketTag } from '../../modules/tickets/entities.ts';
import { asEmployee, asKey, seedCompany, seedEmployee, seedTicket } from '../tickets-seed.ts';

const idsOf = (answer: { body: any }): number[] => answer.body.data.map((each: any) => each.ticket_id);

test('Update any ticket: tags are normalised, ordered and limited', async (t) => {
  const app = await startApp(t);
  const { company_number } = await seedCompany(app);
  const send = await asKey(app);
  const made = await send('POST', '/tickets.php', {
    company_number,
    subject: 'Printer',
    tags: ['  VIP ', 'New   Office', 'vip', 'Ärger'],
  });
  t.is(made.status, 201, made.body.error);
  const tagsOf = async (id: number) => (await send('GET', `/tickets.php?id=${id}`)).body.data.tags;
  t.deepEqual(await tagsOf(1), ['new office', 'vip', 'ärger']);
  const put = (tags: unknown) => send('PUT', '/tickets.php?id=1', { tags });
  t.deepEqual((await put(['vip', 'onsite'])).body.data.tags, ['onsite', 'vip']);
  const [line] = (await send('GET', '/tickets.php?action=history&id=1')).body.data;
  t.deepEqual(line.changes, {
    tags: [
      ['new office', 'vip', 'ärger'],
      ['onsite', 'vip'],
    ],
  });
  const before = (await send('GET', '/tickets.php?id=1')).body.data.updated_at;
  app.clock.set('2026-03-05T10:00:00.000Z');
  await (
    await asKey(app)
  )('PUT', '/tickets.php?id=1', { tags: ['VIP', 'Onsite'] });
  t.deepEqual(await app.app.database.find(TicketTag, { order: { tag: 'ASC' } }), [
    { ticket_id: 1, tag: 'onsite' },
    { ticket_id: 1, tag: 'vip' },
  ]);
  const again = await asKey(app);
  t.is((await again('GET', '/tickets.php?id=1')).body.data.updated_at, before, 'the same tags are no change');
  for (const [tags, error] of [
    [['a,b'], /tags.*must not contain a comma/],
    [['x'.repeat(41)], /tags.*at most 40 characters/],
    [[' '], /tags/],
    ['vip', /tags/],
    [Array.from({ length: 21 }, (_, i) => `t${i}`), /tags must contain at most 20 tags/],
  ] as const) {
    const refused = await again('PUT', '/tickets.php?id=1', { tags });
    t.is(refused.status, 400, JSON.stringify(tags));
    t.regex(refused.body.error, error);
  }
  t.is((await again('PUT', '/tickets.php?id=1', { tags: Array.from({ length: 20 }, (_, i) => `t${i}`) })).status, 200);
  t.deepEqual((await again('PUT', '/tickets.php?id=1', { tags: [] })).body.data.tags, []);
  t.is(await app.app.database.count(TicketTag), 0);
});

test('List tickets: by tag', async (t) => {
  const app = await startApp(t);
  const { company_number } = await seedCompany(app);
  const send = await asKey(app);
  for (const tags of [['vip'], ['vip', 'onsite'], [], ['vip2'], ['vip']])
    await seedTicket(app, { company_number, tags });
  await send('DELETE', '/tickets.php?id=5');
  for (const [query, expected] of [
    ['tag=vip', [1, 2]],
    ['tag=%20VIP', [1, 2]],
    ['tag=onsite&status=open', [2]],
    ['tag=nothing', []],
  ] as const) {
    const found = await send('GET', `/tickets.php?${query}&sort=ticket_id&order=asc`);
    t.deepEqual(idsOf(found), expected as unknown as number[], query);
    t.is(found.body.pagination.total, expected.length);
  }
  const [row] = (await send('GET', '/tickets.php?tag=onsite&brief=true')).body.data;
  t.deepEqual(row.tags, ['onsite', 'vip']);
});

test('List the tags in use', async (t) => {
  const app = await startApp(t);
  const { company_number } = await seedCompany(app);
  const send = await asKey(app);
  const tags = async (search?: string) =>
    (
      await send('GET', `/tickets.php?action=tags${search === undefined ? '' : `&starts_with=${search}`}`)
    ).body.data.map((each: any) => each.tag);
  t.deepEqual(await tags(), []);
  for (const given of [['vip', 'onsite'], ['vip', 'verkauf'], ['100%', '100_x'], ['gone']])
    await seedTicket(app, { company_number, tags: given });
  await send('DELETE', '/tickets.php?id=4');
  t.deepEqual(await tags(), ['100%', '100_x', 'onsite', 'verkauf', 'vip']);
  t.deepEqual(await tags('V'), ['verkauf', 'vip']);
  t.deepEqual(await tags('100%25'), ['100%']);
  t.deepEqual(await tags('x'), []);
  for (let i = 0; i < 2; i++)
    await seedTicket(app, { company_number, tags: Array.from({ length: 20 }, (_, n) => `t${i}-${n}`) });
  t.is((await tags('t')).length, 20);
  t.is((await (await asKey(app, ['assets:read']))('GET', '/tickets.php?action=tags')).status, 403);
});

test('Bulk-update tickets: tags are added and removed', async (t) => {
  const app = await startApp(t);
  const { company_number } = await seedCompany(app);
  const send = await asKey(app);
  const full = Array.from({ length: 20 }, (_, n) => `t${n}`).toSorted();
  for (const tags of [[], ['vip'], full]) await seedTicket(app, { company_number, tags });
  const bulk = async (body: object) => (await send('POST', '/bulk/tickets.php', body)).body;
  const { data } = await bulk({ action: 'add_tag', ticket_ids: [1, 2, 3, 9], tag: 'VIP' });
  t.deepEqual(data.results, [
    { ticket_id: 1, success: true },
    { ticket_id: 2, success: true },
    { ticket_id: 3, success: false, error: 'A ticket can have at most 20 tags' },
    { ticket_id: 9, success: false, error: 'Ticket not found' },
  ]);
  const tags = async () =>
    (await send('GET', '/tickets.php?sort=ticket_id&order=asc')).body.data.map((each: any) => each.tags);
  t.deepEqual(await tags(), [['vip'], ['vip'], full]);
  t.deepEqual(idsOf(await send('GET', '/tickets.php?tag=vip&sort=ticket_id&order=asc')), [1, 2]);
  await bulk({ action: 'remove_tag', ticket_ids: [1, 2, 3], tag: 'vip' });
  t.deepEqual(await tags(), [[], [], full]);
  t.is(await app.app.database.count(TicketTag), 20);
  t.is((await bulk({ action: 'add_tag', ticket_ids: [1] })).error, 'tag is required');
  t.regex((await bulk({ action: 'add_tag', ticket_ids: [1], tag: 'a,b' })).error, /^tag must not contain a comma/);
});

test('Merge a ticket into another: tags are merged', async (t) => {
  const app = await startApp(t);
  const { company_number } = await seedCompany(app);
  const send = await asKey(app);
  for (const tags of [['vip'], ['onsite', 'vip']]) await seedTicket(app, { company_number, tags });
  t.deepEqual((await send('POST', '/tickets.php?action=merge&id=2', { into: 1 })).body.data.tags, ['onsite', 'vip']);
  t.deepEqual(idsOf(await send('GET', '/tickets.php?tag=onsite&status=open')), [1]);
});

test('Read a ticket: customers do not see tags', async (t) => {
  const app = await startApp(t);
  const employee = await seedEmployee(app);
  const { company_number, employee_number } = employee;
  await seedTicket(app, { company_number, employee_number, tags: ['slow payer'] });
  const customer = await asEmployee(app, employee);
  for (const path of ['/tickets', '/tickets/1', '/tickets/search?tag=slow'])
    t.false(JSON.stringify((await customer('GET', path)).body).includes('slow payer'), path);
  t.is((await customer('PUT', '/tickets/1', { tags: ['x'] })).status, 400);
  t.is((await customer('POST', '/tickets/bulk', { action: 'add_tag', ticket_ids: [1], tag: 'x' })).status, 400);
});
