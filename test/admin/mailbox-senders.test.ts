// Mailboxes as senders: the name and address that recipients see, the templates, and the server used.
import { plus } from '@keelson/core';
import { Mail } from '@keelson/core/system';
import { MailboxMessage } from '@keelson/modules/mailbox';
import { openApp, testClock, type TestApp } from '@keelson/testing';
import anyTest from 'ava';
import { hasDovecot, startDovecot, type Dovecot } from '../_dovecot.ts';
import { startMailServer, type MailServer } from '../_mail-server.ts';
import { seedEmployee, seedTechnician, signInOnPage } from '../accounts-seed.ts';
import { asKey, seedTicket, staff } from '../tickets-seed.ts';

const test = hasDovecot ? anyTest.serial : anyTest.serial.skip;

let app: TestApp;
let dovecot: Dovecot;
let ours: MailServer;
let own: MailServer;
let send: Awaited<ReturnType<typeof asKey>>;
const clock = testClock();
const teardowns: (() => Promise<void>)[] = [];
const t = { teardown: (work: () => Promise<void>) => void teardowns.push(work) };
const login = { user: 'brand', password: 'the brand’s password' };

if (hasDovecot) {
  anyTest.before(async (each) => {
    each.timeout(120_000);
    dovecot = await startDovecot();
    ours = await startMailServer(t);
    own = await startMailServer(t, login);
    app = await openApp({ clock, config: { smtpUrl: ours.url, mailFrom: 'Acme IT <desk@acme.example>' } });
    clock.set(new Date().toISOString());
    send = await asKey(app, ['settings:read', 'settings:write', 'tickets:read', 'tickets:write']);
  });
  anyTest.after.always(async () => {
    await app?.close();
    for (const each of teardowns) await each();
    await dovecot?.stop();
  });
}

const fields = () => ({
  name: 'Support',
  host: '127.0.0.1',
  port: dovecot.port,
  security: 'none',
  username: dovecot.user,
  password: dovecot.password,
});

const ownServer = () => ({
  outgoing: 'smtp',
  smtp_host: '127.0.0.1',
  smtp_port: Number(new URL(own.url).port),
  smtp_security: 'starttls',
  smtp_username: login.user,
  smtp_password: login.password,
});

async function addMailbox(more: Record<string, unknown>): Promise<number> {
  // The server records real arrival times, and mails older than the mailbox are not received.
  clock.set(new Date().toISOString());
  const { status, body } = await send('POST', '/mailboxes.php', { ...fields(), ...more });
  if (status !== 201) throw new Error(JSON.stringify(body));
  return body.data.mailbox_id as number;
}

const removeMailbox = (mailbox_id: number) => send('DELETE', `/mailboxes.php?id=${mailbox_id}`);

let made = 0;

async function receive(mailbox_id: number, from: string, to: string): Promise<number> {
  const message_id = `<sent-${++made}@customer.example>`;
  const lines = [`From: ${from}`, `To: ${to}`, `Subject: Printer ${made}`, `Message-ID: ${message_id}`];
  await dovecot.deliver([...lines, '', 'The printer is on fire.', ''].join('\n'));
  await send('POST', `/mailboxes.php?action=receive&id=${mailbox_id}`);
  await app.app.outbox.drain();
  const message = await app.run((ctx) => ctx.db.findOneBy(MailboxMessage, { message_id, mailbox_id }));
  if (!message?.ticket_id) throw new Error(message?.reason ?? 'Nothing was received');
  return message.ticket_id;
}

/** Signs a technician in. */
async function signInTechnician() {
  const cookie = await signInOnPage(app, await seedTechnician(app));
  const headers = { 'Sec-Fetch-Site': 'same-origin' };
  return (method: string, path: string, body?: unknown) =>
    app.request(method, `${staff}${path}`, { cookie, headers, body });
}

/** Replies as a technician; returns the mail that a server receives. */
async function reply(ticket_id: number, at: MailServer) {
  const technician = await signInTechnician();
  const before = at.received.length;
  await technician('POST', `/tickets.php?action=comments&id=${ticket_id}`, { comment: 'It is out.' });
  await app.app.outbox.drain();
  const mail = at.received[before];
  if (!mail) throw new Error('No mail came');
  return mail;
}

test('a reply comes from the mailbox its ticket arrived in, with its signature, through the installation’s server', async (t) => {
  const person = await seedEmployee(app, { can_create_tickets: true });
  const first = await addMailbox({ address: 'support@acme.example' });
  const signature = '{{ agent_name }}\n{{ sender_name }}, {{ sender_address }}';
  const brand = { address: 'help@brand.example', sender_name: 'Brand Care', signature };
  const second = await addMailbox(brand);
  const mail = await reply(await receive(second, person.email, brand.address), ours);
  t.is(mail.from, 'help@brand.example');
  t.is(mail.header('from'), '"Terry Technician (Brand Care)" <help@brand.example>');
  t.is(mail.header('reply-to'), 'help@brand.example');
  t.regex(mail.header('message-id') ?? '', /@brand\.example>$/);
  t.regex(mail.parts['text/plain'] ?? '', /Terry Technician\nBrand Care, help@brand\.example\s*$/);
  t.is(mail.header('auto-submitted'), undefined);
  const plain = await reply(await receive(first, person.email, 'support@acme.example'), ours);
  t.is(plain.header('from'), '"Terry Technician (Keelson)" <support@acme.example>');
  t.notRegex(plain.parts['text/plain'] ?? '', /Brand Care/);
  await removeMailbox(first);
  await removeMailbox(second);
});

test('an alias receives mail and sends replies; it belongs to one mailbox', async (t) => {
  const person = await seedEmployee(app, { can_create_tickets: true });
  const mailbox_id = await addMailbox({ address: 'support@acme.example', aliases: ['sales@acme.example'] });
  const ticket_id = await receive(mailbox_id, person.email, 'Sales <Sales@acme.example>');
  t.is((await reply(ticket_id, ours)).header('from'), '"Terry Technician (Keelson)" <sales@acme.example>');
  const taken = await send('POST', '/mailboxes.php', { ...fields(), address: 'SALES@acme.example' });
  t.is(taken.body.error, 'SALES@acme.example already belongs to another mailbox');
  const twice = await send('PUT', `/mailboxes.php?id=${mailbox_id}`, { aliases: ['a@acme.example', 'A@acme.example'] });
  t.is(twice.body.error, 'aliases and note_address must differ from each other and from address');
  // Its own aliases are not customers.
  await t.throwsAsync(receive(mailbox_id, 'sales@acme.example', 'support@acme.example'), {
    message: 'It was sent from our own address',
  });
  await removeMailbox(mailbox_id);
});

test('a mailbox with its own server sends through it; its password stays secret and is not sent elsewhere', async (t) => {
  const person = await seedEmployee(app, { can_create_tickets: true });
  const wrong = await send('POST', '/mailboxes.php', {
    ...fields(),
    ...ownServer(),
    address: 'own@brand.example',
    smtp_password: 'wrong',
  });
  t.regex(wrong.body.error, /^Mails cannot be sent over smtp_host: .*Wrong password/);
  const mailbox_id = await addMailbox({ ...ownServer(), address: 'own@brand.example' });
  const { body } = await send('GET', `/mailboxes.php?id=${mailbox_id}`);
  t.like(body.data, { has_smtp_password: true, smtp_username: login.user });
  t.false(JSON.stringify(body).includes(login.password));
  const before = ours.received.length;
  const ticket_id = await receive(mailbox_id, person.email, 'own@brand.example');
  t.is(own.received.at(-1)?.header('from'), 'Keelson <own@brand.example>', 'automatic mails, too');
  t.is((await reply(ticket_id, own)).from, 'own@brand.example');
  t.is(ours.received.length, before);
  const path = `/mailboxes.php?id=${mailbox_id}`;
  t.is(
    (await send('PUT', path, { smtp_host: 'localhost' })).body.error,
    'smtp_password is required when the server or username changes',
  );
  t.is((await send('PUT', path, { smtp_username: '' })).body.error, 'password is required to use it at smtp_host too');
  // While it is down its own mails wait, but not those of the installation.
  await own.stop();
  await (
    await signInTechnician()
  )('POST', `/tickets.php?action=comments&id=${ticket_id}`, { comment: 'Wait' });
  await app.app.outbox.drain();
  const held = await app.run((ctx) => ctx.db.find(Mail, { order: { mail_id: 'DESC' }, take: 1 }));
  t.like(held[0], { state: 'held', sender: `mailbox ${mailbox_id}` });
  const seeded = await seedTicket(app, { company_number: person.company_number });
  t.truthy(seeded);
  await app.app.scheduler.runNow('core.release-mail');
  t.is((await app.run((ctx) => ctx.db.findOneBy(Mail, { mail_id: held[0]?.mail_id ?? '' })))?.state, 'held');
  t.is((await send('PUT', path, { name: 'Own' })).status, 200);
  t.is((await send('PUT', path, { active: false })).status, 200);
  t.is((await send('PUT', path, { smtp_port: 1 })).status, 200, 'tried once it is switched on');
  t.regex((await send('PUT', path, { active: true })).body.error, /^Mails cannot be sent over smtp_host: /);
  await own.start();
  const again = await send('PUT', path, { active: true, smtp_port: ownServer().smtp_port });
  t.is(again.status, 200, JSON.stringify(again.body));
  clock.set(plus(clock.now(), { minutes: 1 }));
  await app.app.scheduler.runNow('core.release-mail');
  await app.app.outbox.drain();
  t.regex(own.received.at(-1)?.parts['text/plain'] ?? '', /Wait/);
  await removeMailbox(mailbox_id);
});

test('a technician chooses the mailbox that sends a ticket’s mails', async (t) => {
  const person = await seedEmployee(app, { can_create_tickets: true });
  const first = await addMailbox({ address: 'support@acme.example' });
  const second = await addMailbox({ address: 'help@brand.example', sender_name: 'Brand Care' });
  const ticket_id = await receive(first, person.email, 'support@acme.example');
  const path = `/mailboxes/outgoing.php?id=${ticket_id}`;
  t.like((await send('GET', path)).body.data, { mailbox_id: first, chosen: false, address: 'support@acme.example' });
  t.like((await send('PUT', path, { mailbox_id: second })).body.data, { mailbox_id: second, chosen: true });
  t.is((await reply(ticket_id, ours)).header('from'), '"Terry Technician (Brand Care)" <help@brand.example>');
  t.like((await send('PUT', path, { mailbox_id: null })).body.data, { mailbox_id: first, chosen: false });
  t.is((await send('PUT', path, { mailbox_id: 999_999 })).body.error, 'mailbox_id must be an active mailbox');
  await removeMailbox(first);
  await removeMailbox(second);
});

test('a mailbox can have its own templates', async (t) => {
  const person = await seedEmployee(app, { can_create_tickets: true });
  const mailbox_id = await addMailbox({ address: 'help@brand.example' });
  const path = `/mailboxes.php?action=texts&id=${mailbox_id}`;
  const keys = (await send('GET', path)).body.data.map((each: { key: string; own: boolean }) => [each.key, each.own]);
  t.deepEqual(keys.slice(0, 2), [
    ['ticket_created', false],
    ['ticket_comment', false],
  ]);
  const text = { key: 'ticket_comment', subject: '[#{{ ticket_number }}] Brand', body: '{{ comment }}' };
  t.is(
    (await send('PUT', path, { ...text, body: '{{ secret }}' })).body.error,
    'body uses {{ secret }}, which does not exist',
  );
  t.is((await send('PUT', path, text)).status, 200);
  const ticket_id = await receive(mailbox_id, person.email, 'help@brand.example');
  const mail = await reply(ticket_id, ours);
  t.regex(mail.header('subject') ?? '', /\] Brand$/);
  t.is(mail.parts['text/plain']?.trim(), 'It is out.');
  await send('PUT', path, { key: 'ticket_comment' });
  // A text that is saved as it is follows later changes of the installation's.
  const usual = (await send('GET', path)).body.data;
  for (const { key, subject, body } of usual) await send('PUT', path, { key, subject, body });
  t.deepEqual((await send('GET', path)).body.data, usual);
  t.regex((await reply(ticket_id, ours)).parts['text/plain'] ?? '', /^##- .*\s+Hello/);
  await removeMailbox(mailbox_id);
});

test('a receive-only mailbox is the reply address of the installation’s mails', async (t) => {
  const person = await seedEmployee(app, { can_create_tickets: true });
  const mailbox_id = await addMailbox({ address: 'support@acme.example', outgoing: 'reply_only' });
  const mail = await reply(await receive(mailbox_id, person.email, 'support@acme.example'), ours);
  t.is(mail.header('from'), '"Terry Technician (Acme IT)" <desk@acme.example>');
  t.is(mail.header('reply-to'), 'support@acme.example');
  await removeMailbox(mailbox_id);
});

test('a mailbox on an internal address or with an invalid signature is rejected', async (t) => {
  const given = { ...fields(), address: 'x@acme.example' };
  const internal = await send('POST', '/mailboxes.php', { ...given, host: '10.1.2.3' });
  t.is(internal.body.error, 'host is refused: The server must point to a public address');
  const smtp = await send('POST', '/mailboxes.php', { ...given, ...ownServer(), smtp_host: '10.1.2.3' });
  t.is(smtp.body.error, 'Mails cannot be sent over smtp_host: The server must point to a public address');
  const signed = await send('POST', '/mailboxes.php', { ...given, signature: '{{ password }}' });
  t.is(signed.body.error, 'signature uses {{ password }}, which does not exist');
});
