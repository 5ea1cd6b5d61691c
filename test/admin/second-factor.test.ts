import { plus, sql } from '@keelson/core';
import { unixSeconds } from '@keelson/core/kit';
import { beginFactor, enableFactor, keyPermissions, LinkedIdentity, setUpLink } from '@keelson/modules/accounts';
import { Employee } from '@keelson/modules/directory';
import { startApp, type TestApp } from '@keelson/testing';
import test from 'ava';
import { generateSync } from 'otplib';
import {
  cookieOf,
  password,
  postForm,
  seedEmployee,
  seedKey,
  seedTechnician,
  signIn,
  signInOnPage,
} from '../accounts-seed.ts';

const codeOf = ({ clock }: TestApp, secret: string, seconds = 0) =>
  generateSync({ secret, epoch: unixSeconds(clock.now()) + seconds });
const secretOf = (text: string) => (/<code>([A-Z2-7 ]+)<\/code>/.exec(text)?.[1] ?? '').replaceAll(' ', '');
const pendingOf = (text: string) => /name="pending" value="([^"]+)"/.exec(text)?.[1] ?? '';
const codesOf = (text: string) => [...text.matchAll(/<code>([0-9a-f-]{23})<\/code>/g)].map(([, code = '']) => code);
const alertOf = (text: string) => /<p role="alert">([^<]+)<\/p>/.exec(text)?.[1];
const required = { config: { technicianSecondFactor: 'required' as const } };

/** Signs in a technician with a second factor; a minute has passed since the first code. */
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

test('Show your two-factor settings', async (t) => {
  const app = await startApp(t);
  t.is((await app.request('GET', '/admin/second-factor')).headers.get('location'), '/admin/login');
  const cookie = await signInOnPage(app, await seedTechnician(app));
  const off = await app.request('GET', '/admin/second-factor', { cookie });
  t.is(off.status, 200);
  t.regex(off.text, /protected by a password only/);
  const mfa = await enrolled(app);
  const on = await app.request('GET', '/admin/second-factor', { cookie: mfa.cookie });
  t.regex(on.text, /set up on 2 Mar 2026\.\s+10 recovery codes\s+left/);
  t.regex(on.text, /action="\/admin\/second-factor\/off"/);
});

test('Show the key for an authenticator app: as QR code and text, after the password', async (t) => {
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

test('Confirm two-factor authentication: a wrong code asks again without revealing the key', async (t) => {
  const app = await startApp(t);
  const cookie = await signInOnPage(app, await seedTechnician(app));
  const post = (path: string, fields: Record<string, string>) =>
    postForm(app, `/admin/second-factor/${path}`, fields, { Cookie: cookie });
  const secret = secretOf((await post('begin', { password })).text);
  const wrong = await post('confirm', { code: codeOf(app, secret, 300) });
  t.is(wrong.status, 400);
  t.is(secretOf(wrong.text), '', 'the key is shown once');
  const right = await post('confirm', { code: codeOf(app, secret) });
  t.is(right.status, 200);
  t.is(codesOf(right.text).length, 10);
  t.is((await post('confirm', { code: codeOf(app, secret) })).status, 400);
});

test('Submit the second factor: no session exists between password and code', async (t) => {
  const app = await startApp(t);
  const { secret, codes, login } = await enrolled(app);
  const asked = await login();
  t.is(asked.status, 200);
  t.deepEqual(asked.headers.getSetCookie(), []);
  t.regex(asked.text, /<form method="post" action="\/admin\/login\/code">/);
  const give = (code: string, pending = pendingOf(asked.text)) => postForm(app, '/admin/login/code', { pending, code });
  const wrong = await give(codeOf(app, secret, 300));
  t.is(wrong.status, 401);
  t.is(alertOf(wrong.text), 'Invalid code, or already used');
  t.is(alertOf((await give(codeOf(app, secret), 'forged')).text), 'Your sign-in timed out: sign in again');
  const right = await give(codeOf(app, secret));
  t.is(right.status, 303);
  t.is(right.headers.get('location'), '/admin');
  t.is((await app.request('GET', '/admin/account', { cookie: cookieOf(right.headers) })).status, 200);
  t.is((await give(codeOf(app, secret))).status, 401, 'each code once');
  t.is((await give(codes[0] ?? '')).status, 303, 'a recovery code serves as well');
  t.is((await give(codes[0] ?? '')).status, 401);
  app.clock.set(plus(app.clock.now(), { minutes: 10 }));
  t.is(alertOf((await give(codeOf(app, secret))).text), 'Your sign-in timed out: sign in again');
});

test('Submit the second factor: guessing is throttled, and cross-site requests are rejected', async (t) => {
  const app = await startApp(t);
  const { secret, login } = await enrolled(app);
  const pending = pendingOf((await login()).text);
  const fields = { pending, code: codeOf(app, secret, 300) };
  t.is((await postForm(app, '/admin/login/code', fields, { 'Sec-Fetch-Site': 'cross-site' })).status, 403);
  for (let i = 0; i < 5; i++) t.is((await postForm(app, '/admin/login/code', fields)).status, 401);
  t.is((await postForm(app, '/admin/login/code', { pending, code: codeOf(app, secret) })).status, 429);
});

test('Set up required two-factor authentication: required for everyone to sign in', async (t) => {
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
  t.is(secretOf(wrong.text), '', 'the key is shown once');
  const done = await enrol(codeOf(app, secret));
  t.is(done.status, 200);
  t.is(codesOf(done.text).length, 10);
  const cookie = cookieOf(done.headers);
  t.is((await app.request('GET', '/admin/account', { cookie })).status, 200);
  t.is((await enrol(codeOf(app, secret, 30))).status, 401, 'once');
  t.regex((await login()).text, /action="\/admin\/login\/code"/);
  const page = await app.request('GET', '/admin/second-factor', { cookie });
  t.notRegex(page.text, /second-factor\/off/);
  const fields = { password, code: codesOf(done.text)[0] ?? '' };
  const off = await postForm(app, '/admin/second-factor/off', fields, { Cookie: cookie });
  t.is(alertOf(off.text), 'Two-factor authentication is required');
});

test('Create the first administrator: sign-in follows where two-factor authentication is required', async (t) => {
  const app = await startApp(t, required);
  const token = new URL((await setUpLink(app.app)) ?? '').searchParams.get('token') ?? '';
  const made = await postForm(app, '/admin/setup', { token, name: 'Ada', email: 'ada@example.com', password });
  t.is(made.status, 303);
  t.is(made.headers.get('location'), '/admin/login');
  t.deepEqual(made.headers.getSetCookie(), []);
});

test('Show new recovery codes: requires a code; earlier ones become invalid', async (t) => {
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

test('Turn off two-factor authentication: requires the password and a code', async (t) => {
  const app = await startApp(t);
  const { post, secret, login } = await enrolled(app);
  t.is(
    alertOf((await post('off', { password: 'wrong', code: codeOf(app, secret) })).text),
    'Current password is incorrect',
  );
  t.is(alertOf((await post('off', { password, code: '000000' })).text), 'Invalid code, or already used');
  const off = await post('off', { password, code: codeOf(app, secret) });
  t.is(off.status, 200);
  t.regex(off.text, /protected by a password only/);
  t.is((await login()).status, 303);
  t.is(
    (await postForm(app, '/admin/second-factor/off', { password, code: '1' })).headers.get('location'),
    '/admin/login',
  );
});

const contacts = '/admin/api/v1/contacts.php?action=second-factor&id=';
const technicians = '/admin/api/v1/technicians.php?action=second-factor&id=';
const off = { enabled: false, enabled_at: null, recovery_codes_left: 0 };

/** Creates an employee with a second factor. */
async function enrolledEmployee(app: TestApp) {
  const employee = await seedEmployee(app);
  const owner = { kind: 'employee', id: employee.employee_number, account: employee.email } as const;
  const { secret } = await beginFactor(app.app.system(), owner);
  await enableFactor(app.app.system(), owner, codeOf(app, secret));
  return employee;
}

test('Read a contact’s two-factor status', async (t) => {
  const app = await startApp(t);
  const { employee_number } = await enrolledEmployee(app);
  const { api_key: token } = await seedKey(app, 'admin', ['contacts:write', 'contacts:access']);
  const answer = await app.request('GET', `${contacts}${employee_number}`, { token });
  t.is(answer.status, 200);
  const on = { enabled: true, enabled_at: '2026-03-02T09:00:00Z', recovery_codes_left: 10 };
  t.deepEqual(answer.body, { success: true, data: on });
  const other = await seedEmployee(app);
  t.deepEqual((await app.request('GET', `${contacts}${other.employee_number}`, { token })).body.data, off);
  t.is((await app.request('GET', `${contacts}999`, { token })).status, 404);
});

test('Reset a contact’s two-factor authentication: administrators only', async (t) => {
  const app = await startApp(t);
  const employee = await enrolledEmployee(app);
  const path = `${contacts}${employee.employee_number}`;
  const { api_key: reader } = await seedKey(app, 'admin', ['contacts:read']);
  const cookie = await signInOnPage(app, await seedTechnician(app, 'technician'));
  t.is((await app.request('DELETE', path)).status, 401);
  t.is((await app.request('DELETE', path, { token: reader })).status, 403);
  t.is((await app.request('DELETE', path, { cookie })).status, 403);
  const administrator = await signInOnPage(app, await seedTechnician(app));
  t.is((await app.request('DELETE', path, { cookie: administrator })).status, 204);
  t.is((await signIn(app, employee)).token.split('.').length, 3);
  const again = await app.request('DELETE', path, { cookie: administrator });
  t.is(again.status, 404);
  t.deepEqual(again.body, { success: false, error: 'Second factor not found' });
  const lines = await app.app.database.query(
    sql`SELECT author_type, entity_type FROM activity_log WHERE description = 'Reset two-factor authentication'`,
  );
  t.deepEqual(lines, [{ author_type: 'technician', entity_type: 'contact' }]);
});

test('Read a technician’s two-factor status', async (t) => {
  const app = await startApp(t);
  const { technician } = await enrolled(app);
  const { api_key: token } = await seedKey(app, 'admin', ['settings:write']);
  const answer = await app.request('GET', `${technicians}${technician.user_id}`, { token });
  t.is(answer.status, 200);
  t.true(answer.body.data.enabled);
  t.is((await app.request('GET', `${technicians}999`, { token })).status, 404);
});

test('Reset a technician’s two-factor authentication: by an administrator or from the command line', async (t) => {
  const app = await startApp(t);
  const { technician, login } = await enrolled(app);
  const path = `${technicians}${technician.user_id}`;
  const { api_key: reader } = await seedKey(app, 'admin', ['settings:read']);
  const cookie = await signInOnPage(app, await seedTechnician(app, 'technician'));
  t.is((await app.request('DELETE', path)).status, 401);
  t.is((await app.request('DELETE', path, { token: reader })).status, 403);
  t.is((await app.request('DELETE', path, { cookie })).status, 403);
  t.is((await login()).status, 200);
  const administrator = await signInOnPage(app, await seedTechnician(app));
  t.is((await app.request('DELETE', path, { cookie: administrator })).status, 204);
  t.is((await login()).status, 303);
  t.is((await app.request('DELETE', path, { cookie: administrator })).status, 404);
});

test('Reset a technician’s two-factor authentication: a key cannot reset it for someone with more permissions', async (t) => {
  const app = await startApp(t);
  const { technician, login } = await enrolled(app);
  const { api_key: token } = await seedKey(app, 'admin', keyPermissions(app.app, 'admin'));
  const refused = await app.request('DELETE', `${technicians}${technician.user_id}`, { token });
  t.is(refused.status, 403);
  t.deepEqual(refused.body, {
    success: false,
    error: 'A key cannot manage technicians with more permissions than its own',
  });
  t.regex((await login()).text, /action="\/admin\/login\/code"/, 'the code is still asked for');
  const sessions = `${technicians.replace('second-factor', 'all-sessions')}${technician.user_id}`;
  t.is((await app.request('DELETE', sessions, { token })).status, 403);
});

test('deleting a person deletes their authentication data', async (t) => {
  const app = await startApp(t);
  const employee = await enrolledEmployee(app);
  const stays = await enrolledEmployee(app);
  const { employee_number } = employee;
  const times = { created_at: app.clock.now(), last_used_at: app.clock.now() };
  const link = { employee_number, issuer: 'https://id.example.com', subject: 'erin', ...times };
  await app.app.database.insert(LinkedIdentity, link);
  await app.app.database.update(Employee, { employee_number }, { deleted_at: app.clock.now(), email_key: null });
  const ran = await app.app.scheduler.runNow('accounts.sweep-sessions');
  t.is(ran?.outcome, 'done', ran?.error ?? '');
  const left = await app.app.database.query<{ employee_number: number }>(
    sql`SELECT employee_number FROM second_factor`,
  );
  t.deepEqual(left, [{ employee_number: stays.employee_number }]);
  t.is((await app.app.database.query(sql`SELECT code_id FROM recovery_code`)).length, 10);
  t.is((await app.app.database.query(sql`SELECT identity_id FROM linked_identity`)).length, 0);
});
