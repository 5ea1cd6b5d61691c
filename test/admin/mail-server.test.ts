// The mail server set in the console: tested before it is stored, sealed, and used immediately.
import { sendMail } from '@keelson/core';
import { Mail } from '@keelson/core/system';
import { startApp, type TestApp, type TestOptions } from '@keelson/testing';
import test, { type ExecutionContext } from 'ava';
import { StoredSetting } from '../../core/plugin/setting/settings.ts';
import { TechnicianInvitation } from '../../modules/accounts/mail-templates.ts';
import { ActivityLine } from '../../packages/log/activity.ts';
import { boundless } from '../_boundless.ts';
import { startMailServer } from '../_mail-server.ts';
import { seedTechnician, signInOnPage } from '../accounts-seed.ts';

const path = '/admin/api/v1/settings/mail-server.php';
const headers = { 'Sec-Fetch-Site': 'same-origin' };

async function start(t: ExecutionContext, options: TestOptions = {}) {
  const app = await startApp(t, { limiter: boundless, ...options });
  const boss = await seedTechnician(app, 'administrator');
  const cookie = await signInOnPage(app, boss);
  const send = (method: string, to = path, body?: unknown) => app.request(method, to, { cookie, headers, body });
  return { app, boss, send };
}

/** Queues a mail. */
async function causeMail(app: TestApp): Promise<void> {
  const to = { name: 'Ada', address: 'ada@acme.example' };
  const data = { invited_by: 'Bob', link: 'https://desk.acme.example', valid_until: 'tomorrow' };
  await app.run(async (ctx) => sendMail(ctx, TechnicianInvitation, { to, data }));
}

const given = (url: string, more: object = {}) => ({
  host: '127.0.0.1',
  port: Number(new URL(url).port),
  security: 'starttls',
  username: 'desk',
  password: 'hush hush',
  from_address: 'desk@acme.example',
  from_name: 'Acme IT',
  ...more,
});

test('Read the mail server; Set the mail server; Remove the mail server', async (t) => {
  const server = await startMailServer(t, { user: 'desk', password: 'hush hush' });
  const { app, send } = await start(t);
  t.deepEqual((await send('GET')).body.data, {
    source: 'none',
    has_password: false,
    state: 'off',
    problem: 'No mail server is configured',
  });
  // Mails queued before the configuration wait for it.
  await causeMail(app);
  await app.app.outbox.drain();
  t.like(await app.app.database.findOneBy(Mail, {}), { state: 'held', error: 'No mail server is configured' });

  const answer = await send('PUT', path, given(server.url));
  t.is(answer.status, 200, answer.text);
  const { password, ...shown } = given(server.url);
  t.deepEqual(answer.body.data, { source: 'console', ...shown, has_password: true, state: 'ok', problem: null });
  t.is((await app.request('GET', '/ready')).body.mail, 'ok');
  const stored = await app.app.database.findOneBy(StoredSetting, { name: 'mail.server' });
  t.false(JSON.stringify(stored).includes(password));
  const line = await app.app.database.findOneBy(ActivityLine, { entity_id: 'mail.server' });
  t.is(line?.description, 'Mail server set to 127.0.0.1');
  t.false(JSON.stringify(line).includes(password));

  await app.app.scheduler.runNow('core.release-mail');
  await app.app.outbox.drain();
  t.is(server.received.length, 1);
  t.is(server.received[0]?.header('from'), 'Acme IT <desk@acme.example>');

  t.is((await send('DELETE')).status, 204);
  t.is((await send('GET')).body.data.source, 'none');
  await causeMail(app);
  await app.app.outbox.drain();
  t.is(server.received.length, 1);
});

test('Set the mail server: stored only after a successful sign-in, and passwords are never sent elsewhere', async (t) => {
  const server = await startMailServer(t, { user: 'desk', password: 'hush hush' });
  const { send } = await start(t);
  const wrong = await send('PUT', path, given(server.url, { password: 'wrong' }));
  t.is(wrong.status, 400);
  t.regex(wrong.body.error, /^Could not connect to the mail server: .*Wrong password/);
  t.is((await send('GET')).body.data.source, 'none');
  await send('PUT', path, given(server.url));
  // Without a password, the stored one is kept, but only for the same server and user name.
  const { password: _, ...kept } = given(server.url, { from_name: '' });
  t.like((await send('PUT', path, kept)).body.data, { from_name: '', has_password: true });
  for (const more of [{ host: 'localhost' }, { username: 'other' }]) {
    const elsewhere = await send('PUT', path, { ...kept, ...more });
    t.deepEqual(
      [elsewhere.status, elsewhere.body.error],
      [400, 'password is required when the server or username changes'],
    );
  }
  for (const [more, error] of [
    [{ host: 'mail server' }, 'host must be a host name or IP address'],
    [{ port: 0 }, 'port must be between 1 and 65535'],
    [{ security: 'none' }, 'security must be one of: tls, starttls'],
    [{ from_address: 'desk' }, 'from_address must be an email address'],
  ] as const)
    t.is((await send('PUT', path, given(server.url, more))).body.error, error);
  await server.stop();
  const gone = await send('PUT', path, given(server.url));
  t.regex(gone.body.error, /^Could not connect to the mail server: /);
  t.is((await send('GET')).body.data.source, 'console');
});

test('Send a test mail', async (t) => {
  const server = await startMailServer(t, { user: 'desk', password: 'hush hush' });
  const { send, boss } = await start(t);
  const mail = `${path}?action=test`;
  const to = boss.email;
  t.is(
    (await send('POST', mail, { to })).body.error,
    'Could not connect to the mail server: No mail server is configured',
  );
  await send('PUT', path, given(server.url));
  t.deepEqual((await send('POST', mail, { to })).body.data, { sent_to: to });
  t.deepEqual(server.received[0]?.to, [to]);
  server.refuse(550);
  const refused = await send('POST', mail, { to });
  t.is(refused.status, 400);
  t.regex(refused.body.error, /^Could not connect to the mail server: .*550/);
});

test('Set the mail server: SMTP_URL takes precedence and is reported', async (t) => {
  const server = await startMailServer(t);
  const { send } = await start(t, { config: { smtpUrl: server.url, mailFrom: 'Acme IT <desk@acme.example>' } });
  t.like((await send('GET')).body.data, {
    source: 'environment',
    host: '127.0.0.1',
    from_address: 'desk@acme.example',
    from_name: 'Acme IT',
    has_password: false,
  });
  const refused = 'The mail server is set by SMTP_URL in the environment: change it there';
  t.is((await send('PUT', path, given(server.url))).body.error, refused);
  t.is((await send('DELETE')).body.error, refused);
});

test('Set the mail server: administrators only', async (t) => {
  const { app } = await start(t);
  const cookie = await signInOnPage(app, await seedTechnician(app, 'technician'));
  const body = given('smtp://127.0.0.1:1');
  t.is((await app.request('PUT', path, { cookie, headers, body })).status, 403);
  t.is(
    (await app.request('POST', `${path}?action=test`, { cookie, headers, body: { to: 'a@b.example' } })).status,
    403,
  );
});
