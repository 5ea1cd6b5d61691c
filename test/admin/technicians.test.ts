import { AccountLink, backgroundDone, keyPermissions } from '@keelson/modules/accounts';
import { Employee, Technician } from '@keelson/modules/directory';
import { openApp, readMails, startApp, type TestApp } from '@keelson/testing';
import test from 'ava';
import { ActivityLine } from '../../packages/log/activity.ts';
import { memoryLimiter } from '../../packages/security/limit.ts';
import {
  cookieOf,
  password,
  postForm,
  seedCompany,
  seedEmployee,
  seedKey,
  seedTechnician,
  signIn,
  signInOnPage,
} from '../accounts-seed.ts';

const staff = '/admin/api/v1';
const path = `${staff}/technicians.php`;
const chosen = 'another walk along the river';

type Send = (method: string, to: string, body?: unknown) => ReturnType<TestApp['request']>;

/** Calls the API as a browser with a technician's session. */
async function as(app: TestApp, technician: { email: string }): Promise<Send> {
  const cookie = await signInOnPage(app, technician);
  const headers = { 'Sec-Fetch-Site': 'same-origin' };
  return (method, to, body) =>
    app.request(method, to, body === undefined ? { cookie, headers } : { cookie, headers, body });
}

// One application for all tests, whose rows do not overlap; rate windows are too short to matter.
const limiter = memoryLimiter({ windowMs: 1 });
let shared: TestApp;
test.before(async () => {
  shared = await openApp({ config: { tenantName: 'Acme IT' }, limiter });
});
test.after.always(() => shared?.close());

async function start(own?: TestApp) {
  const app = own ?? shared;
  app.clock.set('2026-03-02T09:00:00.000Z');
  const boss = await seedTechnician(app, 'administrator');
  return { app, boss, send: await as(app, boss) };
}

let last = 0;
const newcomer = () => ({ name: 'Ada Byron', email: `ada${++last}@acme.example` });
const mailsTo = async (app: TestApp, email: string) => (await readMails(app)).filter((each) => each.to === email);

/** Returns the token in the newest mail of a template. */
async function tokenFor(app: TestApp, email: string, template: string): Promise<string> {
  await backgroundDone(app.app);
  const mails = (await readMails(app)).filter((each) => each.to === email && each.template === template);
  return /\?token=([\w-]+)/.exec(mails.at(-1)?.text ?? '')?.[1] ?? '';
}

const rowOf = (app: TestApp, user_id: number) => app.app.database.findOneBy(Technician, { user_id });

test.serial('Invite a technician: creates an account without a password and mails a link', async (t) => {
  const { app, send } = await start();
  const ada = newcomer();
  const { status, body } = await send('POST', path, { ...ada, role: 'administrator' });
  t.is(status, 201);
  t.deepEqual(body, {
    success: true,
    data: {
      user_id: body.data.user_id,
      ...ada,
      role: 'administrator',
      active: true,
      status: 'offline',
      invitation_pending: true,
      last_activity_at: null,
      created_at: '2026-03-02T09:00:00Z',
      updated_at: '2026-03-02T09:00:00Z',
    },
  });
  const [mail] = await mailsTo(app, ada.email);
  t.like(mail, { template: 'technician_invitation', to: ada.email, subject: 'Your account at Acme IT' });
  t.regex(mail?.text ?? '', /Terry Technician has created an account .*\/admin\/invitation\?token=[\w-]{43}\n/s);
  t.regex(mail?.text ?? '', /expires on 3 Mar 2026, 09:00 \(UTC\)/);
  const token = await tokenFor(app, ada.email, 'technician_invitation');
  t.notRegex(JSON.stringify(await app.app.database.find(ActivityLine)), new RegExp(token), 'nor in the log');
  t.notRegex(JSON.stringify(await app.app.database.find(AccountLink)), new RegExp(token), 'only its hash is stored');
  t.is((await send('POST', path, { ...ada, email: ada.email.toUpperCase() })).status, 409);
  t.is((await send('POST', path, { name: 'No address' })).body.error, 'email is required');
  t.is((await send('POST', path, { ...ada, email: 'x@y.example', role: 'king' })).status, 400);
});

test.serial('Show the form for the password of an invited technician', async (t) => {
  const { app, send } = await start();
  const ada = newcomer();
  await send('POST', path, ada);
  const token = await tokenFor(app, ada.email, 'technician_invitation');
  const form = await app.request('GET', `/admin/invitation?token=${token}`);
  t.is(form.status, 200);
  t.is(form.headers.get('content-security-policy')?.includes("default-src 'none'"), true);
  t.regex(form.text, /<h1>Choose a password<\/h1>.*ada\d+@acme\.example.*<label for="password">/s);
  const dead = await app.request('GET', '/admin/invitation?token=nothing');
  t.is(dead.status, 404);
  t.regex(dead.text, /This link is no longer valid/);
  t.is((await app.request('GET', `/admin/reset-password?token=${token}`)).status, 404, 'it is for something else');
});

test.serial('Set the password of an invited technician: once, within 24 hours', async (t) => {
  const { app, send } = await start();
  const ada = newcomer();
  await send('POST', path, ada);
  const token = await tokenFor(app, ada.email, 'technician_invitation');
  const accept = (word: string, with_token = token) =>
    postForm(app, '/admin/invitation', { token: with_token, password: word });
  const short = await accept('short');
  t.is(short.status, 400);
  t.regex(short.text, /role="alert".*at least 12 characters/s);
  t.is(
    (await postForm(app, '/admin/invitation', { token, password: chosen }, { 'Sec-Fetch-Site': 'cross-site' })).status,
    403,
  );
  t.is((await accept(chosen)).status, 200);
  t.is((await accept(chosen)).status, 404);
  const signed = await postForm(app, '/admin/login', { email: ada.email, password: chosen });
  t.is(signed.status, 303);
  const mine = await app.request('GET', `${path}?search=${ada.email}`, { cookie: cookieOf(signed.headers) });
  t.false(mine.body.data[0].invitation_pending);

  await send('POST', path, { name: 'Late', email: 'late@acme.example' });
  const late = await tokenFor(app, 'late@acme.example', 'technician_invitation');
  app.clock.set('2026-03-03T09:00:01.000Z');
  t.is((await accept(chosen, late)).status, 404);
});

test.serial('Resend a technician’s invitation: the previous link becomes invalid', async (t) => {
  const { app, boss, send } = await start();
  const ada = newcomer();
  const { user_id } = (await send('POST', path, ada)).body.data;
  const first = await tokenFor(app, ada.email, 'technician_invitation');
  const { status, body } = await send('POST', `${path}?action=invite&id=${user_id}`);
  t.is(status, 200);
  t.true(body.data.invitation_pending);
  const second = await tokenFor(app, ada.email, 'technician_invitation');
  t.not(second, first);
  t.is((await app.request('GET', `/admin/invitation?token=${first}`)).status, 404);
  t.is((await app.request('GET', `/admin/invitation?token=${second}`)).status, 200);
  t.is(
    (await send('POST', `${path}?action=invite&id=${boss.user_id}`)).body.error,
    'The invitation has already been accepted',
  );
  await send('PUT', `${path}?id=${user_id}`, { email: 'other@acme.example' });
  t.is((await app.request('GET', `/admin/invitation?token=${second}`)).status, 404, 'it went to another address');
  const third = await tokenFor(app, 'other@acme.example', 'technician_invitation');
  t.is((await app.request('GET', `/admin/invitation?token=${third}`)).status, 200);
});

test.serial('List the technicians: by name, searched, filtered and paged', async (t) => {
  const { app, boss, send } = await start(await startApp(t));
  const ada = newcomer();
  await send('POST', path, ada);
  const { user_id } = await seedTechnician(app, 'technician', 'zoe@acme.example');
  const { status, body } = await send('GET', path);
  t.is(status, 200);
  t.deepEqual(
    body.data.map((each: { email: string }) => each.email),
    [ada.email, boss.email, 'zoe@acme.example'],
  );
  t.deepEqual(body.pagination, { page: 1, per_page: 25, total: 3, total_pages: 1 });
  const emails = async (query: string) =>
    (await send('GET', `${path}?${query}`)).body.data.map((each: { email: string }) => each.email);
  t.deepEqual(await emails('search=byron'), [ada.email]);
  t.deepEqual(await emails('role=administrator'), [boss.email]);
  await send('PUT', `${path}?id=${user_id}`, { active: false });
  t.deepEqual(await emails('active=false'), ['zoe@acme.example']);
  t.deepEqual(await emails('per_page=1&page=2'), [boss.email]);
  t.true((await app.fewestStatements(() => send('GET', path))) <= 6);
  t.is((await app.request('GET', path)).status, 401);
  const { api_key: token } = await seedKey(app, 'admin', ['tickets:read']);
  t.is((await app.request('GET', path, { token })).status, 403);
});

test.serial('Read a technician: with availability', async (t) => {
  const { app, boss, send } = await start();
  const at = `${path}?id=${boss.user_id}`;
  await send('GET', at);
  await backgroundDone(app.app);
  app.clock.set('2026-03-02T09:01:30.000Z');
  await send('GET', at);
  await backgroundDone(app.app);
  const { status, body } = await send('GET', at);
  t.is(status, 200);
  t.like(body.data, { user_id: boss.user_id, status: 'available', last_activity_at: '2026-03-02T09:01:30Z' });
  const { api_key: token } = await seedKey(app, 'admin', ['settings:read']);
  const statusAt = async (moment: string) => {
    app.clock.set(moment);
    return (await app.request('GET', at, { token })).body.data.status;
  };
  t.is(await statusAt('2026-03-02T09:20:00.000Z'), 'away');
  t.is(await statusAt('2026-03-02T10:30:00.000Z'), 'offline');
  t.is((await send('GET', `${path}?id=9999`)).status, 404);
  t.is((await send('GET', `${path}?id=x`)).status, 400);
});

test.serial('Change a technician: a role change ends sessions immediately', async (t) => {
  const { app, send } = await start();
  const other = await seedTechnician(app, 'administrator');
  const theirs = await as(app, other);
  const at = `${path}?id=${other.user_id}`;
  t.is((await theirs('GET', path)).status, 200);
  const renamed = await send('PUT', at, { name: 'New Name' });
  t.is(renamed.status, 200);
  t.is(renamed.body.data.name, 'New Name');
  t.is((await theirs('GET', path)).status, 200, 'a name is no right');
  t.is((await send('PUT', at, { role: 'technician' })).body.data.role, 'technician');
  t.is((await theirs('GET', path)).status, 401);
  const again = await as(app, other);
  t.is((await again('PUT', at, { role: 'administrator' })).status, 403);
  t.is((await send('PUT', at, { active: false })).body.data.active, false);
  t.is((await again('GET', path)).status, 401);
  t.is((await postForm(app, '/admin/login', { email: other.email, password })).status, 401);
  t.is((await send('PUT', at, {})).body.error, 'No fields to update');
  t.is((await send('PUT', `${path}?id=9999`, { name: 'x' })).status, 404);
});

test.serial('Change a technician: the last active administrator cannot be removed', async (t) => {
  const { app, boss, send } = await start(await startApp(t));
  const ada = newcomer();
  await send('POST', path, { ...ada, role: 'administrator' });
  const at = `${path}?id=${boss.user_id}`;
  const error = 'The last active administrator must stay active and an administrator';
  t.is((await send('PUT', at, { role: 'technician' })).body.error, error, 'who was only invited does not count');
  t.is((await send('PUT', at, { active: false })).body.error, error);
  t.is((await send('DELETE', at)).body.error, error);
  t.like(await rowOf(app, boss.user_id), { role: 'administrator', active: true, deleted_at: null });
  const second = await seedTechnician(app, 'administrator');
  const theirs = await as(app, second);
  const both = await Promise.all([
    send('PUT', `${path}?id=${second.user_id}`, { active: false }),
    theirs('PUT', at, { active: false }),
  ]);
  t.true(both.some((each) => each.status !== 200));
  const left = await app.app.database.findBy(Technician, { role: 'administrator', active: true });
  t.true(left.some((each) => each.password_hash !== null));
});

test.serial('Delete a technician: frees the email and ends all access', async (t) => {
  const { app, send } = await start();
  const ada = newcomer();
  const gone = await seedTechnician(app, 'technician', ada.email);
  const theirs = await as(app, gone);
  const { status, text } = await send('DELETE', `${path}?id=${gone.user_id}`);
  t.is(status, 204);
  t.is(text, '');
  t.is((await theirs('GET', path)).status, 401);
  t.is((await send('GET', `${path}?id=${gone.user_id}`)).status, 404);
  t.is((await send('DELETE', `${path}?id=${gone.user_id}`)).status, 404);
  t.is((await send('POST', path, ada)).status, 201);
});

test.serial('a key cannot manage anyone who has more permissions', async (t) => {
  const { app, boss } = await start();
  const { user_id } = await seedTechnician(app, 'technician');
  const permissions = keyPermissions(app.app, 'admin');
  const { api_key: weak } = await seedKey(app, 'admin', ['settings:read', 'settings:write']);
  const { api_key: strong } = await seedKey(app, 'admin', permissions);
  const put = (token: string, id: number, body: unknown) =>
    app.request('PUT', `${path}?id=${id}`, { token, body }).then((answer) => answer.status);
  t.is(await put(weak, user_id, { email: 'mine@evil.example' }), 403);
  t.is(await put(strong, user_id, { name: 'Changed' }), 200);
  t.is(await put(strong, user_id, { role: 'administrator' }), 403);
  t.is(await put(strong, boss.user_id, { email: 'mine@evil.example' }), 403);
  const invite = (token: string, role: string) =>
    app.request('POST', path, { token, body: { name: 'x', email: `${role}@evil.example`, role } });
  t.is((await invite(strong, 'administrator')).status, 403);
  t.is((await invite(weak, 'technician')).status, 403);
  t.is((await invite(strong, 'technician')).status, 201);
});

test.serial('Set your status', async (t) => {
  const { app } = await start();
  const technician = await seedTechnician(app, 'technician');
  const send = await as(app, technician);
  await send('GET', path);
  await backgroundDone(app.app);
  app.clock.set('2026-03-02T09:01:30.000Z');
  await send('GET', path);
  await backgroundDone(app.app);
  const set = (status: string) => send('PUT', `${path}?action=status`, { status });
  const busy = await set('busy');
  t.is(busy.status, 200);
  t.like(busy.body.data, { user_id: technician.user_id, status: 'busy' });
  t.is((await set('available')).body.data.status, 'available');
  t.is((await set('away')).status, 400);
  const { api_key: token } = await seedKey(app, 'admin', ['settings:read', 'settings:write']);
  t.is((await app.request('PUT', `${path}?action=status`, { token, body: { status: 'busy' } })).status, 403);
});

test.serial('List your technician sessions', async (t) => {
  const { app, boss, send } = await start();
  const other = await as(app, boss);
  await as(app, await seedTechnician(app));
  const { status, body } = await other('GET', `${path}?action=sessions`);
  t.is(status, 200);
  t.is(body.data.length, 2);
  t.deepEqual(body.data[0], {
    session_id: body.data[0].session_id,
    ip_address: '127.0.0.1',
    created_at: '2026-03-02T09:00:00Z',
    last_used_at: '2026-03-02T09:00:00Z',
    expires_at: '2026-03-02T17:00:00Z',
    current: true,
  });
  t.false(body.data[1].current);
  t.true((await send('GET', `${path}?action=sessions`)).body.data[1].current);
  const { api_key: token } = await seedKey(app, 'admin', ['settings:read']);
  t.is((await app.request('GET', `${path}?action=sessions`, { token })).status, 403);
});

test.serial('End one of your technician sessions', async (t) => {
  const { app, boss, send } = await start();
  const other = await as(app, boss);
  const stranger = await as(app, await seedTechnician(app));
  const [, mine] = (await other('GET', `${path}?action=sessions`)).body.data;
  const at = `${path}?action=sessions&session_id=${mine.session_id}`;
  t.is((await stranger('DELETE', at)).status, 404);
  t.is((await other('DELETE', at)).status, 204);
  t.is((await send('GET', path)).status, 401);
  t.is((await other('DELETE', at)).status, 404);
});

test.serial('End all your other technician sessions', async (t) => {
  const { app, boss, send } = await start();
  const others = [await as(app, boss), await as(app, boss)];
  t.is((await send('DELETE', `${path}?action=sessions`)).status, 204);
  t.is((await send('GET', path)).status, 200);
  for (const each of others) t.is((await each('GET', path)).status, 401);
});

test.serial('End all sessions of a technician', async (t) => {
  const { app, send } = await start();
  const other = await seedTechnician(app, 'technician');
  const theirs = await as(app, other);
  const at = `${path}?action=all-sessions&id=${other.user_id}`;
  t.is((await theirs('DELETE', at)).status, 403);
  t.is((await send('DELETE', at)).status, 204);
  t.is((await theirs('GET', path)).status, 401);
  t.is((await send('DELETE', at)).status, 204, 'there is none any more');
  t.is((await send('DELETE', `${path}?action=all-sessions&id=9999`)).status, 404);
});

test.serial('End all sessions of a contact', async (t) => {
  const { app, send } = await start();
  const employee = await seedEmployee(app);
  const { token } = await signIn(app, employee);
  const at = `${staff}/contacts.php?action=all-sessions&id=${employee.employee_number}`;
  t.is((await send('DELETE', at)).status, 204);
  t.is((await app.request('GET', '/helpdesk/api/v1/auth/session', { token })).body.authenticated ?? false, false);
  t.is((await send('DELETE', `${staff}/contacts.php?action=all-sessions&id=9999`)).status, 404);
});

for (const [kind, who, root] of [
  ['technician', 'a technician', '/admin'],
  ['employee', 'an employee', '/helpdesk'],
] as const) {
  const seed = async (app: TestApp) => (kind === 'technician' ? seedTechnician(app) : seedEmployee(app));
  const ask = (app: TestApp, email: string) => postForm(app, `${root}/forgotten`, { email });
  const signsIn = async (app: TestApp, email: string, word: string, cookie = 'none=') =>
    kind === 'technician'
      ? (await postForm(app, '/admin/login', { email, password: word }, { Cookie: cookie })).status === 303
      : (
          await app.request('POST', '/helpdesk/api/v1/auth/login', {
            body: { username: email, password: word },
            cookie,
          })
        ).status === 200;

  test.serial(`Show ${who} the password reset form`, async (t) => {
    const { app } = await start();
    const { status, text } = await app.request('GET', `${root}/forgotten`);
    t.is(status, 200);
    t.regex(text, /<h1>Reset your password<\/h1>.*<label for="email">/s);
  });

  test.serial(`Send ${who} a password reset link: the same response for everyone, rate limited`, async (t) => {
    const { app } = await start(await startApp(t));
    const person = await seed(app);
    const known = await ask(app, person.email.toUpperCase());
    const unknown = await ask(app, 'nobody@example.com');
    t.is(known.status, 200);
    t.is(known.text, unknown.text);
    await backgroundDone(app.app);
    t.deepEqual(
      (await readMails(app)).map(({ template, to }) => ({ template, to })),
      [{ template: 'password_reset', to: person.email }],
    );
    for (let i = 0; i < 3; i++) {
      await ask(app, person.email);
      await backgroundDone(app.app);
    }
    t.is((await readMails(app)).length, 3, 'three an hour');
    const tooMany = await ask(app, person.email);
    t.is(tooMany.status, 429);
    t.truthy(tooMany.headers.get('retry-after'));
  });

  test.serial(`Send ${who} a password reset link: an IPv6 network counts as one client`, async (t) => {
    const { app } = await start(await startApp(t, { config: { trustProxy: 1 } }));
    const from = (address: string) =>
      postForm(app, `${root}/forgotten`, { email: 'nobody@example.com' }, { 'X-Forwarded-For': address });
    for (let i = 1; i <= 5; i++) t.is((await from(`2001:db8:1:2::${i}`)).status, 200);
    t.is((await from('2001:db8:1:2:ffff::6')).status, 429);
    t.is((await from('2001:db8:1:3::1')).status, 200);
  });

  test.serial(`Show the form for the password of ${who} who forgot it: while the link is valid`, async (t) => {
    const { app } = await start();
    const person = await seed(app);
    await ask(app, person.email);
    const token = await tokenFor(app, person.email, 'password_reset');
    const form = () => app.request('GET', `${root}/reset-password?token=${token}`);
    t.is((await form()).status, 200);
    app.clock.set('2026-03-02T10:00:01.000Z');
    const over = await form();
    t.is(over.status, 404);
    t.regex(over.text, new RegExp(`href="${root}/forgotten"`));
  });

  test.serial(
    `Set the password of ${who} who forgot it: once; all sessions end and the owner is notified`,
    async (t) => {
      const { app } = await start();
      const person = await seed(app);
      const before =
        kind === 'technician'
          ? { cookie: await signInOnPage(app, person) }
          : { token: (await signIn(app, person)).token };
      const own = kind === 'technician' ? `${path}?action=sessions` : '/helpdesk/api/v1/auth/sessions';
      t.is((await app.request('GET', own, before)).status, 200);
      await ask(app, person.email);
      const token = await tokenFor(app, person.email, 'password_reset');
      const save = (word: string) => postForm(app, `${root}/reset-password`, { token, password: word });
      t.is((await save(person.email)).status, 400);
      t.is((await save(chosen)).status, 200);
      t.is((await app.request('GET', own, before)).status, 401);
      t.false(await signsIn(app, person.email, password));
      t.true(await signsIn(app, person.email, chosen));
      t.is((await save('yet another long password')).status, 404);
      t.true((await readMails(app)).some((each) => each.template === 'password_changed' && each.to === person.email));
    },
  );

  test.serial(
    `Set the password of ${who} who forgot it: concurrent guessing does not lock out the owner`,
    async (t) => {
      const { app } = await start();
      const person = await seed(app);
      await ask(app, person.email);
      const token = await tokenFor(app, person.email, 'password_reset');
      const saved = await postForm(app, `${root}/reset-password`, { token, password: chosen });
      t.true(
        saved.text.includes(`<a href="${root === '/admin' ? '/admin/login' : '/helpdesk/sign-in'}">`),
        'the way on',
      );
      for (let i = 0; i < 6; i++) t.false(await signsIn(app, person.email, 'a wrong password'));
      t.false(await signsIn(app, person.email, chosen));
      t.true(await signsIn(app, person.email, chosen, cookieOf(saved.headers)));
    },
  );

  test.serial(`Set the password of ${who} who forgot it: fails if the email has changed`, async (t) => {
    const { app, send } = await start();
    const person = await seed(app);
    await ask(app, person.email);
    const token = await tokenFor(app, person.email, 'password_reset');
    const at =
      'user_id' in person ? `${path}?id=${person.user_id}` : `${staff}/contacts.php?id=${person.employee_number}`;
    t.is((await send('PUT', at, { email: `new.${person.email}` })).status, 200);
    t.is((await app.request('GET', `${root}/reset-password?token=${token}`)).status, 404);
    t.is((await postForm(app, `${root}/reset-password`, { token, password: chosen })).status, 404);
  });

  test.serial(`${who} who cannot sign in or never had a password gets no link`, async (t) => {
    const { app } = await start();
    const { database } = app.app;
    const person = await seed(app);
    if ('user_id' in person) {
      await database.update(Technician, { user_id: person.user_id }, { password_hash: null });
    } else {
      await database.update(Employee, { employee_number: person.employee_number }, { status: 'Inactive' });
    }
    await ask(app, person.email);
    await backgroundDone(app.app);
    t.deepEqual(await mailsTo(app, person.email), []);
  });
}

test.serial('List your sessions', async (t) => {
  const { app } = await start();
  const employee = await seedEmployee(app);
  const { token } = await signIn(app, employee);
  await signIn(app, employee);
  const { status, body } = await app.request('GET', '/helpdesk/api/v1/auth/sessions', { token });
  t.is(status, 200);
  t.is(body.sessions.length, 2);
  t.deepEqual(body.sessions[1], {
    session_id: body.sessions[1].session_id,
    ip_address: '127.0.0.1',
    created_at: '2026-03-02T09:00:00Z',
    last_used_at: '2026-03-02T09:00:00Z',
    expires_at: '2026-04-01T09:00:00Z',
    current: true,
  });
  t.is((await app.request('GET', '/helpdesk/api/v1/auth/sessions')).status, 401);
});

test.serial('End one of your sessions', async (t) => {
  const { app } = await start();
  const { company_number } = await seedCompany(app);
  const employee = await seedEmployee(app, { company_number });
  const one = await signIn(app, employee);
  const two = await signIn(app, employee);
  const stranger = await signIn(app, await seedEmployee(app, { company_number }));
  const sessions = '/helpdesk/api/v1/auth/sessions';
  const { body } = await app.request('GET', sessions, { token: one.token });
  const at = `${sessions}/${body.sessions[0].session_id}`;
  t.is((await app.request('DELETE', at, { token: stranger.token })).status, 404);
  t.is((await app.request('DELETE', at, { token: one.token })).status, 204);
  t.is((await app.request('GET', sessions, { token: two.token })).status, 401);
  t.is((await app.request('GET', sessions, { token: one.token })).status, 200);
  const refresh = { refresh_token: two.refresh_token };
  t.is((await app.request('POST', '/helpdesk/api/v1/auth/refresh', { body: refresh })).status, 401);
});

test.serial('End all your other sessions', async (t) => {
  const { app } = await start();
  const employee = await seedEmployee(app);
  const one = await signIn(app, employee);
  const two = await signIn(app, employee);
  const sessions = '/helpdesk/api/v1/auth/sessions';
  t.is((await app.request('DELETE', sessions, { token: one.token })).status, 204);
  t.is((await app.request('GET', sessions, { token: two.token })).status, 401);
  const refresh = { refresh_token: one.refresh_token };
  t.is((await app.request('POST', '/helpdesk/api/v1/auth/refresh', { body: refresh })).status, 200);
});
