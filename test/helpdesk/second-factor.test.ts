import { plus, sql } from '@keelson/core';
import { unixSeconds } from '@keelson/core/kit';
import { removeFactor } from '@keelson/modules/accounts';
import { startApp, type TestApp } from '@keelson/testing';
import test from 'ava';
import { generateSync } from 'otplib';
import { begin, client, comeBack, outcomeOf, startForger, startIssuer } from '../_issuer.ts';
import { cookieOf, password, postForm, seedEmployee, signIn } from '../accounts-seed.ts';

const root = '/helpdesk/api/v1';

/** Returns the code an authenticator app shows `seconds` from now. */
function codeOf({ clock }: TestApp, secret: string, seconds = 0): string {
  return generateSync({ secret, epoch: unixSeconds(clock.now()) + seconds });
}

const post = (app: TestApp, token: string, path: string, body: unknown = {}) =>
  app.request('POST', `${root}/auth/mfa${path}`, { token, body });

/** Signs in an employee with a second factor; a minute has passed since the first code. */
async function enrolled(app: TestApp, email?: string) {
  const employee = await seedEmployee(app, email === undefined ? {} : { email });
  const { token } = await signIn(app, employee);
  const { secret } = (await post(app, token, '', { current_password: password })).body;
  const { recovery_codes } = (await post(app, token, '/confirm', { otp: codeOf(app, secret) })).body;
  app.clock.set(plus(app.clock.now(), { seconds: 60 }));
  const login = (more: object = {}) =>
    app.request('POST', `${root}/auth/login`, { body: { username: employee.email, password, ...more } });
  return { employee, token, secret: secret as string, recovery_codes: recovery_codes as string[], login };
}

test('Read your two-factor status', async (t) => {
  const app = await startApp(t);
  const { token } = await signIn(app, await seedEmployee(app));
  const answer = await app.request('GET', `${root}/auth/mfa`, { token });
  t.is(answer.status, 200);
  t.deepEqual(answer.body, { enabled: false, enabled_at: null, recovery_codes_left: 0 });
  const mfa = await enrolled(app);
  t.deepEqual((await app.request('GET', `${root}/auth/mfa`, { token: mfa.token })).body, {
    enabled: true,
    enabled_at: '2026-03-02T09:00:00Z',
    recovery_codes_left: 10,
  });
  t.is((await app.request('GET', `${root}/auth/mfa`)).status, 401);
});

test('Start setting up two-factor authentication: returns a key for the app, after the password', async (t) => {
  const app = await startApp(t);
  const employee = await seedEmployee(app, { email: 'erin@example.com' });
  const { token } = await signIn(app, employee);
  const answer = await post(app, token, '', { current_password: password });
  t.is(answer.status, 200);
  const { secret, otpauth_uri, qr_code, ...rest } = answer.body;
  t.deepEqual(rest, { success: true });
  t.regex(secret, /^[A-Z2-7]{32}$/);
  t.is(otpauth_uri, `otpauth://totp/Keelson:erin%40example.com?secret=${secret}&issuer=Keelson`);
  const [type, picture] = qr_code.split(',');
  t.is(type, 'data:image/svg+xml;base64');
  t.regex(Buffer.from(picture, 'base64').toString(), /^<svg [^>]*>.*<\/svg>\s*$/s);
  t.is((await signIn(app, employee)).token.split('.').length, 3, 'it does not count before its first code');
  const again = await post(app, token, '', { current_password: password });
  t.not(again.body.secret, secret, 'the first key is void');
  t.is((await post(app, token, '/confirm', { otp: codeOf(app, secret) })).status, 400);
  t.deepEqual((await post(app, token, '', { current_password: 'wrong' })).body, {
    error: 'Current password is incorrect',
  });
  t.deepEqual((await post(app, token, '', {})).body, { error: 'current_password is required' });
  t.is((await app.request('POST', `${root}/auth/mfa`, { body: { current_password: password } })).status, 401);
  const [row] = await app.app.database.query<{ sealed_key: string }>(sql`SELECT sealed_key FROM second_factor`);
  t.regex(row?.sealed_key ?? '', /^v1\./);
});

test('Finish setting up two-factor authentication: with the first code, returning recovery codes', async (t) => {
  const app = await startApp(t);
  const { token } = await signIn(app, await seedEmployee(app));
  const early = await post(app, token, '/confirm', { otp: '123456' });
  t.is(early.status, 400);
  t.deepEqual(early.body, { error: 'Start setting up two-factor authentication first' });
  const { secret } = (await post(app, token, '', { current_password: password })).body;
  const wrong = await post(app, token, '/confirm', { otp: codeOf(app, secret, 90) });
  t.deepEqual(wrong.body, { error: 'Invalid code: check that the clock on your phone is correct' });
  const answer = await post(app, token, '/confirm', { otp: codeOf(app, secret) });
  t.is(answer.status, 200);
  const { recovery_codes, ...rest } = answer.body;
  t.deepEqual(rest, { success: true });
  t.is(new Set(recovery_codes).size, 10);
  for (const code of recovery_codes) t.regex(code, /^[0-9a-f]{5}(-[0-9a-f]{5}){3}$/);
  t.deepEqual((await post(app, token, '', { current_password: password })).body, {
    error: 'Two-factor authentication is already set up',
  });
  t.is((await app.request('POST', `${root}/auth/mfa/confirm`, { body: { otp: '1' } })).status, 401);
  const lines = await app.app.database.query(sql`SELECT description FROM activity_log WHERE action = 'update'`);
  t.deepEqual(lines.map(({ description }) => String(description)).toSorted(), [
    'Set up two-factor authentication',
    'Started setting up two-factor authentication',
  ]);
});

test('Sign in: a second factor asks for a code, which works once', async (t) => {
  const app = await startApp(t);
  const { secret, login } = await enrolled(app);
  const missing = await login();
  t.is(missing.status, 401);
  t.deepEqual(missing.body, { error: 'A code from your authenticator app is required', mfa_required: true });
  t.deepEqual(missing.headers.getSetCookie(), []);
  const wrong = await login({ otp: codeOf(app, secret, 300) });
  t.is(wrong.status, 401);
  t.deepEqual(wrong.body, { error: 'Invalid code, or already used', mfa_required: true });
  const badPassword = await login({ password: 'not my password', otp: codeOf(app, secret) });
  t.deepEqual(badPassword.body, { error: 'Invalid username or password' }, 'the code tells nothing about the password');
  const otp = codeOf(app, secret);
  t.is((await login({ otp: `${otp.slice(0, 3)} ${otp.slice(3)}` })).status, 200);
  t.is((await login({ otp })).status, 401, 'each code once');
  t.is((await login({ otp: codeOf(app, secret, -30) })).status, 401, 'nor an earlier one');
  t.is((await login({ otp: codeOf(app, secret, 30) })).status, 200, 'clocks may differ by one step');
  t.is((await login({ otp: null, recovery_code: null })).status, 401);
});

test('Sign in: of two requests with the same code one succeeds', async (t) => {
  const app = await startApp(t);
  const { secret, recovery_codes, login } = await enrolled(app);
  for (const code of [{ otp: codeOf(app, secret) }, { recovery_code: recovery_codes[0] }]) {
    const answers = await Promise.all([login(code), login(code), login(code)]);
    t.is(answers.filter(({ status }) => status === 200).length, 1);
  }
});

test('Sign in: a recovery code works once, in any spelling', async (t) => {
  const app = await startApp(t);
  const { token, recovery_codes, login } = await enrolled(app);
  const [first = '', second = ''] = recovery_codes;
  t.is((await login({ recovery_code: first })).status, 200);
  t.is((await login({ recovery_code: first })).status, 401);
  t.is((await login({ recovery_code: ` ${second.replaceAll('-', ' ').toUpperCase()} ` })).status, 200);
  t.is((await login({ recovery_code: 'no-such-code' })).status, 401);
  t.is((await app.request('GET', `${root}/auth/mfa`, { token })).body.recovery_codes_left, 8);
});

test('Sign in: guessing codes is throttled, even with the right password', async (t) => {
  const app = await startApp(t);
  const { secret, login } = await enrolled(app);
  for (let i = 0; i < 5; i++) t.is((await login({ otp: codeOf(app, secret, 300 + 30 * i) })).status, 401);
  const stopped = await login({ otp: codeOf(app, secret) });
  t.is(stopped.status, 429);
  t.is(stopped.headers.get('retry-after'), '1');
  app.clock.set(plus(app.clock.now(), { seconds: 2 }));
  t.is((await login({ otp: codeOf(app, secret) })).status, 200);
});

test('Generate new recovery codes: requires a code; earlier ones become invalid', async (t) => {
  const app = await startApp(t);
  const { token, secret, recovery_codes, login } = await enrolled(app);
  const answer = await post(app, token, '/recovery-codes', { otp: codeOf(app, secret) });
  t.is(answer.status, 200);
  t.is(answer.body.recovery_codes.length, 10);
  t.is((await login({ recovery_code: recovery_codes[0] })).status, 401);
  t.is((await login({ recovery_code: answer.body.recovery_codes[0] })).status, 200);
  const wrong = await post(app, token, '/recovery-codes', { otp: '000000' });
  t.is(wrong.status, 400);
  t.deepEqual(wrong.body, { error: 'Invalid code, or already used' });
  t.is((await post(app, token, '/recovery-codes')).status, 400);
  t.is((await app.request('POST', `${root}/auth/mfa/recovery-codes`, { body: {} })).status, 401);
});

test('Turn off your two-factor authentication: requires the password and a code', async (t) => {
  const app = await startApp(t);
  const { token, secret, recovery_codes, login } = await enrolled(app);
  const off = (body: object) => post(app, token, '/disable', body);
  t.is((await off({ current_password: 'wrong', otp: codeOf(app, secret) })).status, 400);
  t.is((await off({ current_password: password })).status, 400);
  const answer = await off({ current_password: password, recovery_code: recovery_codes[3] });
  t.is(answer.status, 200);
  t.deepEqual(answer.body, { success: true, message: 'Two-factor authentication is off' });
  t.is((await login()).status, 200);
  t.deepEqual((await off({ current_password: password, otp: codeOf(app, secret) })).body, {
    error: 'Two-factor authentication is not set up',
  });
  t.is((await app.request('POST', `${root}/auth/mfa/disable`, { body: {} })).status, 401);
});

test('after an administrator’s reset the password is enough again', async (t) => {
  const app = await startApp(t);
  const { employee, login } = await enrolled(app);
  const id = employee.employee_number;
  t.true(await app.run((ctx) => removeFactor(ctx, { kind: 'employee', id })));
  t.is((await login()).status, 200);
  t.false(await app.run((ctx) => removeFactor(ctx, { kind: 'employee', id })));
});

test('Submit the second factor after an identity provider: unless the provider required its own', async (t) => {
  const issuer = await startIssuer(t, { sub: 'erin', email: 'erin@example.com', email_verified: true });
  const config = {
    oauthOktaIssuer: issuer.url,
    oauthOktaClientId: client.id,
    oauthOktaClientSecret: client.secret,
    oauthOktaDomains: ['*'],
    oauthRedirectUris: ['https://portal.example.com/'],
  };
  const app = await startApp(t, { config });
  const { employee, secret } = await enrolled(app, 'erin@example.com');
  const come = async () => {
    const { url, cookie } = await begin(app);
    return app.request('GET', await issuer.visit(url.href), { cookie });
  };
  const asked = await come();
  t.is(asked.status, 200);
  t.false('cookie' in outcomeOf(asked));
  const pending = /name="pending" value="([^"]+)"/.exec(asked.text)?.[1] ?? '';
  const give = (code: string, note = pending) => postForm(app, '/helpdesk/auth/code', { pending: note, code });
  const wrong = await give(codeOf(app, secret, 300));
  t.is(wrong.status, 401);
  t.regex(wrong.text, /<p role="alert">Invalid code, or already used<\/p>/);
  t.is((await give(codeOf(app, secret), `${pending}x`)).status, 401);
  const given = await give(codeOf(app, secret));
  t.is(given.status, 200);
  t.regex(given.text, /<a href="https:\/\/portal\.example\.com\/">Continue<\/a>/);
  const session = await app.request('GET', `${root}/auth/session`, { cookie: cookieOf(given.headers) });
  t.is(session.body.user.employee_number, employee.employee_number);
  app.clock.set(plus(app.clock.now(), { minutes: 10 }));
  t.is((await give(codeOf(app, secret))).status, 401, 'the note of the first step is over');
});

test('Return from an identity provider: multi-factor sign-in at the provider is sufficient', async (t) => {
  const forger = await startForger(t);
  const okta = { oauthOktaIssuer: forger.url, oauthOktaClientId: client.id, oauthOktaClientSecret: client.secret };
  const config = { ...okta, oauthOktaDomains: ['*'] };
  const app = await startApp(t, { config });
  await enrolled(app, 'erin@example.com');
  const come = async (amr: readonly string[]) => {
    forger.next = { claims: { email: 'erin@example.com', email_verified: true, amr } };
    return outcomeOf(await comeBack(app));
  };
  t.deepEqual(await come(['pwd']), { error: null });
  t.true('cookie' in (await come(['pwd', 'mfa'])));
});
