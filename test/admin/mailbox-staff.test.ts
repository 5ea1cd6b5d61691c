// Mails of technicians: what they forward becomes the ticket of the contact who wrote it, and what is meant for
// colleagues is never mailed to a customer.
import { sendMail } from '@keelson/core';
import type { MailboxMessage } from '@keelson/modules/mailbox';
import { findTicket, readComments } from '@keelson/modules/tickets';
import { openApp, readMails, testClock, type TestApp } from '@keelson/testing';
import anyTest from 'ava';
import { belongsTo } from '../../modules/mailbox/messages/messages.ts';
import { EscalationMail } from '../../modules/teams/mail-templates.ts';
import { seedCompany, seedEmployee, seedTechnician } from '../accounts-seed.ts';
import { seedTicket } from '../tickets-seed.ts';
import { addSilentMailbox, receiveMail } from './_received-mail.ts';

// Mails are compared by count.
const test = anyTest.serial;
const HOST = 'mx.provider.example';
const MAILBOX = 'support@provider.example';
let app: TestApp;
let mailbox_id: number;

anyTest.before(async () => {
  app = await openApp({ clock: testClock() });
  mailbox_id = await addSilentMailbox(app, { address: MAILBOX, authserv_id: HOST });
});
anyTest.after.always(() => app?.close());

interface Written {
  readonly from: string;
  readonly subject: string;
  readonly body: string;
  readonly verified?: boolean;
  readonly headers?: readonly string[];
}

let count = 0;
function receive({ from, subject, body, verified = true, headers = [] }: Written): Promise<MailboxMessage> {
  const message_id = `<staff-${++count}@provider.example>`;
  const all = [
    `From: ${from}`,
    `To: ${MAILBOX}`,
    `Subject: ${subject}`,
    ...(verified ? [`Authentication-Results: ${HOST}; dmarc=pass`] : []),
    ...(headers.some((each) => each.startsWith('Content-Type:')) ? [] : ['Content-Type: text/plain; charset=utf-8']),
    ...headers,
  ];
  return receiveMail(app, { mailbox_id, message_id, headers: all, body, from: { name: '', address: from } });
}

const commentsOf = async (ticket_id: number | null) =>
  (await app.run((ctx) => readComments(ctx, ticket_id ?? 0))).map((each) => [each.comment, each.is_internal]);

async function seed() {
  const { company_number } = await seedCompany(app);
  const requester = await seedEmployee(app, { company_number });
  return { requester, technician: await seedTechnician(app) };
}

async function seedAnswered() {
  const { requester, technician } = await seed();
  const { company_number, employee_number } = requester;
  return { requester, technician, ticket: await seedTicket(app, { company_number, employee_number }) };
}

const commentsMailedTo = async (address: string) =>
  (await mailsTo(address)).filter(({ template }) => template === 'ticket_comment');

const mailsTo = async (address: string) => (await readMails(app)).filter((each) => each.to === address);

/** Forwards as mail programs write them in plain text; each is by the contact, about a printer. */
const forwards: readonly (readonly [string, string, (by: string) => string])[] = [
  [
    'Outlook',
    'FW: Printer',
    (by) =>
      `Theirs again.\n\n________________________________\nFrom: Erin Example <${by}>\nSent: Monday, March 2, 2026 9:00 AM\nTo: Terry <terry@provider.example>\nSubject: Printer\n\nIt burns.\n\nRegards\nErin`,
  ],
  [
    'Outlook in German',
    'WG: Printer',
    (by) =>
      `Theirs again.\n\nVon: Erin Example <${by}>\nGesendet: Montag, 2. März 2026 09:00\nAn: Terry <terry@provider.example>\nBetreff: Printer\n\nIt burns.\n\nRegards\nErin`,
  ],
  [
    'Outlook in French',
    'TR: Printer',
    (by) =>
      `Theirs again.\n\nDe : Erin Example <${by}>\nEnvoyé : lundi 2 mars 2026 09:00\nÀ : Terry <terry@provider.example>\nObjet : Printer\n\nIt burns.\n\nRegards\nErin`,
  ],
  [
    'Outlook 2010 in Spanish',
    'RV: Printer',
    (by) =>
      `Theirs again.\n\n-----Mensaje original-----\nDe: Erin Example [mailto:${by}]\nEnviado el: lunes, 2 de marzo de 2026 9:00\nPara: Terry\nAsunto: Printer\n\nIt burns.\n\nRegards\nErin`,
  ],
  [
    'Gmail',
    'Fwd: Printer',
    (by) =>
      `Theirs again.\n\n---------- Forwarded message ---------\nFrom: Erin Example <${by}>\nDate: Mon, Mar 2, 2026 at 9:00 AM\nSubject: Printer\nTo: Terry <terry@provider.example>\n\n\nIt burns.\n\nRegards\nErin`,
  ],
  [
    'Gmail in German',
    'Fwd: Printer',
    (by) =>
      `Theirs again.\n\n---------- Forwarded message ---------\nVon: Erin Example <${by}>\nDate: Mo., 2. März 2026 um 09:00 Uhr\nSubject: Printer\nTo: Terry <terry@provider.example>\n\n\nIt burns.\n\nRegards\nErin`,
  ],
  [
    'Apple Mail',
    'Fwd: Printer',
    (by) =>
      `Theirs again.\n\n> Begin forwarded message:\n> \n> From: Erin Example <${by}>\n> Subject: Printer\n> Date: 2 March 2026 at 09:00:00 GMT\n> To: terry@provider.example\n> \n> It burns.\n> \n> Regards\n> Erin`,
  ],
  [
    'Apple Mail in Dutch',
    'Fwd: Printer',
    (by) =>
      `Theirs again.\n\nBegin doorgestuurd bericht:\n\n> Van: Erin Example <${by}>\n> Onderwerp: Printer\n> Datum: 2 maart 2026 om 09:00\n> Aan: terry@provider.example\n> \n> It burns.\n> \n> Regards\n> Erin`,
  ],
  [
    'Thunderbird in German',
    'Fwd: Printer',
    (by) =>
      `Theirs again.\n\n-------- Weitergeleitete Nachricht --------\nBetreff: \tPrinter\nDatum: \tMon, 2 Mar 2026 09:00:00 +0100\nVon: \tErin Example <${by}>\nAn: \tTerry <terry@provider.example>\n\nIt burns.\n\nRegards\nErin`,
  ],
];

for (const [program, subject, bodyOf] of forwards)
  test(`a technician forwards a customer’s mail in ${program}`, async (t) => {
    const { requester, technician } = await seed();
    const message = await receive({ from: technician.email, subject, body: bodyOf(requester.email) });
    t.like(message, { state: 'ticket', reason: `Forwarded by a technician from ${requester.email}` });
    t.like(await app.run((ctx) => findTicket(ctx, message.ticket_id ?? 0)), {
      requester_employee_number: requester.employee_number,
      company_number: requester.company_number,
      subject: 'Printer',
      description: 'It burns.\n\nRegards\nErin',
      source: 'mail',
    });
    t.deepEqual(await commentsOf(message.ticket_id), [['Theirs again.', true]], 'the remark is a note');
    const [confirmation, ...others] = await mailsTo(requester.email);
    t.is(others.length, 0);
    t.false(confirmation?.text.includes('Theirs again'));
  });

test('a forward in HTML or as a file names its author, too', async (t) => {
  const { requester, technician } = await seed();
  const html = `<div>Theirs again.</div><hr><div><b>From:</b> Erin Example &lt;<a href="mailto:${requester.email}">${requester.email}</a>&gt;<br><b>Sent:</b> Monday, March 2, 2026<br><b>To:</b> Terry<br><b>Subject:</b> Printer<br></div><br><p>It burns.</p>`;
  const asHtml = await receive({
    from: technician.email,
    subject: 'FW: Printer',
    body: html,
    headers: ['Content-Type: text/html; charset=utf-8'],
  });
  const asFile = await receive({
    from: technician.email,
    subject: 'Printer',
    body: `--b\nContent-Type: text/plain\n\nTheirs again.\n--b\nContent-Type: message/rfc822\nContent-Disposition: attachment; filename="Printer.eml"\n\nFrom: Erin <${requester.email}>\nSubject: Printer\n\nIt burns.\n--b--`,
    headers: ['Content-Type: multipart/mixed; boundary=b'],
  });
  for (const message of [asHtml, asFile]) {
    t.is(message.state, 'ticket', message.reason);
    t.like(await app.run((ctx) => findTicket(ctx, message.ticket_id ?? 0)), {
      requester_employee_number: requester.employee_number,
      description: 'It burns.',
    });
    t.deepEqual(await commentsOf(message.ticket_id), [['Theirs again.', true]]);
  }
});

test('a forward waits for a decision if nobody vouches for it, or its author is unknown', async (t) => {
  const { requester, technician } = await seed();
  const [, subject, bodyOf] = forwards[0] ?? t.fail();
  const forged = await receive({ from: technician.email, subject, body: bodyOf(requester.email), verified: false });
  t.like(forged, {
    state: 'review',
    reason: 'Forwarded by a technician, but the sender could not be verified',
  });
  const unknown = await receive({ from: technician.email, subject, body: bodyOf('who@elsewhere.example') });
  t.like(unknown, {
    state: 'review',
    reason: 'Forwarded by a technician, but no contact has the address who@elsewhere.example',
  });
  const nameless = await receive({ from: technician.email, subject, body: 'Please look after this' });
  t.is(nameless.reason, 'Forwarded by a technician, but it does not name who wrote it');
  const creator = await seedEmployee(app, { can_create_tickets: true });
  const decided = await belongsTo(app.app.system(), unknown.received_id, creator.employee_number);
  const ticket = await app.run((ctx) => findTicket(ctx, decided.ticket_id ?? 0));
  t.is(ticket.description, 'It burns.\n\nRegards\nErin', 'without the technician’s remark');
});

test('a technician’s mail that is marked as internal or forwards something is never mailed to the customer', async (t) => {
  const { requester, technician, ticket } = await seedAnswered();
  const subject = `Re: [#${ticket.ticket_number}] Printer`;
  const from = technician.email;
  const marked = await receive({ from, subject, body: '#note They never pay.' });
  t.like(marked, { state: 'note', reason: 'Marked as internal: kept as an internal note' });
  const german = await receive({ from, subject, body: '#intern\nSie zahlen nie.' });
  t.is(german.state, 'note');
  const vendor = await receive({
    from,
    subject: `WG: [#${ticket.ticket_number}] Printer`,
    body: 'Their price.\n\nVon: Vendor <sales@vendor.example>\nGesendet: Montag\nBetreff: Offer\n\n100 EUR',
  });
  t.like(vendor, { state: 'note', reason: 'Forwarded by a technician: kept as an internal note' });
  t.deepEqual(await commentsMailedTo(requester.email), []);
  const answer = await receive({ from, subject, body: '#internet is back.' });
  t.is(answer.state, 'comment');
  const comments = await commentsOf(ticket.ticket_id);
  t.deepEqual(comments.slice(0, 2), [
    ['They never pay.', true],
    ['Sie zahlen nie.', true],
  ]);
  t.is((await commentsMailedTo(requester.email)).length, 1);
});

test('a technician’s reply to an alert for technicians is a note', async (t) => {
  const { requester, technician, ticket } = await seedAnswered();
  const { ticket_number } = ticket;
  const mail_id = await app.run((ctx) =>
    Promise.resolve(
      sendMail(ctx, EscalationMail, {
        to: { name: technician.name, address: technician.email },
        data: { team_name: '1', ticket_number, subject: 'Printer', ticket_url: '', acknowledge_url: '' },
      }),
    ),
  );
  const message = await receive({
    from: technician.email,
    subject: `Re: Escalated: [#${ticket_number}] Printer`,
    body: 'I am not driving there again.',
    headers: [`In-Reply-To: <${mail_id}@provider.example>`],
  });
  t.like(message, {
    state: 'note',
    reason: 'Reply to a mail for technicians: kept as an internal note',
    ticket_id: ticket.ticket_id,
  });
  t.deepEqual(await commentsMailedTo(requester.email), []);
});

test('an out-of-office reply that references nothing becomes a note by its subject, if its author sees the ticket', async (t) => {
  const { requester, ticket } = await seedAnswered();
  const subject = `Automatische Antwort: [#${ticket.ticket_number}] Printer`;
  const away = await receive({ from: requester.email, subject, body: 'Back on Monday.', verified: false });
  t.like(away, { state: 'note', ticket_id: ticket.ticket_id });
  const stranger = await seedEmployee(app, {});
  for (const from of [stranger.email, 'nobody@elsewhere.example']) {
    const other = await receive({ from, subject, body: 'Back on Monday.', verified: false });
    t.like(other, { state: 'review', ticket_id: null }, from);
  }
});
