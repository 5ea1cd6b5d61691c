// Incoming mail on a real IMAP server: the outcome of each kind of mail, received exactly once.
import { plus, sendMail } from '@keelson/core';
import { storeAttachment } from '@keelson/core/mail';
import { addAddress } from '@keelson/modules/directory';
import { MailboxMessage } from '@keelson/modules/mailbox';
import { findTicket, lockTicket, readComments, Ticket } from '@keelson/modules/tickets';
import { openApp, readMails, testClock, type TestApp } from '@keelson/testing';
import anyTest from 'ava';
import { Attachment, AttachmentLimits } from '../../core/attachments/attachment.ts';
import { MailboxLateMail } from '../../modules/mailbox/mail-templates.ts';
import { readRaw } from '../../modules/mailbox/parse/raw.ts';
import { pruneMails, receiveAll } from '../../modules/mailbox/servers/receive.ts';
import { addWatcher } from '../../modules/tickets/people/watchers.ts';
import { Mail } from '../../packages/mail/mail.ts';
import { hasDovecot, startDovecot, type Dovecot } from '../_dovecot.ts';
import { seedCompany, seedEmployee, seedKey, seedTechnician } from '../accounts-seed.ts';
import { asKey, seedTicket } from '../tickets-seed.ts';

const test = hasDovecot ? anyTest.serial : anyTest.serial.skip;
const ADDRESS = 'support@provider.example';

let app: TestApp;
let dovecot: Dovecot;
let send: Awaited<ReturnType<typeof asKey>>;
let mailbox_id: number;
const clock = testClock();

if (hasDovecot) {
  anyTest.before(async () => {
    dovecot = await startDovecot();
    // The server records real arrival times, so the clock follows real time.
    app = await openApp({ clock });
    clock.set(new Date().toISOString());
    const rights = [
      'settings:read',
      'settings:write',
      'tickets:read',
      'tickets:write',
      'contacts:read',
      'contacts:write',
    ];
    send = await asKey(app, rights);
    const answer = await send('POST', '/mailboxes.php', { ...fields(), password: dovecot.password });
    if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
    mailbox_id = answer.body.data.mailbox_id as number;
  });
  anyTest.after.always(async () => {
    await app?.close();
    await dovecot?.stop();
  });
}

const fields = () => ({
  name: 'Support',
  address: ADDRESS,
  host: '127.0.0.1',
  port: dovecot.port,
  security: 'none',
  username: dovecot.user,
  authserv_id: 'mx.provider.example',
});

let made = 0;

/** Builds a mail as a mail client writes it. */
function mailOf(from: string, more: { headers?: Record<string, string>; body?: string } = {}): string {
  const { headers = {}, body = 'The printer is on fire.' } = more;
  const all = {
    From: from,
    To: ADDRESS,
    Subject: 'Printer on fire',
    'Message-ID': `<mail-${++made}@customer.example>`,
    Date: 'Wed, 25 Nov 2026 09:00:00 +0000',
    'Content-Type': 'text/plain; charset=utf-8',
    ...headers,
  };
  return `${Object.entries(all)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')}\n\n${body}\n`;
}

/** Delivers a mail, reads the mailbox, and returns the result. */
async function receive(raw: string): Promise<MailboxMessage> {
  await dovecot.deliver(raw);
  const read = await send('POST', `/mailboxes.php?action=receive&id=${mailbox_id}`);
  if (read.status !== 200) throw new Error(JSON.stringify(read.body));
  await app.app.outbox.drain();
  const [newest] = await app.run((ctx) => ctx.db.find(MailboxMessage, { order: { received_id: 'DESC' }, take: 1 }));
  return newest ?? Promise.reject(new Error('Nothing was received'));
}

const commentsOf = async (ticket_id: number) =>
  (await app.run((ctx) => readComments(ctx, ticket_id))).map((each) => [
    each.author_name,
    each.comment,
    each.is_internal,
  ]);

test('Add a mailbox: tested before it is stored, and its password is never shown', async (t) => {
  const wrong = await send('POST', '/mailboxes.php', { ...fields(), password: 'wrong' });
  t.is(wrong.status, 400);
  t.regex(wrong.body.error, /^Could not read the mailbox: the server rejected the username or password/);
  const { body } = await send('GET', `/mailboxes.php?id=${mailbox_id}`);
  t.like(body.data, { has_password: true, state: 'new', last_error: null });
  t.false(JSON.stringify(body).includes(dovecot.password));
  const elsewhere = await send('PUT', `/mailboxes.php?id=${mailbox_id}`, { username: 'other' });
  t.is(elsewhere.body.error, 'password is required when the server or username changes');
});

test('a customer’s mail becomes their ticket, with files, once', async (t) => {
  const person = await seedEmployee(app, { can_create_tickets: true });
  const boundary = 'b0';
  const body = [
    `--${boundary}\nContent-Type: text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: quoted-printable\n\nGr=FC=DFe, es brennt.`,
    `--${boundary}\nContent-Type: text/plain; name="log.txt"\nContent-Disposition: attachment; filename="log.txt"\n\n42\n`,
    `--${boundary}--`,
  ].join('\n');
  const headers = { Subject: 'Re: AW: Printer on fire', 'Content-Type': `multipart/mixed; boundary="${boundary}"` };
  const raw = mailOf(`Erin <${person.email.toUpperCase()}>`, { headers, body });
  const message = await receive(raw);
  t.like(message, { state: 'ticket', reason: 'New request', company_number: person.company_number });
  const ticket = await app.run((ctx) => findTicket(ctx, message.ticket_id ?? 0));
  t.like(ticket, {
    subject: 'Printer on fire',
    description: 'Grüße, es brennt.',
    source: 'mail',
    requester_employee_number: person.employee_number,
    company_number: person.company_number,
  });
  const files = await app.run((ctx) =>
    ctx.db.findBy(Attachment, { record_type: 'ticket', record_id: ticket.ticket_id }),
  );
  t.deepEqual(
    files.map((each) => each.filename),
    ['log.txt'],
  );
  t.true((await dovecot.flags()).at(-1)?.includes('\\Seen'), 'it is marked as read afterwards');
  // The same mail again: servers sometimes deliver twice.
  const before = await app.run((ctx) => ctx.db.count(MailboxMessage));
  await receive(raw);
  t.is(await app.run((ctx) => ctx.db.count(MailboxMessage)), before);
});

test('a reply goes to its ticket without the quoted text', async (t) => {
  const person = await seedEmployee(app, { can_create_tickets: true });
  const opened = await receive(mailOf(person.email));
  const ticket_id = opened.ticket_id ?? 0;
  await send('POST', `/tickets.php?action=comments&id=${ticket_id}`, { comment: 'Is it still burning?' });
  await app.app.outbox.drain();
  const mails = await app.run((ctx) =>
    ctx.db.find(Mail, { where: { recipient_address: person.email }, order: { mail_id: 'DESC' } }),
  );
  const sent = mails[0];
  t.is(sent?.headers?.reply_to, ADDRESS);
  t.true(sent?.headers?.references?.includes(`<mail-${made}@customer.example>`), 'the conversation goes on');
  const body =
    'No, it is out.\n\nOn Wed, 25 Nov 2026 at 10:00, Support <support@provider.example>\nwrote:\n> Is it still burning?';
  const headers = { Subject: 'Re: something else', 'In-Reply-To': `<${sent?.mail_id}@provider.example>` };
  const answer = await receive(mailOf(person.email, { headers, body }));
  t.like(answer, { state: 'comment', ticket_id });
  t.deepEqual((await commentsOf(ticket_id)).at(-1), [
    `${person.first_name} ${person.last_name}`,
    'No, it is out.',
    false,
  ]);
  // A reply to their own first mail, and one with only the number.
  const own = await receive(mailOf(person.email, { headers: { References: '<x@y.example> <nowhere@z.example>' } }));
  t.is(own.state, 'ticket', 'what names no mail of ours is a new request');
  const [, first = ''] = /(<mail-\d+@customer\.example>)/.exec(sent?.headers?.references?.join(' ') ?? '') ?? [];
  t.is((await receive(mailOf(person.email, { headers: { 'In-Reply-To': first } }))).ticket_id, ticket_id);
  const ticket = await app.run((ctx) => findTicket(ctx, ticket_id));
  const numbered = { Subject: `Re: [#${ticket.ticket_number}] Printer on fire` };
  t.is((await receive(mailOf(person.email, { headers: numbered }))).ticket_id, ticket_id);
});

test('a mail from an additional address belongs to its contact, and further recipients are listed', async (t) => {
  const person = await seedEmployee(app, { can_create_tickets: true });
  const email = `home-${person.employee_number}@home.example`;
  await app.run((ctx) => addAddress(ctx, person, email));
  const headers = { To: `Support <${ADDRESS}>`, Cc: '"Boss, The" <boss@customer.example>, team@customer.example' };
  const opened = await receive(mailOf(`Erin <${email}>`, { headers }));
  t.like(opened, { state: 'ticket', company_number: person.company_number });
  const ticket = await app.run((ctx) => findTicket(ctx, opened.ticket_id ?? 0));
  t.is(ticket.requester_employee_number, person.employee_number);
  const answer = await receive(mailOf(person.email, { headers: { 'In-Reply-To': `<mail-${made}@customer.example>` } }));
  t.like(answer, { state: 'comment', ticket_id: ticket.ticket_id }, 'both addresses are in one conversation');
  const { body } = await send('GET', `/mailboxes/messages.php?id=${opened.received_id}`);
  t.deepEqual(body.data.addressees, {
    to: [{ name: 'Support', address: ADDRESS }],
    cc: [
      { name: 'Boss, The', address: 'boss@customer.example' },
      { name: '', address: 'team@customer.example' },
    ],
  });
});

test('a mail is found by Message-ID or sender, with its result and reason', async (t) => {
  const address = `lost-${made}@home.example`;
  const first = await receive(mailOf(`Lost <${address}>`));
  const second = await receive(
    mailOf(`Lost <${address.toUpperCase()}>`, { headers: { 'Auto-Submitted': 'auto-replied' } }),
  );
  const found = async (search: string) =>
    (await send('GET', `/mailboxes/messages.php?search=${encodeURIComponent(search)}`)).body.data.map(
      (each: { received_id: number; reason: string }) => [each.received_id, each.reason],
    );
  const all = [
    [second.received_id, 'Automated mail and not a reply to a ticket'],
    [first.received_id, `No contact has the address ${address}`],
  ];
  t.deepEqual(await found(address), all);
  t.deepEqual(await found(first.message_id ?? ''), all.slice(1));
  t.deepEqual(await found((second.message_id ?? '').slice(1, -1)), all.slice(0, 1));
  t.deepEqual(await found('nobody@home.example'), []);
});

test('other companies’ tickets cannot be reached by number or reply', async (t) => {
  const person = await seedEmployee(app, { can_create_tickets: true });
  const opened = await receive(mailOf(person.email));
  const stranger = await seedEmployee(app, { can_create_tickets: true });
  const ticket = await app.run((ctx) => findTicket(ctx, opened.ticket_id ?? 0));
  const headers = {
    Subject: `Re: [#${ticket.ticket_number}] Printer`,
    'In-Reply-To': `<mail-${made}@customer.example>`,
  };
  const answer = await receive(mailOf(stranger.email, { headers }));
  t.like(answer, { state: 'ticket', company_number: stranger.company_number });
  t.not(answer.ticket_id, ticket.ticket_id);
  t.deepEqual(await commentsOf(ticket.ticket_id), []);
});

test('two mails with the same Message-ID are distinct, copies of one are not', async (t) => {
  const person = await seedEmployee(app, { can_create_tickets: true });
  const headers = { 'Message-ID': `<always-the-same-${person.employee_number}@scanner.example>` };
  const first = await receive(mailOf(person.email, { headers, body: 'Toner is low.' }));
  const second = await receive(mailOf(person.email, { headers, body: 'Paper is out.' }));
  t.is(second.state, 'ticket');
  t.not(second.ticket_id, first.ticket_id);
  await receive(mailOf(person.email, { headers: { ...headers, Received: 'from elsewhere' }, body: 'Toner is low.' }));
  const all = await app.run((ctx) => ctx.db.findBy(MailboxMessage, { from_address: person.email }));
  t.deepEqual(
    all.map(({ message_id, state }) => [message_id, state]),
    [
      [headers['Message-ID'], 'ticket'],
      [headers['Message-ID'], 'ticket'],
    ],
  );
});

test('files of an internal note are internal, and a rejected file is named', async (t) => {
  const { company_number } = await seedCompany(app);
  const technician = await seedTechnician(app);
  const { ticket_id, ticket_number } = await seedTicket(app, { company_number });
  const part = (name: string, body: string) =>
    `--b\nContent-Type: text/plain\nContent-Disposition: attachment; filename="${name}"\n\n${body}\n`;
  const body = ['--b\nContent-Type: text/plain\n\nLook\n', part('a.txt', 'a'), part('b.txt', 'b'), '--b--'].join('\n');
  const limit = (record_files: number) =>
    app.run(async (ctx) => {
      const limits = await ctx.app.settings.get(ctx, AttachmentLimits);
      await ctx.app.settings.set(ctx, AttachmentLimits, { ...limits, record_files });
    });
  await limit(1);
  const headers = { Subject: `Re: [#${ticket_number}] Printer`, 'Content-Type': 'multipart/mixed; boundary=b' };
  const message = await receive(mailOf(technician.email, { headers, body }));
  t.is(message.state, 'note');
  await limit(100);
  t.is(
    message.reason,
    'The sender could not be verified: kept as an internal note. b.txt was not attached: A ticket can have at most 1 attachments',
  );
  const files = await app.run((ctx) => ctx.db.findBy(Attachment, { record_type: 'ticket', record_id: ticket_id }));
  t.deepEqual(
    files.map((each) => [each.filename, each.part_id]),
    [['a.txt', message.comment_id]],
  );
  const [note] = await app.run((ctx) => readComments(ctx, ticket_id));
  t.like(note, { comment_id: message.comment_id ?? 0, is_internal: true });
});

test('programs get no reply, and out-of-office replies become notes', async (t) => {
  const person = await seedEmployee(app, { can_create_tickets: true });
  for (const [name, value] of [
    ['Auto-Submitted', 'auto-replied'],
    ['List-Id', '<news.example>'],
    ['Precedence', 'bulk'],
    ['Return-Path', '<>'],
  ] as const) {
    const message = await receive(mailOf(person.email, { headers: { [name]: value } }));
    t.is(message.state, 'ignored', `${name}: ${value}`);
  }
  t.is((await receive(mailOf(ADDRESS))).reason, 'It was sent from our own address');
  const { ticket_id } = await receive(mailOf(person.email));
  const written = (await readMails(app)).length;
  const headers = { 'Auto-Submitted': 'auto-replied', 'In-Reply-To': `<mail-${made}@customer.example>` };
  t.like(await receive(mailOf(person.email, { headers, body: 'I am on holiday.' })), { state: 'note', ticket_id });
  t.like((await commentsOf(ticket_id ?? 0))[0], { 2: true });
  t.is((await readMails(app)).length, written, 'nobody is mailed about it');
});

test('a delivery failure report becomes a note on its ticket', async (t) => {
  const person = await seedEmployee(app, { can_create_tickets: true });
  const { ticket_id } = await receive(mailOf(person.email));
  const [sent] = await app.run((ctx) => ctx.db.findBy(Mail, { recipient_address: person.email }));
  const body = [
    '--b\nContent-Type: text/plain\n\nThe mailbox is full.',
    `--b\nContent-Type: text/rfc822-headers\n\nTo: ${person.email}\nMessage-ID: <${sent?.mail_id}@provider.example>\n`,
    '--b--',
  ].join('\n');
  const headers = {
    'Content-Type': 'multipart/report; report-type=delivery-status; boundary=b',
    Subject: 'Undelivered',
  };
  const report = await receive(mailOf('MAILER-DAEMON@mx.example', { headers, body }));
  t.like(report, { state: 'note', ticket_id });
  t.like((await commentsOf(ticket_id ?? 0))[0], { 1: 'Undelivered\n\nThe mailbox is full.', 2: true });
});

test('an address whose mails bounce is marked until a mail arrives from it or a person clears it', async (t) => {
  const person = await seedEmployee(app, { can_create_tickets: true });
  const { ticket_id } = await receive(mailOf(person.email));
  const [sent] = await app.run((ctx) => ctx.db.findBy(Mail, { recipient_address: person.email }));
  const report = (to: string, status: string, mail_id = sent?.mail_id) =>
    mailOf('MAILER-DAEMON@mx.example', {
      headers: { 'Content-Type': 'multipart/report; report-type=delivery-status; boundary=b', Subject: 'Undelivered' },
      body: [
        '--b\nContent-Type: text/plain\n\nIt came back.',
        `--b\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; mx.example\n\nFinal-Recipient: rfc822; ${to}\nAction: failed\nStatus: ${status}\nDiagnostic-Code: smtp; 550 ${status} No such user\n`,
        `--b\nContent-Type: text/rfc822-headers\n\nTo: ${to}\nMessage-ID: <${mail_id}@provider.example>\n`,
        '--b--',
      ].join('\n'),
    });
  const marked = async () =>
    (await send('GET', `/mailboxes/undeliverable.php?id=${person.employee_number}`)).body.data.map(
      (each: { address: string; why: string }) => [each.address, each.why],
    );
  await receive(report(person.email, '5.2.2'));
  await receive(report(person.email, '4.4.7'));
  await receive(report(person.email, '5.1.8'));
  await receive(report(person.email, '5.1.1', '0'.repeat(32)));
  t.deepEqual(await marked(), [], 'a full mailbox, a delay, a refused sender and a forged report mark nothing');
  await receive(report(person.email.toUpperCase(), '5.1.1'));
  const mark = [[person.email.toUpperCase(), '550 5.1.1 No such user']];
  t.deepEqual(await marked(), mark);
  const { body } = await send('GET', `/mailboxes/outgoing.php?id=${ticket_id}`);
  t.is(body.data.undeliverable.length, 1, 'who answers the ticket is warned');
  // Automatic mails stop, with a note.
  await send('PUT', `/tickets.php?id=${ticket_id}`, { status: 'closed' });
  await app.app.outbox.drain();
  const [closed] = await app.run((ctx) =>
    ctx.db.findBy(Mail, { recipient_address: person.email, template: 'ticket_closed' }),
  );
  t.is(closed?.state, 'skipped');
  t.regex(closed?.error ?? '', /^Mails to .* came back since \d{4}-\d\d-\d\d: 550 5\.1\.1 No such user$/);
  // Documents are still sent.
  const document = await app.run(async (ctx) => {
    await storeAttachment(ctx, {
      attachment_id: 'invoice-1',
      name: '1.pdf',
      type: 'application/pdf',
      bytes: Buffer.from('1'),
    });
    const data = { address: '', since: '', reason: '', mailbox_id };
    return sendMail(ctx, MailboxLateMail, {
      to: { name: '', address: person.email },
      data,
      attachment_id: 'invoice-1',
    });
  });
  await app.app.outbox.drain();
  t.is((await app.run((ctx) => ctx.db.findOneBy(Mail, { mail_id: document })))?.state, 'held');
  // A mail from it proves that the address exists.
  await receive(mailOf(person.email));
  t.deepEqual(await marked(), []);
  await receive(report(person.email, '5.1.1'));
  t.is((await marked()).length, 1);
  t.is((await send('DELETE', `/mailboxes/undeliverable.php?id=${person.employee_number}`)).status, 204);
  t.deepEqual(await marked(), []);
});

test('a mail to two mailboxes opens one ticket and is acknowledged', async (t) => {
  const person = await seedEmployee(app, { can_create_tickets: true });
  const second = { ...fields(), name: 'Billing', address: 'billing@provider.example' };
  const { body } = await send('POST', '/mailboxes.php', { ...second, password: dovecot.password });
  const first = await receive(mailOf(person.email));
  await send('POST', `/mailboxes.php?action=receive&id=${body.data.mailbox_id}`);
  await app.app.outbox.drain();
  const both = await app.run((ctx) => ctx.db.findBy(MailboxMessage, { from_address: person.email }));
  t.deepEqual(
    both.map(({ state, reason }) => [state, reason]),
    [
      ['ticket', 'New request'],
      ['ignored', 'Also received by another mailbox'],
    ],
  );
  await send('DELETE', `/mailboxes.php?id=${body.data.mailbox_id}`);
  const ticket = await app.run((ctx) => findTicket(ctx, first.ticket_id ?? 0));
  const told = (await readMails(app)).filter((each) => each.to === person.email);
  t.is(told.length, 1);
  t.true(told[0]?.subject.includes(`#${ticket.ticket_number}`));
});

test('a sender flooding tickets is stopped, and a large mail is stored completely', async (t) => {
  const person = await seedEmployee(app, { can_create_tickets: true });
  for (let n = 0; n < 20; n++) await dovecot.deliver(mailOf(person.email, { headers: { Subject: `Alarm ${n}` } }));
  const last = await receive(mailOf(person.email));
  t.like(last, { state: 'review', reason: 'The sender has created 20 tickets in the last hour' });
  const other = await seedEmployee(app, { can_create_tickets: true });
  const log = 'x'.repeat(5 * 1024 * 1024).replaceAll(/(.{70})/g, '$1\n');
  const large = await receive(mailOf(other.email, { body: `${log}\nThe end` }));
  t.is(large.state, 'ticket');
  const raw = () => app.run((ctx) => readRaw(ctx, large.received_id));
  t.true((await raw())?.toString().trimEnd().endsWith('The end'));
  const at = clock.now();
  await pruneMails(app.app.system());
  t.truthy(await raw(), 'it is kept for a while');
  clock.set(plus(at, { days: 91 }));
  await pruneMails(app.app.system());
  t.is(await raw(), undefined);
  t.truthy(await app.run((ctx) => readRaw(ctx, last.received_id)), 'what waits for a word is kept');
  clock.set(at);
});

test('a verified technician can reply by mail, otherwise it becomes a note', async (t) => {
  const { company_number } = await seedCompany(app);
  const technician = await seedTechnician(app);
  const { ticket_id, ticket_number } = await seedTicket(app, { company_number });
  const headers = { Subject: `Re: [#${ticket_number}] Printer` };
  t.is((await receive(mailOf(technician.email, { headers, body: 'Forged?' }))).state, 'note');
  const others = { ...headers, 'Authentication-Results': 'mx.elsewhere.example; dmarc=pass' };
  t.is((await receive(mailOf(technician.email, { headers: others, body: 'Forged, too' }))).state, 'note');
  const proved = { ...headers, 'Authentication-Results': 'mx.provider.example; spf=pass; dmarc=pass' };
  t.is((await receive(mailOf(technician.email, { headers: proved, body: 'It is mended.' }))).state, 'comment');
  t.deepEqual(
    (await commentsOf(ticket_id)).map(([, text, internal]) => [text, internal]),
    [
      ['Forged?', true],
      ['Forged, too', true],
      ['It is mended.', false],
    ],
  );
});

test('mail from an unknown sender is held for review: assigned, added or dismissed', async (t) => {
  const person = await seedEmployee(app, { can_create_tickets: true });
  const unknown = () => receive(mailOf('Somebody <private@home.example>'));
  const first = await unknown();
  t.like(first, { state: 'review', reason: 'No contact has the address private@home.example', ticket_id: null });
  const detail = await send('GET', `/mailboxes/messages.php?id=${first.received_id}`);
  t.is(detail.body.data.text, 'The printer is on fire.');
  const act = (id: number, action: string, body: object = {}) =>
    send('POST', `/mailboxes/messages.php?action=${action}&id=${id}`, body);
  const { employee_number } = person;
  t.like((await act(first.received_id, 'belongs', { employee_number })).body.data, { state: 'ticket' });
  t.is((await act(first.received_id, 'ignore')).status, 400, 'it is judged');
  const { ticket_id } = await seedTicket(app, { company_number: person.company_number });
  const second = await unknown();
  t.like((await act(second.received_id, 'file', { ticket_id })).body.data, { state: 'note', ticket_id });
  t.regex(
    String((await commentsOf(ticket_id))[0]?.[1]),
    /^Mail from Somebody <private@home\.example>: Printer on fire/,
  );
  const third = await unknown();
  t.like((await act(third.received_id, 'ignore')).body.data, { state: 'ignored' });
  const none = await seedEmployee(app, { can_create_tickets: false });
  t.is(
    (await receive(mailOf(none.email))).state,
    'review',
    'who does not have permission to create tickets opens none by mail',
  );
});

test('mailboxes require an administrator, received mail permission to read tickets', async (t) => {
  const narrow = await asKey(app, ['tickets:read']);
  t.is((await narrow('GET', '/mailboxes.php')).status, 403);
  t.is((await narrow('GET', '/mailboxes/messages.php')).status, 200);
  t.is((await narrow('POST', '/mailboxes/messages.php?action=ignore&id=1')).status, 403);
  const blind = await seedKey(app, 'admin', ['assets:read']);
  t.is((await app.request('GET', '/admin/api/v1/mailboxes/messages.php', { token: blind.api_key })).status, 403);
});

test('a reply reopens a closed ticket, or references it if late', async (t) => {
  const person = await seedEmployee(app, { can_create_tickets: true });
  const { ticket_id } = await receive(mailOf(person.email));
  const close = () => send('PUT', `/tickets.php?id=${ticket_id}`, { status: 'closed' });
  await close();
  const ticket = () => app.run((ctx) => findTicket(ctx, ticket_id ?? 0));
  const headers = { Subject: `Re: [#${(await ticket()).ticket_number}] Printer on fire` };
  t.is((await receive(mailOf(person.email, { headers }))).state, 'comment');
  t.is((await ticket()).status, 'open');
  await close();
  clock.set(plus(clock.now(), { days: 15 }));
  const late = await receive(mailOf(person.email, { headers }));
  t.is(late.state, 'ticket');
  const next = await app.run((ctx) => findTicket(ctx, late.ticket_id ?? 0));
  t.regex(next.description, new RegExp(`^Continued from ticket #${(await ticket()).ticket_number}\\.`));
  t.is((await ticket()).status, 'closed');
});

test('a reply to a merged ticket goes to the surviving one, however old, and counts there', async (t) => {
  clock.set(new Date().toISOString());
  const person = await seedEmployee(app, { can_create_tickets: true });
  const colleague = await seedEmployee(app, { company_number: person.company_number, can_create_tickets: true });
  const merged = (await receive(mailOf(person.email))).ticket_id ?? 0;
  const ticket_id = (await receive(mailOf(colleague.email))).ticket_id ?? 0;
  await send('POST', `/tickets.php?action=merge&id=${merged}`, { into: ticket_id });
  const { ticket_number } = await app.run((ctx) => findTicket(ctx, merged));
  const headers = { Subject: `Re: [#${ticket_number}] Printer on fire` };
  clock.set(plus(clock.now(), { days: 15 }));
  const late = await receive(mailOf(person.email, { headers, body: 'It burns again.' }));
  t.like(late, { state: 'comment', reason: 'Reply to the ticket', ticket_id });
  t.is((await commentsOf(ticket_id)).at(-1)?.[1], 'It burns again.');
  const technician = await seedTechnician(app);
  const answer = await receive(mailOf(technician.email, { headers, body: 'We are on our way.' }));
  t.like(answer, { state: 'note', ticket_id });
  for (let i = 1; i < 20; i++) await receive(mailOf(person.email, { headers }));
  t.like(await receive(mailOf(person.email, { headers })), {
    state: 'review',
    reason: 'The sender has replied to the ticket 20 times in the last hour',
  });
});

test('a watcher’s reply, or one to a rejected ticket, leaves it closed, as in the portal', async (t) => {
  clock.set(new Date().toISOString());
  const person = await seedEmployee(app, { can_create_tickets: true });
  const watcher = await seedEmployee(app, { company_number: person.company_number });
  const { ticket_id: id } = await receive(mailOf(person.email));
  const ticket_id = id ?? 0;
  const { employee_number } = watcher;
  await app.run(async (ctx) => addWatcher(ctx, await lockTicket(ctx, ticket_id), { employee_number }));
  await send('PUT', `/tickets.php?id=${ticket_id}`, { status: 'closed' });
  const ticket = () => app.run((ctx) => findTicket(ctx, ticket_id));
  const headers = { Subject: `Re: [#${(await ticket()).ticket_number}] Printer on fire` };
  const watched = await receive(mailOf(watcher.email, { headers }));
  t.like(watched, { state: 'comment', reason: 'Reply to the ticket, which stays closed', ticket_id });
  t.is((await ticket()).status, 'closed');
  await app.run((ctx) => ctx.db.update(Ticket, { ticket_id }, { approval_status: 'rejected' }));
  t.is((await receive(mailOf(person.email, { headers }))).state, 'comment');
  t.is((await ticket()).status, 'closed');
  await app.run((ctx) => ctx.db.update(Ticket, { ticket_id }, { approval_status: 'approved' }));
  await receive(mailOf(person.email, { headers }));
  t.is((await ticket()).status, 'open');
});

test('an unreadable mailbox reports why and since when', async (t) => {
  const refused = await send('PUT', `/mailboxes.php?id=${mailbox_id}`, { port: 1 });
  t.regex(refused.body.error, /^Could not read the mailbox: /);
  await dovecot.stop();
  const { body } = await send('POST', `/mailboxes.php?action=receive&id=${mailbox_id}`);
  t.is(body.data.state, 'failing');
  clock.set(plus(clock.now(), { seconds: 20 }));
  const twice = await t.throwsAsync(receiveAll(app.app.system()));
  t.regex(twice?.message ?? '', /^The mailbox support@provider\.example cannot be read \(last success: 20.*\): /);
  t.truthy(body.data.last_error);
});
