import { request } from 'node:http';
import { sql } from '@keelson/core';
import { changed } from '@keelson/core/plugin';
import { backgroundDone, EmployeeSession } from '@keelson/modules/accounts';
import { Company, Employee } from '@keelson/modules/directory';
import { startApp, type TestApp } from '@keelson/testing';
import test from 'ava';
import { cookieOf, password, seedCompany, seedEmployee, seedKey, signIn, storeUsesLate } from '../accounts-seed.ts';

const root = '/helpdesk/api/v1';
const other = 'another walk through the hills';

const session = (app: TestApp, credential: { token?: string; cookie?: string }) =>
  app.request('GET', `${root}/auth/session`, credential);

test('Sign in: returns tokens and sets the cookie', async (t) => {
  const app = await startApp(t);
  const employee = await seedEmployee(app, { email: 'Erin@Example.com' });
  const answer = await app.request('POST', `${root}/auth/login`, {
    body: { username: ' erin@example.COM ', password },
  });
  t.is(answer.status, 200);
  const { access_token, refresh_token, user, ...rest } = answer.body;
  t.deepEqual(rest, { success: true, token_type: 'Bearer', expires_in: 900 });
  t.is(access_token.split('.').length, 3);
  t.regex(refresh_token, /^[\w-]{43}$/);
  t.deepEqual(user, {
    employee_number: employee.employee_number,
    first_name: 'Erin',
    last_name: 'Example',
    email: 'Erin@Example.com',
    company_name: user.company_name,
  });
  const [cookie = ''] = answer.headers.getSetCookie();
  t.regex(cookie, /^HELPDESK_default=[\w-]{43}; path=\/; expires=[^;]+; samesite=lax; httponly$/i);
  t.is((await session(app, { cookie: cookieOf(answer.headers) })).status, 200);
});

test('Sign in: the cookie is Secure over https', async (t) => {
  const app = await startApp(t, { config: { baseUrl: 'https://desk.example.com', cookiePrefix: '__Host-' } });
  const employee = await seedEmployee(app);
  const answer = await app.request('POST', `${root}/auth/login`, { body: { username: employee.email, password } });
  t.regex(answer.headers.getSetCookie()[0] ?? '', /^__Host-HELPDESK_default=.*; secure; httponly$/i);
  t.is((await session(app, { cookie: cookieOf(answer.headers) })).status, 200);
});

test('Sign in: wrong password, unknown or inactive user and inactive company return the same error', async (t) => {
  const app = await startApp(t);
  const employee = await seedEmployee(app);
  const inactive = await seedEmployee(app);
  const stranded = await seedEmployee(app);
  await app.app.database.update(Employee, { employee_number: inactive.employee_number }, { status: 'Inactive' });
  await app.app.database.update(Company, { company_number: stranded.company_number }, { status: 'inactive' });
  const attempts = [
    { username: employee.email, password: other },
    { username: 'nobody@example.com', password },
    { username: inactive.email, password },
    { username: stranded.email, password },
  ];
  for (const body of attempts) {
    const answer = await app.request('POST', `${root}/auth/login`, { body });
    t.is(answer.status, 401);
    t.deepEqual(answer.body, { error: 'Invalid username or password' });
    t.is(answer.headers.get('www-authenticate'), 'Bearer');
    t.deepEqual(answer.headers.getSetCookie(), []);
    t.is(answer.headers.get('x-ratelimit-limit'), '60');
  }
});

test('Sign in: username and password are required', async (t) => {
  const app = await startApp(t);
  for (const body of [{}, { username: 'a@example.com' }, { password }, { username: ' ', password: '' }, 'nonsense']) {
    const headers = { 'Content-Type': 'application/json' };
    t.is((await app.request('POST', `${root}/auth/login`, { body, headers })).status, 400);
  }
  const missing = await app.request('POST', `${root}/auth/login`, { body: {} });
  t.deepEqual(missing.body, { error: 'username is required; password is required' });
});

test('Sign in: repeated failures are throttled, even with the right password', async (t) => {
  const app = await startApp(t);
  const employee = await seedEmployee(app);
  const attempt = (given: string) =>
    app.request('POST', `${root}/auth/login`, { body: { username: employee.email, password: given } });
  for (let i = 0; i < 5; i++) t.is((await attempt(other)).status, 401);
  const stopped = await attempt(password);
  t.is(stopped.status, 429);
  t.is(stopped.headers.get('retry-after'), '1');
  t.deepEqual(stopped.body, { error: 'Too many failed attempts, try again later' });
  app.clock.set('2026-03-02T09:00:02.000Z');
  t.is((await attempt(password)).status, 200);
});

test('Sign in: cross-site forms are rejected', async (t) => {
  const app = await startApp(t);
  const employee = await seedEmployee(app);
  const attempt = (headers: Record<string, string>) =>
    app.request('POST', `${root}/auth/login`, { body: { username: employee.email, password }, headers });
  const forged = await attempt({ 'Sec-Fetch-Site': 'cross-site' });
  t.is(forged.status, 403);
  t.deepEqual(forged.headers.getSetCookie(), []);
  t.is((await attempt({ 'Sec-Fetch-Site': 'same-site' })).status, 403);
  t.is((await attempt({ Origin: 'https://evil.example' })).status, 403);
  t.is((await attempt({ Origin: 'null' })).status, 403);
  t.is((await attempt({ 'Content-Type': 'text/plain' })).status, 403);
  t.is((await attempt({ 'Content-Type': 'application/x-www-form-urlencoded' })).status, 403);
  t.is((await attempt({ 'Sec-Fetch-Site': 'same-origin' })).status, 200);
  t.is((await attempt({ Origin: app.app.config.baseUrl })).status, 200);
});

test('Refresh the access token: the successor takes over, and reusing its predecessor ends the session', async (t) => {
  const app = await startApp(t);
  const { token, refresh_token: first } = await signIn(app, await seedEmployee(app));
  const renew = (refresh_token: string) => app.request('POST', `${root}/auth/refresh`, { body: { refresh_token } });
  const answer = await renew(first);
  t.is(answer.status, 200);
  const { access_token, refresh_token: second, ...rest } = answer.body;
  t.deepEqual(rest, { success: true, token_type: 'Bearer', expires_in: 900 });
  t.is((await session(app, { token: access_token })).status, 200);
  t.is((await renew(first)).status, 200, 'the first stays good until a successor is used');
  t.is((await renew(second)).status, 200);
  app.clock.set('2026-03-02T09:02:00.000Z');
  const reused = await renew(first);
  t.is(reused.status, 401);
  t.deepEqual(reused.body, { error: 'Refresh token is invalid or has expired' });
  t.is((await renew(second)).status, 401);
  t.is((await session(app, { token })).status, 401);
  const [line] = await app.app.database.query(sql`SELECT author_type, entity_type, description FROM activity_log
    WHERE action = 'update'`);
  t.deepEqual(line, {
    author_type: 'system',
    entity_type: 'contact',
    description: 'Ended a session because an old refresh token was reused',
  });
});

test('Refresh the access token: a missing token returns 400, an unknown or expired one 401', async (t) => {
  const app = await startApp(t);
  const { refresh_token } = await signIn(app, await seedEmployee(app));
  const renew = (body: unknown) => app.request('POST', `${root}/auth/refresh`, { body });
  t.deepEqual((await renew({})).body, { error: 'refresh_token is required' });
  t.is((await renew({ refresh_token: 'no such token' })).status, 401);
  app.clock.set('2026-03-16T09:00:00.000Z');
  t.is((await renew({ refresh_token })).status, 401);
});

test('Refresh the access token: a token family lasts 30 days if used', async (t) => {
  const app = await startApp(t);
  const { refresh_token } = await signIn(app, await seedEmployee(app));
  const renew = () => app.request('POST', `${root}/auth/refresh`, { body: { refresh_token } });
  app.clock.set('2026-03-15T09:00:00.000Z');
  t.is((await renew()).status, 200);
  app.clock.set('2026-03-28T09:00:00.000Z');
  t.is((await renew()).status, 200);
  app.clock.set('2026-04-01T09:00:00.000Z');
  t.is((await renew()).status, 401);
});

test('Read the current session: the user with their roles', async (t) => {
  const app = await startApp(t);
  const employee = await seedEmployee(app, { ismgr: true, asset_edit: 'Read Only' });
  const { token, cookie } = await signIn(app, employee);
  const byToken = await session(app, { token });
  t.is(byToken.status, 200);
  t.deepEqual(byToken.body, {
    authenticated: true,
    user: {
      employee_number: employee.employee_number,
      first_name: 'Erin',
      last_name: 'Example',
      email: employee.email,
      company_name: byToken.body.user.company_name,
      company_number: employee.company_number,
      ismgr: true,
      it_privileges: false,
      asset_edit: 'Read Only',
    },
  });
  t.is(byToken.headers.get('x-ratelimit-limit'), '120');
  t.is(byToken.headers.get('x-ratelimit-remaining'), '119');
  const byCookie = await session(app, { cookie });
  t.deepEqual(byCookie.body, byToken.body);
  t.is(byCookie.headers.get('x-ratelimit-limit'), '300');
});

test('Read the current session: without a session returns authenticated: false', async (t) => {
  const app = await startApp(t);
  const answer = await session(app, {});
  t.is(answer.status, 401);
  t.deepEqual(answer.body, { error: 'Authentication required', authenticated: false });
});

test('an invalid bearer token is not replaced by a valid cookie, nor accepted twice or in the URL', async (t) => {
  const app = await startApp(t);
  const { token, cookie } = await signIn(app, await seedEmployee(app));
  t.is((await session(app, { token: `${token}x`, cookie })).status, 401);
  t.is(
    (await app.request('GET', `${root}/auth/session`, { cookie, headers: { Authorization: 'Basic YTpi' } })).status,
    401,
  );
  t.is((await app.request('GET', `${root}/auth/session?access_token=${token}`, { token })).status, 401);
  t.is((await app.request('GET', `${root}/auth/session?access_token=${token}`, {})).status, 401);
  t.is((await session(app, { cookie: `${cookie}; ${cookie}` })).status, 401);
  t.is((await session(app, { token, cookie: 'HELPDESK_default=stale' })).status, 200);
});

test('two Authorization headers are both rejected', async (t) => {
  const app = await startApp(t);
  const { token } = await signIn(app, await seedEmployee(app));
  const status = (headers: string[]) =>
    new Promise((resolve, reject) => {
      const options = { headers: { Authorization: headers }, agent: false };
      request(`${app.url}${root}/auth/session`, options, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      })
        .on('error', reject)
        .end();
    });
  t.is(await status([`Bearer ${token}`]), 200);
  t.is(await status([`Bearer ${token}`, 'Bearer planted']), 401);
  t.is(await status([`Bearer ${token}`, `Bearer ${token}`]), 401);
});

test('keys and cookies of other surfaces are rejected', async (t) => {
  const app = await startApp(t);
  const { api_key } = await seedKey(app, 'admin');
  t.is((await session(app, { token: api_key })).status, 401);
  const { cookie } = await signIn(app, await seedEmployee(app));
  t.is((await session(app, { cookie: cookie.replace('HELPDESK', 'SERVICE') })).status, 401);
});

test('an access token expires after 900 seconds plus leeway, the cookie after 12 idle hours', async (t) => {
  const app = await startApp(t);
  const { token, cookie } = await signIn(app, await seedEmployee(app));
  app.clock.set('2026-03-02T09:15:29.000Z');
  t.is((await session(app, { token })).status, 200);
  app.clock.set('2026-03-02T09:15:31.000Z');
  t.is((await session(app, { token })).status, 401);
  app.clock.set('2026-03-02T21:14:00.000Z');
  t.is((await session(app, { cookie })).status, 200);
});

test('a session cookie expires after 12 idle hours, and after 24 hours in any case', async (t) => {
  const app = await startApp(t);
  const employee = await seedEmployee(app);
  const idle = await signIn(app, employee);
  const busy = await signIn(app, employee);
  app.clock.set('2026-03-02T20:00:00.000Z');
  t.is((await session(app, busy)).status, 401, 'the token of both is over');
  t.is((await session(app, { cookie: busy.cookie })).status, 200);
  app.clock.set('2026-03-02T21:00:01.000Z');
  t.is((await session(app, { cookie: idle.cookie })).status, 401);
  t.is((await session(app, { cookie: busy.cookie })).status, 200);
  app.clock.set('2026-03-03T09:00:01.000Z');
  t.is((await session(app, { cookie: busy.cookie })).status, 401);
});

test('a use of a session cookie that is stored while its session is read again counts', async (t) => {
  const app = await startApp(t);
  const { cookie } = await signIn(app, await seedEmployee(app));
  storeUsesLate(app, 'employee_session');
  app.clock.set('2026-03-02T20:00:00.000Z');
  t.is((await session(app, { cookie })).status, 200);
  app.clock.set('2026-03-02T21:00:01.000Z');
  t.is((await session(app, { cookie })).status, 200);
});

test('Sign out: ends the cookie, access token and refresh token immediately', async (t) => {
  const app = await startApp(t);
  const { token, cookie, refresh_token } = await signIn(app, await seedEmployee(app));
  const answer = await app.request('POST', `${root}/auth/logout`, { token, body: { refresh_token } });
  t.is(answer.status, 200);
  t.deepEqual(answer.body, { success: true, message: 'Signed out' });
  t.is((await session(app, { token })).status, 401);
  t.is((await session(app, { cookie })).status, 401);
  t.is((await app.request('POST', `${root}/auth/refresh`, { body: { refresh_token } })).status, 401);
});

test('Sign out: with a cookie, which is cleared; cross-site requests are rejected', async (t) => {
  const app = await startApp(t);
  const { cookie } = await signIn(app, await seedEmployee(app));
  const forged = await app.request('POST', `${root}/auth/logout`, {
    cookie,
    headers: { 'Sec-Fetch-Site': 'cross-site' },
  });
  t.is(forged.status, 403);
  t.deepEqual(forged.body, { error: 'Cross-site request rejected' });
  const answer = await app.request('POST', `${root}/auth/logout`, { cookie });
  t.is(answer.status, 200);
  t.regex(answer.headers.getSetCookie()[0] ?? '', /^HELPDESK_default=;.*expires=Thu, 01 Jan 1970/i);
  t.is((await session(app, { cookie })).status, 401);
});

test('Sign out: with an expired access token and a valid refresh token', async (t) => {
  const app = await startApp(t);
  const { token, refresh_token } = await signIn(app, await seedEmployee(app));
  app.clock.set('2026-03-03T09:00:00.000Z');
  t.is((await app.request('POST', `${root}/auth/logout`, { token })).status, 401);
  t.is((await app.request('POST', `${root}/auth/logout`, { token, body: { refresh_token: 'unknown' } })).status, 401);
  t.is((await app.request('POST', `${root}/auth/logout`, { token, body: { refresh_token } })).status, 200);
  t.is((await app.request('POST', `${root}/auth/refresh`, { body: { refresh_token } })).status, 401);
});

test('Sign out: requires a session; an unknown refresh token with a valid credential is ignored', async (t) => {
  const app = await startApp(t);
  const stranger = await app.request('POST', `${root}/auth/logout`, { body: {} });
  t.is(stranger.status, 401);
  t.deepEqual(stranger.body, { error: 'Authentication required' });
  const { token } = await signIn(app, await seedEmployee(app));
  t.is((await app.request('POST', `${root}/auth/logout`, { token, body: { refresh_token: 'unknown' } })).status, 200);
});

test('deactivating a person or company, or a new access version, ends sessions immediately', async (t) => {
  const app = await startApp(t);
  const company = await seedCompany(app);
  const ends = [
    (employee_number: number) => ({
      table: Employee,
      where: { employee_number },
      set: { status: 'Inactive' as const },
    }),
    (employee_number: number) => ({ table: Employee, where: { employee_number }, set: { access_version: 2 } }),
    (employee_number: number) => ({
      table: Employee,
      where: { employee_number },
      set: { deleted_at: app.clock.now() },
    }),
  ];
  for (const end of ends) {
    const employee = await seedEmployee(app, { company_number: company.company_number });
    const { token, cookie } = await signIn(app, employee);
    t.is((await session(app, { token })).status, 200);
    await app.run(async (ctx) => {
      const { table, where, set } = end(employee.employee_number);
      await ctx.db.update(table, where, set);
      ctx.record({
        action: 'update',
        entity_type: 'contact',
        entity_id: employee.employee_number,
        description: 'Ended',
      });
      changed(ctx, Employee);
    });
    t.is((await session(app, { token })).status, 401);
    t.is((await session(app, { cookie })).status, 401);
  }
  const employee = await seedEmployee(app, { company_number: company.company_number });
  const { token, refresh_token } = await signIn(app, employee);
  t.is((await session(app, { token })).status, 200);
  await app.run(async (ctx) => {
    const { company_number } = company;
    await ctx.db.update(Company, { company_number }, { status: 'inactive' });
    ctx.record({ action: 'update', entity_type: 'company', entity_id: company_number, description: 'Ended' });
    changed(ctx, Company);
  });
  t.is((await session(app, { token })).status, 401);
  t.is((await app.request('POST', `${root}/auth/refresh`, { body: { refresh_token } })).status, 401);
});

test('Read your profile', async (t) => {
  const app = await startApp(t);
  const employee = await seedEmployee(app, { asset_edit: 'Modify' });
  const { token } = await signIn(app, employee);
  const answer = await app.request('GET', `${root}/auth/profile`, { token });
  t.is(answer.status, 200);
  t.deepEqual(answer.body, {
    employee_number: employee.employee_number,
    company_number: employee.company_number,
    site_number: null,
    first_name: 'Erin',
    last_name: 'Example',
    email: employee.email,
    phone: '',
    mobile: '',
    title: '',
    department: '',
    company_name: answer.body.company_name,
    site_name: null,
    permissions: { can_create_tickets: true, can_view_assets: true, can_view_billing: false },
  });
  t.is((await app.request('GET', `${root}/auth/profile`)).status, 401);
});

test('Update your profile: contact fields only', async (t) => {
  const app = await startApp(t);
  const employee = await seedEmployee(app);
  const { token } = await signIn(app, employee);
  const put = (body: unknown) => app.request('PUT', `${root}/auth/profile`, { token, body });
  const answer = await put({
    first_name: ' Eve ',
    phone: '+1 555',
    email: 'x@example.com',
    it_privileges: true,
    department: 'IT',
  });
  t.is(answer.status, 200);
  t.like(answer.body, {
    success: true,
    first_name: 'Eve',
    last_name: 'Example',
    phone: '+1 555',
    email: employee.email,
    department: '',
  });
  const { success, ...profile } = answer.body;
  t.true(success);
  t.deepEqual((await app.request('GET', `${root}/auth/profile`, { token })).body, profile);
  t.is((await session(app, { token })).body.user.first_name, 'Eve');
  t.deepEqual((await put({})).body, { error: 'No fields to update' });
  t.deepEqual((await put({ email: 'x@example.com' })).body, { error: 'No fields to update' });
  t.deepEqual((await put({ first_name: ' ' })).body, { error: 'first_name is required' });
  t.is((await put({ phone: 5 })).status, 400);
  t.is((await put({ phone: null })).body.phone, '');
  t.is((await app.request('PUT', `${root}/auth/profile`, { body: { first_name: 'X' } })).status, 401);
});

test('Update your profile: no difference leaves no trace', async (t) => {
  const app = await startApp(t);
  const employee = await seedEmployee(app);
  const { token } = await signIn(app, employee);
  app.clock.set('2026-03-02T09:05:00.000Z');
  t.is((await app.request('PUT', `${root}/auth/profile`, { token, body: { first_name: 'Erin' } })).status, 200);
  const { employee_number, updated_at } = employee;
  t.is((await app.app.database.findOneBy(Employee, { employee_number }))?.updated_at, updated_at);
});

test('Change your password: this session continues with a new id, the others end', async (t) => {
  const app = await startApp(t);
  const employee = await seedEmployee(app);
  const elsewhere = await signIn(app, employee);
  const here = await signIn(app, employee);
  const change = (body: unknown, credential: { token?: string; cookie?: string } = { cookie: here.cookie }) =>
    app.request('POST', `${root}/auth/change-password`, { ...credential, body });
  const answer = await change({ current_password: password, new_password: other });
  t.is(answer.status, 200);
  t.deepEqual(answer.body, { success: true, message: 'Password changed' });
  const renewed = cookieOf(answer.headers);
  t.not(renewed, here.cookie);
  t.is((await session(app, { cookie: renewed })).status, 200);
  t.is((await session(app, { cookie: here.cookie })).status, 401);
  t.is((await session(app, { token: here.token })).status, 200);
  t.is((await session(app, { token: elsewhere.token })).status, 401);
  t.is((await session(app, { cookie: elsewhere.cookie })).status, 401);
  for (const { refresh_token } of [here, elsewhere]) {
    t.is((await app.request('POST', `${root}/auth/refresh`, { body: { refresh_token } })).status, 401);
  }
  const login = (given: string) =>
    app.request('POST', `${root}/auth/login`, { body: { username: employee.email, password: given } });
  t.is((await login(password)).status, 401);
  t.is((await login(other)).status, 200);
});

test('Change your password: the cookie of the same bearer sign-in ends', async (t) => {
  const app = await startApp(t);
  const { token, cookie } = await signIn(app, await seedEmployee(app));
  const body = { current_password: password, new_password: other };
  const answer = await app.request('POST', `${root}/auth/change-password`, { token, body });
  t.is(answer.status, 200);
  t.deepEqual(answer.headers.getSetCookie(), []);
  t.is((await session(app, { token })).status, 200);
  t.is((await session(app, { cookie })).status, 401);
});

test('Change your password: the current password must be correct, the new one valid', async (t) => {
  const app = await startApp(t);
  const { token } = await signIn(app, await seedEmployee(app));
  const change = async (current_password: string, new_password: string) => {
    const body = { current_password, new_password };
    const answer = await app.request('POST', `${root}/auth/change-password`, { token, body });
    t.is(answer.status, 400);
    return answer.body.error;
  };
  t.is(await change(other, 'something else entirely'), 'Current password is incorrect');
  t.is(await change(password, 'short'), 'new_password must have at least 12 characters');
  t.is(await change(password, password), 'new_password must differ from the current one');
  const missing = await app.request('POST', `${root}/auth/change-password`, { token, body: {} });
  t.deepEqual(missing.body, { error: 'current_password is required; new_password is required' });
  t.is((await app.request('POST', `${root}/auth/change-password`, { body: {} })).status, 401);
});

test('concurrent use of many sessions is recorded for all', async (t) => {
  const app = await startApp(t);
  const employee = await seedEmployee(app);
  const signedIn = [];
  for (let i = 0; i < 5; i++) signedIn.push(await signIn(app, employee));
  app.clock.set('2026-03-02T09:10:00.000Z');
  await Promise.all(signedIn.map(({ token }) => session(app, { token })));
  await backgroundDone(app.app);
  const rows = await app.app.database.findBy(EmployeeSession, { employee_number: employee.employee_number });
  t.deepEqual(
    rows.map((each) => each.last_used_at),
    signedIn.map(() => '2026-03-02T09:10:00.000Z'),
  );
});
