// Notes.
import { openApp, type TestApp } from '@keelson/testing';
import test from 'ava';
import { add, asCrm, linesOf, refusals, refused, type Send } from '../crm-seed.ts';

let app: TestApp;
let send: Send;
let lead_id = 0;
test.before(async () => {
  app = await openApp();
  send = await asCrm(app);
  lead_id = (await add(send, '/leads', { phone: '1' })).lead_id;
});
test.after.always(() => app.close());

const write = (content: string, given: object = {}) =>
  add(send, '/notes', { entity_type: 'lead', entity_id: lead_id, content, ...given });
const contents = async (query: string) =>
  (await send('GET', `/notes?${query}`)).body.data.map((each: { content: string }) => each.content);

test.serial('Write a note', async (t) => {
  let answer = await send('GET', '/notes');
  const lines = await linesOf(app, async () => {
    answer = await send('POST', '/notes', { entity_type: 'LEAD', entity_id: lead_id, content: ' <b>Keen</b>\nvery ' });
  });
  t.is(answer.status, 201);
  const { note_id, created_by } = answer.body.data;
  t.deepEqual(answer.body.data, {
    note_id,
    entity_type: 'lead',
    entity_id: lead_id,
    content: '<b>Keen</b>\nvery',
    is_pinned: false,
    created_by,
    created_at: '2026-03-02T09:00:00Z',
    updated_at: '2026-03-02T09:00:00Z',
  });
  t.deepEqual(lines, [`create crm_note ${note_id}`]);
  for (const [body, error] of [
    [{}, 'entity_type is required; entity_id is required; content is required'],
    [{ entity_type: 'lead', entity_id: 99, content: 'x' }, 'entity_id must be an existing lead'],
    [
      { entity_type: 'ticket', entity_id: 1, content: 'x' },
      'entity_type must be one of: lead, contact, opportunity, prospect',
    ],
    [
      { entity_type: 'lead', entity_id: lead_id, content: 'x'.repeat(65_536) },
      'content must be at most 65535 characters',
    ],
  ] as const) {
    const wrong = await send('POST', '/notes', body);
    t.deepEqual([wrong.status, wrong.body.error], [400, error]);
  }
});

test.serial('List notes: pinned notes of an entity first; all notes newest first', async (t) => {
  const { prospect_id } = await add(send, '/prospects', { name: 'Noted' });
  const about = { entity_type: 'prospect', entity_id: prospect_id };
  await write('pinned', { ...about, is_pinned: true });
  await write('second', about);
  await write('third', about);
  t.deepEqual(await contents(`entity_type=prospect&entity_id=${prospect_id}`), ['pinned', 'third', 'second']);
  t.deepEqual(await contents('entity_type=prospect'), ['pinned', 'third', 'second']);
  t.deepEqual(await contents('per_page=3'), ['third', 'second', 'pinned']);
  t.deepEqual(await contents('entity_type=prospect&per_page=2&page=2'), ['second']);
  t.is((await send('GET', '/notes?entity_id=1')).body.error, 'entity_type is required with entity_id');
  t.deepEqual((await send('GET', '/notes?entity_type=prospect')).body.pagination, {
    page: 1,
    per_page: 25,
    total: 3,
    total_pages: 1,
  });
  t.true((await app.fewestStatements(() => send('GET', '/notes?entity_type=prospect'))) <= 6);
});

test.serial('Update a note', async (t) => {
  const { note_id } = await write('before');
  app.clock.set('2026-03-03T09:00:00.000Z');
  const answer = await send('PUT', `/notes/${note_id}`, { content: 'after', is_pinned: true });
  t.like(answer.body.data, { content: 'after', is_pinned: true, updated_at: '2026-03-03T09:00:00Z' });
  app.clock.set('2026-03-04T09:00:00.000Z');
  t.is((await send('PUT', `/notes/${note_id}`, { content: 'after' })).body.data.updated_at, '2026-03-03T09:00:00Z');
  t.is((await send('PUT', `/notes/${note_id}`, { content: ' ' })).body.error, 'content is required');
  t.is((await send('PUT', `/notes/${note_id}`, {})).body.error, 'No fields to update');
  t.deepEqual((await send('PUT', '/notes/999', { content: 'x' })).body, {
    success: false,
    error: 'Note not found',
    code: 'NOT_FOUND',
  });
});

test.serial('Delete a note', async (t) => {
  const { note_id } = await write('gone');
  const answer = await send('DELETE', `/notes/${note_id}`);
  t.deepEqual([answer.status, answer.body], [200, { success: true, data: { note_id, deleted: true } }]);
  t.is((await send('DELETE', `/notes/${note_id}`)).status, 404);
  t.false((await contents('')).includes('gone'));
});

test.serial('notes: access', async (t) => {
  const { note_id } = await write('refused');
  for (const [method, path, permission] of [
    ['GET', '/notes', 'activities:read'],
    ['POST', '/notes', 'activities:write'],
    ['PUT', `/notes/${note_id}`, 'activities:write'],
    ['DELETE', `/notes/${note_id}`, 'activities:write'],
  ] as const) {
    const { stranger, without, visitor } = await refusals(app, method, path, permission);
    t.is(stranger.status, 401);
    for (const each of [without, visitor]) t.deepEqual([each.status, each.body], [403, refused], `${method} ${path}`);
  }
});
