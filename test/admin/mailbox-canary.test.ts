// Canaries: mails to a mailbox that come back, are deleted, and raise an alert when they do not.
import { plus } from '@keelson/core';
import { Mail } from '@keelson/core/system';
import { MailboxMessage } from '@keelson/modules/mailbox';
import { openApp, testClock, type TestApp } from '@keelson/testing';
import anyTest from 'ava';
import { checkCanaries, sendCanaries } from '../../modules/mailbox/mailboxes/canary.ts';
import { addMetrics } from '../../modules/mailbox/metrics.ts';
import { StoredEvent } from '../../packages/events/delivery/delivery.ts';
import { hasDovecot, startDovecot, type Dovecot } from '../_dovecot.ts';
import { startMailServer, type MailServer } from '../_mail-server.ts';
import { seedTechnician } from '../accounts-seed.ts';
import { asKey } from '../tickets-seed.ts';

const test = hasDovecot ? anyTest.serial : anyTest.serial.skip;

let app: TestApp;
let dovecot: Dovecot;
let ours: MailServer;
let send: Awaited<ReturnType<typeof asKey>>;
const clock = testClock();
const teardowns: (() => Promise<void>)[] = [];

if (hasDovecot) {
  anyTest.before(async () => {
    dovecot = await startDovecot();
    ours = await startMailServer({ teardown: (work) => void teardowns.push(work) });
    app = await openApp({ clock, config: { smtpUrl: ours.url, mailFrom: 'desk@acme.example', keepEvents: 'all' } });
    clock.set(new Date().toISOString());
    send = await asKey(app, ['settings:read', 'settings:write', 'tickets:read', 'tickets:write']);
  });
  anyTest.after.always(async () => {
    await app?.close();
    for (const each of teardowns) await each();
    await dovecot?.stop();
  });
}

test('a canary comes back, is deleted and becomes no ticket; a missing one raises an alert through every channel', async (t) => {
  const administrator = await seedTechnician(app, 'administrator');
  const given = {
    name: 'Support',
    host: '127.0.0.1',
    port: dovecot.port,
    security: 'none',
    username: dovecot.user,
    password: dovecot.password,
  };
  const other = (await send('POST', '/mailboxes.php', { ...given, address: 'help@acme.example' })).body.data.mailbox_id;
  const made = await send('POST', '/mailboxes.php', { ...given, address: 'support@acme.example', canary: true });
  const { mailbox_id } = made.body.data;
  const outside = app.app.system();
  const stateOf = async () => (await send('GET', `/mailboxes.php?id=${mailbox_id}`)).body.data;
  const read = () => send('POST', `/mailboxes.php?action=receive&id=${mailbox_id}`);
  const events = async (name: string) => app.run((ctx) => ctx.db.findBy(StoredEvent, { name }));

  await sendCanaries(outside);
  const [canary] = ours.received;
  t.deepEqual(canary?.to, ['support@acme.example']);
  clock.set(plus(clock.now(), { seconds: 42 }));
  await dovecot.deliver(canary?.raw ?? '');
  await read();
  t.like(await stateOf(), { lag_seconds: 42, late_since: null });
  t.deepEqual(await dovecot.flags(), [], 'it is removed on the server');
  t.is(await app.run((ctx) => ctx.db.countBy(MailboxMessage, { mailbox_id })), 0);

  // A forged header is an ordinary mail.
  await dovecot.deliver('From: x@y.example\nX-Keelson-Canary: v1.forged\nSubject: Forged\n\nHello');
  await read();
  t.is(await app.run((ctx) => ctx.db.countBy(MailboxMessage, { mailbox_id })), 1);

  clock.set(plus(clock.now(), { minutes: 10 }));
  await sendCanaries(outside);
  clock.set(plus(clock.now(), { minutes: 3 }));
  await checkCanaries(outside);
  t.is((await stateOf()).late_since, null);
  clock.set(plus(clock.now(), { minutes: 1, seconds: 1 }));
  await checkCanaries(outside);
  t.is((await stateOf()).late_since, null, 'it may only not have been read yet');
  await read();
  await checkCanaries(outside);
  await checkCanaries(outside);
  t.truthy((await stateOf()).late_since);
  t.is((await events('mailbox.late')).length, 1);
  addMetrics(app.app);
  const metrics = async (name: string) => {
    const page = (await app.app.metrics.page.text()).split('\n').filter((each) => each.startsWith(`${name}{`));
    return page.map((each) => /mailbox="([^"]*)"\} (.*)$/.exec(each)?.slice(1) ?? []);
  };
  const [[late = '', seconds = ''] = [], ...rest] = await metrics('keelson_mailbox_lag_seconds');
  t.deepEqual([late, rest], ['support@acme.example', []]);
  t.true(Number(seconds) >= 241);
  const successes = await metrics('keelson_mailbox_last_success_seconds');
  t.deepEqual(
    successes.map(([name]) => name),
    ['help@acme.example', 'support@acme.example'],
  );
  t.is(Number(successes[1]?.[1]), Date.parse((await stateOf()).last_success_at) / 1000);
  t.deepEqual(
    (await metrics('keelson_mailbox_failing')).map(([, value]) => value),
    ['0', '0'],
  );
  const mails = await app.run((ctx) => ctx.db.findBy(Mail, { template: 'mailbox_late' }));
  const toAdministrator = mails.filter((each) => each.recipient_address === administrator.email);
  t.deepEqual(
    toAdministrator.map((each) => each.sender),
    [`mailbox ${other}`],
  );

  await dovecot.deliver(
    ours.received.find((each) => each !== canary && each.to[0] === 'support@acme.example')?.raw ?? '',
  );
  await read();
  t.is((await stateOf()).late_since, null);
  t.is((await events('mailbox.recovered')).length, 1);

  // A canary that cannot be sent counts as missing too.
  await ours.stop();
  clock.set(plus(clock.now(), { minutes: 10 }));
  await sendCanaries(outside);
  clock.set(plus(clock.now(), { minutes: 5 }));
  await checkCanaries(outside);
  t.truthy((await stateOf()).late_since);

  // Disabling and re-enabling starts afresh.
  await send('PUT', `/mailboxes.php?id=${mailbox_id}`, { canary: false });
  await send('PUT', `/mailboxes.php?id=${mailbox_id}`, { canary: true });
  await read();
  await checkCanaries(outside);
  t.is((await stateOf()).late_since, null);
});
