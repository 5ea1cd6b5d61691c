// The portal in a browser: cookies only, from sign-in to sign-out.
import { plus } from '@keelson/core';
import { unixSeconds } from '@keelson/core/kit';
import { startApp, type TestAnswer, type TestApp } from '@keelson/testing';
import test from 'ava';
import { generateSync } from 'otplib';
import { begin, client, startIssuer } from '../_issuer.ts';
import { password, seedEmployee } from '../accounts-seed.ts';

const root = '/helpdesk/api/v1';

/** Keeps cookies and sends the request's origin, like a browser on our own pages. */
function browser(app: TestApp) {
  const jar = new Map<string, string>();
  const keep = (answer: TestAnswer): TestAnswer => {
    for (const each of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(each) ?? [];
      if (value === '' || /expires=Thu, 01 Jan 1970/i.test(each)) jar.delete(name);
      else jar.set(name, value);
    }
    return answer;
  };
  const cookie = () => [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
  const go = async (method: string, path: string, body?: unknown, site = 'same-origin') =>
    keep(
      await app.request(method, path, {
        cookie: cookie(),
        headers: { 'Sec-Fetch-Site': site },
        ...(body !== undefined && { body }),
      }),
    );
  const ask = (method: string, path: string, body?: unknown) => go(method, root + path, body);
  const signIn = (username: string, more: object = {}) => ask('POST', '/auth/login', { username, password, ...more });
  return { jar, go, ask, signIn, cookie, keep };
}

test('the portal works with the cookie alone, without token or refresh, until it expires', async (t) => {
  const app = await startApp(t);
  const { email, employee_number } = await seedEmployee(app);
  const { jar, ask, signIn, go } = browser(app);
  t.is((await ask('GET', '/auth/session')).status, 401);
  t.is((await ask('POST', '/auth/login', { username: email, password: 'wrong' })).status, 401);
  t.false(jar.has('HELPDESK_default'), 'a refusal sets nothing');
  t.is((await signIn(email)).status, 200);
  t.deepEqual([...jar.keys()].toSorted(), ['DEVICE_default', 'HELPDESK_default']);
  const me = async () => (await ask('GET', '/auth/session')).body.user?.employee_number;
  t.is(await me(), employee_number);
  t.is((await ask('GET', '/bootstrap')).body.user.employee_number, employee_number);
  const ticket = { subject: 'Printer', description: 'It is broken', job_type: 'Hardware' };
  t.is((await ask('POST', '/tickets', ticket)).status, 201);
  t.is((await go('POST', `${root}/tickets`, ticket, 'cross-site')).status, 403);
  for (let i = 0; i < 20; i++) {
    app.clock.set(plus(app.clock.now(), { minutes: 59 }));
    t.is(await me(), employee_number, `after ${i + 1} hours, each with a request`);
  }
  const before = jar.get('HELPDESK_default');
  const changed = { current_password: password, new_password: 'another walk by the sea' };
  t.is((await ask('POST', '/auth/change-password', changed)).status, 200);
  t.not(jar.get('HELPDESK_default'), before, 'the session goes on under another cookie');
  t.is(await me(), employee_number);
  t.is((await ask('POST', '/auth/logout', {})).status, 200);
  t.false(jar.has('HELPDESK_default'));
  t.is(await me(), undefined);
  t.is((await ask('POST', '/auth/logout', {})).status, 401, 'there is nobody to sign out');
});

test('two-factor authentication is set up and used with cookies alone', async (t) => {
  const app = await startApp(t);
  const { email } = await seedEmployee(app);
  const { jar, ask, signIn } = browser(app);
  await signIn(email);
  const { secret } = (await ask('POST', '/auth/mfa', { current_password: password })).body;
  const otp = () => generateSync({ secret, epoch: unixSeconds(app.clock.now()) });
  const { recovery_codes } = (await ask('POST', '/auth/mfa/confirm', { otp: otp() })).body;
  await ask('POST', '/auth/logout', {});
  app.clock.set(plus(app.clock.now(), { seconds: 60 }));
  const first = await signIn(email);
  t.deepEqual([first.status, first.body.mfa_required], [401, true]);
  t.false(jar.has('HELPDESK_default'));
  t.is((await signIn(email, { otp: otp() })).status, 200);
  t.is((await ask('GET', '/auth/mfa')).body.enabled, true);
  await ask('POST', '/auth/logout', {});
  t.is((await signIn(email, { recovery_code: recovery_codes[0] })).status, 200);
});

const ofIssuer = (oauthOktaIssuer: string) => ({
  oauthOktaIssuer,
  oauthOktaClientId: client.id,
  oauthOktaClientSecret: client.secret,
  oauthOktaDomains: ['*'],
});

test('after an identity provider the browser returns to the portal, signed in', async (t) => {
  const issuer = await startIssuer(t, { sub: 'erin-1', email: 'erin@example.com', email_verified: true });
  const elsewhere = 'https://intranet.example.com/tickets';
  const app = await startApp(t, { config: { ...ofIssuer(issuer.url), oauthRedirectUris: [elsewhere] } });
  const { employee_number } = await seedEmployee(app, { email: 'erin@example.com' });
  const come = async (query: string) => {
    const own = browser(app);
    const { url, cookie } = await begin(app, `provider=okta${query}`);
    const answer = own.keep(await app.request('GET', await issuer.visit(url.href), { cookie }));
    const { user } = (await own.ask('GET', '/auth/session')).body;
    return [answer.status, answer.headers.get('location'), user?.employee_number];
  };
  const base = 'http://127.0.0.1:3000';
  const next = '/helpdesk/tickets?search=two%20words&page=2';
  t.deepEqual(await come(''), [303, elsewhere, employee_number], 'the portal that the operator has chosen');
  t.deepEqual(await come('&next=/helpdesk'), [303, `${base}/helpdesk`, employee_number]);
  t.deepEqual(await come(`&next=${encodeURIComponent(next)}`), [303, base + next, employee_number]);
  const both = `&next=/helpdesk/me&redirect_uri=${encodeURIComponent(elsewhere)}`;
  t.deepEqual(await come(both), [303, `${base}/helpdesk/me`, employee_number], 'next decides');
  for (const wrong of [
    '//evil.example',
    elsewhere,
    `${base}/helpdesk`,
    'helpdesk',
    '/\\evil',
    '/%2fevil',
    '/a b',
    '.',
  ]) {
    const path = `${root}/auth/oauth/authorize?provider=okta&next=${encodeURIComponent(wrong)}`;
    const answer = await app.request('GET', path);
    t.deepEqual([answer.status, answer.body.error], [400, 'next must be a path on this host'], wrong);
  }
  issuer.person = { sub: 'stranger', email: 'nobody@example.com', email_verified: true };
  t.deepEqual(await come('&next=/helpdesk/me'), [303, `${base}/helpdesk/me?error=access_denied`, undefined]);
});

test('without a configured portal the browser returns to ours', async (t) => {
  const issuer = await startIssuer(t, { sub: 'erin-1', email: 'erin@example.com', email_verified: true });
  const app = await startApp(t, { config: ofIssuer(issuer.url) });
  await seedEmployee(app, { email: 'erin@example.com' });
  const { url, cookie } = await begin(app, 'provider=okta');
  const answer = await app.request('GET', await issuer.visit(url.href), { cookie });
  t.is(answer.headers.get('location'), 'http://127.0.0.1:3000/helpdesk');
  const forged = await app.request('GET', '/helpdesk/auth/oauth/callback?code=a&state=b');
  t.is(forged.headers.get('location'), 'http://127.0.0.1:3000/helpdesk?error=invalid_request');
});
