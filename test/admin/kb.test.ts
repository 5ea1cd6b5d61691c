import { createTicket } from '@keelson/modules/tickets';
import { startApp } from '@keelson/testing';
import test from 'ava';
import { ActivityLine } from '../../packages/log/activity.ts';
import { seedCompany, seedEmployee } from '../accounts-seed.ts';
import { asEmployee, asKey } from '../tickets-seed.ts';

const now = '2026-03-02T09:00:00Z';
const rights = ['kb:read', 'kb:write', 'tickets:read'];

async function start(t: Parameters<typeof startApp>[0]) {
  const app = await startApp(t);
  const send = await asKey(app, rights);
  const write = async (fields: object = {}) =>
    (await send('POST', '/kb/articles.php', { title: 'Printer', content: 'Turn it off and on', ...fields })).body.data;
  return { app, send, write };
}

test('Create an article', async (t) => {
  const { app, send } = await start(t);
  const { company_number } = await seedCompany(app);
  const category = (await send('POST', '/kb/categories.php', { name: 'Printing' })).body.data;
  const first = await send('POST', '/kb/articles.php', {
    title: 'Paper jams',
    content: 'Open the lid',
    category_id: 1,
  });
  t.is(first.status, 201);
  t.is(first.body.data.visibility, 'internal');
  const { status, body } = await send('POST', '/kb/articles.php', {
    title: ' Set up a printer ',
    content: '# Set up\n\nOpen *Settings* and [add](https://example.com) it.',
    category_id: category.category_id,
    visibility: 'Public',
    tags: ['printer', 'windows'],
    company_number,
    related: [{ entity_type: 'article', entity_id: first.body.data.article_id }],
  });
  t.is(status, 201);
  t.deepEqual(body, {
    success: true,
    data: {
      article_id: 2,
      title: 'Set up a printer',
      content: '# Set up\n\nOpen *Settings* and [add](https://example.com) it.',
      excerpt: 'Set up Open Settings and add it.',
      category_id: 1,
      category: 'Printing',
      visibility: 'public',
      tags: ['printer', 'windows'],
      author_name: first.body.data.author_name,
      company_number,
      views: 0,
      created_at: now,
      updated_at: now,
      related: [{ entity_type: 'article', entity_id: 1, title: 'Paper jams' }],
      helpful_count: 0,
      unhelpful_count: 0,
      version: 1,
    },
  });
  const [line] = await app.app.database.findBy(ActivityLine, { entity_type: 'article', entity_id: '2' });
  t.is(line?.description, 'Article Set up a printer created');
});

test('Create an article: rejects invalid input', async (t) => {
  const { app, send } = await start(t);
  const refused = async (fields: object, error: string) =>
    t.deepEqual((await send('POST', '/kb/articles.php', { title: 'Mail', content: 'Text', ...fields })).body, {
      success: false,
      error,
    });
  await refused({ title: '' }, 'title is required');
  await refused({ content: ' ' }, 'content is required');
  await refused({ visibility: 'secret' }, 'visibility must be one of: public, internal, both');
  await refused({ category_id: 9 }, 'category_id must be an existing category');
  await refused({ company_number: 9 }, 'company_number must be an existing company');
  await refused({ related: [{ entity_type: 'article', entity_id: 9 }] }, 'related contains an unknown article: 9');
  await refused({ related: [{ entity_type: 'ticket', entity_id: 9 }] }, 'related contains an unknown ticket: 9');
  const reader = await asKey(app, ['kb:read']);
  t.is((await reader('POST', '/kb/articles.php', { title: 'Mail', content: 'Text' })).status, 403);
  // Only callers with ticket access may link tickets.
  const writer = await asKey(app, ['kb:write']);
  const { company_number } = await seedCompany(app);
  const { ticket_id } = await app.run((ctx) => createTicket(ctx, { company_number, subject: 'Secret merger' }));
  const related = [{ entity_type: 'ticket', entity_id: ticket_id }];
  t.is((await writer('POST', '/kb/articles.php', { title: 'Mail', content: 'Text', related })).status, 400);
  const linked = await send('POST', '/kb/articles.php', { title: 'Mail', content: 'Text', related });
  t.is(linked.status, 201);
  t.deepEqual((await reader('GET', `/kb/articles.php?id=${linked.body.data.article_id}`)).body.data.related, []);
});

test('List articles', async (t) => {
  const { app, send, write } = await start(t);
  await send('POST', '/kb/categories.php', { name: 'Printing' });
  await write({ title: 'Drucker einrichten', visibility: 'public', category_id: 1 });
  await write({ title: 'Café door code', visibility: 'internal', content: 'Ask at the desk' });
  await write({ title: 'VPN', visibility: 'both', tags: ['remote work'] });
  const ids = async (query: string) =>
    (await send('GET', `/kb/articles.php${query}`)).body.data.map((each: { article_id: number }) => each.article_id);
  t.deepEqual(await ids(''), [3, 2, 1]);
  t.deepEqual(await ids('?visibility=public'), [3, 1]);
  t.deepEqual(await ids('?visibility=internal'), [3, 2]);
  t.deepEqual(await ids('?visibility=both'), [3, 2, 1]);
  t.deepEqual(await ids('?category=1'), [1]);
  t.deepEqual(await ids('?search=cafe'), [2]);
  t.deepEqual(await ids('?search=desk'), [2]);
  t.deepEqual(await ids('?search=remote'), [3]);
  const { body } = await send('GET', '/kb/articles.php?per_page=2');
  t.deepEqual(body.pagination, { page: 1, per_page: 2, total: 3, total_pages: 2 });
  t.false('related' in body.data[0]);
  t.is((await send('GET', '/kb/articles.php?visibility=none')).status, 400);
  t.is((await (await asKey(app, ['tickets:read']))('GET', '/kb/articles.php')).status, 403);
  t.is((await app.request('GET', '/admin/api/v1/kb/articles.php')).status, 401);
});

test('Read an article: with related articles in its category', async (t) => {
  const { send, write } = await start(t);
  await write({ title: 'Printer offline', tags: ['network'] });
  await write({ title: 'Printer paper' });
  await write({ title: 'Mail rules' });
  const { status, body } = await send('GET', '/kb/articles.php?id=1');
  t.is(status, 200);
  t.deepEqual(body.data.related, [{ entity_type: 'article', entity_id: 2, title: 'Printer paper' }]);
  t.deepEqual((await send('GET', '/kb/articles.php?id=9')).body, { success: false, error: 'Article not found' });
});

test('Update an article', async (t) => {
  const { app, send, write } = await start(t);
  await write({ title: 'VPN', content: 'First line\nSecond line\n' });
  app.clock.set('2026-03-02T10:00:00.000Z');
  const { status, body } = await send('PUT', '/kb/articles.php?id=1', { content: 'First line\nOther line\n' });
  t.is(status, 200);
  t.like(body.data, { content: 'First line\nOther line', version: 2, updated_at: '2026-03-02T10:00:00Z' });
  // Neither unchanged text nor other fields create a version.
  await send('PUT', '/kb/articles.php?id=1', { content: 'First line\nOther line\n' });
  t.is((await send('PUT', '/kb/articles.php?id=1', { visibility: 'both' })).body.data.version, 2);
  t.like((await send('PUT', '/kb/articles.php?id=1', {})).body, { error: 'No fields to update' });
  t.is((await send('PUT', '/kb/articles.php?id=9', { title: 'x' })).status, 404);
});

test('List the versions of an article', async (t) => {
  const { app, send, write } = await start(t);
  await write({ title: 'VPN', content: 'First line' });
  app.clock.set('2026-03-02T10:00:00.000Z');
  await send('PUT', '/kb/articles.php?id=1', { content: 'Other line' });
  const versions = (await send('GET', '/kb/articles.php?action=versions&id=1')).body.data;
  t.deepEqual(
    versions.map((each: { version: number; created_at: string }) => [each.version, each.created_at]),
    [
      [2, '2026-03-02T10:00:00Z'],
      [1, now],
    ],
  );
  t.false('content' in versions[0]);
});

test('Read a version of an article and its changes', async (t) => {
  const { send, write } = await start(t);
  await write({ title: 'VPN', content: 'First line\nSecond line' });
  await send('PUT', '/kb/articles.php?id=1', { content: 'First line\nOther line' });
  const second = await send('GET', '/kb/articles.php?action=version&id=1&version=2');
  t.deepEqual(second.body.data.difference, [
    { change: 'same', text: 'First line\n' },
    { change: 'removed', text: 'Second line' },
    { change: 'added', text: 'Other line' },
  ]);
  t.is((await send('GET', '/kb/articles.php?action=version&id=1&version=7')).status, 404);
});

test('Restore a version of an article', async (t) => {
  const { send, write } = await start(t);
  await write({ title: 'VPN', content: 'First line' });
  await send('PUT', '/kb/articles.php?id=1', { content: 'Other line' });
  const back = await send('POST', '/kb/articles.php?action=restore&id=1', { version: 1 });
  t.is(back.status, 200);
  t.like(back.body.data, { content: 'First line', version: 3 });
  t.is((await send('POST', '/kb/articles.php?action=restore&id=1', { version: 9 })).status, 404);
});

test('Delete an article', async (t) => {
  const { send, write } = await start(t);
  await send('POST', '/kb/categories.php', { name: 'Printing' });
  await write({ category_id: 1 });
  await write({ category_id: 1, related: [{ entity_type: 'article', entity_id: 1 }] });
  t.is((await send('GET', '/kb/categories.php')).body.data[0].article_count, 2);
  t.is((await send('DELETE', '/kb/articles.php?id=1')).status, 204);
  t.is((await send('GET', '/kb/articles.php?id=1')).status, 404);
  t.is((await send('DELETE', '/kb/articles.php?id=1')).status, 404);
  t.deepEqual((await send('GET', '/kb/articles.php?id=2')).body.data.related, []);
  t.is((await send('GET', '/kb/categories.php')).body.data[0].article_count, 1);
});

test('Create an article category', async (t) => {
  const { send } = await start(t);
  const { status, body } = await send('POST', '/kb/categories.php', { name: 'Network', sort_order: 2 });
  t.is(status, 201);
  const network = {
    category_id: 1,
    name: 'Network',
    description: '',
    parent_id: null,
    sort_order: 2,
    created_at: now,
    updated_at: now,
    article_count: 0,
  };
  t.deepEqual(body, { success: true, data: network });
});

test('List article categories', async (t) => {
  const { app, send } = await start(t);
  await send('POST', '/kb/categories.php', { name: 'Network', sort_order: 2 });
  await send('POST', '/kb/categories.php', { name: 'VPN', parent_id: 1 });
  const listed = (await send('GET', '/kb/categories.php')).body;
  t.deepEqual(
    listed.data.map((each: { name: string; parent_id: number | null }) => [each.name, each.parent_id]),
    [
      ['VPN', 1],
      ['Network', null],
    ],
  );
  const [first] = listed.data;
  t.deepEqual((await send('GET', `/kb/categories.php?id=${first.category_id}`)).body.data, first);
  t.is((await send('GET', '/kb/categories.php?id=999999')).status, 404);
  t.is((await (await asKey(app, ['kb:write']))('GET', '/kb/categories.php')).status, 403);
});

test('Create an article category: rejects invalid input', async (t) => {
  const { app, send } = await start(t);
  await send('POST', '/kb/categories.php', { name: 'Network' });
  const refused = async (fields: object) => (await send('POST', '/kb/categories.php', fields)).body.error;
  t.is(await refused({}), 'name is required');
  t.is(await refused({ name: 'network' }), 'name network already exists');
  t.is(await refused({ name: 'Mail', parent_id: 9 }), 'parent_id must be an existing category');
  t.is((await (await asKey(app, ['kb:read']))('POST', '/kb/categories.php', { name: 'Mail' })).status, 403);
});

test('Draft an article from a closed ticket', async (t) => {
  const { app, send } = await start(t);
  const { company_number } = await seedCompany(app);
  const given = { company_number, subject: 'Cannot print', description: 'Nothing comes out' };
  const { ticket_id } = await app.run((ctx) => createTicket(ctx, given));
  const merged = await app.run((ctx) => createTicket(ctx, { ...given, description: 'Room 12' }));
  const path = '/kb/articles.php?action=from-ticket';
  const open = await send('POST', path, { ticket_id });
  t.deepEqual([open.status, open.body.error], [400, 'Ticket must be closed']);
  const desk = await asKey(app, ['tickets:read', 'tickets:write']);
  await desk('POST', `/tickets.php?action=merge&id=${merged.ticket_id}`, { into: ticket_id });
  const comments = `/tickets.php?action=comments&id=${ticket_id}`;
  await desk('POST', comments, { comment: 'Restart the spooler' });
  await desk('POST', comments, { comment: 'The customer is slow', is_internal: true });
  await desk('PUT', `/tickets.php?id=${ticket_id}`, { status: 'closed' });
  const { status, body } = await send('POST', path, { ticket_id });
  t.is(status, 201);
  t.like(body.data, {
    title: 'Cannot print',
    content: '## Question\n\nNothing comes out\n\n## Answer\n\nRestart the spooler',
    visibility: 'internal',
    related: [{ entity_type: 'ticket', entity_id: ticket_id, title: 'Cannot print' }],
  });
  const ofTicket = async (id: number) => {
    const listed = (await send('GET', `/kb/articles.php?visibility=all&ticket_id=${id}`)).body.data;
    return listed.map((each: any) => each.article_id);
  };
  t.deepEqual([await ofTicket(ticket_id), await ofTicket(ticket_id + 1)], [[body.data.article_id], []]);
  const kbOnly = await asKey(app, ['kb:read']);
  t.is((await kbOnly('GET', `/kb/articles.php?ticket_id=${ticket_id}`)).status, 403);
  t.is((await send('POST', path, { ticket_id: 99 })).status, 404);
  t.is((await (await asKey(app, ['kb:write']))('POST', path, { ticket_id })).status, 403);
});

test('employee ratings are counted', async (t) => {
  const { app, send, write } = await start(t);
  await write({ visibility: 'public' });
  const erin = await asEmployee(app, await seedEmployee(app));
  const evan = await asEmployee(app, await seedEmployee(app));
  await erin('POST', '/kb/articles/1/feedback', { helpful: false });
  t.is((await erin('POST', '/kb/articles/1/feedback', { helpful: true })).status, 204);
  await evan('POST', '/kb/articles/1/feedback', { helpful: false });
  t.like((await send('GET', '/kb/articles.php?id=1')).body.data, { helpful_count: 1, unhelpful_count: 1 });
});
