// Mails from people who are no contacts: rules that add them to a company or block them, and decisions by hand.
import { Employee } from '@keelson/modules/directory';
import { openApp, testClock, type TestApp } from '@keelson/testing';
import anyTest from 'ava';
import { namesOf } from '../../modules/mailbox/judge/sender-rules.ts';
import { asKey, seedCompany, seedEmployee, storedTicket } from '../tickets-seed.ts';
import { addSilentMailbox, receiveMail } from './_received-mail.ts';

// One mailbox for all.
const test = anyTest.serial;
const HOST = 'mx.provider.example';
const MAILBOX = 'support@provider.example';
const rights = [
  ...['tickets:read', 'tickets:write', 'settings:read', 'settings:write'],
  ...['contacts:read', 'contacts:write', 'contacts:access'],
];
let app: TestApp;
let mailbox_id: number;
let send: Awaited<ReturnType<typeof asKey>>;

anyTest.before(async () => {
  app = await openApp({ clock: testClock() });
  send = await asKey(app, rights);
  mailbox_id = await addSilentMailbox(app, { address: MAILBOX, authserv_id: HOST });
});
anyTest.after.always(() => app?.close());

let count = 0;
function receive(from: string, { verified = true, headers = [] as readonly string[] } = {}) {
  const message_id = `<rule-${++count}@sender.example>`;
  const all = [
    `From: ${from}`,
    `To: ${MAILBOX}`,
    'Subject: Printer',
    ...(verified ? [`Authentication-Results: ${HOST}; dmarc=pass`] : []),
    ...headers,
  ];
  const address = /[^\s<]+@[^\s>]+/.exec(from)?.[0] ?? '';
  const name = /^(.+) </.exec(from)?.[1]?.replaceAll('"', '') ?? '';
  const sender = { from: { name, address }, subject: 'Printer' };
  return receiveMail(app, { mailbox_id, message_id, headers: all, body: 'It burns', ...sender });
}

const contactOf = (email_key: string) => app.run((ctx) => ctx.db.findOneBy(Employee, { email_key }));
const made = async (path: string, body: object) => {
  const answer = await send('POST', path, body);
  if (answer.status >= 300) throw new Error(JSON.stringify(answer.body));
  return answer.body.data;
};

test('Add a rule for unknown senders; List rules for unknown senders; Read a rule for unknown senders; Change a rule for unknown senders; Delete a rule for unknown senders', async (t) => {
  const { company_number, customer } = await seedCompany(app);
  const rule = await made('/mailboxes/rules.php', {
    sender: ' @Acme-1.Example',
    outcome: 'add_contact',
    company_number,
  });
  t.like(rule, { sender: 'acme-1.example', outcome: 'add_contact', company_number, company_name: customer });
  const path = `/mailboxes/rules.php?id=${rule.rule_id}`;
  t.is((await send('GET', path)).body.data.sender, 'acme-1.example');
  t.is((await send('GET', '/mailboxes/rules.php?outcome=add_contact')).body.pagination.total, 1);
  t.like((await send('PUT', path, { outcome: 'block' })).body.data, { outcome: 'block', company_number: null });
  for (const [body, error] of [
    [{ sender: 'acme-1.example', outcome: 'block' }, 'sender acme-1.example already has a rule'],
    [{ sender: 'not a domain', outcome: 'block' }, /^sender must be an email address or a domain/],
    [{ sender: 'gmail.com', outcome: 'block' }, 'sender must not be the domain of a public mail provider'],
    [{ sender: 'b.example', outcome: 'add_contact' }, 'company_number is required to add contacts'],
    [
      { sender: 'b.example', outcome: 'add_contact', company_number: 999 },
      'company_number must be an existing company',
    ],
  ] as const) {
    const { body: answer } = await send('POST', '/mailboxes/rules.php', body);
    if (typeof error === 'string') t.is(answer.error, error);
    else t.regex(answer.error, error);
  }
  const weak = await asKey(app, ['settings:read', 'settings:write']);
  const refused = await weak('POST', '/mailboxes/rules.php', {
    sender: 'b.example',
    outcome: 'add_contact',
    company_number,
  });
  t.deepEqual(
    [refused.status, refused.body.error],
    [403, 'A rule that adds contacts requires the permission contacts:access'],
  );
  t.is((await send('DELETE', path)).status, 204);
  t.is((await send('GET', path)).status, 404);
});

test('an unknown sender becomes a contact of the rule’s company, and the mail a ticket', async (t) => {
  const { company_number } = await seedCompany(app);
  await made('/mailboxes/rules.php', { sender: 'harbour.example', outcome: 'add_contact', company_number });
  const forged = await receive('Petra Berg <petra@harbour.example>', { verified: false });
  t.deepEqual([forged.state, forged.reason], ['review', 'The sender could not be verified, so no contact was added']);
  t.is(await contactOf('petra@harbour.example'), null);
  const first = await receive('"Berg, Petra" <Petra@Harbour.example>');
  t.is(first.state, 'ticket');
  const contact = await contactOf('petra@harbour.example');
  t.like(contact, { company_number, first_name: 'Petra', last_name: 'Berg', can_create_tickets: true });
  const ticket = await storedTicket(app, first.ticket_id ?? 0);
  t.like(ticket, { company_number, requester_employee_number: contact?.employee_number });
  t.is((await receive('Petra <petra@harbour.example>')).state, 'ticket', 'known from then on');
  const robot = await receive('Robot <robot@harbour.example>', { headers: ['Auto-Submitted: auto-generated'] });
  t.is(robot.state, 'ignored', 'programs do not become contacts');
  t.is(await contactOf('robot@harbour.example'), null);
});

test('a former contact is not added again, and their mail waits for review', async (t) => {
  const { company_number } = await seedCompany(app);
  await made('/mailboxes/rules.php', { sender: 'left.example', outcome: 'add_contact', company_number });
  const { employee_number } = await seedEmployee(app, { company_number, email: 'gone@left.example' });
  await app.run((ctx) => ctx.db.update(Employee, { employee_number }, { status: 'Inactive' }));
  const mail = await receive('gone@left.example');
  t.is(mail.state, 'review');
  t.regex(mail.reason, /^No contact was added: /);
});

test('Block the sender of a received mail: the address or its domain, except for contacts', async (t) => {
  const first = await receive('Spam <one@spam.example>');
  t.is(first.state, 'review');
  const block = (id: number, body: object) => send('POST', `/mailboxes/messages.php?action=block&id=${id}`, body);
  t.like((await block(first.received_id, {})).body.data, { state: 'ignored' });
  t.is((await block(first.received_id, {})).status, 400, 'decided already');
  const again = await receive('Spam <one@spam.example>');
  t.deepEqual([again.state, again.reason], ['ignored', 'Blocked by the rule for one@spam.example']);
  const second = await receive('Spam <two@spam.example>');
  t.is(second.state, 'review');
  await block(second.received_id, { domain: true });
  t.is((await receive('Spam <three@spam.example>')).reason, 'Blocked by the rule for spam.example');
  await seedEmployee(app, { email: 'friend@spam.example' });
  t.is((await receive('friend@spam.example')).state, 'ticket');
  const free = await receive('Someone <someone@gmail.com>');
  const refused = await block(free.received_id, { domain: true });
  t.deepEqual([refused.status, refused.body.error], [400, 'sender must not be the domain of a public mail provider']);
  t.is((await block(free.received_id, {})).status, 200);
});

test('Add the sender of a received mail as a contact: the company of others at the domain is proposed', async (t) => {
  const { company_number } = await seedCompany(app);
  await seedEmployee(app, { company_number, email: 'boss@quay.example' });
  const mail = await receive('Noor van Dijk <noor@quay.example>');
  const read = async (id: number) => (await send('GET', `/mailboxes/messages.php?id=${id}`)).body.data;
  t.like(await read(mail.received_id), {
    proposed_company_number: company_number,
    sender_first_name: 'Noor van',
    sender_last_name: 'Dijk',
  });
  const path = `/mailboxes/messages.php?action=contact&id=${mail.received_id}`;
  const body = { company_number, first_name: 'Noor', last_name: 'van Dijk' };
  const weak = await asKey(app, ['tickets:read', 'tickets:write']);
  t.is((await weak('POST', path, body)).status, 403);
  const answer = await send('POST', path, body);
  t.like(answer.body.data, { state: 'ticket', company_number });
  t.like(await contactOf('noor@quay.example'), { company_number, last_name: 'van Dijk' });
  t.is((await send('POST', path, body)).status, 400);
  // Ambiguous domains and those of public providers propose nothing.
  await seedEmployee(app, { email: 'other@quay.example' });
  t.is((await read((await receive('x@quay.example')).received_id)).proposed_company_number, null);
  await seedEmployee(app, { email: 'private@gmx.de' });
  t.is((await read((await receive('y@gmx.de')).received_id)).proposed_company_number, null);
});

test('names are read from the sender’s name or address', (t) => {
  for (const [name, address, first_name, last_name] of [
    ['Petra Müller', 'p@a.example', 'Petra', 'Müller'],
    ['Müller, Petra Maria', 'p@a.example', 'Petra Maria', 'Müller'],
    ['', 'petra.mueller@a.example', 'petra', 'mueller'],
    ['petra@a.example', 'petra@a.example', '', 'petra'],
    ['Cher', 'c@a.example', '', 'Cher'],
  ] as const)
    t.deepEqual(namesOf(name, address), { first_name, last_name }, name || address);
});

test('unknown senders are added to the company of the mailbox, unless a rule says otherwise', async (t) => {
  const { company_number, customer } = await seedCompany(app);
  const other = await seedCompany(app);
  const path = `/mailboxes.php?id=${mailbox_id}`;
  // Nobody connects to an inactive mailbox.
  const set = (company: number | null) => send('PUT', path, { active: false, company_number: company });
  t.is((await set(999)).body.error, 'company_number must be an existing company');
  const weak = await asKey(app, ['settings:read', 'settings:write', 'tickets:write']);
  const refused = await weak('PUT', path, { active: false, company_number });
  t.deepEqual(
    [refused.status, refused.body.error],
    [403, 'A mailbox that adds contacts requires the permission contacts:access'],
  );
  t.like((await set(company_number)).body.data, { company_number, company_name: customer });
  await made('/mailboxes/rules.php', {
    sender: 'quay.example',
    outcome: 'add_contact',
    company_number: other.company_number,
  });
  await made('/mailboxes/rules.php', { sender: 'junk.example', outcome: 'block' });
  t.is((await receive('Ann <ann@gmail.com>', { verified: false })).state, 'review');
  t.is((await receive('Ann <ann@gmail.com>')).state, 'ticket');
  t.like(await contactOf('ann@gmail.com'), { company_number });
  t.is((await receive('Bob <bob@quay.example>')).state, 'ticket');
  t.like(await contactOf('bob@quay.example'), { company_number: other.company_number });
  t.is((await receive('Cy <cy@junk.example>')).state, 'ignored');
  const robot = await receive('Robot <robot@wharf.example>', { headers: ['Auto-Submitted: auto-generated'] });
  t.is(robot.state, 'ignored');
  t.is(await contactOf('robot@wharf.example'), null);
  await set(null);
  t.is((await receive('Dee <dee@wharf.example>')).state, 'review');
});
