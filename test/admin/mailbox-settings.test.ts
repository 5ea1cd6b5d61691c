// Settings of a mailbox: the address for internal notes, and how long replies reopen tickets.
import { plus } from '@keelson/core';
import { Mailbox } from '@keelson/modules/mailbox';
import { findTicket, readComments } from '@keelson/modules/tickets';
import { readMails, startApp, type TestApp } from '@keelson/testing';
import test, { type ExecutionContext } from 'ava';
import { seedEmployee, seedTechnician } from '../accounts-seed.ts';
import { asKey } from '../tickets-seed.ts';
import { addSilentMailbox, receiveMail } from './_received-mail.ts';

const HOST = 'mx.provider.example';
const ADDRESS = 'support@provider.example';
const NOTES = 'support+note@provider.example';

async function start(t: ExecutionContext, reopen_days?: number) {
  const app = await startApp(t);
  const more = reopen_days === undefined ? {} : { reopen_days };
  const mailbox_id = await addSilentMailbox(app, { address: ADDRESS, authserv_id: HOST, note_address: NOTES, ...more });
  let count = 0;
  const receive = (from: string, headers: readonly string[], body = 'It burns.') => {
    const message_id = `<settings-${++count}@customer.example>`;
    const verdict = `Authentication-Results: ${HOST}; dmarc=pass`;
    return receiveMail(app, { mailbox_id, message_id, headers: [`From: ${from}`, verdict, ...headers], body });
  };
  return { app, mailbox_id, receive };
}

const commentsOf = async (app: TestApp, ticket_id: number | null) =>
  (await app.run((ctx) => readComments(ctx, ticket_id ?? 0))).map((each) => [each.comment, each.is_internal]);

test('a technician’s mail to the address for internal notes becomes a note; a customer’s is treated as usual', async (t) => {
  const { app, receive } = await start(t);
  const person = await seedEmployee(app, { can_create_tickets: true });
  const technician = await seedTechnician(app);
  const { ticket_id } = await receive(person.email, [`To: ${ADDRESS}`, 'Subject: Printer']);
  const { ticket_number } = await app.run((ctx) => findTicket(ctx, ticket_id ?? 0));
  const subject = `Subject: Re: [#${ticket_number}] Printer`;
  const note = await receive(
    technician.email,
    [`To: ${person.email}`, `Cc: Notes <${NOTES.toUpperCase()}>`, subject],
    'A',
  );
  t.like(note, {
    state: 'note',
    ticket_id,
    reason: 'Sent to the address for internal notes: kept as an internal note',
  });
  t.like(await receive(technician.email, [`To: ${ADDRESS}`, subject], 'B'), { state: 'comment', ticket_id });
  t.like(await receive(person.email, [`To: ${NOTES}`, subject], 'C'), { state: 'comment', ticket_id });
  t.deepEqual(await commentsOf(app, ticket_id), [
    ['A', true],
    ['B', false],
    ['C', false],
  ]);
  await app.app.outbox.drain();
  const mailed = (await readMails(app)).filter(
    ({ to, template }) => to === person.email && template === 'ticket_comment',
  );
  t.is(mailed.length, 1);
  t.like(await receive(NOTES, [`To: ${ADDRESS}`, 'Subject: Loop']), {
    state: 'ignored',
    reason: 'It was sent from our own address',
  });
});

test('the address for internal notes belongs to one mailbox', async (t) => {
  const { app, mailbox_id } = await start(t);
  const other = await addSilentMailbox(app, { address: 'sales@provider.example' });
  const send = await asKey(app, ['settings:read', 'settings:write', 'tickets:write']);
  const change = async (id: number, body: object) =>
    (await send('PUT', `/mailboxes.php?id=${id}`, { active: false, ...body })).body;
  t.is((await change(other, { note_address: NOTES })).error, `${NOTES} already belongs to another mailbox`);
  t.is((await change(other, { aliases: [NOTES] })).error, `${NOTES} already belongs to another mailbox`);
  t.is(
    (await change(mailbox_id, { note_address: ADDRESS })).error,
    'aliases and note_address must differ from each other and from address',
  );
  t.like((await change(mailbox_id, { note_address: null, reopen_days: 30 })).data, {
    note_address: null,
    reopen_days: 30,
  });
  t.like((await change(other, { note_address: NOTES })).data, { note_address: NOTES, reopen_days: 14 });
});

for (const [reopen_days, days, reopens] of [
  [30, 29, true],
  [30, 31, false],
  [0, 0, false],
] as const)
  test(`replies reopen within ${reopen_days} days: ${days} days later ${reopens ? 'one does' : 'it is a new ticket'}`, async (t) => {
    const { app, receive } = await start(t, reopen_days);
    const person = await seedEmployee(app, { can_create_tickets: true });
    const { ticket_id } = await receive(person.email, [`To: ${ADDRESS}`, 'Subject: Printer']);
    const send = await asKey(app, ['tickets:read', 'tickets:write']);
    await send('PUT', `/tickets.php?id=${ticket_id}`, { status: 'closed' });
    const { ticket_number } = await app.run((ctx) => findTicket(ctx, ticket_id ?? 0));
    app.clock.set(plus(app.clock.now(), { days }));
    const reply = await receive(person.email, [`To: ${ADDRESS}`, `Subject: Re: [#${ticket_number}] Printer`]);
    t.is(reply.state, reopens ? 'comment' : 'ticket');
    t.is((await app.run((ctx) => findTicket(ctx, ticket_id ?? 0))).status, reopens ? 'open' : 'closed');
  });

test('a new category must be an active one; a removed one does not block other changes', async (t) => {
  const { app, mailbox_id } = await start(t);
  const send = await asKey(app, ['settings:read', 'settings:write', 'tickets:write']);
  const change = async (body: object) => (await send('PUT', `/mailboxes.php?id=${mailbox_id}`, body)).body;
  t.like(await change({ active: false, job_type: 'Fax machines' }), { error: 'job_type must be an active category' });
  await app.run((ctx) => ctx.db.update(Mailbox, { mailbox_id }, { job_type: 'Fax machines' }));
  t.like(await change({ active: false, job_type: 'Fax machines', name: 'Fax' }), {
    data: { name: 'Fax', job_type: 'Fax machines' },
  });
});
