import { AsyncLocalStorage } from 'node:async_hooks';
import { tmpdir } from 'node:os';
import { definePlugin, mailTemplate, sendMail } from '@keelson/core';
import { Mail, retryMail } from '@keelson/core/system';
import { startApp, type TestApp, type TestOptions } from '@keelson/testing';
import test from 'ava';
import type { ExecutionContext } from 'ava';
import { readConfig } from '../../config/config.ts';
import { faultsOf } from '../../core/plugin/load/check.ts';
import { loadInstallation } from '../../core/plugin/load/load.ts';
import { createApp } from '../../core/process/create-app.ts';
import { plus, systemClock } from '../../packages/kit/time.ts';
import { createLogger } from '../../packages/log/log.ts';
import { memoryLimiter } from '../../packages/security/limit.ts';
import { openVault } from '../../packages/security/vault.ts';
import { makeFolder } from '../_folder.ts';
import { startMailServer, words } from '../_mail-server.ts';
import { makeDatabase } from '../faults/_place.ts';

const Door = mailTemplate('bell_door', {
  name: 'Somebody is at the door',
  subject: 'Door {{ door }}: {{ visitor }}',
  body: 'Hello {{ recipient_name }},\n\n{{ visitor }} is at door {{ door }}.\nSee {{ base_url }}/doors',
  variables: ['door', 'visitor'],
});
const bell = definePlugin({ id: 'bell', title: 'Bell', mailTemplates: [Door] });
const anna = { name: 'Anna Ångström', address: 'anna@example.com' };
const mailFrom = 'desk@acme.example';

const start = (t: ExecutionContext, url: string | undefined, more: TestOptions = {}) =>
  startApp(t, { plugins: [bell], ...more, config: { smtpUrl: url, mailFrom, dataDir: tmpdir(), ...more.config } });
const ring = ({ run }: TestApp, visitor = 'Bob', to = anna) =>
  run(async (ctx) => sendMail(ctx, Door, { to, data: { door: 7, visitor } }));
const mailOf = ({ app }: TestApp, mail_id: string) => app.database.findOneBy(Mail, { mail_id });
const wait = (test: TestApp, span: Parameters<typeof plus>[1]) => test.clock.set(plus(test.clock.now(), span));
const release = ({ app }: TestApp) => app.scheduler.runNow('core.release-mail');

test('a mail is sent after the commit, as text and HTML, with its sender', async (t) => {
  const server = await startMailServer(t);
  const app = await start(t, server.url, { config: { tenantName: 'Acme IT', baseUrl: 'https://desk.acme.example' } });
  const mail_id = await ring(app, 'Bob & <b>Bill</b>');
  t.is(server.received.length, 0);
  await app.app.outbox.drain();
  const [mail] = server.received;
  t.is(mail?.from, mailFrom);
  t.deepEqual(mail?.to, ['anna@example.com']);
  t.is(mail?.header('from'), 'Acme IT <desk@acme.example>');
  t.is(words(mail?.header('to')), 'Anna Ångström <anna@example.com>');
  t.is(mail?.header('subject'), 'Door 7: Bob & <b>Bill</b>');
  t.is(mail?.header('message-id'), `<${mail_id}@acme.example>`);
  t.is(mail?.header('auto-submitted'), 'auto-generated');
  t.is(
    mail?.parts['text/plain']?.trim(),
    'Hello Anna Ångström,\n\nBob & <b>Bill</b> is at door 7.\nSee https://desk.acme.example/doors',
  );
  const html = mail?.parts['text/html'] ?? '';
  t.regex(
    html,
    /Bob &amp; &lt;b&gt;Bill&lt;\/b&gt; is at door 7\.<br \/>See <a href="https:\/\/desk\.acme\.example\/doors"/,
  );
  t.notRegex(html, /<b>/);
  t.like(await mailOf(app, mail_id), { state: 'sent', sent_at: app.clock.now(), data: null, error: null });
});

test('a rolled-back transaction sends nothing, and mails cannot be queued outside one', async (t) => {
  const server = await startMailServer(t);
  const app = await start(t, server.url);
  const failing = app.run(async (ctx) => {
    sendMail(ctx, Door, { to: anna, data: { door: 1, visitor: 'Bob' } });
    throw new Error('no');
  });
  await t.throwsAsync(failing, { message: 'no' });
  await app.app.outbox.drain();
  t.is(server.received.length, 0);
  t.is(await app.app.database.count(Mail), 0);
  const outside = () => sendMail(app.app.system(), Door, { to: anna, data: { door: 1, visitor: 'Bob' } });
  t.throws(outside, { message: /outside a transaction/ });
});

test('queued mail content is encrypted', async (t) => {
  const app = await start(t, undefined);
  const mail = await mailOf(app, await ring(app, 'a secret visitor'));
  t.regex(mail?.data ?? '', /^v1\./);
});

test('a temporarily rejected mail is retried with backoff', async (t) => {
  const server = await startMailServer(t);
  const app = await start(t, server.url);
  server.refuse(451);
  const mail_id = await ring(app);
  await app.app.outbox.drain();
  t.like(await mailOf(app, mail_id), { state: 'waiting', error: 'Message failed: 451 No' });
  server.refuse(undefined);
  wait(app, { seconds: 30 });
  await app.app.outbox.drain();
  t.is(server.received.length, 0, 'not before a minute − 20 %');
  wait(app, { seconds: 45 });
  await app.app.outbox.drain();
  t.is(server.received.length, 1);
  t.like(await mailOf(app, mail_id), { state: 'sent', error: null });
});

test('a repeatedly rejected mail is parked, and an administrator can resend it', async (t) => {
  const server = await startMailServer(t);
  const app = await start(t, server.url);
  app.expectError(/451 No.*was parked/);
  server.refuse(451);
  const mail_id = await ring(app);
  for (let i = 0; i < 9; i++) {
    await app.app.outbox.drain();
    wait(app, { hours: 30 });
  }
  t.like(await mailOf(app, mail_id), { state: 'failed', error: 'Message failed: 451 No' });
  server.refuse(undefined);
  t.true(await app.run((ctx) => retryMail(ctx, mail_id)));
  t.false(await app.run((ctx) => retryMail(ctx, mail_id)), 'it is on its way already');
  await app.app.outbox.drain();
  t.is(server.received.length, 1);
});

/** Steps of the time limits that a test has started, of mails only. Other tests run at the same time. */
const started = new AsyncLocalStorage<(() => void)[]>();
const MAIL_STEP_MS = 2800;

test.serial('a mail that is never sent in time fails after its last attempt, and can be resent', async (t) => {
  const { setInterval } = globalThis;
  t.teardown(() => Object.assign(globalThis, { setInterval }));
  const noted = (work: () => void, ms: number) => {
    if (ms === MAIL_STEP_MS) started.getStore()?.push(work);
    return setInterval(work, ms);
  };
  Object.assign(globalThis, { setInterval: noted });
  const steps: (() => void)[] = [];
  await started.run(steps, () => failsInTime(t, steps));
});

async function failsInTime(t: ExecutionContext, steps: readonly (() => void)[]): Promise<void> {
  const server = await startMailServer(t);
  const app = await start(t, server.url);
  const { deliver } = app.app.mail;
  // The time limit passes once the mail is being sent, and not before.
  const never = () => {
    for (let i = 0; i < 10; i++) steps.at(-1)?.();
    return new Promise(() => {});
  };
  Object.assign(app.app.mail, { deliver: never });
  app.expectError(/took too long.*was parked/);
  const mail_id = await ring(app);
  await app.app.outbox.drain();
  t.like(await mailOf(app, mail_id), { state: 'waiting', error: 'Sending took too long' });
  for (let i = 0; i < 9; i++) {
    wait(app, { hours: 30 });
    await app.app.outbox.drain();
  }
  t.like(await mailOf(app, mail_id), { state: 'failed', error: 'Sending took too long' });
  t.deepEqual(await app.app.outbox.waiting(), { pending: 0, parked: 0 });
  Object.assign(app.app.mail, { deliver });
  t.true(await app.run((ctx) => retryMail(ctx, mail_id)));
  await app.app.outbox.drain();
  t.is(server.received.length, 1);
}

test('a permanently rejected mail is parked at once', async (t) => {
  const server = await startMailServer(t);
  const app = await start(t, server.url);
  app.expectError(/550 No.*was parked/);
  server.refuse(550);
  const mail_id = await ring(app);
  await app.app.outbox.drain();
  t.like(await mailOf(app, mail_id), { state: 'failed', error: 'Message failed: 550 No' });
  t.deepEqual(await app.app.outbox.waiting(), { pending: 0, parked: 0 });
});

test('a mail whose sender is refused is sent once the server accepts its sender', async (t) => {
  const server = await startMailServer(t);
  const app = await start(t, server.url);
  server.refuseSender(530);
  const mail_id = await ring(app);
  await app.app.outbox.drain();
  t.like(await mailOf(app, mail_id), { state: 'waiting', error: 'Mail command failed: 530 Not this sender' });
  server.refuseSender(undefined);
  wait(app, { seconds: 75 });
  await app.app.outbox.drain();
  t.like(await mailOf(app, mail_id), { state: 'sent', error: null });
});

test('while the server is down mails stay queued and are sent when it is back', async (t) => {
  const server = await startMailServer(t);
  const app = await start(t, server.url);
  await server.stop();
  const ids = [await ring(app), await ring(app)];
  await app.app.outbox.drain();
  for (const each of ids) t.is((await mailOf(app, each))?.state, 'held');
  t.is((await app.request('GET', '/ready')).body.mail, 'failing');
  t.is((await app.request('GET', '/ready')).status, 200);
  await release(app);
  t.is((await mailOf(app, ids[0] ?? ''))?.state, 'held');
  wait(app, { days: 2 });
  await server.start();
  await release(app);
  await app.app.outbox.drain();
  t.is(server.received.length, 2);
  t.is((await app.request('GET', '/ready')).body.mail, 'ok');
});

test('mail queued for a week is no longer sent automatically', async (t) => {
  const server = await startMailServer(t);
  const app = await start(t, server.url);
  await server.stop();
  const old = await ring(app);
  await app.app.outbox.drain();
  wait(app, { days: 8 });
  await server.start();
  await release(app);
  await app.app.outbox.drain();
  t.is(server.received.length, 0);
  t.like(await mailOf(app, old), { state: 'failed', error: 'No mail server for more than 7 days' });
});

test('without a server mails are queued and held, and readiness reports it', async (t) => {
  const app = await start(t, undefined);
  const mail_id = await ring(app);
  await app.app.outbox.drain();
  await release(app);
  t.like(await mailOf(app, mail_id), { state: 'held', error: 'No mail server is configured' });
  const ready = await app.request('GET', '/ready');
  t.is(ready.status, 200);
  t.is(ready.body.mail, 'off');
});

test('it signs in if required, and a wrong password only delays mails', async (t) => {
  const server = await startMailServer(t, { user: 'keelson', password: 'p%40ss' });
  const app = await start(t, server.url.replace('p%40ss', 'p%2540ss'));
  await ring(app);
  await app.app.outbox.drain();
  t.is(server.received.length, 1);
  const wrong = await start(t, server.url.replace('p%40ss', 'wrong'));
  const mail_id = await ring(wrong);
  await wrong.app.outbox.drain();
  t.like(await mailOf(wrong, mail_id), { state: 'held' });
});

const attacks = [
  'Bob\r\nBcc: victim@example.com',
  'Bob\nX-Evil: 1\n\n<script>alert(1)</script>',
  'Bob\u2028Bcc: victim@example.com',
  '"><img src=x onerror=alert(1)>',
  '{{ 7919 | times: 7919 }}{% include "/etc/passwd" %}',
  '\u202egnp.exe =?UTF-8?Q?=0D=0ABcc:_victim@example.com?=',
  'Ünï <victim@example.com>, other',
];

test('hostile names and subjects stay names and subjects', async (t) => {
  const server = await startMailServer(t);
  const app = await start(t, server.url);
  for (const text of attacks) await ring(app, text, { name: text, address: 'anna@example.com' });
  await app.app.outbox.drain();
  t.is(server.received.length, attacks.length);
  for (const mail of server.received) {
    t.deepEqual(mail.to, ['anna@example.com']);
    t.is(mail.header('bcc'), undefined);
    t.is(mail.header('x-evil'), undefined);
    t.is(mail.header('cc'), undefined);
    t.notRegex(mail.parts['text/html'] ?? '', /<script|<img|passwd">|href="(?!http)/);
    t.notRegex(mail.raw, /root:|62710561/);
  }
});

test('an invalid address is rejected, and no one else gets the mail', async (t) => {
  const server = await startMailServer(t);
  const app = await start(t, server.url);
  app.expectError(/could not be delivered and was parked/);
  const addresses = ['a@b.example>\r\nRCPT TO:<victim@example.com', 'not an address', 'a@b.example, c@d.example', ''];
  for (const address of addresses) {
    const mail_id = await ring(app, 'Bob', { name: 'x', address });
    await app.app.outbox.drain();
    t.is((await mailOf(app, mail_id))?.state, 'failed', address);
  }
  t.deepEqual(server.received, []);
});

test('start-up validates templates', (t) => {
  const wrong = mailTemplate('bell_wrong', {
    name: 'Wrong',
    subject: '{{ a',
    body: '{{ stranger }}',
    variables: ['a'],
  });
  const foreign = mailTemplate('door', { name: 'x', subject: 'x', body: 'x', variables: [] });
  const faults = faultsOf([
    { plugin: definePlugin({ id: 'bell', title: 'Bell', mailTemplates: [wrong, foreign] }), source: 'plugin' },
  ]).map((each) => each.message);
  t.is(faults.length, 3);
  t.regex(faults[0] ?? '', /^mail template bell_wrong: output "\{\{ a" not closed/);
  t.is(faults[1], 'mail template bell_wrong uses stranger, which is not one of its variables');
  t.is(faults[2], 'mail template door must start with bell_');
});

test('two processes send each mail once', async (t) => {
  const server = await startMailServer(t);
  const dataDir = makeFolder(t);
  const at = process.env['TEST_DATABASE_URL'];
  const database = at ? { DATABASE_URL: await makeDatabase(t, at) } : {};
  const vault = openVault(Buffer.from('0123456789abcdef0123456789ABCDEF'));
  const loaded = await loadInstallation('plugins');
  const installation = { ...loaded, loaded: [...loaded.loaded, { plugin: bell, source: 'plugin' as const }] };
  const open = () =>
    createApp({
      config: readConfig({ DATA_DIR: dataDir, SMTP_URL: server.url, MAIL_FROM: mailFrom, ...database }),
      installation,
      clock: systemClock,
      log: createLogger({ level: 'silent' }),
      vault,
      limiter: memoryLimiter(),
    });
  const one = await open();
  const two = await open();
  t.teardown(async () => {
    await one.close();
    await two.close();
  });
  await one.system().transaction(async (ctx) => {
    for (let i = 0; i < 60; i++) sendMail(ctx, Door, { to: anna, data: { door: i, visitor: 'Bob' } });
  });
  await Promise.all([one.outbox.drain(), two.outbox.drain()]);
  t.is(await one.database.countBy(Mail, { state: 'sent' }), 60);
  t.is(server.received.length, 60);
  t.is(new Set(server.received.map((each) => each.header('message-id'))).size, 60);
});
