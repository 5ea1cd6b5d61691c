import { createClient } from '@redis/client';
import test from 'ava';
import { secret } from '../../packages/kit/random.ts';
import { plus, type Span } from '../../packages/kit/time.ts';
import { guessAlarm } from '../../packages/security/guess/guess-alarm.ts';
import { memoryGuessStore, type GuessStore } from '../../packages/security/guess/guess-store.ts';
import { guessLimiter } from '../../packages/security/guess/guess.ts';
import { redisGuessStore } from '../../packages/security/redis/guess-redis.ts';

function setUp(store: GuessStore = memoryGuessStore()) {
  let at = '2026-11-21T09:30:00.000Z';
  const limiter = guessLimiter(store, { now: () => at });
  return {
    ...limiter,
    pass: (span: Span) => (at = plus(at, span)),
    now: () => Date.parse(at) / 1000,
    /** Makes one wrong attempt; returns the seconds to wait if it was blocked. */
    async miss(username: string, address: string) {
      const wait = await limiter.check(username, address);
      if (wait === undefined) await limiter.failed(username, address);
      return wait;
    },
  };
}

test('five failures are free, then the delay doubles up to 15 minutes', async (t) => {
  const guess = setUp();
  for (let i = 0; i < 5; i++) t.is(await guess.miss('anna', `203.0.113.${i}`), undefined);
  for (let i = 5; i < 20; i++) {
    const wait = Math.min(900, 2 ** (i - 5));
    t.is(await guess.miss('anna', `203.0.113.${i}`), wait);
    guess.pass({ seconds: wait - 1 });
    t.is(await guess.miss('anna', `198.51.100.${i}`), 1);
    guess.pass({ seconds: 1 });
    t.is(await guess.miss('anna', `203.0.113.${i}`), undefined);
  }
});

test('ten failures within 15 minutes block an address for an account', async (t) => {
  const guess = setUp();
  const first = guess.now();
  for (let failures = 0; failures < 10;) {
    const wait = await guess.miss('anna', '203.0.113.1');
    if (wait === undefined) failures++;
    else guess.pass({ seconds: wait });
  }
  guess.pass({ seconds: 40 });
  const wait = await guess.check('anna', '203.0.113.1');
  t.is(wait, first + 900 - guess.now());
  t.is(await guess.check('anna', '203.0.113.2'), undefined, 'another address only waits for the account');
  await guess.succeeded('anna', '203.0.113.2');
  t.is(await guess.check('anna', '203.0.113.1'), wait, 'the success of another address does not free this one');
  t.is(await guess.check('otto', '203.0.113.1'), undefined, 'another account is not concerned');
  guess.pass({ seconds: wait! });
  t.is(await guess.check('anna', '203.0.113.1'), undefined);
});

test('successes do not count, and one resets the growing delay', async (t) => {
  const guess = setUp();
  for (let i = 0; i < 50; i++) {
    t.is(await guess.check('anna', '203.0.113.1'), undefined);
    await guess.succeeded('anna', '203.0.113.1');
  }
  for (let i = 0; i < 4; i++) t.is(await guess.miss('anna', '203.0.113.1'), undefined);
  t.is(await guess.check('anna', '203.0.113.1'), undefined);
  await guess.succeeded('anna', '203.0.113.1');
  for (let i = 0; i < 5; i++) t.is(await guess.miss('anna', '203.0.113.1'), undefined);
  t.is(await guess.miss('anna', '203.0.113.1'), 1);
});

test('spelling of the name and the rest of an IPv6 address are ignored', async (t) => {
  const guess = setUp();
  for (const name of [
    'anna@example.com',
    'ANNA@example.com',
    ' anna@example.com',
    'Anna@Example.com ',
    'ａnna@example.com',
  ])
    t.is(await guess.miss(name, '2001:db8::1'), undefined);
  t.is(await guess.miss('anna@example.com', '2001:db8::2'), 1);
});

test('thirty failures within ten minutes block an address for all accounts, except for known devices', async (t) => {
  const guess = setUp();
  for (let i = 0; i < 30; i++) t.is(await guess.miss(`name ${i}`, '203.0.113.1'), undefined);
  t.is(await guess.check('otto', '203.0.113.1'), 600);
  t.is(await guess.check('otto', '203.0.113.2'), undefined, 'another address');
  t.is(await guess.check('otto device 1', '203.0.113.1', true), undefined, 'a known device');
  await guess.failed('otto device 1', '203.0.113.1', true);
  guess.pass({ minutes: 10 });
  t.is(await guess.check('otto', '203.0.113.1'), undefined);
  await guess.succeeded('otto', '203.0.113.1');
  t.is(await guess.miss('otto', '203.0.113.1'), undefined);
});

test('attempts rejected by the account, or without a result, do not count for the address', async (t) => {
  const guess = setUp();
  for (let i = 0; i < 5; i++) await guess.miss('anna', '203.0.113.9');
  for (let i = 0; i < 40; i++) t.is(await guess.miss('anna', '203.0.113.1'), 1);
  for (let i = 0; i < 40; i++) {
    t.is(await guess.check(`name ${i}`, '203.0.113.1'), undefined);
    if (i % 2) await guess.withdrawn(`name ${i}`, '203.0.113.1');
    else await guess.succeeded(`name ${i}`, '203.0.113.1');
  }
  t.is(await guess.check('otto', '203.0.113.1'), undefined);
});

test('after a hundred consecutive failures only a new password helps, or a month', async (t) => {
  const guess = setUp();
  const failAHundred = async () => {
    for (let i = 0; i < 100; i++) {
      t.is(await guess.miss('anna', `203.0.${i}.1`), undefined);
      guess.pass({ minutes: 15 });
    }
  };
  await failAHundred();
  guess.pass({ days: 2 });
  t.true((await guess.check('anna', '198.51.100.1'))! > 27 * 24 * 3600);
  await guess.succeeded('anna', '198.51.100.1', true);
  t.is(await guess.check('anna', '198.51.100.1'), undefined, 'the owner has set a new one');
  await guess.succeeded('anna', '198.51.100.1');
  await failAHundred();
  guess.pass({ days: 30 });
  t.is(await guess.check('anna', '198.51.100.1'), undefined);
});

test('fifty times the usual failures within ten minutes are reported, once an hour', (t) => {
  let at = '2026-11-21T09:30:00.000Z';
  const raised: [number, number][] = [];
  const alarm = guessAlarm({ now: () => at }, (...each) => raised.push(each));
  const fail = (times: number) => {
    for (let i = 0; i < times; i++) alarm.failed();
  };
  fail(49);
  t.deepEqual(raised, []);
  fail(100);
  t.deepEqual(raised, [[50, 1]]);
  t.is(alarm.current(), 149);
  at = plus(at, { minutes: 50 });
  fail(100);
  t.is(raised.length, 1);
  at = plus(at, { minutes: 10 });
  fail(200);
  t.is(raised.length, 2);
  // A constant rate becomes the baseline.
  at = plus(at, { days: 2 });
  for (let i = 0; i < 144; i++) {
    fail(10);
    at = plus(at, { minutes: 10 });
  }
  fail(499);
  t.is(raised.length, 2);
  fail(1);
  t.deepEqual(raised[2], [500, 10]);
});

test('a day without failures resets an account', async (t) => {
  const guess = setUp();
  for (let failures = 0; failures < 12;) {
    const wait = await guess.miss('anna', `203.0.113.${failures}`);
    if (wait === undefined) failures++;
    else guess.pass({ seconds: wait });
  }
  guess.pass({ days: 1 });
  for (let i = 0; i < 5; i++) t.is(await guess.miss('anna', '203.0.113.1'), undefined);
});

test('concurrent attempts do not slip through, and one that never ends counts as failed', async (t) => {
  const guess = setUp();
  const waits = await Promise.all(Array.from({ length: 1000 }, (_, i) => guess.check('anna', `203.0.${i % 200}.1`)));
  t.is(waits.filter((wait) => wait === undefined).length, 5);
  guess.pass({ minutes: 2 });
  t.is(await guess.miss('anna', '203.0.113.1'), undefined);
  t.is(await guess.miss('anna', '203.0.113.1'), 2);
});

test('at ten thousand guesses an hour from 200 addresses, at most 100 reach the hash (SEC-15)', async (t) => {
  const guess = setUp();
  let reached = 0;
  for (let i = 0; i < 10_000; i++) {
    if ((await guess.miss('anna', `203.0.${i % 200}.1`)) === undefined) reached++;
    guess.pass({ seconds: 0.36 });
  }
  t.log(`${reached} reached the hash`);
  t.true(reached <= 100);
});

test('the number of tracked accounts is limited', async (t) => {
  const guess = setUp(memoryGuessStore(10));
  for (let i = 0; i < 5; i++) await guess.miss('anna', '203.0.113.1');
  for (let i = 0; i < 10; i++) await guess.miss(`name ${i}`, '203.0.113.1');
  t.is(await guess.miss('anna', '203.0.113.1'), undefined);
});

test('Redis: processes share failure counts, including concurrent ones', async (t) => {
  const client = createClient({ url: 'redis://127.0.0.1:6379' });
  await client.connect();
  const tenant = `test-${secret(6)}`;
  const log = { warn: (...args: unknown[]) => t.fail(String(args)) };
  try {
    const one = setUp(redisGuessStore({ client, tenant, log, timeoutMs: 60_000 }));
    const two = setUp(redisGuessStore({ client, tenant, log, timeoutMs: 60_000 }));
    const waits = await Promise.all(
      Array.from({ length: 60 }, (_, i) => (i % 2 ? one : two).check('anna', `203.0.113.${i}`)),
    );
    t.is(waits.filter((wait) => wait === undefined).length, 5);
    t.is(await one.check('anna', '203.0.113.1'), 1);
    for (let i = 0; i < 5; i++) await two.failed('anna', `203.0.113.${i}`);
    t.truthy(await one.check('anna', '203.0.113.9'));
    t.is(await one.miss('otto', '203.0.113.9'), undefined);
    await one.succeeded('otto', '203.0.113.9');
    for await (const keys of client.scanIterator({ MATCH: `keelson:{${tenant}}:*` }))
      for (const key of keys) t.true((await client.pTTL(key)) > 0);
  } finally {
    for await (const keys of client.scanIterator({ MATCH: `keelson:{${tenant}}:*` }))
      if (keys.length) await client.del(keys);
    client.destroy();
  }
});

test('without Redis each process counts separately', async (t) => {
  const warnings: unknown[] = [];
  const none = () => Promise.reject(new Error('gone'));
  const client = { isReady: true, eval: none, evalSha: none };
  const guess = setUp(
    redisGuessStore({ client, tenant: 't', log: { warn: (...args: unknown[]) => warnings.push(args) } }),
  );
  for (let i = 0; i < 5; i++) t.is(await guess.miss('anna', '203.0.113.1'), undefined);
  t.is(await guess.miss('anna', '203.0.113.1'), 1);
  t.is(warnings.length, 1);
});
