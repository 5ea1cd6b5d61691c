import test from 'ava';
import { generateSync } from 'otplib';
import { setUpLink } from '@keelson/modules/accounts';
import { plus, unixSeconds } from '@keelson/core';
import { startApp, type TestApp } from '@keelson/core/testing';
import { cookieOf, password, postForm, seedTechnician, signInOnPage } from '../accounts-seed.ts';

const codeOf = ({ clock }: TestApp, secret: string, seconds = 0) =>
  generateSync({ secret, epoch: unixSeconds(clock.now()) + seconds });
const secretOf = (text: string) => (/<code>([A-Z2-7 ]+)<\/code>/.exec(text)?.[1] ?? '').replaceAll(' ', '');
const pendingOf = (text: string) => /name="pending" value="([^"]+)"/.exec(text)?.[1] ?? '';
const codesOf = (text: string) => [...text.matchAll(/<code>([0-9a-f-]{23})<\/code>/g)].map(([, code = '']) => code);
const alertOf = (text: string) => /<p role="alert">([^<]+)<\/p>/.exec(text)?.[1];
const required = { config: { technicianSecondFactor: 'required' as const } };

/** A technician with a second factor, signed in; a minute has passed since the first code. */
async function enrolled(app: TestApp) {
  const technician = await seedTechnician(app);
  const cookie = await signInOnPage(app, technician);
  const post = (path: string, fields: Record<string, string>) =>
    postForm(app, `/admin/second-factor/${path}`, fields, { Cookie: cookie });
  const secret = secretOf((await post('begin', { password })).text);
  const codes = codesOf((await post('confirm', { code: codeOf(app, secret) })).text);
  app.clock.set(plus(app.clock.now(), { seconds: 60 }));
  const login = () => postForm(app, '/admin/login', { email: technician.email, password });
  return { technician, cookie, post, secret, codes, login };
}

test('Show the own second factor', async (t) => {
  const app = await startApp(t);
  t.is((await app.request('GET', '/admin/second-factor')).headers.get('location'), '/admin/login');
  const cookie = await signInOnPage(app, await seedTechnician(app));
  const off = await app.request('GET', '/admin/second-factor', { cookie });
  t.is(off.status, 200);
  t.regex(off.text, /protected by the password alone/);
  const mfa = await enrolled(app);
  const on = await app.request('GET', '/admin/second-factor', { cookie: mfa.cookie });
  t.regex(on.text, /set up since 2026-03-02; 10 recovery codes are\s+left/);
  t.regex(on.text, /action="\/admin\/second-factor\/off"/);
});

test('Show the key of a second factor: as a picture and in words, after the password', async (t) => {
  const app = await startApp(t);
  const cookie = await signInOnPage(app, await seedTechnician(app));
  const begin = (given: string) => postForm(app, '/admin/second-factor/begin', { password: given }, { Cookie: cookie });
  const wrong = await begin('not my password');
  t.is(wrong.status, 400);
  t.is(alertOf(wrong.text), 'Current password is incorrect');
  const page = await begin(password);
  t.is(page.status, 200);
  t.is(page.headers.get('cache-control'), 'no-store');
  t.regex(page.text, /<svg /);
  t.is(secretOf(page.text).length, 32);
  t.notRegex(page.text, /<script/);
  const stranger = await postForm(app, '/admin/second-factor/begin', { password });
  t.is(stranger.headers.get('location'), '/admin/login');
  const foreign = { Cookie: cookie, 'Sec-Fetch-Site': 'cross-site' };
  t.is((await postForm(app, '/admin/second-factor/begin', { password }, foreign)).status, 403);
});

test('Confirm a second factor: a wrong code shows the same key again', async (t) => {
  const app = await startApp(t);
  const cookie = await signInOnPage(app, await seedTechnician(app));
  const post = (path: string, fields: Record<string, string>) =>
    postForm(app, `/admin/second-factor/${path}`, fields, { Cookie: cookie });
  const secret = secretOf((await post('begin', { password })).text);
  const wrong = await post('confirm', { code: codeOf(app, secret, 300) });
  t.is(wrong.status, 400);
  t.is(secretOf(wrong.text), secret);
  const right = await post('confirm', { code: codeOf(app, secret) });
  t.is(right.status, 200);
  t.is(codesOf(right.text).length, 10);
  t.is((await post('confirm', { code: codeOf(app, secret) })).status, 400);
});

test('Give the second factor: after the password there is no session before the code', async (t) => {
  const app = await startApp(t);
  const { secret, codes, login } = await enrolled(app);
  const asked = await login();
  t.is(asked.status, 200);
  t.deepEqual(asked.headers.getSetCookie(), []);
  t.regex(asked.text, /<form method="post" action="\/admin\/login\/code">/);
  const give = (code: string, pending = pendingOf(asked.text)) => postForm(app, '/admin/login/code', { pending, code });
  const wrong = await give(codeOf(app, secret, 300));
  t.is(wrong.status, 401);
  t.is(alertOf(wrong.text), 'The code is wrong or was used before');
  t.is(alertOf((await give(codeOf(app, secret), 'forged')).text), 'That took too long: sign in again');
  const right = await give(codeOf(app, secret));
  t.is(right.status, 303);
  t.is(right.headers.get('location'), '/admin');
  t.is((await app.request('GET', '/admin', { cookie: cookieOf(right.headers) })).status, 200);
  t.is((await give(codeOf(app, secret))).status, 401, 'each code once');
  t.is((await give(codes[0] ?? '')).status, 303, 'a recovery code serves as well');
  t.is((await give(codes[0] ?? '')).status, 401);
  app.clock.set(plus(app.clock.now(), { minutes: 10 }));
  t.is(alertOf((await give(codeOf(app, secret))).text), 'That took too long: sign in again');
});

test('Give the second factor: guessing has to wait, another website cannot post it', async (t) => {
  const app = await startApp(t);
  const { secret, login } = await enrolled(app);
  const pending = pendingOf((await login()).text);
  const fields = { pending, code: codeOf(app, secret, 300) };
  t.is((await postForm(app, '/admin/login/code', fields, { 'Sec-Fetch-Site': 'cross-site' })).status, 403);
  for (let i = 0; i < 5; i++) t.is((await postForm(app, '/admin/login/code', fields)).status, 401);
  t.is((await postForm(app, '/admin/login/code', { pending, code: codeOf(app, secret) })).status, 429);
});

test('Set up the second factor that is required: nobody signs in without one', async (t) => {
  const app = await startApp(t, required);
  const technician = await seedTechnician(app);
  const login = () => postForm(app, '/admin/login', { email: technician.email, password });
  const asked = await login();
  t.is(asked.status, 200);
  t.deepEqual(asked.headers.getSetCookie(), []);
  t.regex(asked.text, /<form method="post" action="\/admin\/login\/enrol">/);
  const [pending, secret] = [pendingOf(asked.text), secretOf(asked.text)];
  const enrol = (code: string) => postForm(app, '/admin/login/enrol', { pending, code });
  const skipped = await postForm(app, '/admin/login/code', { pending, code: codeOf(app, secret) });
  t.is(skipped.status, 401, 'a key that nobody has confirmed opens nothing');
  const wrong = await enrol(codeOf(app, secret, 300));
  t.is(wrong.status, 400);
  t.is(secretOf(wrong.text), secret);
  const done = await enrol(codeOf(app, secret));
  t.is(done.status, 200);
  t.is(codesOf(done.text).length, 10);
  const cookie = cookieOf(done.headers);
  t.is((await app.request('GET', '/admin', { cookie })).status, 200);
  t.is((await enrol(codeOf(app, secret, 30))).status, 401, 'once');
  t.regex((await login()).text, /action="\/admin\/login\/code"/);
  const page = await app.request('GET', '/admin/second-factor', { cookie });
  t.notRegex(page.text, /second-factor\/off/);
  const fields = { password, code: codesOf(done.text)[0] ?? '' };
  const off = await postForm(app, '/admin/second-factor/off', fields, { Cookie: cookie });
  t.is(alertOf(off.text), 'A second factor is required here');
});

test('Make the first administrator: where a second factor is required, signing in follows', async (t) => {
  const app = await startApp(t, required);
  const token = new URL((await setUpLink(app.app)) ?? '').searchParams.get('token') ?? '';
  const made = await postForm(app, '/admin/setup', { token, name: 'Ada', email: 'ada@example.com', password });
  t.is(made.status, 303);
  t.is(made.headers.get('location'), '/admin/login');
  t.deepEqual(made.headers.getSetCookie(), []);
});

test('Show new recovery codes: for a code; those before are void', async (t) => {
  const app = await startApp(t);
  const { post, secret, codes, login } = await enrolled(app);
  const page = await post('codes', { code: codeOf(app, secret) });
  t.is(page.status, 200);
  t.is(codesOf(page.text).length, 10);
  const pending = pendingOf((await login()).text);
  t.is((await postForm(app, '/admin/login/code', { pending, code: codes[1] ?? '' })).status, 401);
  t.is((await post('codes', { code: '000000' })).status, 400);
  t.is((await postForm(app, '/admin/second-factor/codes', { code: '1' })).headers.get('location'), '/admin/login');
});

test('Switch a second factor off: with the password and a code', async (t) => {
  const app = await startApp(t);
  const { post, secret, login } = await enrolled(app);
  t.is(
    alertOf((await post('off', { password: 'wrong', code: codeOf(app, secret) })).text),
    'Current password is incorrect',
  );
  t.is(alertOf((await post('off', { password, code: '000000' })).text), 'The code is wrong or was used before');
  const off = await post('off', { password, code: codeOf(app, secret) });
  t.is(off.status, 200);
  t.regex(off.text, /protected by the password alone/);
  t.is((await login()).status, 303);
  t.is(
    (await postForm(app, '/admin/second-factor/off', { password, code: '1' })).headers.get('location'),
    '/admin/login',
  );
});
