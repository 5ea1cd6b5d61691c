import test from 'ava';
import {
  beginKeyed,
  claimKeyed,
  finishKeyed,
  IdempotencyKey,
  isIdempotencyKey,
  pruneKeys,
  releaseKeyed,
  type Keyed,
} from '../../core/http/idempotency.ts';
import type { Database } from '../../packages/database/db.ts';
import { plus } from '../../packages/kit/time.ts';
import { openTestDatabase } from '../../packages/testing/database.ts';
import { Effect } from './_outbox.ts';

const now = '2026-03-02T09:00:00.000Z';
const request = { principal: 'admin:key:1', route: 'admin POST /tickets', key: 'abc', bodyHash: 'h1', now };
const answer = { status: 201, answer: '{"id":1}' };

async function create(database: Database, given = request): Promise<Keyed> {
  return database.transaction(async (tx) => {
    const keyed = await beginKeyed(tx, given);
    if (keyed.kind !== 'new') return keyed;
    await tx.insert(Effect, { subscriber: 'x', event_id: 'y' });
    await finishKeyed(tx, keyed.claim, answer);
    return keyed;
  });
}

test('repeating a request returns the stored response and changes nothing', async (t) => {
  const database = await openTestDatabase([IdempotencyKey, Effect]);
  t.teardown(() => database.close());
  t.is((await create(database)).kind, 'new');
  t.deepEqual(await create(database), { kind: 'stored', ...answer });
  t.is(await database.count(Effect), 1);
});

test('concurrent requests make one change', async (t) => {
  const database = await openTestDatabase([IdempotencyKey, Effect]);
  t.teardown(() => database.close());
  const kinds = await Promise.all(Array.from({ length: 4 }, () => create(database).then((each) => each.kind)));
  t.deepEqual(kinds.toSorted(), ['new', 'stored', 'stored', 'stored']);
  t.is(await database.count(Effect), 1);
});

test('another body under the same key is rejected; another caller, route or key is independent', async (t) => {
  const database = await openTestDatabase([IdempotencyKey, Effect]);
  t.teardown(() => database.close());
  await create(database);
  t.is((await create(database, { ...request, bodyHash: 'h2' })).kind, 'other-body');
  t.is((await create(database, { ...request, principal: 'admin:key:2' })).kind, 'new');
  t.is((await create(database, { ...request, route: 'admin POST /sites' })).kind, 'new');
  t.is((await create(database, { ...request, key: 'ABC' })).kind, 'new');
});

test('a failed request leaves its key usable', async (t) => {
  const database = await openTestDatabase([IdempotencyKey, Effect]);
  t.teardown(() => database.close());
  const failing = database.transaction(async (tx) => {
    await beginKeyed(tx, request);
    throw new Error('no');
  });
  await t.throwsAsync(failing, { message: 'no' });
  t.is((await create(database)).kind, 'new');
});

test('a slow route holds its key until it finishes, fails, or its lease expires', async (t) => {
  const database = await openTestDatabase([IdempotencyKey, Effect]);
  t.teardown(() => database.close());
  const first = await claimKeyed(database, request);
  t.is((await claimKeyed(database, request)).kind, 'running');
  t.is((await claimKeyed(database, { ...request, bodyHash: 'h2' })).kind, 'other-body');
  const second = await claimKeyed(database, { ...request, now: plus(now, { minutes: 3 }) });
  if (first.kind !== 'new' || second.kind !== 'new') return t.fail();
  t.false(await finishKeyed(database, first.claim, answer), 'it has lost its claim');
  await releaseKeyed(database, first.claim);
  t.true(await finishKeyed(database, second.claim, answer));
  t.is((await claimKeyed(database, { ...request, now: plus(now, { minutes: 4 }) })).kind, 'stored');
});

test('a failed slow route leaves its key usable', async (t) => {
  const database = await openTestDatabase([IdempotencyKey, Effect]);
  t.teardown(() => database.close());
  const keyed = await claimKeyed(database, request);
  if (keyed.kind === 'new') await releaseKeyed(database, keyed.claim);
  t.is((await claimKeyed(database, request)).kind, 'new');
});

test('keys expire after 24 hours', async (t) => {
  const database = await openTestDatabase([IdempotencyKey, Effect]);
  t.teardown(() => database.close());
  await create(database);
  t.is((await create(database, { ...request, bodyHash: 'h2', now: plus(now, { hours: 25 }) })).kind, 'new');
  t.is(await pruneKeys(database, plus(now, { hours: 48 })), 0);
  t.is(await pruneKeys(database, plus(now, { hours: 50 })), 1);
});

test('a key is 1 to 255 printable characters', (t) => {
  t.true(isIdempotencyKey('a b~'));
  t.true(isIdempotencyKey('x'.repeat(255)));
  for (const each of ['', 'x'.repeat(256), 'a\nb', 'ü', '\t']) t.false(isIdempotencyKey(each));
});
