// People who get a copy of a mail about a ticket watch it.
import { addAddress, Employee } from '@keelson/modules/directory';
import { findTicket, lockTicket } from '@keelson/modules/tickets';
import { openApp, readMails, testClock, type TestApp } from '@keelson/testing';
import anyTest from 'ava';
import { UndeliverableAddress } from '../../modules/mailbox/entities.ts';
import { addWatcher, readWatchers } from '../../modules/tickets/people/watchers.ts';
import { seedCompany, seedEmployee, seedTechnician } from '../accounts-seed.ts';
import { seedTicket } from '../tickets-seed.ts';
import { addSilentMailbox, receiveMail } from './_received-mail.ts';

// Mails are compared by count.
const test = anyTest.serial;
const HOST = 'mx.provider.example';
const MAILBOX = 'support@provider.example';
const ALIAS = 'help@provider.example';
let app: TestApp;
let mailbox_id: number;

anyTest.before(async () => {
  app = await openApp({ clock: testClock() });
  mailbox_id = await addSilentMailbox(app, { address: MAILBOX, aliases: [ALIAS], authserv_id: HOST });
});
anyTest.after.always(() => app?.close());

interface Copied {
  readonly from: string;
  /** The number of the ticket it replies to. */
  readonly number?: number;
  readonly to?: readonly string[];
  readonly cc?: readonly string[];
  readonly verified?: boolean;
  readonly headers?: readonly string[];
}

let count = 0;
function receive({ from, number, to = [], cc = [], verified = true, headers = [] }: Copied) {
  const message_id = `<copies-${++count}@provider.example>`;
  const all = [
    `From: ${from}`,
    `To: ${[MAILBOX, ...to].join(', ')}`,
    ...(cc.length > 0 ? [`Cc: ${cc.join(', ')}`] : []),
    `Subject: ${number === undefined ? '' : `Re: [#${number}] `}Printer`,
    ...(verified ? [`Authentication-Results: ${HOST}; dmarc=pass`] : []),
    ...headers,
  ];
  const body = 'We are on our way.';
  return receiveMail(app, { mailbox_id, message_id, headers: all, body, from: { name: '', address: from } });
}

const watchersOf = async (ticket_id: number) =>
  (await app.run((ctx) => readWatchers(ctx, { ticket_id }))).map(({ employee_number, user_id }) =>
    employee_number === null ? `technician ${user_id}` : `contact ${employee_number}`,
  );

async function seed() {
  const { company_number } = await seedCompany(app);
  const requester = await seedEmployee(app, { company_number });
  const technician = await seedTechnician(app);
  const ticket = await seedTicket(app, { company_number, employee_number: requester.employee_number });
  return { company_number, requester, technician, ticket };
}

test('contacts of the company and technicians in To and Cc of a technician’s reply watch the ticket', async (t) => {
  const { company_number, requester, technician, ticket } = await seed();
  const colleague = await seedEmployee(app, { company_number });
  const boss = await seedEmployee(app, { company_number });
  const other = await seedTechnician(app);
  await app.run((ctx) => addAddress(ctx, boss as Employee, 'boss@private.example'));
  const reply = {
    from: technician.email,
    number: ticket.ticket_number,
    to: [`"Colleague, C." <${colleague.email.toUpperCase()}>`, requester.email],
    cc: ['boss@private.example', other.email, technician.email, ALIAS, 'stranger@elsewhere.example'],
  };
  t.is((await receive(reply)).state, 'comment');
  const watching = [
    `contact ${colleague.employee_number}`,
    `contact ${boss.employee_number}`,
    `technician ${other.user_id}`,
  ];
  t.deepEqual(await watchersOf(ticket.ticket_id), watching);
  const subjects = (await readMails(app)).filter(({ to }) => to === colleague.email).map(({ subject }) => subject);
  t.is(subjects.length, 1, 'only that they were added: they have the reply');
  await receive(reply);
  t.deepEqual(await watchersOf(ticket.ticket_id), watching, 'once');
});

test('people of other companies, undeliverable addresses and inactive contacts do not', async (t) => {
  const { company_number, technician, ticket } = await seed();
  const foreign = await seedEmployee(app, {});
  const returned = await seedEmployee(app, { company_number });
  const inactive = await seedEmployee(app, { company_number });
  await app.run(async (ctx) => {
    await ctx.db.update(Employee, { employee_number: inactive.employee_number }, { status: 'Inactive' });
    const marked = { email_key: returned.email.toLowerCase(), address: returned.email, why: 'No such user' };
    await ctx.db.insert(UndeliverableAddress, { ...marked, ticket_id: null, created_at: ctx.now });
  });
  const cc = [foreign.email, returned.email, inactive.email];
  t.is((await receive({ from: technician.email, number: ticket.ticket_number, cc })).state, 'comment');
  t.deepEqual(await watchersOf(ticket.ticket_id), []);
  t.deepEqual(
    (await readMails(app)).filter(({ to }) => cc.includes(to)),
    [],
  );
});

test('colleagues in To and Cc of a customer’s request and replies watch the ticket, nobody else', async (t) => {
  const { company_number, requester, technician } = await seed();
  const first = await seedEmployee(app, { company_number });
  const second = await seedEmployee(app, { company_number });
  const third = await seedEmployee(app, { company_number });
  const foreign = await seedEmployee(app, {});
  const others = [foreign.email, technician.email, 'stranger@elsewhere.example', ALIAS];
  const asked = await receive({ from: requester.email, cc: [first.email, requester.email, ...others] });
  t.is(asked.state, 'ticket');
  const ticket_id = asked.ticket_id ?? 0;
  t.deepEqual(await watchersOf(ticket_id), [`contact ${first.employee_number}`]);
  const told = async (to: string) => (await readMails(app)).filter((each) => each.to === to).length;
  t.is(await told(first.email), 1, 'that they were added');
  t.is(await told('stranger@elsewhere.example'), 0);

  const { ticket_number: number } = await app.run((ctx) => findTicket(ctx, ticket_id));
  // In the portal, too, only the requester and IT admins add people.
  t.is((await receive({ from: first.email, number, cc: [second.email] })).state, 'comment');
  t.deepEqual(await watchersOf(ticket_id), [`contact ${first.employee_number}`]);
  const reply = { from: requester.email, number, to: [second.email], cc: [third.email] };
  t.is((await receive({ ...reply, headers: ['X-Auto-Response-Suppress: All'] })).state, 'comment');
  t.deepEqual(await watchersOf(ticket_id), [`contact ${first.employee_number}`]);
  t.is((await receive(reply)).state, 'comment');
  const watching = [first, second, third].map(({ employee_number }) => `contact ${employee_number}`);
  t.deepEqual(await watchersOf(ticket_id), watching);
  const admin = await seedEmployee(app, { company_number, it_privileges: true });
  t.is((await receive({ from: admin.email, number, to: [requester.email] })).state, 'comment');
  t.deepEqual(await watchersOf(ticket_id), watching, 'the requester is not added');
});

test('a mail that becomes an internal note neither adds nor mails watchers', async (t) => {
  const { company_number, technician, ticket } = await seed();
  const colleague = await seedEmployee(app, { company_number });
  const watcher = await seedEmployee(app, { company_number });
  const { employee_number } = watcher;
  await app.run(async (ctx) => addWatcher(ctx, await lockTicket(ctx, ticket.ticket_id), { employee_number }));
  await app.app.outbox.drain();
  const before = (await readMails(app)).length;
  const reply = { from: technician.email, number: ticket.ticket_number, cc: [colleague.email] };
  t.is((await receive({ ...reply, verified: false })).state, 'note');
  t.is((await receive({ ...reply, headers: ['Auto-Submitted: auto-replied'] })).state, 'note');
  t.deepEqual(await watchersOf(ticket.ticket_id), [`contact ${employee_number}`]);
  t.is((await readMails(app)).length, before);
});

test('one reply adds at most 20 people, and none beyond the ticket’s maximum', async (t) => {
  const { company_number, technician, ticket } = await seed();
  const colleagues = await Promise.all(Array.from({ length: 25 }, () => seedEmployee(app, { company_number })));
  const cc = colleagues.map(({ email }) => email);
  const number = ticket.ticket_number;
  t.is((await receive({ from: technician.email, number, cc })).state, 'comment');
  t.is((await watchersOf(ticket.ticket_id)).length, 20);
  const technicians = await Promise.all(Array.from({ length: 28 }, () => seedTechnician(app)));
  await app.run(async (ctx) => {
    const locked = await lockTicket(ctx, ticket.ticket_id);
    for (const { user_id } of technicians) await addWatcher(ctx, locked, { user_id });
  });
  t.is((await receive({ from: technician.email, number, cc: cc.slice(20) })).state, 'comment');
  t.is((await watchersOf(ticket.ticket_id)).length, 50);
});
