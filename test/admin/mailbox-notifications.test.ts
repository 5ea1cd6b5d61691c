// Change notifications of Microsoft Graph: mail is received when Microsoft reports it, and subscriptions are kept up.
import { plus } from '@keelson/core';
import { MailboxMessage } from '@keelson/modules/mailbox';
import { openApp, testClock, type TestApp } from '@keelson/testing';
import anyTest from 'ava';
import { MailboxSubscription } from '../../modules/mailbox/entities.ts';
import { startGraph, type MailApi } from '../_mail-apis.ts';
import { client, startOAuthServer, type OAuthServer } from '../_oauth-server.ts';
import { seedEmployee } from '../accounts-seed.ts';
import { asKey } from '../tickets-seed.ts';

const test = anyTest.serial;
const HOST = 'https://desk.acme.example';

let app: TestApp;
let oauth: OAuthServer;
let graph: MailApi;
let send: Awaited<ReturnType<typeof asKey>>;
let mailbox_id: number;
const clock = testClock();

anyTest.before(async () => {
  oauth = await startOAuthServer();
  graph = await startGraph(
    (token) => oauth.holderOf(token),
    () => Date.parse(clock.now()),
  );
  const config = {
    baseUrl: HOST,
    mailMicrosoftLoginUrl: oauth.url,
    mailMicrosoftGraphUrl: graph.url,
    egressAllowCidrs: ['127.0.0.1/32'],
  };
  app = await openApp({ clock, config });
  clock.set(new Date().toISOString());
  send = await asKey(app, ['settings:read', 'settings:write', 'tickets:read', 'tickets:write']);
  graph.subscriptions.reach = async (url, type, body) => {
    if (!url.startsWith(`${HOST}/mailbox-notifications`)) throw new Error(`${url} is not ours`);
    const { status, headers, text } = await post(url.slice(HOST.length), body, { 'Content-Type': type });
    return { status, type: headers.get('content-type') ?? '', text };
  };
  const address = 'support@acme.example';
  const given = { name: 'Support', address, username: address, sign_in: 'microsoft', protocol: 'api', ...client };
  mailbox_id = (await send('POST', '/mailboxes.php', given)).body.data.mailbox_id;
});
anyTest.after.always(async () => {
  await app?.close();
  await graph?.stop();
  await oauth?.stop();
});

const post = (path: string, body: unknown, headers = {}) => app.request('POST', path, { body, headers });
/** Runs the job; a run of the same moment would be skipped. */
function keep() {
  clock.set(plus(clock.now(), { seconds: 1 }));
  return app.app.scheduler.runNow('mailbox.subscribe');
}
const show = async () => (await send('GET', `/mailboxes.php?id=${mailbox_id}`)).body.data;
const received = () => app.run((ctx) => ctx.db.countBy(MailboxMessage, { mailbox_id }));

async function signIn(): Promise<void> {
  const begun = await send('POST', `/mailboxes.php?action=sign-in&id=${mailbox_id}`);
  const back = await oauth.consent(begun.body.data.url, 'support@acme.example');
  const { status, body } = await send('POST', '/mailboxes.php?action=signed-in', Object.fromEntries(back.searchParams));
  if (status !== 200) throw new Error(body.error);
}

let made = 0;
async function deliver() {
  const { email } = await seedEmployee(app, { can_create_tickets: true });
  const lines = [`From: ${email}`, 'To: support@acme.example', `Message-ID: <push-${++made}@customer.example>`];
  return graph.deliver([...lines, `Subject: Printer ${made}`, '', 'It burns.', ''].join('\n'));
}

test('nothing is subscribed before someone has signed in', async (t) => {
  await keep();
  t.is(graph.subscriptions.current.length, 0);
  t.like(await show(), { notified_until: null, notification_error: null });
});

test('mail is received when Microsoft reports it, and several reports are one read', async (t) => {
  await signIn();
  await keep();
  await keep();
  t.is(graph.subscriptions.current.length, 1);
  const { notified_until } = await show();
  t.is(notified_until.slice(0, 19), graph.subscriptions.current[0]?.expirationDateTime.slice(0, 19));
  const first = await deliver();
  const second = await deliver();
  for (const each of [first, second])
    for (const { status } of await graph.subscriptions.notify(each)) t.is(status, 200);
  const before = graph.listed();
  await app.app.outbox.drain();
  t.is(await received(), 2);
  t.is(graph.listed() - before, 1);
  t.true(first.read);
  await graph.subscriptions.notify(await deliver());
  await app.app.outbox.drain();
  t.is(await received(), 3);
});

test('a notification without the secret changes nothing and is answered like a genuine one', async (t) => {
  const waiting = await deliver();
  const path = `/mailbox-notifications?id=${mailbox_id}`;
  const genuine = graph.subscriptions.current[0];
  const answers = [
    await post(path, { value: [{ subscriptionId: genuine?.id, clientState: 'guessed' }] }),
    await post(path, { value: [{ subscriptionId: genuine?.id }] }),
    await post(`/mailbox-notifications?id=${mailbox_id + 1}`, { value: [{ clientState: genuine?.clientState }] }),
    await post(path, {}),
  ];
  for (const { status, text } of answers) t.deepEqual([status, text], [200, '']);
  await app.app.outbox.drain();
  t.is(await received(), 3);
  await graph.subscriptions.notify(waiting);
  await app.app.outbox.drain();
  t.is(await received(), 4);
});

test('a subscription is renewed a day before it ends, and replaced if Microsoft has lost it', async (t) => {
  const { notified_until } = await show();
  clock.set(plus(clock.now(), { hours: 23 }));
  await keep();
  t.is((await show()).notified_until, notified_until);
  clock.set(plus(clock.now(), { hours: 2 }));
  await keep();
  const renewed = (await show()).notified_until;
  t.true(renewed > notified_until);
  t.is(graph.subscriptions.current.length, 1);
  graph.subscriptions.current.length = 0;
  clock.set(plus(clock.now(), { hours: 25 }));
  await keep();
  t.is(graph.subscriptions.current.length, 1);
  await graph.subscriptions.notify(await deliver());
  await app.app.outbox.drain();
  t.is(await received(), 5);
});

test('what Microsoft tells of a subscription renews it and reads what was missed', async (t) => {
  const { notified_until } = await show();
  await deliver();
  clock.set(plus(clock.now(), { minutes: 5 }));
  for (const event of ['reauthorizationRequired', 'missed']) await graph.subscriptions.tell(event);
  await app.app.outbox.drain();
  t.is(await received(), 6);
  await keep();
  t.true((await show()).notified_until > notified_until);
});

test('a refusal is shown at the mailbox, which is polled meanwhile, and Microsoft is asked again after an hour', async (t) => {
  graph.subscriptions.refused = true;
  graph.subscriptions.current.length = 0;
  clock.set(plus(clock.now(), { hours: 49 }));
  await keep();
  t.like(await show(), {
    notified_until: null,
    notification_error: 'The provider answers 403: Access is denied.',
    state: 'ok',
  });
  await deliver();
  await app.app.scheduler.runNow('mailbox.receive');
  t.is(await received(), 7);
  graph.subscriptions.refused = false;
  await keep();
  t.is(graph.subscriptions.current.length, 0);
  clock.set(plus(clock.now(), { minutes: 61 }));
  await keep();
  t.like(await show(), { notification_error: null });
  t.is(graph.subscriptions.current.length, 1);
});

test('a disabled mailbox is unsubscribed, and a removed one forgotten', async (t) => {
  await send('PUT', `/mailboxes.php?id=${mailbox_id}`, { active: false });
  await keep();
  t.is(graph.subscriptions.current.length, 0);
  t.like(await show(), { notified_until: null, notification_error: null });
  await send('PUT', `/mailboxes.php?id=${mailbox_id}`, { active: true });
  await keep();
  t.is(graph.subscriptions.current.length, 1);
  await send('DELETE', `/mailboxes.php?id=${mailbox_id}`);
  t.is(await app.run((ctx) => ctx.db.countBy(MailboxSubscription, { mailbox_id })), 0);
  await keep();
  t.deepEqual(
    (await graph.subscriptions.notify(graph.deliver('From: a@b.example\n\nHello\n'))).map(({ status }) => status),
    [200, 200],
  );
  await app.app.outbox.drain();
  t.is(await received(), 7);
});
