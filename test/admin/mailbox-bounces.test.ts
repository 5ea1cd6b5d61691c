// Bounces of mail servers that write no delivery report (RFC 3464).
import { sendMail } from '@keelson/core';
import type { MailboxMessage } from '@keelson/modules/mailbox';
import { findTicket, readComments } from '@keelson/modules/tickets';
import { openApp, testClock, type TestApp } from '@keelson/testing';
import anyTest from 'ava';
import { PasswordChanged } from '../../modules/directory/mail-templates.ts';
import { readOfContact, readOfTicket } from '../../modules/mailbox/judge/undeliverable.ts';
import { Mail } from '../../packages/mail/mail.ts';
import { asEmployee, seedEmployee, seedTeam } from '../tickets-seed.ts';
import { addSilentMailbox, receiveMail } from './_received-mail.ts';

const test = anyTest.serial;
const MAILBOX = 'support@provider.example';
let app: TestApp;
let mailbox_id: number;

anyTest.before(async () => {
  app = await openApp({ clock: testClock() });
  mailbox_id = await addSilentMailbox(app, { address: MAILBOX });
});
anyTest.after.always(() => app?.close());

let count = 0;
function receive(from: string, headers: readonly string[], body: string): Promise<MailboxMessage> {
  const message_id = `<bounce-${++count}@customer.example>`;
  const all = [`From: ${from}`, `To: ${MAILBOX}`, ...headers];
  return receiveMail(app, { mailbox_id, message_id, headers: all, body, from: { name: '', address: from } });
}

const DAEMON = 'MAILER-DAEMON@mx.customer.example';

async function seed() {
  const person = await seedEmployee(app, { can_create_tickets: true });
  const { ticket_id } = await receive(person.email, ['Subject: Printer'], 'It burns.');
  const [sent] = await app.run((ctx) => ctx.db.findBy(Mail, { recipient_address: person.email }));
  const returned = `Return-Path: <${MAILBOX}>\nMessage-ID: <${sent?.mail_id}@provider.example>\nTo: ${person.email}\nSubject: x\n\nHello`;
  const marks = () => app.run((ctx) => readOfContact(ctx, person.employee_number));
  return { email: person.email, ticket_id, returned, marks };
}

test('qmail: the address is above its reason', async (t) => {
  const { email, ticket_id, returned, marks } = await seed();
  const bounce = await receive(
    DAEMON,
    ['Subject: failure notice'],
    `Hi. This is the qmail-send program at mx.customer.example.\nI'm afraid I wasn't able to deliver your message to the following addresses.\nThis is a permanent error; I've given up. Sorry it didn't work out.\n\n<${email}>:\nSorry, no mailbox here by that name. (#5.1.1)\n\n--- Below this line is a copy of the message.\n\n${returned}`,
  );
  t.like(bounce, {
    state: 'note',
    ticket_id,
    reason: `A mail could not be delivered to ${email}: kept as an internal note`,
  });
  t.deepEqual(
    (await marks()).map(({ address, why }) => [address, why]),
    [[email, 'Sorry, no mailbox here by that name. (#5.1.1)']],
  );
});

test('Exim: the address is in a header', async (t) => {
  const { email, ticket_id, returned, marks } = await seed();
  const bounce = await receive(
    DAEMON,
    [
      'Subject: Mail delivery failed: returning message to sender',
      `X-Failed-Recipients: ${email}`,
      'Auto-Submitted: auto-replied',
    ],
    `This message was created automatically by mail delivery software.\n\nA message that you sent could not be delivered to one or more of its\nrecipients. This is a permanent error. The following address(es) failed:\n\n  ${email}\n    host mx.customer.example [192.0.2.1]\n    SMTP error from remote mail server after RCPT TO:<${email}>:\n    550 5.1.1 User unknown\n\n------ This is a copy of the message, including all the headers. ------\n\n${returned}`,
  );
  t.like(bounce, { state: 'note', ticket_id });
  t.is((await marks()).length, 1);
});

/** Bounces without a report, as several mail servers write them; the returned mail follows. */
const forms: Readonly<
  Record<string, (email: string) => { from?: string; headers: string[]; body: string; why: RegExp }>
> = {
  'Gmail, older': (email) => ({
    from: 'mailer-daemon@googlemail.com',
    headers: ['Subject: Delivery Status Notification (Failure)', `X-Failed-Recipients: ${email}`],
    body: `Delivery to the following recipient failed permanently:\n\n     ${email}\n\nTechnical details of permanent failure: \nGoogle tried to deliver your message, but it was rejected by the server for the recipient domain customer.example by mx.customer.example. [192.0.2.1].\n\nThe error that the other server returned was:\n550 5.1.1 <${email}>: Recipient address rejected: User unknown\n\n\n----- Original message -----\n\nX-Received: by 192.0.2.2\n`,
    why: /550 5\.1\.1 <.*User unknown/,
  }),
  'Gmail, as a text': (email) => ({
    from: 'mailer-daemon@googlemail.com',
    headers: ['Subject: Delivery Status Notification (Failure)', `X-Failed-Recipients: ${email}`],
    body: `** Address not found **\n\nYour message wasn't delivered to ${email} because the address couldn't be found, or is unable to receive mail.\n\n${email}\n\nThe response from the remote server was:\n550 5.1.1 The email account that you tried to reach does not exist.\n\n----- Original message -----\n\n`,
    why: /5\.1\.1 The email account/,
  }),
  'Exchange 2003': (email) => ({
    from: 'postmaster@customer.example',
    headers: ['Subject: Undeliverable: Printer'],
    body: `Your message\n\n  To:      Erin\n  Subject: Printer\n  Sent:    Wed, 25 Nov 2026 09:00:00 +0100\n\ndid not reach the following recipient(s):\n\n${email} on Wed, 25 Nov 2026 09:00:01 +0100\n    The e-mail account does not exist at the organization this message was sent to.  Check the e-mail address, or contact the recipient directly to find out the correct address.\n    <mx.customer.example #5.1.1>\n\nOriginal message headers:\n\n`,
    why: /#5\.1\.1/,
  }),
  'Exchange, German': (email) => ({
    from: 'MicrosoftExchange329e71ec88ae4615bbc36ab6ce41109e@customer.example',
    headers: ['Subject: Unzustellbar: Printer'],
    body: `Fehler bei der Nachrichtenzustellung an folgende Empfänger oder Gruppen:\n\n${email}<mailto:${email}>\nDie eingegebene E-Mail-Adresse konnte nicht gefunden werden.\n\nDiagnoseinformationen für Administratoren:\n\nGenerierender Server: mx.customer.example\n\n${email}\n#550 5.1.1 RESOLVER.ADR.RecipNotFound; not found ##\n\nUrsprüngliche Nachrichtenkopfzeilen:\n\n`,
    why: /#550 5\.1\.1 RESOLVER/,
  }),
  Sendmail: (email) => ({
    headers: ['Subject: Returned mail: see transcript for details'],
    body: `The original message was received at Wed, 25 Nov 2026 09:00:00 +0100\nfrom localhost [127.0.0.1]\n\n   ----- The following addresses had permanent fatal errors -----\n<${email}>\n    (reason: 550 5.1.1 User unknown)\n\n   ----- Transcript of session follows -----\n... while talking to mx.customer.example.:\n\n   ----- Original message follows -----\n\n`,
    why: /550 5\.1\.1 User unknown/,
  }),
  'a server without a line above the mail': (email) => ({
    headers: ['Subject: failure notice'],
    body: `Sorry, this could not be delivered.\n\n<${email}>:\nNo such user (#5.1.1)\n\n`,
    why: /No such user/,
  }),
};

for (const [server, form] of Object.entries(forms))
  test(`${server}: the address is found, and the note has nothing of the returned mail`, async (t) => {
    const { email, ticket_id, returned, marks } = await seed();
    const { from = DAEMON, headers, body, why } = form(email);
    const charset = ['Content-Type: text/plain; charset=utf-8', 'Content-Transfer-Encoding: 8bit'];
    const bounce = await receive(from, [...headers, ...charset], `${body}${returned}\n\nSecret of the mail`);
    t.like(bounce, { state: 'note', ticket_id });
    const [note] = (await app.run((ctx) => readComments(ctx, ticket_id ?? 0))).slice(-1);
    t.regex(note?.comment ?? '', new RegExp(`^A mail could not be delivered to ${email}: `));
    t.false(/Secret|Message-ID|Return-Path|Hello/.test(note?.comment ?? 'Secret'), note?.comment);
    const marked = await marks();
    t.deepEqual(
      marked.map(({ address }) => address),
      [email],
    );
    t.regex(marked[0]?.why ?? '', why);
  });

test('a full mailbox, or an address that the bounce only quotes, is not marked', async (t) => {
  const { email, ticket_id, returned, marks } = await seed();
  const full = await receive(
    DAEMON,
    ['Subject: failure notice'],
    `Hi. This is the qmail-send program.\n\n<${email}>:\nMailbox full. (#5.2.2)\n\n--- Below this line is a copy of the message.\n\n${returned}\n\n<${email}>:\n(#5.1.1)\n`,
  );
  t.like(full, { state: 'note', ticket_id });
  t.deepEqual(await marks(), []);
});

test('Microsoft 365: an unknown recipient is reported as 5.4.1', async (t) => {
  const { email, returned, marks } = await seed();
  const report = (diagnostic: string) =>
    receive(
      'postmaster@customer.example',
      ['Subject: Undeliverable', 'Content-Type: multipart/report; report-type=delivery-status; boundary=b'],
      [
        '--b\nContent-Type: text/plain\n\nIt came back.',
        `--b\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; mx.example\n\nFinal-Recipient: rfc822; ${email}\nAction: failed\nStatus: 5.4.1\nDiagnostic-Code: smtp; ${diagnostic}\n`,
        `--b\nContent-Type: text/rfc822-headers\n\n${returned.split('\n\n')[0]}\n`,
        '--b--',
      ].join('\n'),
    );
  await report('550 5.4.1 No answer from host');
  t.deepEqual(await marks(), []);
  await report('550 5.4.1 Recipient address rejected: Access denied.');
  t.is((await marks()).length, 1);
});

/** Receives the report that a mail to an address was not delivered. */
const returnMail = (email: string, mail_id: string) =>
  receive(
    DAEMON,
    ['Subject: failure notice'],
    `Hi. This is the qmail-send program.\n\n<${email}>:\nNo mailbox here. (#5.1.1)\n\n--- Below this line is a copy of the message.\n\nMessage-ID: <${mail_id}@provider.example>\n`,
  );
const lastMailTo = async (recipient_address: string) => {
  const order = { mail_id: 'DESC' } as const;
  const [sent] = await app.run((ctx) => ctx.db.find(Mail, { where: { recipient_address }, order, take: 1 }));
  return sent ?? Promise.reject(new Error('Nothing was sent'));
};

test('a request for approval that comes back is told at the ticket, and replies to it reach the ticket', async (t) => {
  const { member, manager } = await seedTeam(app);
  const send = await asEmployee(app, member);
  const { body } = await send('POST', '/tickets', { subject: 'A yacht', description: 'For customers' });
  const { ticket_id } = body;
  await app.app.outbox.drain();
  const asked = await lastMailTo(manager.email);
  t.is(asked.template, 'approval_requested');
  t.is(asked.headers?.reply_to, MAILBOX);
  const reply = await receive(
    manager.email,
    ['Subject: AW:', `In-Reply-To: <${asked.mail_id}@provider.example>`],
    'Why?',
  );
  t.like(reply, { state: 'comment', ticket_id });
  t.like(await returnMail(manager.email, asked.mail_id), { state: 'note', ticket_id });
  const [note] = (await app.run((ctx) => readComments(ctx, ticket_id))).slice(-1);
  t.true(note?.is_internal);
  t.true(note?.comment.startsWith(`A mail could not be delivered to ${manager.email}: No mailbox here. (#5.1.1)`));
  const ticket = await app.run((ctx) => findTicket(ctx, ticket_id));
  const marked = await app.run((ctx) => readOfTicket(ctx, ticket));
  t.deepEqual(
    marked.map(({ address }) => address),
    [manager.email],
  );
});

test('a personal link that a reply quotes reaches no one at the ticket', async (t) => {
  const { member, manager } = await seedTeam(app);
  const send = await asEmployee(app, member);
  const { ticket_id } = (await send('POST', '/tickets', { subject: 'A yacht', description: 'For customers' })).body;
  await app.app.outbox.drain();
  const { mail_id } = await lastMailTo(manager.email);
  const { baseUrl } = app.app.config;
  const reset = `${baseUrl}/helpdesk/reset-password?token=very-secret`;
  const body = `> Approve it: ${baseUrl}/approval?token=1.2.secret\nWhich one?\n> See <${baseUrl}/rate?token=a.b-c&score=good>\nNo.\n> https://safe.example/?url=${encodeURIComponent(`${baseUrl}/approval?token=1.2.secret`)}&x=1 it\n${reset} sent`;
  const links = (text: string) => text.includes('secret') || text.includes('a.b-c');
  await receive(manager.email, ['Subject: AW:', `In-Reply-To: <${mail_id}@provider.example>`], body);
  const [comment] = (await app.run((ctx) => readComments(ctx, ticket_id))).slice(-1);
  t.regex(comment?.comment ?? '', /Which one\?/);
  t.false(links(comment?.comment ?? 'secret'), comment?.comment);
  t.regex(comment?.comment ?? '', /Approve it: \[personal link removed\]/);
  t.regex(comment?.comment ?? '', /\[personal link removed\] sent/);
});

test('an address is marked by the bounce of any mail that we sent to it', async (t) => {
  const person = await seedEmployee(app, {});
  const other = await seedEmployee(app, {});
  const marks = async ({ employee_number }: typeof person) =>
    (await app.run((ctx) => readOfContact(ctx, employee_number))).length;
  const to = { name: 'Erin', address: person.email };
  const mail_id = await app.run(async (ctx) => sendMail(ctx, PasswordChanged, { to, data: {} }));
  t.like(await returnMail(other.email, mail_id), { state: 'ignored' });
  t.is(await marks(other), 0, 'it was not sent there');
  t.like(await returnMail(person.email, mail_id), {
    state: 'ignored',
    reason: `A mail that is not about a ticket could not be delivered to ${person.email}`,
  });
  t.is(await marks(person), 1);
});
