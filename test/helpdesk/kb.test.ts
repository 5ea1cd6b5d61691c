import { changeModules, findCompany } from '@keelson/modules/directory';
import { answerTextOf, articlesFor, articlesForEmployee, publicArticles } from '@keelson/modules/kb';
import { createTicket } from '@keelson/modules/tickets';
import { startApp } from '@keelson/testing';
import test from 'ava';
import { seedCompany, seedEmployee } from '../accounts-seed.ts';
import { anEmployee } from '../core/_live.ts';
import { asEmployee, asKey } from '../tickets-seed.ts';

const now = '2026-03-02T09:00:00Z';

async function start(t: Parameters<typeof startApp>[0]) {
  const app = await startApp(t);
  const { company_number } = await seedCompany(app);
  const admin = await asEmployee(app, await seedEmployee(app, { company_number, it_privileges: true }));
  const person = await seedEmployee(app, { company_number });
  const send = await asEmployee(app, person);
  const stranger = await asEmployee(app, await seedEmployee(app, { it_privileges: true }));
  const staff = await asKey(app, ['kb:read', 'kb:write', 'tickets:read']);
  const write = async (fields: object = {}) =>
    (
      await staff('POST', '/kb/articles.php', {
        title: 'Printer',
        content: 'Off and on',
        visibility: 'public',
        ...fields,
      })
    ).body.data;
  return { app, company_number, admin, person, send, stranger, staff, write };
}

type Send = Awaited<ReturnType<typeof start>>['send'];
const idOf = ({ article_id }: { article_id: number }) => article_id;
const ids = async (send: Send, query = '') =>
  (await send('GET', `/kb/articles${query}`)).body.articles.map((each: { article_id: number }) => each.article_id);

test('List the articles visible to you', async (t) => {
  const { app, company_number, send, stranger, staff, write } = await start(t);
  await staff('POST', '/kb/categories.php', { name: 'Printing' });
  await write({ category_id: 1 });
  await write({ title: 'Door code', visibility: 'internal' });
  await write({ title: 'Handbook', visibility: 'both', company_number });
  t.deepEqual(await ids(send), [3, 1]);
  t.deepEqual(await ids(stranger), [1]);
  t.deepEqual(await ids(send, '?category=printing'), [1]);
  t.deepEqual(await ids(send, '?category=1'), [1]);
  t.deepEqual(await ids(send, '?category=Unknown'), []);
  t.deepEqual(await ids(send, '?search=hand'), [3]);
  t.deepEqual(await ids(send, '?search=door'), []);
  // A sentence finds articles that contain some of its words, best match first (K-13).
  await write({ title: 'Paper', content: 'For the printer' });
  t.deepEqual(await ids(send, '?about=My+printer+wants+paper'), [4, 1]);
  t.deepEqual(await ids(send, '?about=My+door+is+stuck'), []);
  // Words that occur in any question are ignored.
  await write({ title: 'Work from home', content: 'How the VPN is opened. Wie der Zugang geht.' });
  t.deepEqual(await ids(send, '?about=How+do+I+get+the+toner+from+the+printer'), [4, 1]);
  t.deepEqual(await ids(send, '?about=Wie+bekomme+ich+der+T%C3%BCr'), []);
  t.deepEqual(await ids(send, '?about=from+how+the'), []);
  t.deepEqual(await ids(send, '?about=home'), [5]);
  t.deepEqual(await ids(send, '?about=printer&per_page=1').then((found) => found.length), 1);
  t.deepEqual(await ids(stranger, '?about=handbook'), []);
  const { body } = await send('GET', '/kb/articles?per_page=1');
  t.like(body.pagination, { page: 1, total: 4 });
  const company = await app.run((ctx) => findCompany(ctx, company_number));
  await app.run((ctx) => changeModules(ctx, company, { kb: false }));
  t.is((await send('GET', '/kb/articles')).status, 403);
  t.is((await send('GET', '/kb/articles/1')).status, 403);
  t.is((await app.request('GET', '/helpdesk/api/v1/kb/articles')).status, 401);
});

test('Open an article', async (t) => {
  const { app, company_number, person, send, stranger, write } = await start(t);
  const { employee_number } = person;
  const ticket = (subject: string, more: object = {}) =>
    app.run((ctx) => createTicket(ctx, { company_number, subject, ...more }));
  const mine = await ticket('Mine', { employee_number });
  const theirs = await ticket('Of a colleague');
  await write({ title: 'Door code', visibility: 'internal' });
  const related = [
    { entity_type: 'article', entity_id: 1 },
    { entity_type: 'ticket', entity_id: mine.ticket_id },
    { entity_type: 'ticket', entity_id: theirs.ticket_id },
  ];
  await write({ related });
  const { status, body } = await send('GET', '/kb/articles/2');
  t.is(status, 200);
  t.deepEqual(body, {
    article_id: 2,
    title: 'Printer',
    content: 'Off and on',
    excerpt: 'Off and on',
    category_id: null,
    category: null,
    visibility: 'public',
    tags: [],
    author_name: body.author_name,
    company_number: null,
    views: 1,
    created_at: now,
    updated_at: now,
    related: [{ entity_type: 'ticket', entity_id: mine.ticket_id, title: 'Mine' }],
    content_html: '<p>Off and on</p>\n',
  });
  t.like((await stranger('GET', '/kb/articles/2')).body, { views: 2, related: [] });
  const hidden = await send('GET', '/kb/articles/1');
  const absent = await send('GET', '/kb/articles/99');
  t.is(hidden.status, 404);
  t.is(hidden.text, absent.text);
});

test('Publish an article for your company', async (t) => {
  const { company_number, admin, send, stranger, staff } = await start(t);
  await staff('POST', '/kb/categories.php', { name: 'Printing' });
  const given = { title: 'Our printer', content: 'Second floor', category: 'PRINTING', tags: ['floor'] };
  const { status, body } = await admin('POST', '/kb/articles', { ...given, visibility: 'both' });
  t.is(status, 201);
  t.like(body, { ...given, category: 'Printing', category_id: 1, company_number, visibility: 'public', related: [] });
  t.deepEqual(await ids(send), [1]);
  t.deepEqual(await ids(stranger), []);
  t.is((await send('POST', '/kb/articles', given)).status, 403);
  t.like((await admin('POST', '/kb/articles', { ...given, category: 'Nope' })).body, {
    error: 'category must be an existing category',
  });
  t.is((await admin('POST', '/kb/articles', { title: 'Only a title' })).status, 400);
});

test('Update an article of your company', async (t) => {
  const { admin, send, stranger, write } = await start(t);
  await admin('POST', '/kb/articles', { title: 'Our printer', content: 'Second floor' });
  const { status, body } = await admin('PUT', '/kb/articles/1', { content: 'Third floor', tags: ['floor'] });
  t.is(status, 200);
  t.like(body, { content: 'Third floor', excerpt: 'Third floor', tags: ['floor'] });
  t.is((await send('PUT', '/kb/articles/1', { content: 'x' })).status, 403);
  const foreign = await stranger('PUT', '/kb/articles/1', { content: 'x' });
  t.is(foreign.status, 404);
  t.is(foreign.text, (await stranger('PUT', '/kb/articles/99', { content: 'x' })).text);
  await write();
  t.is((await admin('PUT', '/kb/articles/2', { content: 'x' })).status, 403);
  await write({ visibility: 'internal' });
  t.is((await admin('PUT', '/kb/articles/3', { content: 'x' })).status, 404);
  t.is((await admin('PUT', '/kb/articles/1', {})).status, 400);
});

test('Rate an article', async (t) => {
  const { send, write } = await start(t);
  await write({ visibility: 'internal' });
  t.is((await send('POST', '/kb/articles/1/feedback', { helpful: true })).status, 404);
  await write();
  t.is((await send('POST', '/kb/articles/2/feedback', { helpful: true })).status, 204);
  t.is((await send('POST', '/kb/articles/2/feedback', {})).status, 400);
});

test('articles are found by text, limited to those visible to the caller', async (t) => {
  const { app, company_number, send, stranger, staff, write } = await start(t);
  const other = await write({ title: 'Jam', content: 'Open the tray of the Laserjet', tags: ['copier'] });
  const own = await write({ title: 'Our Laserjet', company_number });
  await write({ title: 'Laserjet codes', visibility: 'internal' });
  const gone = await write({ title: 'Old Laserjet' });
  await staff('DELETE', `/kb/articles.php?id=${gone.article_id}`);
  const search = async (who: Send, q: string) => {
    const { body } = await who('GET', `/search?q=${q}`);
    return [body.total, ...body.articles.map((each: { article_id: number }) => each.article_id)];
  };
  for (const indexed of [false, true]) {
    if (indexed) await app.app.indexer.drain();
    t.deepEqual(await search(send, 'laserjet'), [2, own.article_id, other.article_id]);
    t.deepEqual(await search(stranger, 'laserjet'), [1, other.article_id]);
    t.deepEqual(await search(stranger, 'codes'), [0]);
    t.deepEqual(await ids(send, '?search=copier'), [other.article_id]);
    t.deepEqual(await ids(stranger, '?search=LASERJET'), [other.article_id]);
    t.is((await staff('GET', '/search.php?q=laserjet')).body.data.kb.length, 3);
    t.is((await staff('GET', '/kb/articles.php?search=laserjet%20tray')).body.pagination.total, 1);
  }
  const company = await app.run((ctx) => findCompany(ctx, company_number));
  await app.run((ctx) => changeModules(ctx, company, { kb: false }));
  t.deepEqual(await search(send, 'laserjet'), [0]);
});

test('a question finds the articles matching most words, among those visible to the caller', async (t) => {
  const { app, company_number, write } = await start(t);
  const jam = await write({ title: 'Paper jam', content: 'When the **printer** shows a jam, open the tray.\n\nPull.' });
  const other = await write({ title: 'Printer is slow', content: 'Wait.' });
  const own = await write({ title: 'Printer tray', company_number });
  await write({ title: 'Printer paper jam', visibility: 'internal' });
  const question = 'My printer says paper jam and I cannot print: what about the tray?';
  for (const indexed of [false, true]) {
    if (indexed) await app.app.indexer.drain();
    const found = await app.run((ctx) => articlesFor(ctx, publicArticles, question, 5));
    t.deepEqual(found.map(idOf), [jam.article_id, other.article_id]);
    t.is((await app.run((ctx) => articlesFor(ctx, publicArticles, question, 1))).length, 1);
    t.deepEqual(await app.run((ctx) => articlesFor(ctx, publicArticles, 'a of ?', 5)), []);
    const actor = await anEmployee(app, company_number);
    const seen = await app.run((ctx) => articlesForEmployee({ ...ctx, actor } as never, question, 5));
    t.true(new Set(seen.map(idOf)).symmetricDifference(new Set([jam, other, own].map(idOf))).size === 0);
  }
  t.like(answerTextOf(jam), { text: 'When the printer shows a jam, open the tray.\n\nPull.' });
});
