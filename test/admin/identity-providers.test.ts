// Identity providers set in the console: discovered before they are stored, sealed, and offered immediately.
import { startApp, type TestApp, type TestOptions } from '@keelson/testing';
import test, { type ExecutionContext } from 'ava';
import { StoredSetting } from '../../core/plugin/setting/settings.ts';
import { ActivityLine } from '../../packages/log/activity.ts';
import { boundless } from '../_boundless.ts';
import { begin, client, outcomeOf, startIssuer } from '../_issuer.ts';
import { seedEmployee, seedTechnician, signInOnPage } from '../accounts-seed.ts';

const path = '/admin/api/v1/settings/identity-providers.php';
const headers = { 'Sec-Fetch-Site': 'same-origin' };
const erin = { sub: 'erin-1', email: 'erin@example.com', email_verified: true };

async function start(t: ExecutionContext, options: TestOptions = {}) {
  const app = await startApp(t, { limiter: boundless, ...options });
  const cookie = await signInOnPage(app, await seedTechnician(app, 'administrator'));
  const send = (method: string, to = path, body?: unknown) => app.request(method, to, { cookie, headers, body });
  const read = async (key: string) =>
    (await send('GET')).body.data.providers.find((each: { key: string }) => each.key === key);
  return { app, send, read };
}

const okta = (issuer: string, more: object = {}) => ({
  ...{ key: 'okta', issuer, client_id: client.id, client_secret: client.secret },
  ...{ domains: ['example.com'], companies: [] },
  ...more,
});

const offered = async (app: TestApp): Promise<string[]> =>
  (await app.request('GET', '/helpdesk/api/v1/auth/oauth/providers')).body.providers.map(
    (each: { key: string }) => each.key,
  );

test('List the identity providers that can be set up; Set an identity provider; Remove an identity provider', async (t) => {
  const issuer = await startIssuer(t, erin);
  const { app, send, read } = await start(t);
  t.is((await send('GET')).body.data.redirect_uri, 'http://127.0.0.1:3000/helpdesk/auth/oauth/callback');
  const none = { key: 'okta', name: 'Okta', source: 'none', enabled: false, issuer: '', client_id: '' };
  t.deepEqual(await read('okta'), { ...none, has_secret: false, domains: [], companies: [], audience: 'customers' });
  const answer = await send('PUT', path, okta(issuer.url));
  t.is(answer.status, 200, answer.text);
  const { found, ...shown } = answer.body.data;
  t.is(found.issuer, issuer.url);
  t.true(found.authorization_endpoint.startsWith(issuer.url));
  t.deepEqual(shown, {
    ...{ key: 'okta', name: 'Okta', source: 'console', enabled: true },
    ...{ issuer: issuer.url, client_id: client.id, has_secret: true, domains: ['example.com'], companies: [] },
    audience: 'customers',
  });
  for (const kept of [
    await app.app.database.findOneBy(StoredSetting, { name: 'system.identity_providers' }),
    await app.app.database.findOneBy(ActivityLine, { entity_id: 'system.identity_providers' }),
  ]) {
    t.truthy(kept);
    t.false(JSON.stringify(kept).includes(client.secret));
  }

  const employee = await seedEmployee(app, { email: erin.email });
  t.deepEqual(await offered(app), ['okta']);
  const { url, cookie } = await begin(app);
  const outcome = outcomeOf(await app.request('GET', await issuer.visit(url.href), { cookie }));
  t.true('cookie' in outcome, JSON.stringify(outcome));
  const session = 'cookie' in outcome ? outcome.cookie : '';
  const { user } = (await app.request('GET', '/helpdesk/api/v1/auth/session', { cookie: session })).body;
  t.is(user?.employee_number, employee.employee_number);

  t.is((await send('DELETE', `${path}?key=okta`)).status, 204);
  t.deepEqual(await offered(app), []);
  t.deepEqual(
    (await app.app.database.findBy(ActivityLine, { entity_id: 'system.identity_providers' })).map(
      (each) => each.description,
    ),
    ['Identity provider Okta set', 'Identity provider Okta removed'],
  );
});

test('Set an identity provider: stored only if discovery succeeds, and secrets are never sent elsewhere', async (t) => {
  const issuer = await startIssuer(t, erin);
  const other = await startIssuer(t, erin);
  const { app, send, read } = await start(t);
  const gone = await send('PUT', path, okta('http://127.0.0.1:9'));
  t.is(gone.status, 400);
  t.is(gone.body.error, 'Could not use the identity provider: The identity provider is not responding');
  t.regex(
    (await send('PUT', path, okta(`${issuer.url}/nothing`))).body.error,
    /^Could not use the identity provider: /,
  );
  t.is((await read('okta')).source, 'none');
  await send('PUT', path, okta(issuer.url));
  const { client_secret: _, ...kept } = okta(issuer.url, { domains: ['*'] });
  t.like((await send('PUT', path, kept)).body.data, { domains: ['*'], has_secret: true });
  for (const more of [{ issuer: other.url }, { client_id: 'other' }])
    t.is((await send('PUT', path, { ...kept, ...more })).body.error, 'client_secret is required for a new client');
  for (const [more, error] of [
    [{ key: 'github' }, 'key must be one of: google, microsoft, okta, oidc'],
    [{ key: 'microsoft', issuer: 'contoso' }, 'issuer must be a directory ID (UUID)'],
    [{ issuer: 'http://id.example.com' }, 'issuer must be an https URL such as https://id.example.com'],
    [{ issuer: 'id.example.com' }, 'issuer must be an https URL such as https://id.example.com'],
    [{ domains: ['@x'] }, 'domains must be mail domains such as example.com, or *'],
    [{ companies: [0] }, 'companies must be company numbers'],
  ] as const)
    t.is((await send('PUT', path, okta(issuer.url, more))).body.error, error);
  t.is((await send('DELETE', `${path}?key=github`)).status, 404);
  t.is((await send('DELETE', `${path}?key=google`)).status, 204);
  t.deepEqual(await offered(app), ['okta']);
});

test('Set an identity provider: a changed client is used at the next sign-in, with its restrictions', async (t) => {
  const issuer = await startIssuer(t, erin);
  const { app, send } = await start(t);
  await seedEmployee(app, { email: erin.email });
  const comesIn = async (more: object) => {
    t.is((await send('PUT', path, okta(issuer.url, more))).status, 200);
    const { url, cookie } = await begin(app);
    return 'cookie' in outcomeOf(await app.request('GET', await issuer.visit(url.href), { cookie }));
  };
  t.false(await comesIn({ domains: [] }), 'neither domains nor companies');
  t.false(await comesIn({ domains: ['other.example'] }));
  t.false(await comesIn({ client_secret: 'wrong' }));
  t.true(await comesIn({ domains: ['EXAMPLE.com'] }));
});

test('Set an identity provider: any OAUTH_… setting for it takes precedence and is reported', async (t) => {
  const issuer = await startIssuer(t, erin);
  const { app, send, read } = await start(t, { config: { oauthOktaClientId: 'id', oauthOktaDomains: ['x.example'] } });
  t.like(await read('okta'), { source: 'environment', enabled: false, client_id: 'id', domains: ['x.example'] });
  const refused = 'This identity provider is set by OAUTH_… in the environment: change it there';
  t.is((await send('PUT', path, okta(issuer.url))).body.error, refused);
  t.is((await send('DELETE', `${path}?key=okta`)).body.error, refused);
  const oidc = okta(issuer.url, { key: 'oidc', name: 'Acme login' });
  t.is((await send('PUT', path, oidc)).body.data.name, 'Acme login');
  t.deepEqual(await offered(app), ['oidc']);
});

test('Set an identity provider: administrators only', async (t) => {
  const { app } = await start(t);
  const cookie = await signInOnPage(app, await seedTechnician(app, 'technician'));
  const body = okta('https://id.example.com');
  t.is((await app.request('PUT', path, { cookie, headers, body })).status, 403);
  t.is((await app.request('DELETE', `${path}?key=okta`, { cookie, headers })).status, 403);
});
