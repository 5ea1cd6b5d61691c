import test from 'ava';
import type { Database } from '../../packages/database/db.ts';
import { ActivityLine, changesBetween, createActivityLog } from '../../packages/log/activity.ts';
import { createErrorLog, ErrorCount, ErrorLine, withoutSecrets } from '../../packages/log/error-log.ts';
import { openTestDatabase } from '../../packages/testing/database.ts';
import { quiet } from './_outbox.ts';

const now = '2026-03-02T09:00:00.000Z';
const by = {
  author: { type: 'technician', id: 4, name: 'Ada' },
  now,
  request: { id: 'r1', ip: '192.0.2.7' },
} as const;
const change = { action: 'update', entity_type: 'ticket', entity_id: 7, description: 'Updated ticket 7' } as const;
const entry = {
  level: 'error',
  message: 'It broke',
  path: '/x',
  method: 'GET',
  status: 500,
  request_id: 'r1',
} as const;

test('a change is logged with who, what and when, in its own transaction', async (t) => {
  const database = await openTestDatabase([ActivityLine]);
  t.teardown(() => database.close());
  const log = createActivityLog();
  const changes = { status: ['open', 'closed'] } as const;
  await database.transaction(async (tx) => log.store(tx, { ...change, changes }, by));
  await t.throwsAsync(
    database.transaction(async (tx) => {
      log.store(tx, change, by);
      throw new Error('no');
    }),
  );
  const lines = await database.find(ActivityLine);
  t.is(lines.length, 1);
  t.like(lines[0], {
    user: 'Ada',
    user_id: 4,
    action: 'update',
    entity_id: '7',
    changes: { status: ['open', 'closed'] },
    ip_address: '192.0.2.7',
    created_at: now,
  });
});

test('keys and employees have no user id', async (t) => {
  const database = await openTestDatabase([ActivityLine]);
  t.teardown(() => database.close());
  const author = { type: 'api', id: 9, name: 'Sync key' } as const;
  await database.transaction(async (tx) => createActivityLog().store(tx, change, { ...by, author }));
  t.like(await database.findOneBy(ActivityLine, {}), { user_id: null, author_id: 9, user: 'Sync key' });
});

test('changes contain the fields that differ and no secrets', (t) => {
  const before = { name: 'a', tags: ['x'], password: 'one', note: null, same: 1 };
  const after = { name: 'b', tags: ['x'], password: 'two', note: undefined, same: 1, extra: true };
  t.deepEqual(changesBetween(before, after, ['password']), {
    name: ['a', 'b'],
    password: ['changed', 'changed'],
    extra: [null, true],
  });
});

test('an error is logged without its query and secrets', async (t) => {
  const database = await openTestDatabase([ErrorLine, ...ErrorCount.tables]);
  t.teardown(() => database.close());
  const log = createErrorLog({ database, clock: { now: () => now }, log: quiet });
  log.store({ ...entry, path: '/reset?token=abc', message: "Duplicate entry 'ada@example.org' for key 'email'" });
  await log.flush();
  t.like(await database.findOneBy(ErrorLine, {}), {
    path: '/reset',
    message: "Duplicate entry '…' for key '…'",
    status: 500,
  });
});

test('secrets are recognised in common places', (t) => {
  t.is(withoutSecrets('Bearer abc.def failed'), 'Bearer … failed');
  t.is(withoutSecrets('password=hunter2 refused'), 'password=… refused');
  t.is(withoutSecrets(`key ${'a1'.repeat(20)} unknown`), 'key … unknown');
  t.is(withoutSecrets('mail to ada@example.org bounced'), 'mail to … bounced');
  t.is(withoutSecrets('Cannot read properties of undefined'), 'Cannot read properties of undefined');
});

test('a flood of errors is counted, not stored, and a database failure never throws', async (t) => {
  const database = await openTestDatabase([ErrorLine, ...ErrorCount.tables]);
  const log = createErrorLog({ database, clock: { now: () => now }, log: quiet });
  for (let i = 0; i < 500; i++) log.store(entry);
  await log.flush();
  const stored = await database.count(ErrorLine);
  t.true(stored >= 20 && stored <= 40);
  await database.close();
  const transaction = async () => Promise.reject(new Error('gone'));
  const broken: Database = { ...database, transaction };
  const sad = createErrorLog({ database: broken, clock: { now: () => now }, log: quiet });
  t.notThrows(() => sad.store(entry));
  await t.notThrowsAsync(sad.flush());
});
