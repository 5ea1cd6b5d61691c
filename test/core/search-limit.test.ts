// A search may scan every row: no caller may run so many that others wait (P-24).
import { setTimeout as sleep } from 'node:timers/promises';
import { startApp, type TestApp } from '@keelson/testing';
import test from 'ava';
import { inSearchTurn } from '../../core/http/search-turn.ts';
import { isSearch } from '../../packages/kit/param.ts';
import { Problem } from '../../packages/kit/problem.ts';
import { queryShape } from '../../packages/kit/validate.ts';
import { memoryLimiter } from '../../packages/security/limit.ts';
import { seedEmployee, seedKey, signIn } from '../accounts-seed.ts';
import { seedTicket } from '../tickets-seed.ts';
import { makeGate } from './_probe.ts';
import { worstTexts } from './_worst-requests.ts';
import { addWorstRows } from './_worst-rows.ts';

const sentence = 'Too many searches';

test('more than 60 searches a minute return 429 in the surface’s format', async (t) => {
  const clock = { monotonic: () => 0, unix: () => 0 };
  const app = await startApp(t, { limiter: memoryLimiter({ clock }) });
  const { token } = await signIn(app, await seedEmployee(app));
  const admin = await seedKey(app, 'admin', ['tickets:read']);
  const crm = await seedKey(app, 'crm_secret', ['leads:read']);
  for (const [path, sender, wanted] of [
    ['/helpdesk/api/v1/tickets/search', { token }, { error: sentence }],
    ['/admin/api/v1/tickets.php', { token: admin.api_key }, { success: false, error: sentence }],
    ['/admin/api/v1/crm/leads', { key: crm.api_key }, { success: false, error: sentence, code: 'RATE_LIMITED' }],
  ] as const) {
    const name = path.startsWith('/helpdesk') ? 'q' : 'search';
    const ask = (q: string) => app.request('GET', `${path}?${q}`, sender);
    for (let i = 0; i < 60; i++) t.is((await ask(`${name}=printer`)).status, 200);
    const refused = await ask(`${name}=printer`);
    t.is(refused.status, 429, path);
    t.deepEqual(refused.body, wanted);
    const seconds = Number(refused.headers.get('Retry-After'));
    t.true(seconds >= 1 && seconds <= 60, String(seconds));
    t.is((await ask(`${name}=`)).status, 200, 'lists without a search go on');
  }
});

test('few searches run at once; each caller has a short queue', async (t) => {
  const { app } = await startApp(t);
  const gate = makeGate();
  const begun: string[] = [];
  const search = (whose: string) =>
    inSearchTurn(app, whose, async () => {
      begun.push(whose);
      await gate.wait;
    });
  const patient = Array.from({ length: 6 }, () => search('one'));
  await t.throwsAsync(search('one'), { instanceOf: Problem, message: 'Too many requests' });
  patient.push(search('other'));
  await waitUntil(() => begun.length === 2);
  t.deepEqual(begun, ['one', 'one']);
  gate.open();
  await Promise.all(patient);
  t.is(begun.length, 7);
  t.true(begun.indexOf('other') <= 3, 'not behind all of the first');
});

test('other requests are served during the most expensive searches', async (t) => {
  const app = await startApp(t);
  await seedTicket(app, { company_number: (await seedEmployee(app)).company_number });
  await addWorstRows(app, 100);
  const path = '/admin/api/v1/tickets.php?per_page=1';
  const keyed = async () => (await seedKey(app, 'admin', ['tickets:read'])).api_key;
  const searching = [await keyed(), await keyed(), await keyed()].flatMap((token) =>
    worstTexts
      .slice(0, 5)
      .map((text) =>
        app.request('GET', `${path}&search=${encodeURIComponent(cut(text))}`, { token }).then(({ status }) => status),
      ),
  );
  const ended = Promise.all(searching).then((statuses) => ({ statuses }));
  const token = await keyed();
  const others: number[] = [];
  while (others.length < 100 && !(await Promise.race([ended, sleep(30)]))) {
    others.push((await app.request('GET', path, { token })).status);
  }
  const { statuses } = await ended;
  t.log(statuses.join(' '), `${others.length} others`);
  t.deepEqual([...new Set(others)], [200]);
  t.deepEqual(
    statuses.filter((each) => ![200, 429, 503].includes(each)),
    [],
  );
});

test('every text search is queued', async (t) => {
  const { app } = await startApp(t);
  const forgotten = routesOf(app).flatMap((route) => {
    const shape = queryShape(route.query)?.shape ?? {};
    return Object.keys(shape)
      .filter((each) => /^(?:q|search)$/.test(each) && !isSearch(shape[each]))
      .map((each) => `${route.name}: ${each} is not param.search()`);
  });
  t.deepEqual(forgotten, []);
});

function cut(text: string): string {
  return Array.from(text).slice(0, 255).join('');
}

function routesOf(app: TestApp['app']) {
  return app.plugins.flatMap((plugin) => plugin.routes ?? []);
}

async function waitUntil(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}
