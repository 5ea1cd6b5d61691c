// Mailboxes that people sign in to with Microsoft or Google: consent, token refresh and expiry, and receiving and
// sending, on a real IMAP server.
import { plus } from '@keelson/core';
import { MailboxMessage } from '@keelson/modules/mailbox';
import { Mailbox } from '@keelson/modules/mailbox';
import { openApp, testClock, type TestApp } from '@keelson/testing';
import anyTest from 'ava';
import { MailboxToken } from '../../modules/mailbox/entities.ts';
import { accessTokenOf, checkSignIns, refreshAhead } from '../../modules/mailbox/servers/tokens.ts';
import { hasDovecot, startDovecot, type Dovecot } from '../_dovecot.ts';
import { startMailServer, type MailServer } from '../_mail-server.ts';
import { client, startOAuthServer, type OAuthServer } from '../_oauth-server.ts';
import { seedEmployee } from '../accounts-seed.ts';
import { asKey } from '../tickets-seed.ts';

const test = hasDovecot ? anyTest.serial : anyTest.serial.skip;

let app: TestApp;
let dovecot: Dovecot;
let oauth: OAuthServer;
let smtp: MailServer;
let send: Awaited<ReturnType<typeof asKey>>;
let mailbox_id: number;
const clock = testClock();
const teardowns: (() => Promise<void>)[] = [];

if (hasDovecot) {
  anyTest.before(async () => {
    oauth = await startOAuthServer();
    dovecot = await startDovecot({ introspectionUrl: `${oauth.url}/introspect` });
    const accepts = (user: string, token: string) => user === 'support' && oauth.holderOf(token)?.email === user;
    smtp = await startMailServer({ teardown: (work) => void teardowns.push(work) }, { accepts });
    const urls = { mailMicrosoftLoginUrl: oauth.url, mailGoogleLoginUrl: oauth.url, mailGoogleTokenUrl: oauth.url };
    app = await openApp({ clock, config: urls });
    clock.set(new Date().toISOString());
    send = await asKey(app, ['settings:read', 'settings:write', 'tickets:read', 'tickets:write']);
    const { status, body } = await send('POST', '/mailboxes.php', fields());
    if (status !== 201) throw new Error(JSON.stringify(body));
    mailbox_id = body.data.mailbox_id as number;
  });
  anyTest.after.always(async () => {
    await app?.close();
    for (const each of teardowns) await each();
    await dovecot?.stop();
    await oauth?.stop();
  });
}

const fields = () => ({
  name: 'Support',
  address: 'support@acme.example',
  host: '127.0.0.1',
  port: dovecot.port,
  security: 'none',
  username: 'support',
  sign_in: 'microsoft',
  ...client,
  outgoing: 'smtp',
  smtp_host: '127.0.0.1',
  smtp_port: Number(new URL(smtp.url).port),
});

const stateOf = async () => (await send('GET', `/mailboxes.php?id=${mailbox_id}`)).body.data;
const boxOf = () => app.run(async (ctx) => (await ctx.db.findOneBy(Mailbox, { mailbox_id })) as Mailbox);
const tokenOf = () => app.run((ctx) => ctx.db.findOneBy(MailboxToken, { mailbox_id }));
const read = () => send('POST', `/mailboxes.php?action=receive&id=${mailbox_id}`);

/** Signs in as a person does: follows the link, consents, and returns with a code. */
async function signIn(email = 'support') {
  const begun = await send('POST', `/mailboxes.php?action=sign-in&id=${mailbox_id}`);
  const back = await oauth.consent(begun.body.data.url, email);
  return Object.fromEntries(back.searchParams);
}

let made = 0;

async function receive(from: string): Promise<MailboxMessage | null> {
  const message_id = `<signed-in-${++made}@customer.example>`;
  await dovecot.deliver(
    [
      `From: ${from}`,
      'To: support@acme.example',
      `Message-ID: ${message_id}`,
      'Subject: Printer',
      '',
      'It burns.',
    ].join('\n'),
  );
  await read();
  await app.app.outbox.drain();
  return app.run((ctx) => ctx.db.findOneBy(MailboxMessage, { message_id }));
}

test('signing in by link uses PKCE, a single-use state, and never reveals secrets', async (t) => {
  t.is((await stateOf()).state, 'signed_out');
  const { redirect_uri } = (await send('GET', '/mailboxes.php?action=sign-in')).body.data;
  t.is(redirect_uri, 'http://127.0.0.1:3000/admin/mailboxes/signed-in');
  const begun = await send('POST', `/mailboxes.php?action=sign-in&id=${mailbox_id}`);
  const asked = new URL(begun.body.data.url);
  t.is(asked.pathname, `/${client.tenant}/oauth2/v2.0/authorize`);
  t.is(asked.searchParams.get('redirect_uri'), redirect_uri);
  t.regex(asked.searchParams.get('scope') ?? '', /offline_access .*IMAP\.AccessAsUser\.All .*SMTP\.Send/);
  const back = await oauth.consent(asked.href, 'support');
  const reply = Object.fromEntries(back.searchParams);
  const stranger = await asKey(app, ['settings:read', 'settings:write']);
  const finish = '/mailboxes.php?action=signed-in';
  const expired = 'The sign-in has expired or belongs to someone else: start again from the mailbox’s page';
  t.is((await stranger('POST', finish, reply)).body.error, expired);
  t.is((await send('POST', finish, reply)).body.error, expired, 'whoever else tries it ends it');
  const again = await send('POST', finish, await signIn());
  t.is(again.status, 200, JSON.stringify(again.body));
  const shown = JSON.stringify([again.body, await stateOf()]);
  t.false(/access-|refresh-/.test(shown) || shown.includes(client.client_secret));
  t.like(await stateOf(), { has_client_secret: true, state: 'new' });
  const stored = JSON.stringify(await app.run((ctx) => ctx.db.find(MailboxToken)));
  t.false(/access-|refresh-/.test(stored), 'tokens are sealed');
  const wrong = await send('POST', finish, { ...(await signIn()), code: 'code-forged' });
  t.is(wrong.body.error, 'Sign in again: The code is not valid.');
});

test('mails are received and sent with the token, which is refreshed when the server rejects it', async (t) => {
  const person = await seedEmployee(app, { can_create_tickets: true });
  t.is((await receive(person.email))?.state, 'ticket');
  t.is(smtp.received.at(-1)?.header('from'), 'Keelson <support@acme.example>');
  oauth.expireAccess();
  const before = oauth.refreshes();
  t.is((await receive(person.email))?.state, 'ticket');
  t.is(oauth.refreshes(), before + 1);
  t.is((await stateOf()).state, 'ok');
});

test('a token is refreshed before it expires, by one process', async (t) => {
  const before = oauth.refreshes();
  clock.set(plus(clock.now(), { minutes: 52 }));
  await refreshAhead(app.app.system());
  t.is(oauth.refreshes(), before + 1);
  await refreshAhead(app.app.system());
  t.is(oauth.refreshes(), before + 1);
  clock.set(plus(clock.now(), { minutes: 70 }));
  const box = await boxOf();
  const tokens = await Promise.all([1, 2, 3].map(() => accessTokenOf(app.app.system(), box)));
  await refreshAhead(app.app.system());
  t.is(new Set(tokens).size, 1);
  t.is(oauth.refreshes(), before + 2);
});

test('the token is retried while the provider does not respond, and its expiry is reported', async (t) => {
  clock.set(plus(clock.now(), { minutes: 70 }));
  oauth.failing = 503;
  await t.throwsAsync(accessTokenOf(app.app.system(), await boxOf()), { message: /^The provider/ });
  oauth.failing = undefined;
  t.truthy(await accessTokenOf(app.app.system(), await boxOf()));
  await checkSignIns(app.app.system());
  oauth.revoke();
  await read();
  const { state, last_error } = await stateOf();
  t.like(
    { state, last_error },
    { state: 'signed_out', last_error: 'Sign in again: AADSTS70008: The refresh token has expired.' },
  );
  t.is((await tokenOf())?.refresh_token, null);
  await t.throwsAsync(checkSignIns(app.app.system()), {
    message:
      'The sign-in to the mailbox support@acme.example has ended: Sign in again: AADSTS70008: The refresh token has expired.',
  });
  t.is((await send('POST', '/mailboxes.php?action=signed-in', await signIn())).status, 200);
  t.is((await stateOf()).last_error, null);
});

test('a token is not sent to another server: changing the server requires signing in again', async (t) => {
  const path = `/mailboxes.php?id=${mailbox_id}`;
  t.is((await send('PUT', path, { name: 'Help' })).body.data.state, 'ok');
  t.is((await send('PUT', path, { smtp_host: 'localhost' })).body.data.state, 'signed_out');
  t.is(await tokenOf(), null);
  await t.throwsAsync(checkSignIns(app.app.system()), {
    message: 'Nobody is signed in to the mailbox support@acme.example: sign in again',
  });
  // On another server nothing is received twice, and nothing is missed.
  const person = await seedEmployee(app, { can_create_tickets: true });
  const count = () => app.run((ctx) => ctx.db.countBy(MailboxMessage, { mailbox_id }));
  const before = await count();
  await send('PUT', path, { smtp_host: '127.0.0.1', host: 'localhost' });
  await receive(person.email);
  t.is(await count(), before);
  t.is((await send('POST', '/mailboxes.php?action=signed-in', await signIn())).status, 200);
  t.is((await receive(person.email))?.state, 'ticket');
  t.is(await count(), before + 2);
  t.is(
    (await send('PUT', path, { client_id: 'other' })).body.error,
    'client_secret is required for another application',
  );
});
