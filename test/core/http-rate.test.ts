// Rate limits as callers experience them (L-01 to L-12).
import { startApp, type TestAnswer, type TestOptions } from '@keelson/testing';
import test from 'ava';
import { memoryLimiter } from '../../packages/security/limit.ts';
import { seedEmployee, signIn } from '../accounts-seed.ts';
import { admins, crmRoot, portal, probe, probeKey } from './_probe.ts';

const START = 1_700_000_000_000;

async function start(t: Parameters<typeof startApp>[0], config: TestOptions['config'] = {}) {
  const clock = { ms: 0, monotonic: () => clock.ms, unix: () => START + clock.ms };
  const app = await startApp(t, { plugins: [probe()], limiter: memoryLimiter({ clock }), config });
  return { app, clock };
}

const rate = ({ headers }: TestAnswer) =>
  ['limit', 'remaining', 'reset'].map((each) => Number(headers.get(`x-ratelimit-${each}`) ?? Number.NaN));

test('every response of the three surfaces reports the window, including errors', async (t) => {
  const { app } = await start(t);
  app.expectError(/probe\/crash.*request failed/);
  const token = await probeKey(app, { perMinute: 100 });
  const reset = START / 1000 + 60;
  const get = (path: string) => app.request('GET', admins + path, { token });
  t.deepEqual(rate(await get('/probe/notes.php')), [100, 99, reset]);
  t.deepEqual(rate(await get('/probe/notes.php?n=99')), [100, 98, reset], '400 counts');
  t.deepEqual(rate(await get('/probe/notes.php?id=99')), [100, 97, reset], '404 counts');
  t.deepEqual(rate(await get('/probe/crash.php')), [100, 96, reset], '500 counts');
  t.deepEqual(rate(await app.request('HEAD', `${admins}/probe/notes.php`, { token })), [100, 95, reset]);
  t.deepEqual(rate(await get('/nothing.php')), [100, 94, reset], 'an unknown path is charged to the caller');
  t.deepEqual(rate(await app.request('PATCH', `${admins}/probe/notes.php`, { token })), [100, 93, reset]);
  const strangers = [
    app.request('GET', `${admins}/probe/notes.php`),
    app.request('GET', `${portal}/modules`),
    app.request('GET', `${portal}/bootstrap`),
    app.request('GET', `${crmRoot}/probe/notes`, { key: 'crm_wrong' }),
  ];
  const windows = (await Promise.all(strangers)).map(rate);
  t.deepEqual(
    windows.toSorted((a, b) => (a[1] ?? 0) - (b[1] ?? 0)),
    [56, 57, 58, 59].map((remaining) => [60, remaining, reset]),
    'strangers share the window of their address',
  );
  const { token: access, cookie } = await signIn(app, await seedEmployee(app));
  t.deepEqual(rate(await app.request('GET', `${portal}/modules`, { token: access })), [120, 119, reset]);
  t.deepEqual(rate(await app.request('GET', `${portal}/modules`, { cookie })), [300, 299, reset]);
});

test('beyond the limit 429 with Retry-After, after which the next call passes; rejected calls do not extend it', async (t) => {
  const { app, clock } = await start(t);
  const token = await probeKey(app, { perMinute: 3 });
  const key = await probeKey(app, { type: 'crm_secret', perMinute: 1 });
  const get = () => app.request('GET', `${admins}/probe/notes.php`, { token });
  for (let i = 0; i < 3; i++, clock.ms += 1000) t.is((await get()).status, 200);
  for (let i = 0; i < 20; i++, clock.ms += 1000) {
    const refused = await get();
    t.is(refused.status, 429);
    t.deepEqual(refused.body, { success: false, error: 'Rate limit exceeded' });
    t.is(refused.headers.get('retry-after'), String(57 - i));
    t.deepEqual(rate(refused), [3, 0, START / 1000 + 60]);
  }
  const last = await get();
  clock.ms += Number(last.headers.get('retry-after')) * 1000 - 1;
  t.is((await get()).status, 429);
  clock.ms += 1;
  t.is((await get()).status, 200);
  await app.request('GET', `${crmRoot}/probe/notes`, { key });
  t.deepEqual((await app.request('GET', `${crmRoot}/probe/notes`, { key })).body, {
    success: false,
    error: 'Rate limit exceeded',
    code: 'RATE_LIMITED',
  });
});

test('key guessing is counted per address, whatever key, path or header is sent', async (t) => {
  const { app, clock } = await start(t);
  const statuses: number[] = [];
  for (let i = 0; i < 100; i++) {
    const headers = { 'X-Forwarded-For': `203.0.113.${i}`, Forwarded: `for=203.0.113.${i}`, 'X-Real-IP': `1.2.3.${i}` };
    const path = [`${admins}/probe/notes.php`, `${admins}/probe/%6Eotes.php/`, `${portal}/modules`][i % 3] ?? '';
    const answer = await app.request('GET', path, { token: `vsa_${String(i).padStart(44, '0')}`, headers });
    statuses.push(answer.status);
  }
  t.deepEqual(statuses, [...Array<number>(60).fill(401), ...Array<number>(40).fill(429)]);
  const token = await probeKey(app);
  t.is((await app.request('GET', `${admins}/probe/notes.php`, { token })).status, 200, 'who has a key is not kept out');
  t.is((await app.request('GET', `${portal}/bootstrap`)).status, 429);
  t.deepEqual((await app.request('GET', `${portal}/bootstrap`)).body, { error: 'Rate limit exceeded' });
  clock.ms += 60_000;
  t.is((await app.request('GET', `${portal}/bootstrap`)).status, 200);
});

test('behind one proxy its entry counts, not entries forged by the caller', async (t) => {
  const { app } = await start(t, { trustProxy: 1 });
  const get = async (forwarded?: string) => {
    const headers: Record<string, string> = forwarded === undefined ? {} : { 'X-Forwarded-For': forwarded };
    return rate(await app.request('GET', `${portal}/bootstrap`, { headers }))[1];
  };
  t.is(await get('203.0.113.1'), 59);
  t.is(await get('203.0.113.1'), 58);
  t.is(await get('203.0.113.2'), 59, 'another caller');
  t.is(await get('198.51.100.7, 203.0.113.1'), 57, 'what stands further left is the caller’s own');
  t.is(await get('203.0.113.2, 203.0.113.1'), 56);
  t.is(await get('2001:db8::1'), 59);
  t.is(await get('2001:db8::ffff:2'), 58, 'an IPv6 caller owns the /64');
  t.is(await get('nonsense'), 59, 'the proxy itself');
  t.is(await get(), 58);
});

test('path spelling does not open a second window', async (t) => {
  const { app } = await start(t);
  const token = await probeKey(app, { perMinute: 5 });
  const spellings = ['/notes.php', '/notes.php/', '/%6eotes.php', '/notes.php?n=1&n=2', '/notes%2ephp', '/notes.php?'];
  const statuses: number[] = [];
  for (const each of spellings) {
    statuses.push((await app.request('GET', `${admins}/probe${each}`, { token })).status);
  }
  t.deepEqual(statuses, [200, 200, 200, 200, 200, 429]);
});

test('of a hundred concurrent calls exactly the allowed number pass', async (t) => {
  const { app } = await start(t);
  const token = await probeKey(app, { perMinute: 40 });
  const calls = Array.from({ length: 100 }, () => app.request('GET', `${admins}/probe/notes.php`, { token }));
  const statuses = (await Promise.all(calls)).map((each) => each.status);
  t.is(statuses.filter((each) => each === 200).length, 40);
  t.is(statuses.filter((each) => each === 429).length, 60);
});
