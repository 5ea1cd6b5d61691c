// Known devices: password guessing from elsewhere does not lock out the owner (SF-08).
import { unixSeconds } from '@keelson/core/kit';
import { startApp, type TestAnswer, type TestApp } from '@keelson/testing';
import test from 'ava';
import { generateSync } from 'otplib';
import { password, postForm, seedEmployee, seedTechnician } from '../accounts-seed.ts';

const root = '/helpdesk/api/v1';
const wrong = 'not the right password';

/** Returns the cookie a response sets, as a browser sends it back. */
const setBy = (answer: TestAnswer, name: string): string | undefined =>
  answer.headers
    .getSetCookie()
    .find((each) => each.startsWith(`${name}_default=`))
    ?.split(';')[0];

const login = (app: TestApp, { email }: { email: string }, given: string, cookie?: string) =>
  app.request('POST', `${root}/auth/login`, {
    body: { username: email, password: given },
    ...(cookie === undefined ? {} : { cookie }),
  });

const loginOnPage = (app: TestApp, { email }: { email: string }, given: string, cookie?: string) =>
  postForm(app, '/admin/login', { email, password: given }, cookie === undefined ? {} : { Cookie: cookie });

async function deviceOf(app: TestApp, person: { email: string }, cookie?: string): Promise<string> {
  const answer = await login(app, person, password, cookie);
  return setBy(answer, 'DEVICE') ?? `none, but ${answer.status}`;
}

/** Fails to sign in until the account is blocked. */
async function attack(app: TestApp, person: { email: string }): Promise<void> {
  for (let i = 0; i < 10; i++) if ((await login(app, person, wrong)).status === 429) return;
  throw new Error('Ten failures did not trigger a wait');
}

test('Sign in: guessing elsewhere does not lock out a browser that signed in before', async (t) => {
  const app = await startApp(t);
  const employee = await seedEmployee(app);
  const first = await login(app, employee, password);
  const device = setBy(first, 'DEVICE') ?? '';
  t.regex(
    first.headers.getSetCookie()[1] ?? '',
    /^DEVICE_default=v1\.[\w.-]+; path=\/; expires=[^;]+; samesite=lax; httponly$/i,
  );
  t.notRegex(device, new RegExp(employee.email));
  await attack(app, employee);
  t.is((await login(app, employee, password)).status, 429);
  const known = await login(app, employee, password, device);
  t.is(known.status, 200);
  t.is((await login(app, employee, password)).status, 429, 'the owner’s success does not help whoever guesses');
  t.is((await login(app, employee, password, setBy(known, 'DEVICE'))).status, 200, 'the cookie is renewed');
});

test('Sign in: failures of a known device are counted separately', async (t) => {
  const app = await startApp(t);
  const employee = await seedEmployee(app);
  const device = await deviceOf(app, employee);
  for (let i = 0; i < 5; i++) t.is((await login(app, employee, wrong, device)).status, 401);
  t.is((await login(app, employee, password, device)).status, 429);
  t.is((await login(app, employee, password)).status, 200);
  const again = await deviceOf(app, employee);
  t.is((await login(app, employee, password, again)).status, 200);
});

test('Sign in: a device is known to its users for half a year, until the password changes', async (t) => {
  const app = await startApp(t);
  const [employee, colleague] = [await seedEmployee(app), await seedEmployee(app)];
  const device = await deviceOf(app, employee);
  await attack(app, colleague);
  t.is((await login(app, colleague, password, device)).status, 429, 'of somebody else');
  await attack(app, employee);
  for (const forged of ['DEVICE_default=', 'DEVICE_default=v1.00000000.AAAA', `${device}x`])
    t.is((await login(app, employee, password, forged)).status, 429, forged);
  const session = setBy(await login(app, employee, password, device), 'HELPDESK') ?? '';
  const body = { current_password: password, new_password: 'another long walk by the sea' };
  const headers = { 'Sec-Fetch-Site': 'same-origin' };
  const cookie = `${session}; ${device}`;
  const changed = await app.request('POST', `${root}/auth/change-password`, { body, headers, cookie });
  t.is(changed.status, 200);
  const renewed = setBy(changed, 'DEVICE') ?? '';
  const attempt = (known: string) => login(app, employee, body.new_password, known);
  // The new password has reset earlier failures.
  await attack(app, employee);
  t.is((await attempt(device)).status, 429);
  t.is((await attempt(renewed)).status, 200);
  app.clock.set('2026-08-29T09:00:00.000Z');
  await attack(app, employee);
  t.is((await attempt(renewed)).status, 429);
});

test('Sign in: a shared browser remembers five people and drops the first when a sixth signs in', async (t) => {
  const app = await startApp(t);
  const people = await Promise.all(Array.from({ length: 6 }, () => seedEmployee(app)));
  const [first, second, ...others] = people;
  if (!first || !second) throw new Error('Nobody is there');
  let device = await deviceOf(app, first);
  device = await deviceOf(app, second, device);
  device = await deviceOf(app, second, device);
  await attack(app, first);
  t.is((await login(app, first, password, device)).status, 200);
  for (const each of others) device = await deviceOf(app, each, device);
  t.is((await login(app, first, password, device)).status, 429);
  await attack(app, second);
  t.is((await login(app, second, password, device)).status, 200);
  t.true(device.length < 1500);
});

test('Change your password: signed-in users are not throttled by others', async (t) => {
  const app = await startApp(t);
  const employee = await seedEmployee(app);
  const { access_token: token } = (await login(app, employee, password)).body;
  await attack(app, employee);
  const change = (current_password: string) =>
    app.request('POST', `${root}/auth/change-password`, {
      token,
      body: { current_password, new_password: 'another long walk by the sea' },
    });
  for (let i = 0; i < 5; i++) t.is((await change(wrong)).status, 400);
  t.is((await change(password)).status, 429, 'the session’s own failures count');
  app.clock.set('2026-03-02T09:00:05.000Z');
  t.is((await change(password)).status, 200);
});

test('Sign a technician in: a device is known only after two-factor authentication', async (t) => {
  const app = await startApp(t);
  const technician = await seedTechnician(app);
  const first = await loginOnPage(app, technician, password);
  const device = setBy(first, 'DEVICE') ?? '';
  const session = setBy(first, 'SERVICE') ?? '';
  t.is(first.status, 303);
  for (let i = 0; i < 5; i++) t.is((await loginOnPage(app, technician, wrong)).status, 401);
  t.is((await loginOnPage(app, technician, password)).status, 429);
  const begun = await postForm(app, '/admin/second-factor/begin', { password }, { Cookie: session });
  t.is(begun.status, 200, 'whoever is signed in does not wait');
  const key = /<code>([A-Z2-7 ]+)<\/code>/.exec(begun.text)?.[1]?.replaceAll(' ', '') ?? '';
  const code = (seconds: number) => generateSync({ secret: key, epoch: unixSeconds(app.clock.now()) + seconds });
  t.is((await postForm(app, '/admin/second-factor/confirm', { code: code(0) }, { Cookie: session })).status, 200);
  const asked = await loginOnPage(app, technician, password, device);
  t.is(asked.status, 200);
  t.deepEqual(asked.headers.getSetCookie(), []);
  const pending = /name="pending" value="([^"]+)"/.exec(asked.text)?.[1] ?? '';
  const give = (given: string, cookie?: string) =>
    postForm(app, '/admin/login/code', { pending, code: given }, cookie === undefined ? {} : { Cookie: cookie });
  for (let i = 0; i < 5; i++) t.is((await give(code(300))).status, 401);
  t.is((await give(code(30))).status, 429);
  const done = await give(code(30), device);
  t.is(done.status, 303);
  t.truthy(setBy(done, 'SERVICE'));
  t.truthy(setBy(done, 'DEVICE'));
});
