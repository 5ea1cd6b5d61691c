import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '@redis/client';
import test, { type ExecutionContext } from 'ava';
import { secret } from '../../packages/kit/random.ts';
import { memoryLimiter, takeAll, type LimitClock, type Limiter } from '../../packages/security/limit.ts';
import { redisLimiter } from '../../packages/security/redis/limit-redis.ts';
import { redisKey } from '../../packages/security/redis/redis-script.ts';
import { fc, properties } from '../_random.ts';

const testProp = properties(test);

const START = 1_700_000_000_000;

function clockAt(start = 0): LimitClock & { ms: number } {
  const clock = { ms: start, monotonic: () => clock.ms, unix: () => START + clock.ms };
  return clock;
}

const gaps = fc.array(fc.integer({ min: 0, max: 25_000 }), { minLength: 1, maxLength: 120 });
const limits = fc.integer({ min: 1, max: 12 });

testProp('no 60 seconds ever hold more calls than the limit', [gaps, limits], async (t, steps, limit) => {
  const clock = clockAt();
  const limiter = memoryLimiter({ clock });
  const passed: number[] = [];
  for (const step of steps) {
    clock.ms += step;
    const window = await limiter.take('a', limit);
    if (window.allowed) passed.push(clock.ms);
    const counted = passed.filter((at) => at > clock.ms - 60_000);
    t.true(counted.length <= limit);
    t.is(window.remaining, limit - counted.length);
    t.is(window.resetAt, Math.ceil((START + counted[0]! + 60_000) / 1000));
  }
});

testProp(
  'after retryAfter the next call passes, and a second sooner it does not',
  [gaps, limits],
  async (t, steps, limit) => {
    const clock = clockAt();
    const limiter = memoryLimiter({ clock });
    t.true((await limiter.take('b', limit)).allowed);
    for (const step of steps) {
      clock.ms += step;
      const refused = await limiter.take('a', limit);
      if (refused.allowed) continue;
      t.true(refused.retryAfter >= 1 && Number.isInteger(refused.retryAfter));
      clock.ms += (refused.retryAfter - 1) * 1000;
      if (refused.retryAfter > 1) t.false((await limiter.take('a', limit)).allowed);
      clock.ms += 1000;
      t.true((await limiter.take('a', limit)).allowed);
    }
  },
);

test('rejected calls do not extend the window', async (t) => {
  const clock = clockAt();
  const limiter = memoryLimiter({ clock });
  for (let i = 0; i < 3; i++) await limiter.take('a', 3);
  for (; clock.ms < 60_000; clock.ms += 100) t.false((await limiter.take('a', 3)).allowed);
  t.true((await limiter.take('a', 3)).allowed);
});

test('a changed limit applies immediately', async (t) => {
  const clock = clockAt();
  const limiter = memoryLimiter({ clock });
  for (let i = 0; i < 10; i++, clock.ms += 1000) await limiter.take('a', 10);
  const refused = await limiter.take('a', 4);
  t.like(refused, { allowed: false, remaining: 0, retryAfter: 56 });
  clock.ms += refused.retryAfter * 1000;
  t.true((await limiter.take('a', 4)).allowed);
});

test('a limit of zero rejects every call', async (t) => {
  t.deepEqual(await memoryLimiter({ clock: clockAt() }).take('a', 0), {
    allowed: false,
    limit: 0,
    remaining: 0,
    resetAt: START / 1000,
    retryAfter: 60,
  });
});

test('several buckets are charged together or not at all, and the tightest is reported', async (t) => {
  const limiter = memoryLimiter({ clock: clockAt() });
  await allOrNone(t, limiter);
});

test('idle buckets are dropped and their number is limited', async (t) => {
  const clock = clockAt();
  const limiter = memoryLimiter({ clock, maxBuckets: 100 });
  await limiter.take('first', 1);
  for (let i = 0; i < 99; i++) await limiter.take(`b${i}`, 1);
  t.false((await limiter.take('first', 1)).allowed);
  await limiter.take('one too many', 1);
  t.false((await limiter.take('first', 1)).allowed, 'a bucket in use stays');
  t.true((await limiter.take('b0', 1)).allowed, 'the longest unused one went');
});

test('the cost of a call does not depend on the number of counted requests', async (t) => {
  const limiter = memoryLimiter();
  const before = process.threadCpuUsage();
  for (let i = 0; i < 200_000; i++) void limiter.take(`b${i % 50}`, 100_000);
  const { user, system } = process.threadCpuUsage(before);
  const perCall = (user + system) / 200_000;
  t.log(`${perCall.toFixed(2)} µs per call`);
  t.true(perCall < 20);
});

async function allOrNone(t: { like: Function; deepEqual: Function }, limiter: Limiter): Promise<void> {
  const charges = [
    { bucket: 'visitor', limit: 2 },
    { bucket: 'key', limit: 3 },
  ];
  t.like(await takeAll(limiter, charges), { allowed: true, limit: 2, remaining: 1 });
  t.like(await takeAll(limiter, charges), { allowed: true, limit: 2, remaining: 0 });
  t.like(await takeAll(limiter, charges), { allowed: false, limit: 2, remaining: 0 });
  t.like(await takeAll(limiter, [{ bucket: 'other', limit: 2 }, charges[1]!]), {
    allowed: true,
    limit: 3,
    remaining: 0,
  });
  t.like(await takeAll(limiter, [{ bucket: 'other', limit: 2 }, charges[1]!]), { allowed: false, limit: 3 });
  t.like(await takeAll(limiter, [{ bucket: 'other', limit: 2 }]), { allowed: true, remaining: 0 });
}

// Moves the calls of a bucket back in time.
const EARLIER = `
for _, member in ipairs(redis.call('ZRANGE', KEYS[1], 0, -1)) do redis.call('ZINCRBY', KEYS[1], -ARGV[1], member) end`;

type WithRedis = (
  make: (windowMs?: number) => Limiter,
  warnings: unknown[],
  /** Lets seconds pass for a bucket. */
  pass: (bucket: string, seconds: number) => Promise<void>,
) => Promise<void>;

async function withRedis(run: WithRedis): Promise<void> {
  const client = createClient({ url: 'redis://127.0.0.1:6379' });
  await client.connect();
  const tenant = `test-${secret(6)}`;
  const warnings: unknown[] = [];
  const log = { warn: (...args: unknown[]) => warnings.push(args) };
  try {
    // On a busy machine the limiter would give up on Redis and count locally, which other tests cover.
    await run(
      (windowMs) => redisLimiter({ client, tenant, log, windowMs, timeoutMs: 60_000 }),
      warnings,
      async (bucket, seconds) => {
        const keys = [redisKey(tenant, 'limit', bucket)];
        await client.eval(EARLIER, { keys, arguments: [String(seconds * 1_000_000)] });
      },
    );
  } finally {
    // A page of the scan may be empty.
    for await (const keys of client.scanIterator({ MATCH: `keelson:{${tenant}}:*` }))
      if (keys.length > 0) await client.del(keys);
    client.destroy();
  }
}

/** The seconds since this call, for limits on a server whose clock tests cannot set. */
function stopwatch(): () => number {
  const since = performance.now();
  return () => (performance.now() - since) / 1000;
}

function isBetween(t: ExecutionContext, value: number, least: number, most: number): void {
  t.true(least <= value && value <= most, `${value} is not between ${least} and ${most}`);
}

test('Redis: two processes share a window', async (t) => {
  await withRedis(async (make, warnings) => {
    const since = Date.now();
    const seconds = stopwatch();
    const [one, two] = [make(), make()];
    const answers = await Promise.all(Array.from({ length: 40 }, async (_, i) => (i % 2 ? one : two).take('a', 15)));
    t.is(answers.filter(({ allowed }) => allowed).length, 15);
    const refused = await one.take('a', 15);
    t.like(refused, { allowed: false, limit: 15, remaining: 0 });
    isBetween(t, refused.retryAfter, 60 - Math.ceil(seconds()), 60);
    isBetween(t, refused.resetAt, Math.floor(since / 1000) + 60, Math.ceil(Date.now() / 1000) + 60);
    t.deepEqual(warnings, []);
  });
});

test('Redis: after retryAfter the next call passes, and rejected calls do not extend it', async (t) => {
  await withRedis(async (make, _, pass) => {
    const limiter = make(3_600_000);
    for (let i = 0; i < 5; i++) t.true((await limiter.take('a', 5)).allowed);
    for (let i = 0; i < 20; i++) t.false((await limiter.take('a', 5)).allowed);
    const { retryAfter } = await limiter.take('a', 5);
    t.true(retryAfter <= 3600);
    // Leaves ten minutes of slack for a busy machine.
    await pass('a', retryAfter - 600);
    t.false((await limiter.take('a', 5)).allowed);
    await pass('a', 600);
    t.true((await limiter.take('a', 5)).allowed);
  });
});

test('Redis: no window ever exceeds the limit', async (t) => {
  await withRedis(async (make) => {
    const limiter = make(300);
    const passed: { from: number; to: number }[] = [];
    while (passed.length < 28) {
      const from = performance.now();
      const { allowed } = await limiter.take('a', 7);
      if (allowed) passed.push({ from, to: performance.now() });
      else await sleep(10);
    }
    // Redis counted the first after `from`, and the eighth before `to`.
    for (let i = 7; i < passed.length; i++) t.true(passed[i]!.to - passed[i - 7]!.from >= 300);
  });
});

test('Redis: several buckets are charged together or not at all', async (t) => {
  await withRedis((make) => allOrNone(t, make()));
});

test('Redis: a limit of zero rejects, and a changed limit applies immediately', async (t) => {
  await withRedis(async (make) => {
    const limiter = make();
    t.like(await limiter.take('a', 0), { allowed: false, remaining: 0, retryAfter: 60 });
    const seconds = stopwatch();
    for (let i = 0; i < 6; i++) await limiter.take('b', 6);
    const { retryAfter, ...refused } = await limiter.take('b', 3);
    t.like(refused, { allowed: false, remaining: 0 });
    isBetween(t, retryAfter, 60 - Math.ceil(seconds()), 60);
    t.like(await limiter.take('b', 8), { allowed: true, remaining: 1 });
  });
});

test('without Redis each process counts separately and logs it once', async (t) => {
  const warnings: unknown[] = [];
  const client = {
    isReady: true,
    eval: () => Promise.reject(new Error('gone')),
    evalSha: () => Promise.reject(new Error('gone')),
  };
  const limiter = redisLimiter({ client, tenant: 't', log: { warn: (...args: unknown[]) => warnings.push(args) } });
  t.true((await limiter.take('a', 2)).allowed);
  t.true((await limiter.take('a', 2)).allowed);
  t.false((await limiter.take('a', 2)).allowed);
  t.is(warnings.length, 1);
  await limiter.close();
});

test('a hanging Redis delays one request, not all', async (t) => {
  let calls = 0;
  const never = () => new Promise<never>(() => calls++);
  const limiter = redisLimiter({
    client: { isReady: true, eval: never, evalSha: never },
    tenant: 't',
    log: { warn() {} },
  });
  for (let i = 0; i < 20; i++) await limiter.take('a', 100);
  t.is(calls, 1);
});
