// Requests that look like something else are not lost, and ignored mails can be taken up by hand.
import { Employee } from '@keelson/modules/directory';
import { createRule } from '@keelson/modules/mailbox';
import { findTicket, lockTicket, readComments } from '@keelson/modules/tickets';
import { openApp, readMails, testClock, type TestApp } from '@keelson/testing';
import anyTest from 'ava';
import { AttachmentLimits } from '../../core/attachments/attachment.ts';
import { addWatcher } from '../../modules/tickets/people/watchers.ts';
import { asKey, seedEmployee, seedTechnician, seedTicket } from '../tickets-seed.ts';
import { addSilentMailbox, receiveMail } from './_received-mail.ts';

// One mailbox for all.
const test = anyTest.serial;
const MAILBOX = 'support@provider.example';
let app: TestApp;
let mailbox_id: number;
let send: Awaited<ReturnType<typeof asKey>>;

anyTest.before(async () => {
  app = await openApp({ clock: testClock() });
  send = await asKey(app, ['tickets:read', 'tickets:write', 'contacts:read', 'contacts:write']);
  mailbox_id = await addSilentMailbox(app, { address: MAILBOX });
});
anyTest.after.always(() => app?.close());

let count = 0;
function receive(from: string, subject: string, headers: readonly string[] = [], body = 'Thank you.') {
  const message_id = `<kept-${++count}@customer.example>`;
  const coded = `=?utf-8?B?${Buffer.from(subject).toString('base64')}?=`;
  const all = [`From: ${from}`, `To: ${MAILBOX}`, `Subject: ${coded}`, ...headers];
  return receiveMail(app, { mailbox_id, message_id, headers: all, body, from: { name: '', address: from }, subject });
}
const act = async (received_id: number, action: string, body: object = {}) =>
  send('POST', `/mailboxes/messages.php?action=${action}&id=${received_id}`, body);

const requests = [
  'Out of office access for new hire',
  'Out of office einrichten für Frau Müller',
  'Abwesenheit von Frau Müller einrichten',
  'Auto reply of the shop does not work',
] as const;

for (const subject of requests)
  test(`a request about an absence becomes a ticket: ${subject}`, async (t) => {
    const { email } = await seedEmployee(app, { can_create_tickets: true });
    t.is((await receive(email, subject)).state, 'ticket');
  });

const unclear = ['Abwesend: Drucker', 'Out of Office: Erin', 'Abwesenheitsnotiz', 'Automatic reply: Printer'] as const;
for (const subject of unclear)
  test(`what only its subject marks as an out-of-office reply is held for review: ${subject}`, async (t) => {
    const { email, employee_number } = await seedEmployee(app, { can_create_tickets: true });
    const held = await receive(email, subject);
    t.like(held, {
      state: 'review',
      reason: 'Its subject is that of an out-of-office reply, but it does not reply to a ticket',
    });
    const assigned = await act(held.received_id, 'belongs', { employee_number });
    t.like(assigned.body.data, { state: 'ticket', reason: 'New request' });
    const away = await receive(email, subject, ['Auto-Submitted: auto-replied']);
    t.like(away, { state: 'ignored', reason: 'Automated mail and not a reply to a ticket' });
  });

test('an unknown sender’s is held, too, unless the sender is blocked', async (t) => {
  t.is((await receive('new@unknown.example', 'Abwesend: Drucker')).state, 'review');
  await app.run((ctx) => createRule(ctx, { sender: 'spam.example', outcome: 'block', company_number: null }));
  t.is((await receive('a@spam.example', 'Abwesend: Drucker')).state, 'ignored');
});

test('an ignored mail can be assigned to a contact, whom nothing is confirmed', async (t) => {
  const { email, employee_number } = await seedEmployee(app, { can_create_tickets: true });
  const ignored = await receive('shop@vendor.example', 'Your order', ['Auto-Submitted: auto-generated'], 'It is late.');
  t.is(ignored.state, 'ignored');
  const { body } = await act(ignored.received_id, 'belongs', { employee_number });
  t.like(body.data, {
    state: 'ticket',
    reason: 'New request, not confirmed: it asks not to receive automatic replies',
  });
  const ticket = await app.run((ctx) => findTicket(ctx, body.data.ticket_id));
  t.like(ticket, { subject: 'Your order', description: 'It is late.', requester_employee_number: employee_number });
  t.is((await readMails(app)).filter((each) => each.to === email).length, 0);
  t.is((await act(ignored.received_id, 'belongs', { employee_number })).status, 400, 'once');
});

test('an ignored mail can be added to a ticket, and its sender as a contact', async (t) => {
  const { email, company_number } = await seedEmployee(app, { can_create_tickets: true });
  const { ticket_id } = await receive(email, 'Printer');
  const news = () =>
    receive(`news-${count}@vendor.example`, 'Case 12', ['Precedence: bulk'], 'The part is on its way.');
  const first = await news();
  t.like((await act(first.received_id, 'file', { ticket_id })).body.data, { state: 'note', ticket_id });
  const [note] = (await app.run((ctx) => readComments(ctx, ticket_id ?? 0))).slice(-1);
  t.true(note?.is_internal);
  t.regex(note?.comment ?? '', /The part is on its way\.$/);
  const second = await news();
  const named = { company_number, first_name: 'Vera', last_name: 'Vendor' };
  t.is((await act(second.received_id, 'contact', named)).body.data.state, 'ticket');
  const third = await news();
  t.is((await act(third.received_id, 'ignore')).status, 400, 'it is ignored already');
});

test('of several numbers in a subject, that of the sender’s ticket counts', async (t) => {
  const { email } = await seedEmployee(app, { can_create_tickets: true });
  const stranger = await seedEmployee(app, { can_create_tickets: true });
  const { ticket_id } = await receive(email, 'Printer');
  const theirs = await receive(stranger.email, 'Scanner');
  const numberOf = async (id: number | null) => (await app.run((ctx) => findTicket(ctx, id ?? 0))).ticket_number;
  const [ours, other] = [await numberOf(ticket_id), await numberOf(theirs.ticket_id)];
  for (const subject of [
    `[#JIRA-12] Re: [#${ours}] Printer`,
    `[#99999] Fwd: [#${ours}] Printer`,
    `[#${other}] Re: [#${ours}] Printer`,
  ])
    t.like(await receive(email, subject), { state: 'comment', ticket_id }, subject);
  const fresh = await receive(email, `[#99999] Re: [#${other}] Printer`);
  t.is(fresh.state, 'ticket', 'a ticket of others is not answered');
  t.is((await app.run((ctx) => findTicket(ctx, fresh.ticket_id ?? 0))).subject, 'Printer');
});

test('of several tickets that a sender can see, the one that they take part in counts', async (t) => {
  const technician = await seedTechnician(app);
  const { email, company_number } = await seedEmployee(app, { can_create_tickets: true });
  const { ticket_id: first } = await receive(email, 'Scanner');
  const { ticket_id, ticket_number } = await seedTicket(app, { company_number, assigned_to: technician.user_id });
  const { ticket_number: other } = await app.run((ctx) => findTicket(ctx, first ?? 0));
  t.is((await receive(technician.email, `[#${other}] Re: [#${ticket_number}] x`)).ticket_id, ticket_id);
  const admin = await seedEmployee(app, { company_number, it_privileges: true });
  await app.run(async (ctx) => addWatcher(ctx, await lockTicket(ctx, ticket_id), admin));
  t.is((await receive(admin.email, `[#${other}] Re: [#${ticket_number}] x`)).ticket_id, ticket_id);
});

test('a mail that is held although it names a ticket is shown at the ticket, until a person has decided', async (t) => {
  const { email } = await seedEmployee(app, { can_create_tickets: true });
  const opened = await receive(email, 'Printer');
  const ticket_id = opened.ticket_id ?? 0;
  const { ticket_number } = await app.run((ctx) => findTicket(ctx, ticket_id));
  const held = async () => (await send('GET', `/mailboxes/outgoing.php?id=${ticket_id}`)).body.data.held;
  const since = ['In-Reply-To: ' + (opened.message_id ?? '')];
  const first = await receive('home@private.example', 'Re: Printer', since);
  const second = await receive('noreply@vendor.example', `[#${ticket_number}] Case 7`, [
    'Auto-Submitted: auto-replied',
  ]);
  t.is(second.state, 'ignored');
  await receive(email, `Re: [#${ticket_number}] Printer`);
  await receive(MAILBOX, `Re: [#${ticket_number}] Printer`);
  await receive('home@private.example', 'Scanner');
  t.deepEqual(
    (await held()).map((each: { received_id: number }) => each.received_id),
    [second.received_id, first.received_id],
  );
  t.false('message_key' in (await held())[1]);
  t.like((await held())[1], { from_address: 'home@private.example', subject: 'Re: Printer', state: 'review' });
  t.is((await act(second.received_id, 'file', { ticket_id })).status, 200);
  t.is((await act(first.received_id, 'ignore')).status, 200);
  t.deepEqual(await held(), []);
});

test('a mail that cannot be read is shown at the ticket in its subject', async (t) => {
  const { company_number } = await seedEmployee(app, {});
  const { ticket_id, ticket_number } = await seedTicket(app, { company_number });
  const parts = Array.from({ length: 60 }, (_, n) => `--b${n}\nContent-Type: multipart/mixed; boundary=b${n + 1}\n`);
  const headers = ['Content-Type: multipart/mixed; boundary=b0'];
  const failed = await receive('a@vendor.example', `[#${ticket_number}] x`, headers, parts.join('\n'));
  t.is(failed.state, 'failed');
  const { body } = await send('GET', `/mailboxes/outgoing.php?id=${ticket_id}`);
  t.like(body.data.held, [{ received_id: failed.received_id, state: 'failed' }]);
});

test('mail from a former contact says so, and cannot be assigned to them', async (t) => {
  const person = await seedEmployee(app, { can_create_tickets: true });
  const { ticket_id } = await receive(person.email, 'Printer');
  const { employee_number } = person;
  await app.run((ctx) => ctx.db.update(Employee, { employee_number }, { status: 'Inactive' }));
  const { received_id, state, reason } = await receive(person.email, 'Scanner');
  t.deepEqual([state, reason], ['review', `The contact with the address ${person.email} is inactive`]);
  const refused = await act(received_id, 'belongs', { employee_number });
  t.deepEqual([refused.status, refused.body.error], [400, 'The contact is inactive']);
  const { body } = await send('GET', `/mailboxes/outgoing.php?id=${ticket_id}`);
  t.is(body.data.requester_mailed, false, 'the ticket says that its requester gets no mail');
  await app.run((ctx) => ctx.db.update(Employee, { employee_number }, { status: 'Active' }));
  t.true((await send('GET', `/mailboxes/outgoing.php?id=${ticket_id}`)).body.data.requester_mailed);
});

test('a file that is refused is told at the ticket', async (t) => {
  const { email } = await seedEmployee(app, { can_create_tickets: true });
  const limit = (record_files: number) =>
    app.run(async (ctx) => {
      const limits = await ctx.app.settings.get(ctx, AttachmentLimits);
      await ctx.app.settings.set(ctx, AttachmentLimits, { ...limits, record_files });
    });
  const part = (name: string) => `--b\nContent-Disposition: attachment; filename=${name}\n\nx\n`;
  await limit(1);
  const headers = ['Content-Type: multipart/mixed; boundary=b'];
  const { ticket_id } = await receive(email, 'Logs', headers, `${part('a.log')}${part('b.log')}--b--`);
  await limit(100);
  const notes = await app.run((ctx) => readComments(ctx, ticket_id ?? 0));
  t.deepEqual(
    notes.map(({ comment, is_internal }) => [comment, is_internal]),
    [
      [
        'b.log was not attached: A ticket can have at most 1 attachments. Technicians can download the original mail.',
        true,
      ],
    ],
  );
});
