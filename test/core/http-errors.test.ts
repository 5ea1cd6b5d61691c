// Responses to internal errors, and the headers that every response carries (SEC-37, SEC-43).
import { setTimeout as sleep } from 'node:timers/promises';
import { startApp, type TestAnswer, type TestApp } from '@keelson/testing';
import test from 'ava';
import { ErrorLine } from '../../packages/log/error-log.ts';
import { createLogger } from '../../packages/log/log.ts';
import { seedEmployee, seedTechnician, signIn, signInOnPage } from '../accounts-seed.ts';
import { admins, crmRoot, portal, probe, probeKey, raw } from './_probe.ts';

const leaks = /ENOENT|srv|secret|SELECT|password|example\.com|no_such_column|\.ts\b|node_modules|Error:|at \w+ \(/i;

test('an unexpected error reveals nothing and is logged under the request id', async (t) => {
  const app = await startApp(t, { plugins: [probe()] });
  app.expectError(/probe\/(?:crash|sql|shape).*request failed/);
  const token = await probeKey(app);
  const key = await probeKey(app, { type: 'crm_secret' });
  const employee = await signIn(app, await seedEmployee(app));
  const error = 'Internal server error';
  const crashes: [TestAnswer, unknown][] = [
    [await app.request('GET', `${admins}/probe/crash.php`, { token }), { success: false, error }],
    [await app.request('GET', `${admins}/probe/sql.php`, { token }), { success: false, error }],
    [await app.request('GET', `${admins}/probe/shape.php`, { token }), { success: false, error }],
    [await app.request('GET', `${crmRoot}/probe/crash`, { key }), { success: false, error, code: 'SERVER_ERROR' }],
    [await app.request('GET', `${portal}/probe/crash?token=abc`, { token: employee.token }), { error }],
  ];
  await app.app.errorLog.flush();
  const lines = await app.app.database.find(ErrorLine);
  t.is(lines.length, crashes.length);
  for (const [answer, body] of crashes) {
    t.is(answer.status, 500);
    t.deepEqual(answer.body, body);
    t.notRegex([...answer.headers].join('\n'), leaks);
    const line = lines.find((each) => each.request_id === answer.headers.get('x-request-id'));
    t.is(line?.status, 500);
    t.is(line?.method, 'GET');
    t.true(line?.path.startsWith('/'));
    t.notRegex(line?.path ?? '', /token/);
    t.notRegex(line?.message ?? '', /eve@example\.com/, 'values stay out of the log');
  }
});

test('an unrecorded change fails in tests', async (t) => {
  const app = await startApp(t, { plugins: [probe()] });
  app.expectError(/without an activity log entry/);
  const token = await probeKey(app);
  const answer = await app.request('POST', `${admins}/probe/forgetful.php`, { token });
  t.is(answer.status, 500);
  await app.app.errorLog.flush();
  const [line] = await app.app.database.find(ErrorLine);
  t.regex(line?.message ?? '', /changed rows without an activity log entry/);
});

test('a slow route opens its own transactions', async (t) => {
  const app = await startApp(t, { plugins: [probe()] });
  const token = await probeKey(app);
  const post = (body: string) => app.request('POST', `${admins}/probe/slow.php`, { token, body: { body } });
  t.is((await post('x')).status, 201);
  t.is((await post('fail')).status, 400);
  t.deepEqual((await app.request('GET', `${admins}/probe/count.php`)).body, { given: 1 }, 'what failed is undone');
});

test('an unresponsive database returns 503 with Retry-After in each surface’s format, and the log says why', async (t) => {
  const lines: string[] = [];
  const log = createLogger({ level: 'warn', destination: { write: (line) => void lines.push(line) } });
  const app = await startApp(t, { plugins: [probe()], deadlineMs: 2500, log });
  const error = 'Service temporarily unavailable';
  const expected: [string, unknown][] = [
    [`${admins}/probe/count.php`, { success: false, error }],
    [`${crmRoot}/probe/count`, { success: false, error, code: 'SERVER_ERROR' }],
    [`${portal}/probe/count`, { error }],
  ];
  const release = await holdDatabase(app);
  const answers = await Promise.all(expected.map(([path]) => app.request('GET', path)));
  for (const [at, answer] of answers.entries()) {
    t.is(answer.status, 503);
    t.is(answer.headers.get('retry-after'), '1');
    t.deepEqual(answer.body, expected[at]?.[1]);
    t.truthy(answer.headers.get('x-ratelimit-limit'));
  }
  const refused = lines.map((line) => JSON.parse(line)).filter((line) => line.status === 503);
  t.is(refused.length, 3);
  for (const { reason } of refused) t.regex(reason, /SQLite is locked|No response within|not responding/);
  await release();
  const count = () => app.request('GET', `${portal}/probe/count`);
  // On a server, the failures have opened the circuit breaker, which probes every quarter of a second.
  while ((await count()).status === 503) await sleep(100);
  t.is((await count()).status, 200);
});

/** Holds every connection until released. */
async function holdDatabase(app: TestApp): Promise<() => Promise<void>> {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const connections = app.app.database.dialect === 'sqlite' ? 1 : 5;
  const held = Array.from({ length: connections }, () => {
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const done = app.app.database.transaction(async () => {
      begin();
      await ended;
    });
    return { begun, done };
  });
  await Promise.all(held.map((each) => each.begun));
  return async () => {
    end();
    await Promise.all(held.map((each) => each.done));
  };
}

const everywhere: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
};

test('every response has the security headers and a request id, and reveals nothing about the server', async (t) => {
  const app = await startApp(t, { plugins: [probe()] });
  app.expectError(/probe\/crash.*request failed/);
  const token = await probeKey(app);
  const key = await probeKey(app, { type: 'crm_secret' });
  const employee = await signIn(app, await seedEmployee(app));
  const technician = await signInOnPage(app, await seedTechnician(app));
  const json = 'application/json; charset=utf-8';
  const sweep: [name: string, status: number, type: string | null, cache: string, answer: TestAnswer][] = [
    ['H 200', 200, json, 'no-store', await app.request('GET', `${portal}/modules`, { token: employee.token })],
    ['A 200', 200, json, 'no-store', await app.request('GET', `${admins}/probe/notes.php`, { token })],
    ['C 200', 200, json, 'no-store', await app.request('GET', `${crmRoot}/probe/notes`, { key })],
    [
      '201',
      201,
      json,
      'no-store',
      await app.request('POST', `${admins}/probe/notes.php`, { token, body: { body: 'x' } }),
    ],
    ['204', 204, null, 'no-store', await app.request('DELETE', `${admins}/probe/notes.php?id=1`, { token })],
    ['400', 400, json, 'no-store', await app.request('GET', `${admins}/probe/notes.php?n=0`, { token })],
    ['401', 401, json, 'no-store', await app.request('GET', `${admins}/probe/notes.php`)],
    ['403', 403, json, 'no-store', await app.request('GET', `${portal}/managers`, { token: employee.token })],
    ['404', 404, json, 'no-store', await app.request('GET', `${admins}/probe/nothing.php`)],
    ['405', 405, json, 'no-store', await app.request('PATCH', `${crmRoot}/probe/notes`)],
    [
      '413',
      413,
      json,
      'no-store',
      await app.request('POST', `${admins}/probe/notes.php`, { token, body: 'x'.repeat(1 << 21) }),
    ],
    ['500', 500, json, 'no-store', await app.request('GET', `${admins}/probe/crash.php`, { token })],
    [
      'CSV',
      200,
      'text/csv; charset=utf-8',
      'no-store',
      await app.request('GET', `${admins}/probe/export.php`, { token }),
    ],
    ['CSS', 200, 'text/css; charset=utf-8', 'public, max-age=300', await app.request('GET', `${portal}/branding.css`)],
    [
      'page',
      200,
      'text/html; charset=utf-8',
      'no-store',
      await app.request('GET', '/admin/account', { cookie: technician }),
    ],
    ['redirect', 303, null, 'no-store', await app.request('GET', '/admin/account')],
    ['page 404', 404, 'text/html; charset=utf-8', 'no-store', await app.request('GET', '/nothing')],
  ];
  const ids = new Set<string>();
  for (const [name, status, type, cache, { headers, ...answer }] of sweep) {
    t.is(answer.status, status, name);
    if (type) t.is(headers.get('content-type'), type, name);
    t.is(headers.get('cache-control'), cache, name);
    for (const [header, value] of Object.entries(everywhere)) {
      // A browser sends a form's origin only under this policy.
      const expected = header === 'referrer-policy' && /^(page|redirect)/.test(name) ? headers.get(header) : value;
      t.is(headers.get(header), expected, `${name} ${header}`);
    }
    t.regex(headers.get('content-security-policy') ?? '', /default-src 'none'.*frame-ancestors 'none'/, name);
    t.is(headers.get('server'), null, name);
    t.is(headers.get('x-powered-by'), null, name);
    t.is(headers.get('strict-transport-security'), null, 'not over plain http');
    t.regex(headers.get('x-request-id') ?? '', /^[0-9a-f]{32}$/, name);
    ids.add(headers.get('x-request-id') ?? '');
  }
  t.is(ids.size, sweep.length, 'no id twice');
  t.is(sweep[6]?.[4].headers.get('www-authenticate'), 'Bearer');
  t.is(
    sweep[12]?.[4].headers.get('content-disposition'),
    `attachment; filename="n_tes.csv"; filename*=UTF-8''n%C3%B6tes.csv`,
  );
  t.is(sweep[13]?.[4].headers.get('vary'), 'Host');
});

test('HTTPS installations send HSTS', async (t) => {
  const app = await startApp(t, { config: { baseUrl: 'https://desk.example.com' } });
  for (const path of ['/admin/login', `${portal}/bootstrap`, `${admins}/nothing.php`]) {
    const answer = await app.request('GET', path);
    t.is(answer.headers.get('strict-transport-security'), 'max-age=31536000', path);
  }
});

test('the caller’s request id is ignored', async (t) => {
  const app = await startApp(t);
  const answer = await raw(app, 'GET', `${portal}/bootstrap`, { 'X-Request-Id': 'chosen-by-me' });
  t.regex(String(answer.headers['x-request-id']), /^[0-9a-f]{32}$/);
});
