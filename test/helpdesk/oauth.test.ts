import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from '@keelson/core';
import { tokenHash } from '@keelson/core/system';
import { Company, Employee } from '@keelson/modules/directory';
import { readMails, startApp, type TestApp } from '@keelson/testing';
import test from 'ava';
import { AddressClaim } from '../../modules/directory/entities/address-claim.ts';
import { begin, client, comeBack, outcomeOf, redirectUri, startForger, startIssuer, type Forgery } from '../_issuer.ts';
import { refuseWrites } from '../_refused-writes.ts';
import { seedCompany, seedEmployee } from '../accounts-seed.ts';
import { asKey } from '../tickets-seed.ts';

const root = '/helpdesk/api/v1';
const ofOkta = (oauthOktaIssuer: string) => ({
  oauthOktaIssuer,
  oauthOktaClientId: client.id,
  oauthOktaClientSecret: client.secret,
  oauthOktaDomains: ['*'],
});
const google = { oauthGoogleClientId: 'id', oauthGoogleClientSecret: 'secret' };
const who = async (app: TestApp, cookie: string) =>
  (await app.request('GET', `${root}/auth/session`, { cookie })).body.user?.employee_number;

/** Creates an installation with the provider, and a function for a complete sign-in. */
async function withIssuer(t: Parameters<typeof startApp>[0], email = 'erin@example.com') {
  const issuer = await startIssuer(t, { sub: 'erin-1', email, email_verified: true });
  const app = await startApp(t, { config: ofOkta(issuer.url) });
  const signIn = async (query?: string) => {
    const { url, cookie } = await begin(app, query);
    return app.request('GET', await issuer.visit(url.href), { cookie });
  };
  return { app, issuer, signIn };
}

test('List the identity providers: completely configured ones, also in the bootstrap', async (t) => {
  const bare = await startApp(t, { config: { oauthMicrosoftClientId: 'id', oauthMicrosoftClientSecret: 'secret' } });
  const none = await bare.request('GET', `${root}/auth/oauth/providers`);
  t.is(none.status, 200);
  t.deepEqual(none.body, { success: true, providers: [] });
  const oidc = { oauthOidcIssuer: 'https://id.example.com', oauthOidcClientId: 'id', oauthOidcClientSecret: 's' };
  const app = await startApp(t, { config: { ...google, ...oidc, oauthOidcName: 'Staff login' } });
  const some = await app.request('GET', `${root}/auth/oauth/providers`);
  t.deepEqual(some.body, {
    success: true,
    providers: [
      { key: 'google', name: 'Google', icon: 'google', color: '#4285f4' },
      { key: 'oidc', name: 'Staff login', icon: 'openid', color: '#475569' },
    ],
  });
  t.deepEqual((await app.request('GET', `${root}/bootstrap`)).body.oauth_providers, some.body.providers);
  t.notRegex(some.text, /secret/);
});

test('Start sign-in with an identity provider: returns the URL, with secrets sealed in a cookie', async (t) => {
  const { app } = await withIssuer(t);
  const answer = await app.request('GET', `${root}/auth/oauth/authorize?provider=okta`);
  t.is(answer.status, 200);
  const { authorization_url, state, ...rest } = answer.body;
  t.deepEqual(rest, { success: true, provider: 'okta' });
  const { searchParams } = new URL(authorization_url);
  const { code_challenge, nonce, ...asked } = Object.fromEntries(searchParams);
  t.deepEqual(asked, {
    client_id: client.id,
    response_type: 'code',
    redirect_uri: redirectUri,
    scope: 'openid email profile',
    state,
    code_challenge_method: 'S256',
  });
  t.regex(code_challenge ?? '', /^[\w-]{43}$/);
  t.regex(nonce ?? '', /^[\w-]{43}$/);
  const [cookie = ''] = answer.headers.getSetCookie();
  t.regex(cookie, /^OAUTH_default=v1\.[0-9a-f]{8}\.[\w-]+; path=\/; expires=[^;]+; samesite=lax; httponly$/i);
  t.false(cookie.includes(state));
});

test('Start sign-in with an identity provider: missing or unconfigured settings are named', async (t) => {
  const app = await startApp(t, { config: { oauthOktaClientId: 'id' } });
  const error = async (query: string) => {
    const answer = await app.request('GET', `${root}/auth/oauth/authorize${query}`);
    t.is(answer.status, 400);
    t.deepEqual(answer.headers.getSetCookie(), []);
    return answer.body.error;
  };
  t.is(await error(''), 'provider is required');
  t.is(await error('?provider=facebook'), 'provider must be one of google, microsoft, okta, oidc');
  t.is(await error('?provider=okta'), 'provider okta is not configured: issuer, client secret missing');
  t.is(await error('?provider=google'), 'provider google is not configured: client id, client secret missing');
});

test('Start sign-in with an identity provider: an unreachable issuer returns 503', async (t) => {
  const app = await startApp(t, { config: ofOkta('http://127.0.0.1:9') });
  const answer = await app.request('GET', `${root}/auth/oauth/authorize?provider=okta`);
  t.is(answer.status, 503);
  t.deepEqual(answer.body, { error: 'The identity provider is not responding: try again later' });
});

test('Start sign-in with an identity provider: an issuer without valid metadata returns 503, for staff too', async (t) => {
  let reply: readonly [status: number, body: string] = [200, ''];
  const server = createServer((_, response) => void response.writeHead(reply[0]).end(reply[1])).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const config = { ...ofOkta(`http://127.0.0.1:${port}`), oauthOktaAudience: 'everyone' as const };
  const app = await startApp(t, { config });
  for (reply of [
    [429, '{"errorCode":"E0000047"}'],
    [404, '{}'],
    [302, ''],
    [200, '<h1>Maintenance</h1>'],
    [200, '{"issuer":"https://other.example"}'],
  ] as const) {
    const answer = await app.request('GET', `${root}/auth/oauth/authorize?provider=okta`);
    t.is(answer.status, 503, reply.join(' '));
    t.deepEqual(answer.body, { error: 'The identity provider is not responding: try again later' });
    t.is((await app.request('GET', '/admin/login/provider?provider=okta')).status, 503, reply.join(' '));
  }
});

test('Start sign-in with an identity provider: only pages of this host and listed ones are allowed', async (t) => {
  const issuer = await startIssuer(t, { sub: 'x' });
  const listed = 'https://portal.example.com/home?x=1';
  const app = await startApp(t, { config: { ...ofOkta(issuer.url), oauthRedirectUris: [listed] } });
  const status = async (redirect_uri: string) => {
    const query = new URLSearchParams({ provider: 'okta', redirect_uri }).toString();
    return (await app.request('GET', `${root}/auth/oauth/authorize?${query}`)).status;
  };
  const base = 'http://127.0.0.1:3000';
  for (const good of [
    '/',
    '/tickets?page=2',
    '/tickets?search=two%20words%2F&x=',
    `${base}/`,
    `${base}/helpdesk/home`,
    listed,
  ]) {
    t.is(await status(good), 200, good);
  }
  const bad = [
    ...['//evil.example', '///evil.example', '/\\evil.example', '\\\\evil.example', '/%2fevil.example', '/%5cevil'],
    ...['https://evil.example', 'http://127.0.0.1:3000.evil.example/', 'http://127.0.0.1:3000@evil.example/'],
    ...['http://127.0.0.1:30000/', 'http://127.0.0.1/', 'https://127.0.0.1:3000/', 'HTTP://127.0.0.1:3000/', base],
    ...['http://127.0.0.1:3000./', 'http://127.1:3000/', 'javascript:alert(1)', 'data:text/html,x', 'helpdesk', 'x:/'],
    ...[`${base}//evil.example`, `${base}/\\evil`, '/a b', '/\tx', '/\u0000', '/é', '/a#b', '/\r\nSet-Cookie: a=b'],
    ...[`${listed}2`, `${listed}#x`, 'https://portal.example.com/', 'https://PORTAL.example.com/home?x=1', '?', '.'],
    ...['/＼evil.example', '／／evil.example', 'http:evil.example', 'http:/evil.example', '/%0d%0ax', '/a|b', '/<x>'],
    ...['/a?b=%', '/a?b=%2', '/a?b=%zz', '/a?b=\\c', '/%3f?b'],
  ];
  for (const wanted of bad) t.is(await status(wanted), 400, JSON.stringify(wanted));
});

test('Return from an identity provider: the verified address links once, then issuer and subject identify the user', async (t) => {
  const { app, issuer, signIn } = await withIssuer(t);
  const employee = await seedEmployee(app, { email: 'Erin@Example.com' });
  const first = await signIn('provider=okta&redirect_uri=/tickets');
  t.is(first.status, 303);
  t.is(first.headers.get('location'), 'http://127.0.0.1:3000/tickets');
  t.regex(
    first.headers.getSetCookie().find((each) => each.startsWith('HELPDESK_')) ?? '',
    /^HELPDESK_default=[\w-]{43}; path=\/; expires=[^;]+; samesite=lax; httponly$/i,
  );
  t.regex(first.headers.getSetCookie().find((each) => each.startsWith('OAUTH_')) ?? '', /^OAUTH_default=; .*1970/);
  const outcome = outcomeOf(first);
  t.is('cookie' in outcome && (await who(app, outcome.cookie)), employee.employee_number);
  const [line] = await app.app.database.query(
    sql`SELECT author_type, entity_type, entity_id, description FROM activity_log WHERE action = 'update'`,
  );
  t.deepEqual(line, {
    author_type: 'system',
    entity_type: 'contact',
    entity_id: String(employee.employee_number),
    description: 'Linked to an account at okta',
  });
  issuer.person = { sub: 'erin-1', email: 'somebody.else@example.com', email_verified: false };
  const again = outcomeOf(await signIn());
  t.is('cookie' in again && (await who(app, again.cookie)), employee.employee_number, 'the address no longer matters');
});

test('Return from an identity provider: unverified, unknown or already linked addresses are rejected', async (t) => {
  const { app, issuer, signIn } = await withIssuer(t);
  await seedEmployee(app, { email: 'erin@example.com' });
  const refusedAs = async (person: typeof issuer.person) => {
    issuer.person = person;
    const answer = await signIn();
    t.is(answer.headers.get('location'), 'http://127.0.0.1:3000/helpdesk?error=access_denied');
    t.deepEqual(outcomeOf(answer), { error: 'access_denied' });
  };
  await refusedAs({ sub: 'a', email: 'erin@example.com', email_verified: false });
  await refusedAs({ sub: 'a', email: 'erin@example.com' });
  await refusedAs({ sub: 'a', email: 'nobody@example.com', email_verified: true });
  await refusedAs({ sub: 'a' });
  issuer.person = { sub: 'erin-1', email: 'erin@example.com', email_verified: true };
  t.true('cookie' in outcomeOf(await signIn()));
  await refusedAs({ sub: 'erin-2', email: 'erin@example.com', email_verified: true });
  t.is((await app.app.database.query(sql`SELECT identity_id FROM linked_identity`)).length, 1);
  t.is((await app.app.database.query(sql`SELECT employee_number FROM employee`)).length, 1, 'nobody is made');
});

test('Return from an identity provider: addresses are compared exactly except for ASCII case', async (t) => {
  const { app, issuer, signIn } = await withIssuer(t);
  const sam = await seedEmployee(app, { email: 'Sam.K@example.com' });
  const doctor = await seedEmployee(app, { email: 'Ärztin@example.com' });
  const come = async (sub: string, email: string) => {
    issuer.person = { sub, email, email_verified: true };
    return outcomeOf(await signIn());
  };
  const lookAlikes = ['ｓam.k@example.com', 'ſam.k@example.com', 'sam.\u212A@example.com', 'sam.k@ｅxample.com'];
  for (const email of lookAlikes) t.deepEqual(await come('stranger', email), { error: 'access_denied' }, email);
  t.deepEqual(await come('stranger', 'ärztin@example.com'), { error: 'access_denied' }, 'case beyond ASCII');
  t.is((await app.app.database.query(sql`SELECT identity_id FROM linked_identity`)).length, 0);
  const first = await come('sam', 'sAM.k@EXAMPLE.com');
  t.is('cookie' in first && (await who(app, first.cookie)), sam.employee_number);
  const second = await come('doctor', 'Ärztin@example.com');
  t.is('cookie' in second && (await who(app, second.cookie)), doctor.employee_number);
});

test('Return from an identity provider: inactive and deleted users are rejected, linked or not', async (t) => {
  const { app, signIn } = await withIssuer(t);
  const { company_number } = await seedCompany(app);
  const { employee_number } = await seedEmployee(app, { email: 'erin@example.com', company_number });
  const { database } = app.app;
  const states = [
    () => database.update(Employee, { employee_number }, { status: 'Inactive' }),
    () => database.update(Company, { company_number }, { status: 'inactive' }),
  ];
  const restore = async () => {
    await database.update(Employee, { employee_number }, { status: 'Active', deleted_at: null });
    await database.update(Company, { company_number }, { status: 'active' });
  };
  for (const linked of [false, true]) {
    for (const change of states) {
      await change();
      t.deepEqual(outcomeOf(await signIn()), { error: 'access_denied' }, String(linked));
      await restore();
    }
    t.true('cookie' in outcomeOf(await signIn()));
  }
  const gone = { email_key: null, deleted_at: app.clock.now() };
  await database.update(Employee, { employee_number }, gone);
  await database.delete(AddressClaim, { email_key: 'erin@example.com' });
  t.deepEqual(outcomeOf(await signIn()), { error: 'access_denied' });
  const back = await seedEmployee(app, { email: 'erin@example.com', company_number });
  const outcome = outcomeOf(await signIn());
  t.is(
    'cookie' in outcome && (await who(app, outcome.cookie)),
    back.employee_number,
    'the new employee is linked anew',
  );
});

test('Return from an identity provider: only the browser that started it, once, within ten minutes', async (t) => {
  const { app, issuer } = await withIssuer(t);
  await seedEmployee(app, { email: 'erin@example.com' });
  const refused = async (path: string, cookie?: string) => {
    const answer = await app.request('GET', path, cookie === undefined ? {} : { cookie });
    t.is(answer.status, 303);
    t.is(answer.headers.get('location'), 'http://127.0.0.1:3000/helpdesk?error=invalid_request');
  };
  const mine = await begin(app);
  const other = await begin(app);
  const path = await issuer.visit(mine.url.href);
  await refused(path);
  await refused(path, other.cookie);
  await refused(path, 'OAUTH_default=v1.00000000.AAAA');
  await refused(path, `${mine.cookie}x`);
  await refused(path.replace(/state=[^&]+/, 'state=other'), mine.cookie);
  await refused('/helpdesk/auth/oauth/callback', mine.cookie);
  app.clock.set('2026-03-02T09:10:00.000Z');
  await refused(path, mine.cookie);
  app.clock.set('2026-03-02T09:09:59.000Z');
  t.true('cookie' in outcomeOf(await app.request('GET', path, { cookie: mine.cookie })));
  await refused(path, mine.cookie);
});

test('Return from an identity provider: of two concurrent uses of a reply, one succeeds', async (t) => {
  const { app, issuer } = await withIssuer(t);
  await seedEmployee(app, { email: 'erin@example.com' });
  const { url, cookie } = await begin(app);
  const path = await issuer.visit(url.href);
  const answers = await Promise.all([1, 2, 3].map(() => app.request('GET', path, { cookie })));
  t.is(answers.filter((answer) => 'cookie' in outcomeOf(answer)).length, 1);
});

test('Return from an identity provider: a reply that could not be stored as used is a failure, and can be tried again', async (t) => {
  const { app, issuer } = await withIssuer(t);
  await seedEmployee(app, { email: 'erin@example.com' });
  const { url, cookie } = await begin(app);
  const path = await issuer.visit(url.href);
  const value = tokenHash(url.searchParams.get('state') ?? '');
  const allow = await refuseWrites(t, app, { table: 'used_state', column: 'state_hash', value, write: 'INSERT' });
  app.expectError(/Refused.*request failed/);
  t.is((await app.request('GET', path, { cookie })).status, 500);
  await allow();
  t.true('cookie' in outcomeOf(await app.request('GET', path, { cookie })));
});

test('Return from an identity provider: an error from the provider is reported, and a reply of another issuer rejected', async (t) => {
  const { app, issuer } = await withIssuer(t);
  await seedEmployee(app, { email: 'erin@example.com' });
  const come = async (change: (query: URLSearchParams) => void) => {
    const { url, cookie } = await begin(app);
    const back = new URL(await issuer.visit(url.href), app.url);
    change(back.searchParams);
    return outcomeOf(await app.request('GET', back.pathname + back.search, { cookie }));
  };
  const error = (value: string) => (query: URLSearchParams) => {
    query.delete('code');
    query.set('error', value);
  };
  t.deepEqual(await come(error('access_denied')), { error: 'access_denied' });
  t.deepEqual(await come(error('<script>')), { error: 'server_error' });
  t.deepEqual(await come((query) => query.set('iss', 'https://evil.example')), { error: 'server_error' });
  t.deepEqual(await come((query) => query.delete('iss')), { error: 'server_error' });
  t.deepEqual(await come((query) => query.set('code', 'guessed')), { error: 'server_error' });
  t.true('cookie' in (await come(() => undefined)));
});

test('Return from an identity provider: tokens with a wrong signature, audience or time are rejected', async (t) => {
  const forger = await startForger(t);
  const app = await startApp(t, { config: ofOkta(forger.url) });
  await seedEmployee(app, { email: 'erin@example.com' });
  const email = { email: 'erin@example.com', email_verified: true };
  const come = async (forgery: Forgery) => {
    forger.next = forgery;
    return outcomeOf(await comeBack(app));
  };
  const now = Math.floor(Date.now() / 1000);
  const bad: Record<string, Forgery> = {
    'wrong audience': { claims: { ...email, aud: 'another client' } },
    'two audiences without ours authorised': { claims: { ...email, aud: [client.id, 'x'], azp: 'x' } },
    'wrong issuer': { claims: { ...email, iss: 'https://evil.example' } },
    'wrong nonce': { claims: { ...email, nonce: 'another' } },
    'no nonce': { claims: { ...email, nonce: undefined } },
    expired: { claims: { ...email, exp: now - 120 } },
    'no expiry': { claims: { ...email, exp: undefined } },
    'no subject': { claims: { ...email, sub: undefined } },
    'a key that is not published': { claims: email, foreignKey: true },
    'no signature': { claims: email, alg: 'none' },
    'another algorithm than agreed': { claims: email, alg: 'RS384' },
    'a long subject': { claims: { ...email, sub: 'x'.repeat(256) } },
  };
  for (const [name, forgery] of Object.entries(bad)) t.deepEqual(await come(forgery), { error: 'server_error' }, name);
  t.deepEqual(await come({ claims: email, status: 502 }), { error: 'temporarily_unavailable' });
  t.deepEqual(await come({ claims: email, status: 400 }), { error: 'server_error' });
  t.is((await app.app.database.query(sql`SELECT identity_id FROM linked_identity`)).length, 0);
  const userinfo = { sub: 'another', ...email };
  t.deepEqual(await come({ userinfo }), { error: 'server_error' }, 'the userinfo of somebody else');
  t.true('cookie' in (await come({ userinfo: { sub: 'forged', ...email } })), 'the address may come from there');
  t.true('cookie' in (await come({ claims: { sub: 'forged' }, userinfo: { sub: 'forged' } })));
});

test('Return from an identity provider: a customer’s provider cannot sign in users of another customer', async (t) => {
  const issuer = await startIssuer(t, { sub: 'mallory', email: 'ann@victim.example', email_verified: true });
  const unbound = { ...ofOkta(issuer.url), oauthOktaDomains: [] };
  const comesIn = async (bounds: object) => {
    const app = await startApp(t, { config: { ...unbound, ...bounds } });
    const [own, other] = [await seedCompany(app), await seedCompany(app)];
    await seedEmployee(app, { company_number: own.company_number, email: 'bob@own.example' });
    await seedEmployee(app, { company_number: other.company_number, email: 'ann@victim.example' });
    const signIn = async (sub: string, email: string) => {
      issuer.person = { sub, email, email_verified: true };
      const { url, cookie } = await begin(app);
      return 'cookie' in outcomeOf(await app.request('GET', await issuer.visit(url.href), { cookie }));
    };
    return [await signIn('bob', 'bob@own.example'), await signIn('mallory', 'ann@victim.example')];
  };
  t.deepEqual(await comesIn({}), [false, false], 'bound to nobody');
  t.deepEqual(await comesIn({ oauthOktaDomains: ['Own.example'] }), [true, false]);
  t.deepEqual(await comesIn({ oauthOktaCompanies: ['1'] }), [true, false]);
  t.deepEqual(await comesIn({ oauthOktaCompanies: ['2'], oauthOktaDomains: ['own.example'] }), [false, false]);
  t.deepEqual(await comesIn({ oauthOktaDomains: ['*'] }), [true, true], 'the provider’s own');
});

test('Return from an identity provider: links created before the provider was restricted to domains are subject to the restriction', async (t) => {
  const issuer = await startIssuer(t, { sub: 'mallory', email: 'ann@victim.example', email_verified: true });
  const config = ofOkta(issuer.url);
  const app = await startApp(t, { config });
  await seedEmployee(app, { email: 'ann@victim.example' });
  const signIn = async () => {
    const { url, cookie } = await begin(app);
    return 'cookie' in outcomeOf(await app.request('GET', await issuer.visit(url.href), { cookie }));
  };
  t.true(await signIn());
  Object.assign(app.app.config, { oauthOktaDomains: ['own.example'] });
  t.false(await signIn());
  Object.assign(app.app.config, { oauthOktaDomains: ['own.example', 'victim.example'] });
  t.true(await signIn());
});

test('Return from an identity provider: only Microsoft’s xms_edov proves an address', async (t) => {
  const forger = await startForger(t);
  const app = await startApp(t, { config: ofOkta(forger.url) });
  await seedEmployee(app, { email: 'erin@example.com' });
  forger.next = { claims: { email: 'erin@example.com', xms_edov: true } };
  t.deepEqual(outcomeOf(await comeBack(app)), { error: 'access_denied' });
});

test('identities are listed and removed; a reset removes them too', async (t) => {
  const { app, issuer, signIn } = await withIssuer(t);
  const { employee_number } = await seedEmployee(app, { email: 'erin@example.com' });
  const outcome = outcomeOf(await signIn());
  const cookie = 'cookie' in outcome ? outcome.cookie : '';
  const headers = { cookie, 'X-Requested-With': 'fetch' };
  const path = `${root}/auth/identities`;
  const { identities } = (await app.request('GET', path, { cookie })).body;
  t.like(identities, [{ provider: 'okta', issuer: issuer.url }]);
  const admin = await asKey(app, ['contacts:read', 'contacts:write', 'contacts:access']);
  const ofContact = `/contacts.php?action=identities&id=${employee_number}`;
  t.deepEqual((await admin('GET', ofContact)).body.data, identities);
  const one = `${path}/${identities[0].identity_id}`;
  t.is((await app.request('DELETE', one, { headers })).status, 204);
  t.is((await app.request('DELETE', one, { headers })).status, 404);
  t.true('cookie' in outcomeOf(await signIn()), 'it is linked anew');
  const [again] = (await admin('GET', ofContact)).body.data;
  const narrow = await asKey(app, ['contacts:read', 'contacts:write']);
  t.is((await narrow('DELETE', `${ofContact}&identity_id=${again.identity_id}`)).status, 403);
  t.is((await admin('DELETE', `${ofContact}&identity_id=${again.identity_id}`)).status, 204);
  const mails = (await readMails(app)).filter((each) => each.template === 'security_change');
  t.is(mails.length, 4, 'linked and removed, twice each');
  t.true(mails.every((each) => each.to === 'erin@example.com'));
});
