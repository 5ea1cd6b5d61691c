// Mailboxes over Microsoft Graph and the Gmail API: each mail is received once, whatever expires or is reported twice,
// and replies are sent.
import { plus } from '@keelson/core';
import { Mail } from '@keelson/core/system';
import { MailboxMessage } from '@keelson/modules/mailbox';
import { openApp, testClock, type TestApp } from '@keelson/testing';
import anyTest from 'ava';
import { MailboxConsent, MailboxToken } from '../../modules/mailbox/entities.ts';
import { startGmail, startGraph, type MailApi } from '../_mail-apis.ts';
import { client, startOAuthServer, type OAuthServer } from '../_oauth-server.ts';
import { seedEmployee } from '../accounts-seed.ts';
import { asKey } from '../tickets-seed.ts';

const test = anyTest.serial;

let app: TestApp;
let oauth: OAuthServer;
let send: Awaited<ReturnType<typeof asKey>>;
const clock = testClock();
const apis: Partial<Record<'microsoft' | 'google', MailApi>> = {};

anyTest.before(async () => {
  oauth = await startOAuthServer();
  apis.microsoft = await startGraph((token) => oauth.holderOf(token));
  apis.google = await startGmail((token) => oauth.holderOf(token));
  const config = {
    mailMicrosoftLoginUrl: oauth.url,
    mailGoogleLoginUrl: oauth.url,
    mailGoogleTokenUrl: oauth.url,
    mailMicrosoftGraphUrl: apis.microsoft.url,
    mailGmailUrl: apis.google.url,
  };
  app = await openApp({ clock, config });
  clock.set(new Date().toISOString());
  send = await asKey(app, ['settings:read', 'settings:write', 'tickets:read', 'tickets:write']);
});
anyTest.after.always(async () => {
  await app?.close();
  for (const each of Object.values(apis)) await each.stop();
  await oauth?.stop();
});

let made = 0;

function mailOf(from: string): string {
  const lines = [`From: ${from}`, 'To: support@acme.example', `Message-ID: <api-${++made}@customer.example>`];
  return [...lines, `Subject: Printer ${made}`, '', 'It burns.', ''].join('\n');
}

for (const sign_in of ['microsoft', 'google'] as const)
  test(`${sign_in}: mails are received once and marked afterwards, and replies are sent`, async (t) => {
    const api = apis[sign_in] ?? t.fail();
    if (!api) return;
    const person = await seedEmployee(app, { can_create_tickets: true });
    clock.set(new Date().toISOString());
    const address = `${sign_in}@acme.example`;
    const given = { name: sign_in, address, username: address, sign_in, protocol: 'api', outgoing: 'smtp', ...client };
    const { status, body } = await send('POST', '/mailboxes.php', given);
    t.is(status, 201, JSON.stringify(body));
    const { mailbox_id } = body.data;
    const signIn = async (email: string) => {
      const begun = await send('POST', `/mailboxes.php?action=sign-in&id=${mailbox_id}`);
      const back = await oauth.consent(begun.body.data.url, email);
      return send('POST', '/mailboxes.php?action=signed-in', Object.fromEntries(back.searchParams));
    };
    const stateOf = async () => (await send('GET', `/mailboxes.php?id=${mailbox_id}`)).body.data.state;
    if (sign_in === 'google') {
      t.is(
        (await signIn('boss@acme.example')).body.error,
        `You signed in as boss@acme.example, not as ${address}: sign in as the user of the mailbox`,
      );
      t.is(await stateOf(), 'signed_out');
    }
    const finished = await signIn(address);
    t.is(finished.status, 200, JSON.stringify(finished.body));
    const read = async () => (await send('POST', `/mailboxes.php?action=receive&id=${mailbox_id}`)).body.data;
    const received = () =>
      app.run((ctx) => ctx.db.find(MailboxMessage, { where: { mailbox_id }, order: { received_id: 'ASC' } }));

    const people = [person];
    for (let n = 1; n < 5; n++) people.push(await seedEmployee(app, { can_create_tickets: true }));
    const first = people.map(({ email }) => api.deliver(mailOf(email)));
    t.like(await read(), { state: 'ok', last_error: null });
    await app.app.outbox.drain();
    t.deepEqual(
      (await received()).map((each) => [each.subject, each.state]),
      first.map((each) => [/Subject: (.*)\r/.exec(each.raw)?.[1], 'ticket']),
    );
    t.true(first.every((each) => each.read));
    t.is(api.fetched(), 5, 'what is notified twice is fetched once');
    const [sent = ''] = api.sent;
    t.regex(sent, new RegExp(`From: Keelson <${address}>`));
    t.is(api.sent.length, 5);

    // An access token revoked before it expires.
    oauth.expireAccess();
    api.deliver(mailOf(person.email));
    t.like(await read(), { state: 'ok' });
    t.is((await received()).length, 6);

    // An expired position: everything is listed again, and nothing is received twice.
    api.expirePositions();
    api.deliver(mailOf(person.email));
    t.like(await read(), { state: 'ok', last_error: null });
    t.is((await received()).length, 7);
    t.is(api.fetched(), 7);

    // A pause requested by the provider is respected, and mails wait.
    api.throttle(120);
    api.deliver(mailOf(person.email));
    await read();
    await read();
    t.is(api.impatient(), 1);
    t.is((await received()).length, 7);
    clock.set(plus(clock.now(), { seconds: 121 }));
    await app.app.outbox.drain();
    api.throttle(undefined);
    t.like(await read(), { state: 'ok' });
    t.is((await received()).length, 8);
    await app.app.outbox.drain();
    clock.set(plus(clock.now(), { minutes: 1 }));
    await app.app.scheduler.runNow('core.release-mail');
    await app.app.outbox.drain();
    t.is(await app.run((ctx) => ctx.db.countBy(Mail, { state: 'held', sender: `mailbox ${mailbox_id}` })), 0);
    t.true((await received()).every((each) => each.state === 'ticket'));

    // Sending respects it too, and so does reading afterwards.
    const another = await seedEmployee(app, { can_create_tickets: true });
    api.deliver(mailOf(another.email));
    t.like(await read(), { state: 'ok' });
    api.throttle(120);
    const impatient = api.impatient();
    const sentBefore = api.sent.length;
    await app.app.outbox.drain();
    await read();
    clock.set(plus(clock.now(), { minutes: 1 }));
    await app.app.scheduler.runNow('core.release-mail');
    t.is(api.impatient(), impatient + 1);
    t.is(await app.run((ctx) => ctx.db.countBy(Mail, { state: 'held', sender: `mailbox ${mailbox_id}` })), 1);
    api.throttle(undefined);
    clock.set(plus(clock.now(), { seconds: 61 }));
    await app.app.scheduler.runNow('core.release-mail');
    await app.app.outbox.drain();
    t.is(api.sent.length, sentBefore + 1);

    // The mail disappears between its notification and the fetch.
    const gone = api.deliver(mailOf(person.email));
    gone.gone = true;
    t.like(await read(), { state: 'ok' });
    t.is((await received()).length, 9);

    // A withheld mail does not delay the others, and is named in the error.
    const stuck = api.deliver(mailOf(person.email));
    api.deliver(mailOf(person.email));
    api.withhold(stuck, 500);
    for (const _ of [1, 2]) {
      const { state, last_error } = await read();
      t.is(state, 'failing');
      const name = sign_in === 'google' ? stuck.id : `“Printer ${made - 1}” of ${stuck.received}`;
      t.is(last_error, `The provider refused to deliver the mail ${name}: The provider answers 500`);
      t.is((await received()).length, 10);
    }
    api.withhold(stuck, 403);
    t.regex((await read()).last_error, /The provider answers 403: The content cannot be converted\.$/);
    api.withhold(stuck, undefined);
    t.like(await read(), { state: 'ok', last_error: null });
    t.is((await received()).length, 11);

    // A mail that someone moves in from another folder.
    const found = api.deliver(mailOf(person.email), 'spam');
    await read();
    t.is((await received()).length, 11);
    api.move(found);
    t.like(await read(), { state: 'ok' });
    t.is((await received()).length, 12);

    api.expirePositions();
    api.deliver(mailOf(person.email));
    t.like(await read(), { state: 'ok', last_error: null });
    t.is((await received()).length, 13);

    // A long pause counts as a failure.
    api.throttle(new Date(Date.parse(clock.now()) + 3_600_000).toUTCString());
    await read();
    t.is(await stateOf(), 'ok');
    clock.set(plus(clock.now(), { minutes: 16 }));
    t.like(await read(), {
      state: 'failing',
      last_error: 'The provider has been asking for a pause for more than 15 minutes',
    });
    api.throttle(undefined);
    clock.set(plus(clock.now(), { minutes: 50 }));
    t.is((await read()).state, 'ok');

    // The token is only sent to the provider, however replies are sent.
    await send('PUT', `/mailboxes.php?id=${mailbox_id}`, { outgoing: 'installation' });
    t.is(await stateOf(), 'ok');

    // A different account: its inbox is read since the last success, and nothing is received twice.
    const username = `second-${address}`;
    await send('PUT', `/mailboxes.php?id=${mailbox_id}`, { username });
    t.is(await stateOf(), 'signed_out');
    api.deliver(mailOf(person.email));
    t.is((await signIn(username)).status, 200);
    t.like(await read(), { state: 'ok', last_error: null });
    t.is((await received()).length, 14);
    api.deliver(mailOf(person.email));
    t.like(await read(), { state: 'ok', last_error: null });
    t.is((await received()).length, 15);

    // Replies find their tickets by the Message-IDs that mails were sent with.
    const before = await received();
    const tickets = before.slice(0, 5).map((each) => each.ticket_id);
    for (const [n, mail] of api.sent.slice(0, 5).entries()) {
      const id = /^message-id: (.*)\r$/im.exec(mail)?.[1];
      const to = /^to: .*?([\w.]+@[\w.]+)>?\r$/im.exec(mail)?.[1] ?? '';
      api.deliver(mailOf(to).replace(/^Subject: .*$/m, `Subject: Thanks ${n}\nIn-Reply-To: ${id}`));
    }
    await read();
    await app.app.outbox.drain();
    const replies = (await received()).slice(before.length);
    t.deepEqual(
      replies.map((each) => [each.state, tickets.includes(each.ticket_id)]),
      Array(5).fill(['comment', true]),
    );
    t.is(new Set(replies.map((each) => each.ticket_id)).size, 5);

    await send('POST', `/mailboxes.php?action=sign-in&id=${mailbox_id}`);
    await send('DELETE', `/mailboxes.php?id=${mailbox_id}`);
    t.is(await app.run((ctx) => ctx.db.countBy(MailboxToken, { mailbox_id })), 0);
    t.is(await app.run((ctx) => ctx.db.countBy(MailboxConsent, { mailbox_id })), 0);
  });
