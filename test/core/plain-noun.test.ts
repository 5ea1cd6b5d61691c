// A plain noun: one declaration creates its five routes, and the whole noun is short.
import { readFileSync } from 'node:fs';
import { admin, input, is, nounRoutes, signedIn, view } from '@keelson/core';
import { createApiKey } from '@keelson/modules/accounts';
import { startApp } from '@keelson/testing';
import test from 'ava';
import yard, { CrateItem, Crates } from './_crates.ts';

const path = '/admin/api/v1/yard/crates.php';
const key = { type: 'admin', name: 'Yard', permissions: ['yard:read', 'yard:write'] } as const;
const reader = { type: 'admin', name: 'Reader', permissions: ['yard:read'] } as const;

const titles = { list: 'List', create: 'Create', read: 'Read', update: 'Update', delete: 'Delete' };
const access = yard.permissions?.[0];
if (!access) throw new Error('The yard has permissions');

test('a plain noun of ten fields takes at most 120 lines in total', (t) => {
  const lines = readFileSync(new URL('_crates.ts', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n').length;
  t.true(lines <= 120, `${lines} lines`);
  t.is(Object.keys(Crates.table.columns).filter((each) => !/_id$|_at$/.test(each)).length, 10);
});

test('a plain noun is listed, created, read, changed and deleted', async (t) => {
  const { request, run } = await startApp(t, { plugins: [yard] });
  const { api_key: token } = await run((ctx) => createApiKey(ctx, key));
  const made = await request('POST', path, { token, body: { code: 'A-1', label: 'Cables', kind: 'barrel' } });
  t.is(made.status, 201);
  const { crate_id } = made.body.data;
  t.like(made.body.data, { code: 'A-1', kind: 'barrel', weight: null, fragile: false, notes: '' });
  t.is((await request('POST', path, { token, body: { code: 'A-1', label: 'Again' } })).status, 409);
  t.is((await request('POST', path, { token, body: { code: 'A-2' } })).status, 400);

  await request('POST', path, { token, body: { code: 'A-2', label: 'Adapters' } });
  const listed = await request('GET', `${path}?sort=label&order=asc`, { token });
  t.deepEqual(
    listed.body.data.map((each: { label: string }) => each.label),
    ['Adapters', 'Cables'],
  );
  t.is((await request('GET', `${path}?kind=barrel`, { token })).body.pagination.total, 1);

  const one = `${path}?id=${crate_id}`;
  t.deepEqual((await request('GET', one, { token })).body.data, made.body.data);
  const changed = await request('PUT', one, { token, body: { weight: 12, kind: 'box' } });
  t.like(changed.body.data, { code: 'A-1', weight: 12, kind: 'box' });
  t.is((await request('PUT', one, { token, body: {} })).status, 400);
  t.is((await request('DELETE', one, { token })).status, 204);
  for (const method of ['GET', 'PUT', 'DELETE'] as const)
    t.is((await request(method, one, { token, ...(method === 'PUT' && { body: {} }) })).status, 404);
});

test('read permission does not allow writing', async (t) => {
  const { request, run } = await startApp(t, { plugins: [yard] });
  const { api_key: token } = await run((ctx) => createApiKey(ctx, reader));
  t.is((await request('GET', path, { token })).status, 200);
  t.is((await request('GET', `${path}?id=1`, { token })).status, 404);
  t.is((await request('POST', path, { token, body: { code: 'A', label: 'B' } })).status, 403);
  t.is((await request('PUT', `${path}?id=1`, { token, body: { label: 'B' } })).status, 403);
  t.is((await request('DELETE', `${path}?id=1`, { token })).status, 403);
});

test('paths name one record; those of the list are derived', (t) => {
  const made = nounRoutes(admin, '/yard/crates/{id}', Crates, {
    titles,
    read: access,
    write: access,
    view: CrateItem,
    fields: yardFields(),
  });
  t.deepEqual(
    made.map((each) => each.name),
    [
      'admin GET /yard/crates',
      'admin POST /yard/crates',
      'admin GET /yard/crates/{id}',
      'admin PUT /yard/crates/{id}',
      'admin DELETE /yard/crates/{id}',
    ],
  );
});

test('a view limited to some rows is rejected, because reading by id would show the others', (t) => {
  const Boxes = view(Crates, { visible: () => [is('kind', 'box')] });
  const boxes = { titles, read: access, write: access, view: Boxes, fields: yardFields() };
  t.throws(() => nounRoutes(admin, '/yard/boxes.php?id={id}', Crates, boxes), { message: /limited to some rows/ });
});

test('bodies that differ from the record input need functions', (t) => {
  const { code, label } = yardFields();
  const rest = { titles, read: access, write: access, view: CrateItem };
  // @ts-expect-error a crate needs a label
  nounRoutes(admin, '/yard/crates.php?id={id}', Crates, { ...rest, fields: { code } });
  // @ts-expect-error the access rule belongs to another surface
  nounRoutes(admin, '/yard/crates/{id}', Crates, { ...rest, read: signedIn, fields: { code, label } });
  t.pass();
});

function yardFields() {
  return { code: input.text(40), label: input.text(255) };
}
