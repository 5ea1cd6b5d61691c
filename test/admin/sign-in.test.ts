import { admin, administrators, anyCredential, crm, definePlugin, item, z } from '@keelson/core';
import { changed } from '@keelson/core/plugin';
import {
  ApiKey,
  backgroundDone,
  createApiKey,
  revokeApiKey,
  setUpLink,
  type KeyType,
  type NewApiKey,
} from '@keelson/modules/accounts';
import { Technician } from '@keelson/modules/directory';
import { startApp, type TestApp } from '@keelson/testing';
import test from 'ava';
import {
  cookieOf,
  password,
  postForm,
  seedEmployee,
  seedKey,
  seedTechnician,
  signIn,
  signInOnPage,
  storeUsesLate,
} from '../accounts-seed.ts';

// Two surfaces have no operation that returns the caller; this plugin adds one to each.
const ReadWho = admin.permission('who:read', 'Ask who is asking');
const WriteWho = admin.permission('who:write', 'Ask it with a body');
const ReadCrmWho = crm.permission('who:read', 'Ask who is asking');
const Who = z.object({ name: z.string() });
const who = definePlugin({
  id: 'who',
  title: 'Who',
  permissions: [ReadWho, WriteWho, ReadCrmWho],
  routes: [
    admin.get('/who.php', {
      title: 'Say who is asking',
      access: anyCredential,
      returns: item(Who),
      handle: ({ author }) => ({ name: author.name }),
    }),
    admin.post('/who.php', {
      title: 'Say who is asking, unsafely',
      access: ReadWho,
      returns: item(Who),
      handle: ({ author }) => ({ name: author.name }),
    }),
    admin.put('/who.php', {
      title: 'Say which administrator is asking',
      access: administrators(WriteWho),
      returns: item(Who),
      handle: ({ author }) => ({ name: author.name }),
    }),
    crm.get('/who', {
      title: 'Say which key is asking',
      access: ReadCrmWho,
      returns: item(Who),
      handle: ({ author }) => ({ name: author.name }),
    }),
  ],
});

const adminPath = '/admin/api/v1/who.php';
const crmPath = '/admin/api/v1/crm/who';
const start = (t: Parameters<typeof startApp>[0]) => startApp(t, { plugins: [who] });
const asAdmin = (app: TestApp, options: Parameters<TestApp['request']>[2]) => app.request('GET', adminPath, options);
const asCrm = (app: TestApp, key: string, path = crmPath) => app.request('GET', path, { key });

test('Sign a technician in: form, cookie, page and sign-out', async (t) => {
  const app = await start(t);
  const technician = await seedTechnician(app);
  const form = await app.request('GET', '/admin/login');
  t.is(form.status, 200);
  t.is(form.headers.get('content-type'), 'text/html; charset=utf-8');
  t.is(form.headers.get('referrer-policy'), 'same-origin', 'so that the browser names the form’s origin');
  t.is(form.text.match(/<h1>/g)?.length, 1);
  t.regex(form.text, /<label for="email">.*<label for="password">/s);
  t.notRegex(form.text, /<script|role="alert"/);
  const answer = await postForm(app, '/admin/login', { email: technician.email.toUpperCase(), password });
  t.is(answer.status, 303);
  t.is(answer.headers.get('location'), '/admin');
  t.regex(
    answer.headers.getSetCookie()[0] ?? '',
    /^SERVICE_default=[\w-]{43}; path=\/; expires=.*samesite=lax; httponly$/i,
  );
  const cookie = cookieOf(answer.headers);
  const home = await app.request('GET', '/admin/account', { cookie });
  t.is(home.status, 200);
  t.regex(home.text, /Terry Technician/);
  t.deepEqual((await asAdmin(app, { cookie })).body, { success: true, data: { name: 'Terry Technician' } });
  t.is((await app.request('GET', '/admin/login', { cookie })).headers.get('location'), '/admin');
  const out = await app.request('POST', '/admin/logout', { cookie, headers: { 'Sec-Fetch-Site': 'same-origin' } });
  t.is(out.status, 303);
  t.is(out.headers.get('location'), '/admin/login');
  t.regex(out.headers.getSetCookie()[0] ?? '', /^SERVICE_default=;/);
  t.is((await asAdmin(app, { cookie })).status, 401);
  t.is((await app.request('GET', '/admin/account', { cookie })).headers.get('location'), '/admin/login');
});

test('Sign a technician in: the form shows errors, keeps the email and escapes it', async (t) => {
  const app = await start(t);
  const technician = await seedTechnician(app);
  const wrong = await postForm(app, '/admin/login', { email: technician.email, password: 'not my password' });
  t.is(wrong.status, 401);
  t.regex(wrong.text, /<p role="alert">Invalid username or password<\/p>/);
  t.true(wrong.text.includes(`value="${technician.email}"`));
  const unknown = await postForm(app, '/admin/login', { email: '"><script>alert(1)</script>', password });
  t.is(unknown.status, 401);
  t.notRegex(unknown.text, /<script>/);
  t.deepEqual(unknown.headers.getSetCookie(), []);
});

test('Sign a technician in: repeated failures are throttled', async (t) => {
  const app = await start(t);
  const { email } = await seedTechnician(app);
  for (let i = 0; i < 5; i++) await postForm(app, '/admin/login', { email, password: 'not my password' });
  const stopped = await postForm(app, '/admin/login', { email, password });
  t.is(stopped.status, 429);
  t.is(stopped.headers.get('retry-after'), '1');
});

test('Sign a technician in: a new sign-in ends the browser’s previous session', async (t) => {
  const app = await start(t);
  const technician = await seedTechnician(app);
  const before = await signInOnPage(app, technician);
  const answer = await postForm(app, '/admin/login', { email: technician.email, password }, { Cookie: before });
  const after = cookieOf(answer.headers);
  t.not(after, before);
  t.is((await asAdmin(app, { cookie: before })).status, 401);
  t.is((await asAdmin(app, { cookie: after })).status, 200);
});

test('forms and cookies from other websites are rejected', async (t) => {
  const app = await start(t);
  const technician = await seedTechnician(app);
  const attempt = (headers: Record<string, string>) =>
    postForm(app, '/admin/login', { email: technician.email, password }, headers);
  t.is((await attempt({ 'Sec-Fetch-Site': 'cross-site' })).status, 403);
  t.is((await attempt({ 'Sec-Fetch-Site': '', Origin: 'https://evil.example' })).status, 403);
  const cookie = await signInOnPage(app, technician);
  const post = (headers: Record<string, string>) => app.request('POST', adminPath, { cookie, headers, body: {} });
  const forged = await post({ 'Sec-Fetch-Site': 'cross-site' });
  t.is(forged.status, 403);
  t.deepEqual(forged.body, { success: false, error: 'Cross-site request rejected' });
  t.is((await post({ Origin: 'https://evil.example' })).status, 403);
  t.is((await post({ 'Content-Type': 'text/plain' })).status, 403);
  t.is((await post({ 'Sec-Fetch-Site': 'same-origin' })).status, 200);
  const { api_key } = await seedKey(app, 'admin', ['who:read']);
  const byKey = { token: api_key, headers: { Origin: 'https://elsewhere.example', 'Content-Type': 'text/plain' } };
  t.is((await app.request('POST', adminPath, byKey)).status, 200);
});

test('deactivating a technician or changing the access version ends sessions immediately', async (t) => {
  const app = await start(t);
  for (const set of [{ active: false }, { access_version: 2 }, { deleted_at: app.clock.now() }]) {
    const technician = await seedTechnician(app);
    const cookie = await signInOnPage(app, technician);
    t.is((await asAdmin(app, { cookie })).status, 200);
    await app.run(async (ctx) => {
      await ctx.db.update(Technician, { user_id: technician.user_id }, set);
      changed(ctx, Technician);
    });
    t.is((await asAdmin(app, { cookie })).status, 401);
  }
});

test('a technician’s cookie expires after 8 idle hours, and after 24 hours in any case', async (t) => {
  const app = await start(t);
  const technician = await seedTechnician(app);
  const idle = await signInOnPage(app, technician);
  const busy = await signInOnPage(app, technician);
  const uses = ['2026-03-02T16:59:00.000Z', '2026-03-03T00:58:00.000Z', '2026-03-03T08:57:00.000Z'];
  for (const at of uses) {
    app.clock.set(at);
    t.is((await asAdmin(app, { cookie: busy })).status, 200);
  }
  t.is((await asAdmin(app, { cookie: idle })).status, 401);
  app.clock.set('2026-03-03T09:00:01.000Z');
  t.is((await asAdmin(app, { cookie: busy })).status, 401);
});

test('a use of a technician’s cookie that is stored while the session is read again counts', async (t) => {
  const app = await start(t);
  const cookie = await signInOnPage(app, await seedTechnician(app));
  storeUsesLate(app, 'technician_session');
  app.clock.set('2026-03-02T16:59:00.000Z');
  t.is((await asAdmin(app, { cookie })).status, 200);
  app.clock.set('2026-03-02T17:00:01.000Z');
  t.is((await asAdmin(app, { cookie })).status, 200);
});

test('technicians cannot use administrator operations', async (t) => {
  const app = await start(t);
  const put = async (role: 'administrator' | 'technician') => {
    const cookie = await signInOnPage(app, await seedTechnician(app, role));
    return (await app.request('PUT', adminPath, { cookie, body: {} })).status;
  };
  t.is(await put('technician'), 403);
  t.is(await put('administrator'), 200);
});

test('a key is limited to its permissions, and its requests are counted', async (t) => {
  const app = await start(t);
  const { api_key, row } = await seedKey(app, 'admin', ['who:read']);
  t.regex(api_key, /^vsa_[0-9A-Za-z]{44}$/);
  t.is(row.prefix, api_key.slice(0, 12));
  const answer = await asAdmin(app, { token: api_key });
  t.deepEqual(answer.body, { success: true, data: { name: row.name } });
  t.is(answer.headers.get('x-ratelimit-limit'), '120');
  t.is(answer.headers.get('x-ratelimit-remaining'), '119');
  t.regex(answer.headers.get('x-ratelimit-reset') ?? '', /^\d{10}$/);
  t.is((await app.request('POST', adminPath, { token: api_key, body: {} })).status, 200);
  const refused = await app.request('PUT', adminPath, { token: api_key, body: {} });
  t.is(refused.status, 403);
  t.deepEqual(refused.body, { success: false, error: 'Insufficient permissions' });
  t.is(refused.headers.get('x-ratelimit-remaining'), '117');
});

test('a valid cookie does not replace an invalid key, and keys are accepted only where documented', async (t) => {
  const app = await start(t);
  const cookie = await signInOnPage(app, await seedTechnician(app));
  const { api_key } = await seedKey(app, 'admin', ['who:read']);
  const stranger = await asAdmin(app, {});
  t.is(stranger.status, 401);
  t.deepEqual(stranger.body, { success: false, error: 'Authentication required' });
  t.is(stranger.headers.get('www-authenticate'), 'Bearer');
  t.is((await asAdmin(app, { token: `${api_key.slice(0, -1)}!`, cookie })).status, 401);
  t.is((await asAdmin(app, { token: '', cookie })).status, 401);
  t.is((await asAdmin(app, { token: api_key, cookie: 'SERVICE_default=stale' })).status, 200);
  t.is((await asAdmin(app, { key: api_key })).status, 401);
  t.is((await app.request('GET', `${adminPath}?api_key=${api_key}`)).status, 401);
  t.is((await app.request('GET', `${adminPath}?api_key=${api_key}`, { token: api_key })).status, 401);
  t.is((await app.request('GET', `${adminPath}?q=${api_key}`, { cookie })).status, 401);
  t.is((await asAdmin(app, { cookie: `${cookie}; ${cookie}` })).status, 401);
});

test('credentials of one surface do not work on another', async (t) => {
  const app = await start(t);
  const secret = (await seedKey(app, 'crm_secret', ['who:read'])).api_key;
  const vsa = (await seedKey(app, 'admin', ['who:read'])).api_key;
  const { token, cookie } = await signIn(app, await seedEmployee(app));
  const technician = await signInOnPage(app, await seedTechnician(app));
  t.is((await asAdmin(app, { token: secret })).status, 401);
  t.is((await asAdmin(app, { token })).status, 401);
  t.is((await asAdmin(app, { cookie: cookie.replace('HELPDESK', 'SERVICE') })).status, 401);
  t.is((await asCrm(app, vsa)).status, 401);
  t.is((await app.request('GET', crmPath, { token: secret })).status, 401);
  t.is((await app.request('GET', crmPath, { cookie: technician })).status, 401);
  const session = '/helpdesk/api/v1/auth/session';
  t.is((await app.request('GET', session, { cookie: technician.replace('SERVICE', 'HELPDESK') })).status, 401);
  t.is((await asCrm(app, secret)).status, 200);
});

test('CRM keys: secret keys have their permissions, public keys only the widget', async (t) => {
  const app = await start(t);
  const secret = await seedKey(app, 'crm_secret', ['who:read']);
  const answer = await asCrm(app, secret.api_key);
  t.deepEqual(answer.body, { success: true, data: { name: secret.row.name } });
  t.is(answer.headers.get('x-ratelimit-limit'), '120');
  const narrow = await asCrm(app, (await seedKey(app, 'crm_secret')).api_key);
  t.is(narrow.status, 403);
  t.deepEqual(narrow.body, { success: false, error: 'Insufficient permissions', code: 'FORBIDDEN' });
  const live = await asCrm(app, (await seedKey(app, 'crm_public_live')).api_key);
  t.is(live.status, 403);
  t.is(live.headers.get('x-ratelimit-limit'), '30');
  const none = await app.request('GET', crmPath);
  t.is(none.status, 401);
  t.deepEqual(none.body, { success: false, error: 'Authentication required', code: 'AUTH_REQUIRED' });
  t.is((await asCrm(app, `${secret.api_key}, ${secret.api_key}`)).status, 401);
  t.is((await asCrm(app, secret.api_key, `${crmPath}?x=${secret.api_key}`)).status, 401);
});

test('revoked keys are rejected immediately', async (t) => {
  const app = await start(t);
  const check = (key: string, type: KeyType) => (type === 'admin' ? asAdmin(app, { token: key }) : asCrm(app, key));
  for (const type of ['admin', 'crm_secret'] as const) {
    const key = await seedKey(app, type, ['who:read']);
    t.is((await check(key.api_key, type)).status, 200);
    await app.run((ctx) => revokeApiKey(ctx, key.row.key_id));
    t.is((await check(key.api_key, type)).status, 401);
    await t.throwsAsync(() => app.run((ctx) => revokeApiKey(ctx, key.row.key_id)), { message: 'API key not found' });
  }
});

test('a key expires on time, and its last use is recorded to the minute', async (t) => {
  const app = await start(t);
  const expires_at = '2026-03-02T10:00:00.000Z';
  const { api_key, row } = await app.run((ctx) =>
    createApiKey(ctx, { type: 'admin', name: 'Short', permissions: [], expires_at }),
  );
  const lastUse = async () => {
    await backgroundDone(app.app);
    return (await app.app.database.findOneBy(ApiKey, { key_id: row.key_id }))?.last_used_at;
  };
  for (const [at, noted] of [
    ['09:10:00', '09:10:00'],
    ['09:10:59', '09:10:00'],
    ['09:11:00', '09:11:00'],
  ]) {
    app.clock.set(`2026-03-02T${at}.000Z`);
    t.is((await asAdmin(app, { token: api_key })).status, 200);
    t.is(await lastUse(), `2026-03-02T${noted}.000Z`);
  }
  app.clock.set(expires_at);
  t.is((await asAdmin(app, { token: api_key })).status, 401);
});

test('a key has permissions on its own surface only', async (t) => {
  const app = await start(t);
  const make = (input: Partial<NewApiKey>) =>
    app.run((ctx) => createApiKey(ctx, { type: 'admin', name: 'Key', permissions: [], ...input }));
  const unknown = { message: 'permissions contains unknown values: nothing:read' };
  await t.throwsAsync(() => make({ permissions: ['who:read', 'nothing:read'] }), unknown);
  await t.throwsAsync(() => make({ type: 'crm_secret', permissions: ['who:write'] }));
  await t.throwsAsync(() => make({ expires_at: app.clock.now() }), { message: 'expires_at must be in the future' });
  const { row } = await make({ type: 'crm_public_live' });
  t.deepEqual(row.permissions, ['widget:access']);
  t.is(row.rate_limit_per_minute, 30);
});

test('the set-up link creates the first administrator, once', async (t) => {
  const app = await start(t);
  const link = new URL((await setUpLink(app.app)) ?? '');
  // Another process starts on the same database and prints its own link.
  const later = new URL((await setUpLink(app.app)) ?? '');
  const path = link.pathname + link.search;
  const token = link.searchParams.get('token') ?? '';
  const form = await app.request('GET', path);
  t.is(form.status, 200);
  t.regex(form.text, /<h1>Set up Keelson<\/h1>/);
  const fields = { token, name: 'Ada', email: 'ada@example.com', password };
  const weak = await postForm(app, '/admin/setup', { ...fields, password: 'short' });
  t.is(weak.status, 400);
  t.regex(weak.text, /role="alert">password must have at least 12 characters/);
  t.is((await postForm(app, '/admin/setup', { ...fields, token: 'guessed' })).status, 404);
  t.is((await postForm(app, '/admin/setup', fields, { 'Sec-Fetch-Site': 'cross-site' })).status, 403);
  const made = await postForm(app, '/admin/setup', fields);
  t.is(made.status, 303);
  t.is(made.headers.get('location'), '/admin');
  t.regex((await app.request('GET', '/admin/account', { cookie: cookieOf(made.headers) })).text, /Administrator/);
  t.is((await app.request('GET', path)).status, 404);
  t.is((await app.request('GET', later.pathname + later.search)).status, 404);
  t.is((await postForm(app, '/admin/setup', { ...fields, email: 'eve@example.com' })).status, 404);
  t.is(await setUpLink(app.app), undefined);
  t.is(await app.app.database.count(Technician), 1);
});

test('the set-up link becomes invalid once an administrator exists', async (t) => {
  const app = await start(t);
  const link = new URL((await setUpLink(app.app)) ?? '');
  await seedTechnician(app);
  const answer = await app.request('GET', link.pathname + link.search);
  t.is(answer.status, 404);
  t.regex(answer.text, /This link is no longer valid/);
});
