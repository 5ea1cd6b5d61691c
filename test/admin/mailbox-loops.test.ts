// Programs that reply to each other: each gets at most one automatic mail an hour, whatever it writes.
import { plus } from '@keelson/core';
import { addMailbox, MailboxMessage, storeMail } from '@keelson/modules/mailbox';
import { lockTicket, readComments } from '@keelson/modules/tickets';
import { openApp, testClock, type TestApp } from '@keelson/testing';
import anyTest from 'ava';
import { Notification } from '../../modules/desk/entities.ts';
import { addWatcher } from '../../modules/tickets/people/watchers.ts';
import { startMailServer, type MailServer, type Received } from '../_mail-server.ts';
import { seedCompany, seedEmployee, seedTechnician } from '../accounts-seed.ts';
import { automaticMails, type Automatic } from './_automatic-mails.ts';

const test = anyTest.serial;

interface Desk {
  readonly app: TestApp;
  readonly address: string;
  readonly mailbox_id: number;
  readonly smtp: MailServer;
}

const clock = testClock();
const teardowns: (() => Promise<void>)[] = [];
let ours: Desk;
let theirs: Desk;

async function openDesk(address: string): Promise<Desk> {
  const smtp = await startMailServer({ teardown: (work) => void teardowns.push(work) });
  const app = await openApp({ clock, config: { smtpUrl: smtp.url, mailFrom: `Desk <desk@${address.split('@')[1]}>` } });
  teardowns.unshift(() => app.close());
  const server = { host: '127.0.0.1', port: 1, security: 'none', username: 'u', password: 'p' } as const;
  const given = {
    name: 'Support',
    address,
    aliases: [`help@${address.split('@')[1]}`],
    outgoing: 'installation',
  } as const;
  const { mailbox_id } = await app.run((ctx) => addMailbox(ctx, { ...given, ...server }));
  return { app, address, mailbox_id, smtp };
}

anyTest.before(async () => {
  ours = await openDesk('support@acme.example');
  theirs = await openDesk('support@other.example');
});
anyTest.after.always(async () => {
  for (const each of teardowns) await each();
});

/** Stores a mail as if it had been received; returns its outcome. */
async function receive({ app, mailbox_id }: Desk, raw: string): Promise<MailboxMessage> {
  const source = Buffer.from(raw.replaceAll(/\r?\n/g, '\r\n'));
  const [message_id] = /<[^<>\s]+>/.exec(headerOf(raw, 'Message-ID')) ?? [];
  const from = { name: '', address: '' };
  await app.run((ctx) => storeMail(ctx, mailbox_id, { source, size: source.length, from, subject: '', message_id }));
  await app.app.outbox.drain();
  const [newest] = await app.run((ctx) => ctx.db.find(MailboxMessage, { order: { received_id: 'DESC' }, take: 1 }));
  return newest ?? Promise.reject(new Error('Nothing was received'));
}

const headerOf = (raw: string, name: string) =>
  new RegExp(`^${name}:[ \\t]*(.*(?:\\r?\\n[ \\t].*)*)`, 'im').exec(raw)?.[1]?.replaceAll(/\r?\n[ \t]+/g, ' ') ?? '';
const sentTo = ({ smtp }: Desk, address: string) => smtp.received.filter((each) => each.to.includes(address));
const word = (text: string) =>
  /^[\x20-\x7e]*$/.test(text) ? text : `=?UTF-8?B?${Buffer.from(text).toString('base64')}?=`;

let made = 0;

function mailOf(
  from: string,
  { headers = {}, body = 'Thank you.', apart, ...form }: Partial<Automatic>,
  to?: Received,
) {
  const answered = to?.header('message-id');
  const all = {
    From: `Erin <${from}>`,
    To: ours.address,
    Subject: word(form.subject ?? (to ? `Re: ${to.header('subject')}` : 'Printer')),
    'Message-ID': `<automatic-${++made}@customer.example>`,
    Date: 'Wed, 25 Nov 2026 09:00:00 +0000',
    ...(answered && !apart && { 'In-Reply-To': answered, References: answered }),
    'Content-Type': 'text/plain; charset=utf-8',
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return `${lines.join('\n')}\n\n${body} ${made}\n`;
}

const ROUNDS = 5;

for (const [at, form] of automaticMails.entries())
  test(`a loop ends: ${form.title}`, async (t) => {
    const email = `${form.from ?? 'erin'}@customer-${at}.example`;
    await seedEmployee(ours.app, { can_create_tickets: true, email });
    let last: Received | undefined;
    for (let round = 0; round < ROUNDS; round++) {
      await receive(ours, mailOf(email, form, last));
      const sent = sentTo(ours, email);
      t.true(sent.length <= 1, 'at most one automatic answer');
      if (sent.at(-1) === last && round > 1) break;
      last = sent.at(-1);
    }
    t.is(sentTo(ours, email).length, form.answers);
  });

test('our own mails coming back start no loop', async (t) => {
  const email = 'forwards@customer.example';
  await seedEmployee(ours.app, { can_create_tickets: true, email });
  await receive(ours, mailOf(email, {}));
  const [confirmed] = sentTo(ours, email);
  for (const from of [ours.address, 'help@acme.example', 'desk@acme.example'])
    t.is((await receive(ours, mailOf(from, {}))).reason, 'It was sent from our own address');
  t.is((await receive(ours, confirmed?.raw ?? '')).reason, 'It was sent from our own address');
  t.is(sentTo(ours, email).length, 1);
});

test('a person gets another confirmation after an hour, and every request becomes a ticket', async (t) => {
  const email = 'person@customer.example';
  await seedEmployee(ours.app, { can_create_tickets: true, email });
  t.like(await receive(ours, mailOf(email, {})), { state: 'ticket', reason: 'New request' });
  t.like(await receive(ours, mailOf(email, {})), {
    state: 'ticket',
    reason: 'New request, not confirmed: the sender was sent a confirmation in the last hour',
  });
  t.is(sentTo(ours, email).length, 1);
  clock.set(plus(clock.now(), { minutes: 61 }));
  t.like(await receive(ours, mailOf(email, {})), { state: 'ticket', reason: 'New request' });
  t.is(sentTo(ours, email).length, 2);
});

test('two programs on one ticket stop replying to each other', async (t) => {
  const { company_number } = await seedCompany(ours.app);
  const people = { company_number, can_create_tickets: true };
  const first = await seedEmployee(ours.app, { ...people, email: 'one@company.example' });
  const second = await seedEmployee(ours.app, { ...people, email: 'two@company.example' });
  const { ticket_id } = await receive(ours, mailOf(first.email, {}));
  await ours.app.run(async (ctx) => {
    const ticket = await lockTicket(ctx, ticket_id ?? 0);
    await addWatcher(ctx, ticket, { employee_number: second.employee_number });
  });
  await ours.app.app.outbox.drain();
  let [writer, reader] = [second.email, first.email];
  for (let round = 0; round < 60; round++) {
    const told = sentTo(ours, writer).at(-1);
    await receive(ours, mailOf(writer, {}, told));
    [writer, reader] = [reader, writer];
  }
  const comments = await ours.app.run((ctx) => readComments(ctx, ticket_id ?? 0));
  t.is(comments.length, 40);
  const last = await receive(ours, mailOf(writer, {}, sentTo(ours, writer).at(-1)));
  t.like(last, { state: 'review', reason: 'The sender has replied to the ticket 20 times in the last hour' });
});

test('mail written by a program is forwarded to no one else', async (t) => {
  const { company_number } = await seedCompany(ours.app);
  const people = { company_number, can_create_tickets: true };
  const program = await seedEmployee(ours.app, { ...people, email: 'noreply@quiet.example' });
  const watcher = await seedEmployee(ours.app, { ...people, email: 'watcher@quiet.example' });
  const opened = await receive(ours, mailOf(program.email, {}));
  t.like(opened, { state: 'ticket', reason: 'New request, not confirmed: its address does not accept replies' });
  await ours.app.run(async (ctx) => {
    const ticket = await lockTicket(ctx, opened.ticket_id ?? 0);
    await addWatcher(ctx, ticket, { employee_number: watcher.employee_number });
  });
  await ours.app.app.outbox.drain();
  const before = sentTo(ours, watcher.email).length;
  const headers = { 'In-Reply-To': opened.message_id ?? '' };
  t.is((await receive(ours, mailOf(program.email, { headers }))).state, 'comment');
  t.is(sentTo(ours, watcher.email).length, before);
});

test('no technician is notified of mail written by a program, even if they watch the ticket or it mentions them', async (t) => {
  const { app } = ours;
  const { company_number } = await seedCompany(app);
  const { email } = await seedEmployee(app, {
    company_number,
    can_create_tickets: true,
    email: 'away@company.example',
  });
  const watcher = await seedTechnician(app);
  const mentioned = await seedTechnician(app, 'technician', 'ada@acme.example');
  const opened = await receive(ours, mailOf(email, {}));
  await app.run(async (ctx) => {
    const ticket = await lockTicket(ctx, opened.ticket_id ?? 0);
    await addWatcher(ctx, ticket, { user_id: watcher.user_id });
  });
  await app.app.outbox.drain();
  const headers = { 'In-Reply-To': opened.message_id ?? '', 'Auto-Submitted': 'auto-replied' };
  const body = 'I am away. Ask @ada instead.';
  t.like(await receive(ours, mailOf(email, { headers, body })), { state: 'note', ticket_id: opened.ticket_id });
  for (const { user_id } of [watcher, mentioned])
    t.deepEqual(await app.run((ctx) => ctx.db.findBy(Notification, { user_id })), []);
});

/** What providers may do to outgoing mails: drop headers and replace the Message-ID. */
const asSent = (raw: string): string =>
  raw
    .replace(/^Auto-Submitted:.*\r?\n/im, '')
    .replace(/^X-Auto-Response-Suppress:.*\r?\n/im, '')
    .replace(/^Message-ID:.*$/im, `Message-ID: <replaced-${++made}@provider.example>`);

for (const [name, change] of [
  ['as they write', (raw: string) => raw],
  ['through providers that remove the signs of automatic mails', asSent],
] as const)
  test(`two installations that write to each other stop after one mail each, ${name}`, async (t) => {
    clock.set(plus(clock.now(), { hours: 2 }));
    const pairs = [
      [ours, theirs],
      [theirs, ours],
    ] as const;
    for (const [desk, peer] of pairs)
      await seedEmployee(desk.app, { can_create_tickets: true, email: peer.address }).catch(() => undefined);
    // Their ticket numbers differ.
    const other = await seedEmployee(theirs.app, { can_create_tickets: true });
    for (let n = 0; n < 2; n++) await receive(theirs, mailOf(other.email, {}));
    const seen = new Map(pairs.map(([desk, peer]) => [desk, sentTo(desk, peer.address).length]));
    const sent = (desk: Desk, peer: Desk) => sentTo(desk, peer.address).slice(seen.get(desk));
    await receive(ours, mailOf(theirs.address, {}));
    const delivered = new Set<Received>();
    for (let round = 0; round < 10; round++)
      for (const [desk, peer] of pairs)
        for (const each of sent(desk, peer)) {
          if (delivered.has(each)) continue;
          delivered.add(each);
          await receive(peer, change(each.raw));
        }
    t.is(sent(ours, theirs).length, 1);
    t.is(sent(theirs, ours).length, change === asSent ? 1 : 0);
  });
