// Guarantees of every CRM response: error codes, rate limit headers, and accepted credentials.
import { startApp, type TestAnswer } from '@keelson/testing';
import test from 'ava';
import { memoryLimiter } from '../../packages/security/limit.ts';
import { seedKey, seedTechnician, signInOnPage } from '../accounts-seed.ts';
import { crmPermissions, crmRoot } from '../crm-seed.ts';

const rate = ({ headers }: TestAnswer) =>
  ['limit', 'remaining', 'reset'].map((each) => /^\d+$/.test(headers.get(`x-ratelimit-${each}`) ?? ''));

test.serial('every response reports the rate limit window', async (t) => {
  const app = await startApp(t);
  const { api_key: key } = await seedKey(app, 'crm_secret', crmPermissions);
  const ask = (method: string, path: string, options: object = { key }) => app.request(method, crmRoot + path, options);
  const lead = { key, body: { email: 'a@example.com' } };
  for (const [answer, status, code] of [
    [await ask('GET', '/leads'), 200, undefined],
    [await ask('POST', '/leads', lead), 201, undefined],
    [await ask('POST', '/leads', { key, body: {} }), 400, 'VALIDATION_ERROR'],
    [await ask('POST', '/leads', { key, body: '{' }), 400, 'VALIDATION_ERROR'],
    [await ask('GET', '/leads', {}), 401, 'AUTH_REQUIRED'],
    [await ask('GET', '/leads', { key: 'crm_nonsense' }), 401, 'AUTH_REQUIRED'],
    [await ask('GET', '/webhooks'), 403, 'FORBIDDEN'],
    [await ask('GET', '/leads/99'), 404, 'NOT_FOUND'],
    [await ask('GET', '/nothing'), 404, 'NOT_FOUND'],
    [await ask('GET', '/nothing', {}), 404, 'NOT_FOUND'],
    [await ask('GET', '/orders.php'), 404, 'NOT_FOUND'],
    [await ask('PATCH', '/leads'), 405, 'VALIDATION_ERROR'],
    [await ask('PUT', '/leads', {}), 405, 'VALIDATION_ERROR'],
    [await ask('POST', '/leads', lead), 409, 'DUPLICATE'],
    [await ask('POST', '/leads', { key, body: ' '.repeat(1_100_000) }), 413, 'VALIDATION_ERROR'],
  ] as const) {
    t.deepEqual([answer.status, answer.body.code], [status, code], answer.text);
    t.deepEqual(rate(answer), [true, true, true], `${status}`);
    if (code) t.deepEqual(Object.keys(answer.body), ['success', 'error', 'code']);
  }
});

test.serial('beyond the limit 429 RATE_LIMITED with Retry-After; 120 a minute for secret keys', async (t) => {
  const clock = { monotonic: () => 0, unix: () => 1_700_000_000_000 };
  const app = await startApp(t, { limiter: memoryLimiter({ clock }) });
  const { api_key: key } = await seedKey(app, 'crm_secret', ['leads:read']);
  const ask = () => app.request('GET', `${crmRoot}/leads?per_page=1`, { key });
  const first = await ask();
  t.deepEqual([first.headers.get('x-ratelimit-limit'), first.headers.get('x-ratelimit-remaining')], ['120', '119']);
  for (let i = 0; i < 119; i++) t.is((await ask()).status, 200);
  const over = await ask();
  t.is(over.status, 429);
  t.deepEqual(over.body, { success: false, error: 'Rate limit exceeded', code: 'RATE_LIMITED' });
  t.deepEqual(
    ['retry-after', 'x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'].map((each) =>
      over.headers.get(each),
    ),
    ['60', '120', '0', '1700000060'],
  );
});

test.serial('only keys: in X-API-Key, of this surface, and public ones only for the widget', async (t) => {
  const app = await startApp(t);
  const { api_key: secret } = await seedKey(app, 'crm_secret', crmPermissions);
  const { api_key: admin } = await seedKey(app, 'admin', ['contacts:read']);
  const { api_key: live } = await seedKey(app, 'crm_public_live');
  const { api_key: trial } = await seedKey(app, 'crm_public_test');
  const cookie = await signInOnPage(app, await seedTechnician(app));
  const status = async (options: object, path = '/leads') => (await app.request('GET', crmRoot + path, options)).status;
  t.is(await status({ key: secret }), 200);
  t.is(await status({ token: secret }), 401, 'not as a bearer');
  t.is(await status({ token: admin }), 401);
  t.is(await status({ key: admin }), 401, 'not of this surface');
  t.is(await status({ cookie }), 401, 'a session is nobody here');
  t.is(await status({ cookie, key: secret }), 200);
  t.is(await status({ key: secret }, `/leads?api_key=${secret}`), 401, 'never in the address');
  for (const key of [live, trial]) {
    for (const path of ['/leads', '/opportunities', '/people/1', '/prospects', '/activities', '/notes', '/search?q=ab'])
      t.is(await status({ key }, path), 403, path);
  }
});

test.serial('below /crm/ only the three shortcuts belong to the administrative surface', async (t) => {
  const app = await startApp(t);
  const { api_key: key } = await seedKey(app, 'crm_secret', crmPermissions);
  const { api_key: token } = await seedKey(app, 'admin', ['contacts:read', 'reports:read']);
  const ask = (path: string, options: object, method = 'GET') => app.request(method, crmRoot + path, options);
  for (const path of ['/leads.php', '/pipeline.php', '/dashboard.php', '/leads.php/']) {
    t.is((await ask(path, { token })).status, 200, path);
    const refused = await ask(path, { key });
    t.deepEqual([refused.status, refused.body], [401, { success: false, error: 'Authentication required' }], path);
    t.is(refused.headers.get('www-authenticate'), 'Bearer');
    const wrong = await ask(path, { token }, 'DELETE');
    t.deepEqual([wrong.status, wrong.body.code], [405, undefined], path);
  }
  for (const path of ['/people.php', '/leads.php.php', '/x/leads.php', '/Leads.php', '/leads/1.php', '/leads%2Ephp']) {
    const answer = await ask(path, { key });
    t.deepEqual([answer.status, answer.body.code], [404, 'NOT_FOUND'], path);
  }
});
