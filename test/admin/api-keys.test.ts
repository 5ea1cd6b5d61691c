// API keys: created, listed, changed and revoked by administrators, and by keys themselves.
import { plus } from '@keelson/core';
import { changed } from '@keelson/core/plugin';
import { Mail } from '@keelson/core/system';
import { ApiKey, createApiKey } from '@keelson/modules/accounts';
import { Technician } from '@keelson/modules/directory';
import { openApp, startApp, type TestApp } from '@keelson/testing';
import test from 'ava';
import { ActivityLine } from '../../packages/log/activity.ts';
import { seedKey, seedTechnician, signInOnPage } from '../accounts-seed.ts';
import { asKey, staff } from '../tickets-seed.ts';

const path = '/settings/api-keys.php';
const master = ['settings:read', 'settings:write', 'tickets:read'] as const;

// Shared by tests that count nothing and do not change the clock.
let shared: TestApp;
test.before(async () => {
  shared = await openApp();
});
test.after.always(() => shared.close());

/** Calls the API as an administrator with a browser session. */
async function asAdministrator(app: TestApp) {
  const technician = await seedTechnician(app);
  const cookie = await signInOnPage(app, technician);
  const send = (method: string, rest: string, body?: unknown) =>
    app.request(method, `${staff}${rest}`, { cookie, ...(body === undefined ? {} : { body }) });
  return { send, technician };
}

const use = (app: TestApp, token: string, headers: Record<string, string> = {}) =>
  app.request('GET', `${staff}/tickets.php`, { token, headers });

async function change(app: TestApp, user_id: number, set: { active?: boolean; role?: 'technician' | 'administrator' }) {
  await app.run(async (ctx) => {
    await ctx.db.update(Technician, { user_id }, set);
    ctx.record({ action: 'update', entity_type: 'technician', entity_id: user_id, description: 'Changed' });
    changed(ctx, Technician);
  });
}

test('Create an API key: the full key is returned only once', async (t) => {
  const app = await startApp(t);
  const { send, technician } = await asAdministrator(app);
  const answer = await send('POST', path, {
    name: 'Reporting',
    permissions: ['tickets:read', 'tickets:read'],
    expires_at: '2026-12-31T00:00:00Z',
    allowed_addresses: ['127.0.0.0/8', '2001:DB8::1'],
    rate_limit_per_minute: 60,
  });
  t.is(answer.status, 201);
  const { api_key, key_id } = answer.body.data;
  t.regex(api_key, /^vsa_[0-9A-Za-z]{44}$/);
  const data = {
    key_id,
    type: 'admin',
    name: 'Reporting',
    prefix: api_key.slice(0, 12),
    permissions: ['tickets:read'],
    rate_limit_per_minute: 60,
    allowed_origins: [],
    allowed_addresses: ['127.0.0.0/8', '2001:db8::1'],
    allow_reveal: false,
    state: 'active',
    granted_by: technician.name,
    expires_at: '2026-12-31T00:00:00Z',
    last_used_at: null,
    created_at: '2026-03-02T09:00:00Z',
  };
  t.deepEqual(answer.body, {
    success: true,
    data: { ...data, api_key },
    message: 'Store this key securely now: it is not shown again.',
  });
  const used = await use(app, api_key);
  t.is(used.status, 200);
  t.is(used.headers.get('x-ratelimit-limit'), '60');
  const listed = await send('GET', path);
  t.deepEqual(listed.body, {
    success: true,
    data: [{ ...data, api_key: `${data.prefix}********`, last_used_at: data.created_at }],
  });
  const line = await app.app.database.findOneBy(ActivityLine, { entity_type: 'api_key' });
  t.false(JSON.stringify(line).includes(api_key));
  t.false(JSON.stringify(await app.app.database.find(ApiKey)).includes(api_key));
  t.like(line, { action: 'create', entity_id: String(key_id), description: 'API key Reporting created' });
});

test('Create an API key: each type has its prefix, permissions and limit', async (t) => {
  const app = shared;
  const { send } = await asAdministrator(app);
  const widget = await send('POST', path, {
    name: 'Website',
    type: 'crm_public_live',
    allowed_origins: ['https://www.example.com/', 'HTTPS://Shop.example.com:8443'],
  });
  t.is(widget.status, 201);
  t.regex(widget.body.data.api_key, /^pk_live_/);
  t.like(widget.body.data, { type: 'crm_public_live', rate_limit_per_minute: 30, permissions: { length: 1 } });
  t.deepEqual(widget.body.data.allowed_origins, ['https://www.example.com', 'https://shop.example.com:8443']);
  t.regex((await send('POST', path, { name: 'T', type: 'CRM_PUBLIC_TEST' })).body.data.api_key, /^pk_test_/);
  for (const [given, error] of [
    [{}, 'name is required'],
    [{ name: 'x' }, 'permissions is required'],
    [{ name: 'x', permissions: [] }, 'permissions must name at least one permission'],
    [{ name: 'x', permissions: ['tickets:fly'] }, 'permissions contains unknown values: tickets:fly'],
    [
      { name: 'x', type: 'crm_secret', permissions: ['tickets:read'] },
      'permissions contains unknown values: tickets:read',
    ],
    [
      { name: 'x', type: 'root', permissions: ['tickets:read'] },
      'type must be one of: admin, crm_secret, crm_public_live, crm_public_test',
    ],
    [
      { name: 'x', permissions: ['tickets:read'], expires_at: '2026-03-02T09:00:00Z' },
      'expires_at must be in the future',
    ],
    [{ name: 'x', permissions: ['tickets:read'], expires_at: 'soon' }, 'expires_at must be an ISO 8601 timestamp'],
    [
      { name: 'x', permissions: ['tickets:read'], rate_limit_per_minute: 0 },
      'rate_limit_per_minute must be between 1 and 10000',
    ],
    [
      { name: 'x', permissions: ['tickets:read'], allowed_addresses: ['10.1'] },
      'allowed_addresses must contain addresses or ranges such as 192.0.2.0/24',
    ],
    [
      { name: 'x', permissions: ['tickets:read'], allowed_origins: ['https://a.example'] },
      'allowed_origins is for public keys only',
    ],
    [
      { name: 'x', type: 'crm_public_live', allowed_origins: ['https://a.example/shop'] },
      'allowed_origins must contain origins such as https://www.example.com',
    ],
  ] as const) {
    const answer = await send('POST', path, given);
    t.deepEqual([answer.status, answer.body.error], [400, error]);
  }
});

test('List the API keys', async (t) => {
  const app = await startApp(t);
  const { send } = await asAdministrator(app);
  for (let i = 0; i < 30; i++) await seedKey(app, 'admin', ['tickets:read']);
  const soon = plus(app.clock.now(), { minutes: 1 });
  const { row } = await app.run((ctx) =>
    createApiKey(ctx, { type: 'crm_secret', name: 'Short', permissions: [], expires_at: soon }),
  );
  app.clock.set(plus(soon, { seconds: 1 }));
  const { body } = await send('GET', path);
  t.is(body.data.length, 31, 'the list is always whole (P-09)');
  t.like(body.data[0], {
    key_id: row.key_id,
    state: 'expired',
    granted_by: 'System',
    api_key: `${row.prefix}********`,
  });
  t.is(body.data[1].state, 'active');
  t.true((await app.fewestStatements(() => send('GET', path))) <= 6);
});

test('Read an API key', async (t) => {
  const app = shared;
  const { send } = await asAdministrator(app);
  const { row } = await seedKey(app, 'admin', ['tickets:read']);
  const { status, body } = await send('GET', `${path}?id=${row.key_id}`);
  t.is(status, 200);
  t.like(body.data, { key_id: row.key_id, name: row.name, api_key: `${row.prefix}********`, state: 'active' });
  const absent = await send('GET', `${path}?id=999`);
  t.deepEqual([absent.status, absent.body], [404, { success: false, error: 'API key not found' }]);
});

test('Change an API key: takes effect immediately', async (t) => {
  const app = shared;
  const { send } = await asAdministrator(app);
  const { row, api_key } = await seedKey(app, 'admin', ['tickets:read']);
  t.is((await use(app, api_key)).status, 200);
  const answer = await send('PUT', `${path}?id=${row.key_id}`, {
    name: 'Renamed',
    permissions: ['tickets:write'],
    rate_limit_per_minute: 7,
    expires_at: '2030-01-01T00:00:00Z',
  });
  t.is(answer.status, 200);
  t.like(answer.body.data, {
    key_id: row.key_id,
    name: 'Renamed',
    permissions: { 0: 'tickets:write', length: 1 },
    rate_limit_per_minute: 7,
    expires_at: null,
    api_key: `${row.prefix}********`,
  });
  const refused = await use(app, api_key);
  t.is(refused.status, 403);
  t.is(refused.headers.get('x-ratelimit-limit'), '7');
  const line = await app.app.database.findOneBy(ActivityLine, {
    entity_type: 'api_key',
    entity_id: String(row.key_id),
    action: 'update',
  });
  t.deepEqual(line?.changes['permissions'], [['tickets:read'], ['tickets:write']]);
  const put = (body: unknown, id: number | string = row.key_id) => send('PUT', `${path}?id=${id}`, body);
  t.is((await put({ name: 'x' }, 999)).status, 404);
  t.deepEqual((await put({})).body, { success: false, error: 'No fields to update' });
  t.is((await put({ name: '' })).status, 400);
  t.is((await put({ permissions: [] })).status, 400);
  t.is((await put({ permissions: ['x:y'] })).status, 400);
  t.is((await put({ name: 'x' }, 'x')).status, 400);
  t.deepEqual((await send('PUT', path, { name: 'x' })).body, { success: false, error: 'id is required' });
});

test('Revoke an API key: the next request is rejected and the key is gone', async (t) => {
  const app = await startApp(t);
  const { send } = await asAdministrator(app);
  const { row, api_key } = await seedKey(app, 'admin', ['tickets:read']);
  t.is((await use(app, api_key)).status, 200);
  const answer = await send('DELETE', `${path}?id=${row.key_id}`);
  t.deepEqual([answer.status, answer.text], [204, '']);
  t.is((await use(app, api_key)).status, 401);
  t.deepEqual((await send('GET', path)).body.data, []);
  t.is((await send('DELETE', `${path}?id=${row.key_id}`)).status, 404);
  t.is((await send('PUT', `${path}?id=${row.key_id}`, { name: 'x' })).status, 404);
  t.is((await app.app.database.findOneBy(ApiKey, { key_id: row.key_id }))?.name, row.name, 'its tombstone stays');
});

test('only administrators and permitted keys can manage keys', async (t) => {
  const app = shared;
  const reader = await asKey(app, ['settings:read']);
  const writer = await asKey(app, ['settings:write', 'tickets:read']);
  const cookie = await signInOnPage(app, await seedTechnician(app, 'technician'));
  const body = { name: 'x', permissions: ['tickets:read'] };
  const requests = [
    ['GET', path, undefined],
    ['GET', `${path}?id=1`, undefined],
    ['POST', path, body],
    ['PUT', `${path}?id=1`, body],
    ['DELETE', `${path}?id=1`, undefined],
  ] as const;
  for (const [method, where, given] of requests) {
    const sent = given ? { body: given } : {};
    t.is((await app.request(method, staff + where, sent)).status, 401);
    t.is((await app.request(method, staff + where, { cookie, ...sent })).status, 403);
    const wrong = method === 'GET' ? writer : reader;
    t.is((await wrong(method, where, given)).status, 403);
  }
  t.is((await reader('GET', path)).status, 200);
  t.is((await writer('POST', path, body)).status, 201);
});

test('a key cannot grant more permissions than it has', async (t) => {
  const app = shared;
  const expires_at = '2026-06-01T00:00:00.000Z';
  const { api_key: token } = await app.run((ctx) =>
    createApiKey(ctx, {
      type: 'admin',
      name: 'Master',
      permissions: master,
      expires_at,
      rate_limit_per_minute: 50,
      allowed_addresses: ['127.0.0.0/8'],
    }),
  );
  const make = (body: object) => app.request('POST', staff + path, { token, body: { name: 'Child', ...body } });
  const made = await make({ permissions: ['tickets:read'] });
  t.is(made.status, 201);
  t.like(made.body.data, {
    rate_limit_per_minute: 50,
    allowed_addresses: { 0: '127.0.0.0/8', length: 1 },
    expires_at: '2026-06-01T00:00:00Z',
    granted_by: 'Master',
  });
  t.is((await make({ permissions: ['tickets:read'], allowed_addresses: ['127.0.0.1'] })).status, 201);
  for (const body of [
    { permissions: ['tickets:read', 'tickets:write'] },
    { permissions: ['tickets:read'], rate_limit_per_minute: 51 },
    { permissions: ['tickets:read'], allowed_addresses: ['10.0.0.1'] },
    { permissions: ['tickets:read'], allowed_addresses: [] },
    { permissions: ['tickets:read'], expires_at: '2026-06-01T00:00:01Z' },
    { permissions: ['tickets:read'], allow_reveal: true },
    { type: 'crm_public_live' },
  ]) {
    const answer = await make(body);
    t.is(answer.status, 403, JSON.stringify(body));
    t.regex(answer.body.error, /^(?:A key cannot|Only an administrator)/);
  }
});

test('a key can grant other keys its own permissions and no more', async (t) => {
  const app = shared;
  const { api_key: token } = await seedKey(app, 'admin', master);
  const other = (await seedKey(app, 'admin', ['settings:read'])).row.key_id;
  const put = (id: number, body: object) => app.request('PUT', `${staff}${path}?id=${id}`, { token, body });
  const given = await put(other, { permissions: ['settings:read', 'tickets:read'] });
  t.is(given.status, 200);
  t.deepEqual(given.body.data.permissions, ['settings:read', 'tickets:read']);
  t.is((await put(other, { permissions: ['tickets:write'] })).status, 403);
  t.is((await put(other, { rate_limit_per_minute: 121 })).status, 403);
  const stronger = (await seedKey(app, 'admin', ['tickets:read', 'tickets:write'])).row.key_id;
  t.is((await put(stronger, { rate_limit_per_minute: 1 })).status, 403, 'the result still holds more');
  t.is((await put(stronger, { permissions: ['tickets:write'] })).status, 403);
  t.is((await put(stronger, { name: 'Only renamed' })).status, 403);
  t.is((await put(stronger, { permissions: ['tickets:read'], rate_limit_per_minute: 1 })).status, 200);
  const revealing = await app.run((ctx) =>
    createApiKey(ctx, { type: 'admin', name: 'Reveals', permissions: ['settings:read'], allow_reveal: true }),
  );
  t.is((await put(revealing.row.key_id, { permissions: ['settings:read', 'tickets:read'] })).status, 403);
  const website = (await seedKey(app, 'crm_secret', ['leads:read'])).row.key_id;
  t.is((await put(website, { rate_limit_per_minute: 1 })).status, 403, 'another surface');
  t.is((await put(other, { allowed_addresses: [] })).status, 403);
  t.is((await put(other, { name: 'Renamed', rate_limit_per_minute: 100 })).status, 200);
  const child = await app.request('POST', staff + path, {
    token,
    body: { name: 'Child', permissions: ['tickets:read'] },
  });
  const { key_id } = child.body.data;
  t.is((await put(key_id, { permissions: ['tickets:read', 'settings:read'] })).status, 200);
  t.is((await put(key_id, { permissions: ['tickets:write'] })).status, 403);
});

test('a key never has more permissions than its grantor has now', async (t) => {
  const app = await startApp(t);
  const { send, technician } = await asAdministrator(app);
  const made = (await send('POST', path, { name: 'Mine', permissions: master, allow_reveal: true })).body.data;
  t.true(made.allow_reveal);
  const token: string = made.api_key;
  const child = (
    await app.request('POST', staff + path, { token, body: { name: 'Child', permissions: ['tickets:read'] } })
  ).body.data;
  const settings = () => app.request('GET', `${staff}/settings/colors.php`, { token });
  const keys = () => app.request('GET', staff + path, { token });
  t.is((await keys()).status, 200);
  await change(app, technician.user_id, { role: 'technician' });
  t.is((await keys()).status, 403, 'a technician has no API keys (Z-24)');
  t.is((await settings()).status, 200);
  t.is((await use(app, child.api_key)).status, 200);
  await change(app, technician.user_id, { active: false });
  t.is((await settings()).status, 401);
  t.is((await use(app, child.api_key)).status, 401);
  const second = await asAdministrator(app);
  const states = (await second.send('GET', path)).body.data.map((each: { name: string; state: string }) => [
    each.name,
    each.state,
  ]);
  t.deepEqual(states, [
    ['Child', 'suspended'],
    ['Mine', 'suspended'],
  ]);
  const adopted = await second.send('PUT', `${path}?id=${made.key_id}`, { permissions: ['tickets:read'] });
  t.like(adopted.body.data, { state: 'active', granted_by: second.technician.name });
  t.is((await use(app, token)).status, 200);
  t.is((await use(app, child.api_key)).status, 200);
  t.is((await settings()).status, 403);
  await second.send('PUT', `${path}?id=${made.key_id}`, { permissions: ['settings:read'] });
  t.is((await use(app, child.api_key)).status, 403, 'what its maker lost is lost to it too');
});

test('a CRM key manages webhooks only while its grantor is an administrator', async (t) => {
  const app = await startApp(t);
  const { send, technician } = await asAdministrator(app);
  const permissions = ['webhooks:manage', 'leads:read'];
  const { api_key: key } = (await send('POST', path, { name: 'Site', type: 'crm_secret', permissions })).body.data;
  const statuses = async () =>
    Promise.all(
      ['webhooks', 'leads'].map(async (at) => (await app.request('GET', `${staff}/crm/${at}`, { key })).status),
    );
  t.deepEqual(await statuses(), [200, 200]);
  await change(app, technician.user_id, { role: 'technician' });
  t.deepEqual(await statuses(), [403, 200]);
});

test('revoking a key revokes the keys it created; a self-revoking key has a successor', async (t) => {
  const app = await startApp(t);
  const { send } = await asAdministrator(app);
  const make = async (token: string) =>
    (await app.request('POST', staff + path, { token, body: { name: 'Next', permissions: master } })).body.data;
  const first = (await send('POST', path, { name: 'First', permissions: master })).body.data;
  const second = await make(first.api_key);
  const gone = await app.request('DELETE', `${staff}${path}?id=${first.key_id}`, { token: first.api_key });
  t.is(gone.status, 204);
  t.is((await use(app, first.api_key)).status, 401);
  t.is((await use(app, second.api_key)).status, 200);
  const third = await make(second.api_key);
  t.is((await use(app, third.api_key)).status, 200);
  t.is((await send('DELETE', `${path}?id=${second.key_id}`)).status, 204);
  t.is((await use(app, third.api_key)).status, 401);
  const [left] = (await send('GET', path)).body.data;
  t.like(left, { key_id: third.key_id, state: 'suspended' });
});

test('a key works only from its allowed addresses', async (t) => {
  const app = await startApp(t, { config: { trustProxy: 1 } });
  const key = { type: 'admin', name: 'Office', permissions: ['tickets:read'] } as const;
  const { api_key } = await app.run((ctx) =>
    createApiKey(ctx, { ...key, allowed_addresses: ['192.0.2.0/24', '2001:db8::/32'] }),
  );
  const from = async (ip: string) => (await use(app, api_key, { 'X-Forwarded-For': ip })).status;
  t.is(await from('192.0.2.200'), 200);
  t.is(await from('::ffff:192.0.2.9'), 200);
  t.is(await from('2001:db8:1::1'), 200);
  t.is(await from('198.51.100.1'), 401);
  t.is(await from('2001:db9::1'), 401);
});

test('each administrator gets one mail a week before a key expires', async (t) => {
  const app = await startApp(t);
  const key = { type: 'admin', name: 'Backup', permissions: ['tickets:read'] } as const;
  const technician = await seedTechnician(app);
  await seedTechnician(app, 'technician');
  await app.run((ctx) => createApiKey(ctx, { ...key, expires_at: '2026-03-12T00:00:00.000Z' }));
  await app.run((ctx) => createApiKey(ctx, { ...key, name: 'Later', expires_at: '2026-09-12T00:00:00.000Z' }));
  const mails = () => app.app.database.findBy(Mail, { template: 'api_key_expiring' });
  await app.app.scheduler.runNow('accounts.warn-of-keys');
  t.is((await mails()).length, 0);
  app.clock.set('2026-03-06T06:12:00.000Z');
  await app.app.scheduler.runNow('accounts.warn-of-keys');
  app.clock.set('2026-03-07T06:12:00.000Z');
  await app.app.scheduler.runNow('accounts.warn-of-keys');
  t.deepEqual(
    (await mails()).map((each) => each.recipient_address),
    [technician.email],
  );
});
