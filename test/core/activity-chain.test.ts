// The sealed activity log detects every manipulation made outside the product.
import { createSecretKey, randomBytes } from 'node:crypto';
import { sql } from '@keelson/core';
import { openTestDatabase, startApp } from '@keelson/testing';
import test, { type ExecutionContext } from 'ava';
import { sealSecret } from '../../core/process/database/retention.ts';
import { plus } from '../../packages/kit/time.ts';
import { ActivityBlock, sealActivity } from '../../packages/log/activity-chain.ts';
import { ActivityTally, authorsLike, countActivity } from '../../packages/log/activity-count.ts';
import { ActivityLine } from '../../packages/log/activity.ts';
import { checkLog } from '../../packages/log/check-log.ts';

const at = '2026-03-02T09:00:00.000Z';

const line = (n: number, user = 'Ada') => ({
  author_type: 'technician' as const,
  author_id: 1,
  user_id: 1,
  user,
  action: n % 2 ? ('create' as const) : ('update' as const),
  entity_type: 'ticket',
  entity_id: String(n),
  description: `Ticket ${n} – “changed”`,
  changes: { status: ['open', { to: n }] as const },
  ip_address: '192.0.2.1',
  request_id: `r${n}`,
  created_at: at,
});

const secret = createSecretKey(randomBytes(32));
const minute = (n: number) => plus(at, { minutes: n });

async function start(t: ExecutionContext) {
  const database = await openTestDatabase([ActivityLine, ActivityBlock, ActivityTally]);
  t.teardown(() => database.close());
  const seal = (n = 0) => sealActivity(database, secret, minute(n));
  const check = (expected?: string) => checkLog(database, secret, { expected });
  return { database, seal, check };
}

/** Creates three blocks of three lines each. */
async function sealed(t: ExecutionContext) {
  const log = await start(t);
  for (let block = 0; block < 3; block++) {
    await log.database.insert(
      ActivityLine,
      [1, 2, 3].map((n) => line(block * 3 + n)),
    );
    await log.seal(block);
  }
  return log;
}

test('an untouched log is intact and sealed once across processes', async (t) => {
  const { database, seal, check } = await sealed(t);
  const report = await check();
  t.like(report, { blocks: 3, lines: 9, unsealed: 0, faults: { length: 0 } });
  t.regex(report.head, /^[0-9a-f]{64}$/);
  t.is(await seal(), 0);
  await database.insert(
    ActivityLine,
    Array.from({ length: 1203 }, (_, n) => line(n)),
  );
  t.is((await check()).unsealed, 1203);
  await Promise.all([1, 2, 3].map(seal));
  await seal();
  t.like(await check(), { lines: 1212, unsealed: 0, faults: { length: 0 } });
});

test('a line committed late with a lower id is sealed too', async (t) => {
  const { database, seal, check } = await start(t);
  await database.insert(ActivityLine, { ...line(1), log_id: 100 });
  await seal();
  await database.insert(ActivityLine, { ...line(2), log_id: 50 });
  await database.insert(ActivityLine, { ...line(3), log_id: 150 });
  await seal(1);
  t.like(await check(), { blocks: 2, lines: 3, unsealed: 0, faults: { length: 0 } });
});

for (const [what, tamper, fault] of [
  ['changed', sql`UPDATE activity_log SET description = 'Nothing' WHERE log_id = 5`, 'line 5 of block 2 was changed'],
  [
    'given to somebody else',
    sql`UPDATE activity_log SET author_id = 2 WHERE log_id = 5`,
    'line 5 of block 2 was changed',
  ],
  ['removed', sql`DELETE FROM activity_log WHERE log_id = 5`, 'line 5 of block 2 is missing'],
  [
    'moved to another block',
    sql`UPDATE activity_log SET block_id = 3 WHERE log_id = 5`,
    'line 5 of block 2 is missing',
  ],
  [
    'taken out to be sealed again',
    sql`UPDATE activity_log SET block_id = NULL WHERE log_id = 5`,
    'line 5 of block 2 is missing',
  ],
  ['slipped in', sql`UPDATE activity_log SET block_id = 2 WHERE block_id IS NULL`, 'line 10 of block 2 was added'],
] as const) {
  test(`a line that was ${what} is detected`, async (t) => {
    const { database, check } = await sealed(t);
    await database.insert(ActivityLine, line(10));
    await database.run(tamper);
    t.true((await check()).faults.includes(fault));
  });
}

test('reordered lines are detected', async (t) => {
  const { database, check } = await sealed(t);
  for (const [from, to] of [
    [4, 99],
    [6, 4],
    [99, 6],
  ])
    await database.run(sql`UPDATE activity_log SET log_id = ${to} WHERE log_id = ${from}`);
  t.deepEqual((await check()).faults, ['line 4 of block 2 was changed', 'line 6 of block 2 was changed']);
});

test('removed, changed or swapped blocks are detected', async (t) => {
  const { database, check } = await sealed(t);
  await database.run(sql`UPDATE activity_block SET digests = REPLACE(digests, '5 ', '5 0') WHERE block_id = 2`);
  t.true((await check()).faults.includes('block 2 was changed'));
  await database.run(sql`DELETE FROM activity_block WHERE block_id = 2`);
  const { faults } = await check();
  t.true(faults.includes('block 3 does not follow the previous block: blocks were removed'));
  t.true(faults.includes('line 5 belongs to a missing block'));
  await database.run(sql`DELETE FROM activity_block WHERE block_id = 1`);
  t.true((await check()).faults.includes('block 3 does not follow the previous block: blocks were removed'));
});

test('a forged log cannot be sealed without the installation’s key', async (t) => {
  const { database, check } = await sealed(t);
  await database.run(sql`DELETE FROM activity_block`);
  await database.run(sql`UPDATE activity_log SET block_id = NULL, description = 'Nothing'`);
  await sealActivity(database, createSecretKey(randomBytes(32)), at);
  t.true((await check()).faults.some((each) => each.endsWith('was changed')));
});

test('a truncated log is detected with a recorded hash', async (t) => {
  const { database, check } = await sealed(t);
  const { head } = await check();
  t.deepEqual((await check(head)).faults, []);
  await database.run(sql`DELETE FROM activity_log WHERE block_id = 3`);
  await database.run(sql`DELETE FROM activity_block WHERE block_id = 3`);
  t.deepEqual((await check()).faults, [], 'nothing in the database tells');
  t.regex((await check(head)).faults[0] ?? '', /^the expected hash is not in the chain/);
});

test('expired blocks are deleted in order, and the rest stays verifiable', async (t) => {
  const app = await startApp(t);
  const { database, scheduler } = app.app;
  const check = () => checkLog(database, sealSecret(app.app));
  for (let block = 0; block < 3; block++) {
    await database.insert(
      ActivityLine,
      [1, 2, 3].map((n) => line(block * 3 + n)),
    );
    await scheduler.runNow('core.seal-activity');
    app.clock.set(minute(block + 1));
  }
  app.clock.set(plus(at, { days: 365, minutes: 1, seconds: 30 }));
  await scheduler.runNow('core.prune-activity');
  t.like(await check(), { lines: 3, faults: { length: 0 } });
  t.is(await database.count(ActivityLine), 3);
  t.is(await database.count(ActivityBlock), 2, 'one empty block is kept as the beginning');
  t.is(await countActivity(database, {}), 3);
  await database.run(sql`UPDATE activity_block SET forgotten = 'x' WHERE forgotten IS NOT NULL`);
  t.deepEqual((await check()).faults, ['block 2 falsely claims that its lines have expired']);
  app.clock.set(plus(at, { days: 400 }));
  await scheduler.runNow('core.prune-activity');
  t.is(await database.count(ActivityLine), 0);
  t.is(await database.count(ActivityTally), 0);
  await database.insert(ActivityLine, line(10));
  await scheduler.runNow('core.seal-activity');
  t.like(await check(), { lines: 1, faults: { length: 0 } });
});

test('stored counts plus unsealed lines match the total by name, kind and action', async (t) => {
  const { database, seal } = await start(t);
  await database.insert(ActivityLine, [line(1), line(2, 'Bob 50%'), line(3, 'bob 50%')]);
  await seal();
  await database.insert(ActivityLine, line(4, 'Adam'));
  t.is(await countActivity(database, {}), 4);
  t.is(await countActivity(database, { action: 'update' }), 2);
  t.is(await countActivity(database, { entity_type: 'asset' }), 0);
  t.deepEqual((await authorsLike(database, 'ad', 9)).toSorted(), ['Ada', 'Adam']);
  t.is(await countActivity(database, { user: 'ad', action: 'create' }), 1);
  t.is(await countActivity(database, { user: '0%' }), 2);
});

test('a job deletes expired lines however many blocks seal them', async (t) => {
  const { app, clock } = await startApp(t);
  await app.database.insert(
    ActivityLine,
    Array.from({ length: 450 }, (_, n) => line(n)),
  );
  const lines = await app.database.find(ActivityLine, { order: { log_id: 'ASC' } });
  // As when every run of the job that seals finds one line.
  await app.database.insert(
    ActivityBlock,
    lines.map(({ log_id }, n) => ({
      block_id: n + 1,
      previous: String(n),
      hash: String(n + 1),
      lines: 1,
      digests: `${log_id} `,
      sealed_at: at,
    })),
  );
  for (const [n, { log_id }] of lines.entries())
    await app.database.update(ActivityLine, { log_id }, { block_id: n + 1 });
  clock.set(plus(at, { days: 366 }));
  await app.scheduler.runNow('core.prune-activity');
  t.is(await app.database.countBy(ActivityLine, { created_at: at }), 0);
});
