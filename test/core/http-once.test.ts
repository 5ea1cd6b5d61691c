// Idempotency keys over HTTP.
import { setTimeout as sleep } from 'node:timers/promises';
import { plus } from '@keelson/core';
import { startApp } from '@keelson/testing';
import test from 'ava';
import { IdempotencyKey } from '../../core/http/idempotency.ts';
import { until } from '../_until.ts';
import { seedEmployee, signIn } from '../accounts-seed.ts';
import { admins, makeGate, portal, probe, probeKey } from './_probe.ts';

const notes = `${admins}/probe/notes.php`;
const slow = `${admins}/probe/slow.php`;

async function start(t: Parameters<typeof startApp>[0]) {
  const gate = makeGate();
  const app = await startApp(t, { plugins: [probe(gate)] });
  const token = await probeKey(app);
  const post = (path: string, key: string, body: unknown, as = token) =>
    app.request('POST', path, { token: as, headers: { 'Idempotency-Key': key }, body });
  const count = async () => (await app.request('GET', `${admins}/probe/count.php`)).body.given as number;
  return { app, gate, token, post, count };
}

for (const path of [notes, slow]) {
  test(`repeating a request with the same key returns the first response: ${path}`, async (t) => {
    const { app, post, count } = await start(t);
    const first = await post(path, 'k-1', { body: 'x' });
    t.is(first.status, 201);
    const again = await post(path, 'k-1', { body: 'x' });
    t.is(again.status, 201);
    t.deepEqual(again.body, first.body);
    t.is(again.headers.get('content-type'), first.headers.get('content-type'));
    t.not(again.headers.get('x-request-id'), first.headers.get('x-request-id'));
    const other = await post(path, 'k-1', { body: 'y' });
    t.is(other.status, 400);
    t.deepEqual(other.body, { success: false, error: 'Idempotency-Key was already used for a different request' });
    t.is(await count(), 1);
    t.is((await post(path, 'k-2', { body: 'x' })).status, 201);
    t.is((await post(path, 'k-1', { body: 'x' }, await probeKey(app))).status, 201, 'another caller’s key is another');
    t.is(await count(), 3);
    app.clock.set(plus(app.clock.now(), { hours: 25 }));
    t.is((await post(path, 'k-1', { body: 'y' })).status, 201, 'forgotten after a day');
  });

  test(`a failed request leaves its key usable: ${path}`, async (t) => {
    const { post, count } = await start(t);
    for (let i = 0; i < 2; i++) t.is((await post(path, 'k', { body: 'fail' })).status, 400);
    t.is((await post(path, 'k', {})).status, 400);
    t.is(await count(), 0);
    t.is((await post(path, 'k', { body: 'x' })).status, 201);
    t.is(await count(), 1);
  });
}

test('concurrent requests with one key create one row', async (t) => {
  const { post, count } = await start(t);
  const answers = await Promise.all(Array.from({ length: 8 }, () => post(notes, 'k', { body: 'x' })));
  const good = answers.filter((each) => each.status === 201);
  t.true(good.length >= 1);
  t.true(answers.every((each) => each.status === 201 || each.status === 409));
  t.is(new Set(good.map((each) => each.text)).size, 1);
  t.is(await count(), 1);
});

test('while a slow request runs, another with the same key is told to wait', async (t) => {
  const { app, gate, post, count } = await start(t);
  const first = post(slow, 'k', { body: 'wait' });
  // Otherwise the second request may arrive first.
  while ((await app.app.database.count(IdempotencyKey)) === 0) await sleep(5);
  let second = await post(slow, 'k', { body: 'wait' });
  t.is(second.status, 409);
  t.is(second.headers.get('retry-after'), '1');
  t.deepEqual(second.body, { success: false, error: 'A request with this Idempotency-Key is still in progress' });
  gate.open();
  const done = await first;
  t.is(done.status, 201);
  second = await post(slow, 'k', { body: 'wait' });
  t.deepEqual(second.body, done.body);
  t.is(await count(), 1);
});

test.serial('a slow request keeps its key for as long as it runs', async (t) => {
  const { setInterval } = globalThis;
  t.teardown(() => Object.assign(globalThis, { setInterval }));
  const { app, gate, post, count } = await start(t);
  t.teardown(gate.open);
  // Renew every 10 ms instead of every 30 s.
  const hurried = (work: () => void, ms: number) => setInterval(work, ms === 30_000 ? 10 : ms);
  Object.assign(globalThis, { setInterval: hurried });
  const first = post(slow, 'k', { body: 'wait' });
  await until(async () => (await app.app.database.count(IdempotencyKey)) > 0);
  app.clock.set(plus(app.clock.now(), { minutes: 3 }));
  await until(() =>
    app.app.database.findOneBy(IdempotencyKey, {}).then((row) => (row?.leased_until ?? '') > app.clock.now()),
  );
  const second = await post(slow, 'k', { body: 'wait' });
  gate.open();
  t.is(second.status, 409);
  t.is((await first).status, 201);
  t.is(await count(), 1);
});

test('work committed by a slow request is not repeated, even if its process died before responding', async (t) => {
  const { app, post, count } = await start(t);
  app.expectError(/The process is gone.*request failed/);
  const { database } = app.app;
  const { update } = database;
  Object.assign(database, { update: () => Promise.reject(new Error('The process is gone')) });
  t.is((await post(slow, 'k', { body: 'x' })).status, 500);
  Object.assign(database, { update });
  app.clock.set(plus(app.clock.now(), { minutes: 3 }));
  const again = await post(slow, 'k', { body: 'x' });
  t.is(again.status, 409);
  t.is(again.body.error, 'This request was already carried out, at least in part; its response was lost');
  t.is(await count(), 1);
});

test('a slow request overtaken after its lease expired stores nothing', async (t) => {
  const { app, gate, post, count } = await start(t);
  const first = post(slow, 'k', { body: 'wait' });
  while ((await app.app.database.count(IdempotencyKey)) === 0) await sleep(5);
  app.clock.set(plus(app.clock.now(), { minutes: 3 }));
  const second = post(slow, 'k', { body: 'wait' });
  while ((await app.app.database.findOneBy(IdempotencyKey, {}))?.fence !== 2) await sleep(5);
  gate.open();
  t.deepEqual([(await first).status, (await second).status], [503, 201]);
  t.is(await count(), 1);
});

test('employees can use keys too, and keys of two employees never clash', async (t) => {
  const { app, count, post } = await start(t);
  const [one, two] = [await signIn(app, await seedEmployee(app)), await signIn(app, await seedEmployee(app))];
  const path = `${portal}/probe/notes`;
  const first = await post(path, 'k', { body: 'x' }, one.token);
  t.deepEqual((await post(path, 'k', { body: 'x' }, one.token)).body, first.body);
  const other = await post(path, 'k', { body: 'other' }, two.token);
  t.is(other.status, 201);
  t.is(other.body.body, 'other');
  t.is(await count(), 2);
});

test('a key is 1 to 255 printable characters; anonymous callers and other methods have none', async (t) => {
  const { app, token, post, count } = await start(t);
  const long = await post(notes, 'x'.repeat(256), { body: 'x' });
  t.is(long.status, 400);
  t.regex(long.body.error, /Idempotency-Key must be/);
  t.is((await post(notes, 'x'.repeat(255), { body: 'x' })).status, 201);
  t.is((await post(notes, 'ü', { body: 'x' })).status, 400);
  const id = (await post(notes, 'k', { body: 'x' })).body.data.note_id;
  const put = (body: string) =>
    app.request('PUT', `${notes}?id=${id}`, { token, headers: { 'Idempotency-Key': 'k' }, body: { body } });
  t.is((await put('a')).body.data.body, 'a');
  t.is((await put('b')).body.data.body, 'b');
  t.is((await post(`${portal}/auth/login`, 'k', { username: 'x', password: 'y' }, 'no')).status, 401);
  t.is(await count(), 2);
});
