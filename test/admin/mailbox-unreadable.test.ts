// Mails that cannot be read say so wherever they are shown, keep their original, and can be processed again.
import { plus } from '@keelson/core';
import { addMailbox, MailboxMessage, storeMail } from '@keelson/modules/mailbox';
import { findTicket, readComments } from '@keelson/modules/tickets';
import { openApp, testClock, type TestApp } from '@keelson/testing';
import anyTest from 'ava';
import { Attachment } from '../../core/attachments/attachment.ts';
import { MailboxRaw } from '../../modules/mailbox/entities.ts';
import { attachFiles } from '../../modules/mailbox/judge/files.ts';
import { forgetMail } from '../../modules/mailbox/parse/read-mail.ts';
import { pruneMails } from '../../modules/mailbox/servers/receive.ts';
import { seedEmployee } from '../accounts-seed.ts';
import { asKey, seedTicket } from '../tickets-seed.ts';

// One clock for all tests.
const test = anyTest.serial;
let app: TestApp;
let send: Awaited<ReturnType<typeof asKey>>;
let mailbox_id: number;

anyTest.before(async () => {
  app = await openApp({ clock: testClock() });
  send = await asKey(app, ['tickets:read', 'tickets:write']);
  const server = { host: '127.0.0.1', port: 1, security: 'none', username: 'u', password: 'p' } as const;
  const address = 'support@provider.example';
  ({ mailbox_id } = await app.run((ctx) => addMailbox(ctx, { name: 'Support', address, ...server })));
});
anyTest.after.always(() => app?.close());

/** Parts within parts, more than the parser accepts. */
function nested(depth: number): string {
  const open = Array.from({ length: depth }, (_, n) => `Content-Type: multipart/mixed; boundary=b${n}\r\n\r\n--b${n}`);
  return `${open.join('\r\n')}\r\n\r\nHelp\r\n`;
}
const TOO_DEEP = 'Its parts are nested more than 50 levels deep';

let count = 0;
interface Stored {
  readonly address?: string;
  readonly rest: string;
}

async function receive({ address = `nobody-${count}@customer.example`, rest }: Stored): Promise<MailboxMessage> {
  const message_id = `<unreadable-${++count}@customer.example>`;
  const head = [`From: Erin Example <${address}>`, `Message-ID: ${message_id}`, 'Subject: Printer'].join('\r\n');
  const source = Buffer.from(`${head}\r\n${rest}`);
  const from = { name: 'Erin Example', address };
  await app.run((ctx) =>
    storeMail(ctx, mailbox_id, { source, size: source.length, from, subject: 'Printer', message_id }),
  );
  await app.app.outbox.drain();
  return reload({ message_id });
}

async function reload({ message_id }: Pick<MailboxMessage, 'message_id'>): Promise<MailboxMessage> {
  const message = await app.run((ctx) => ctx.db.findOneBy(MailboxMessage, { message_id: message_id ?? '' }));
  return message ?? Promise.reject(new Error('Nothing was received'));
}

const pageOf = async ({ received_id: id }: MailboxMessage) =>
  (await send('GET', `/mailboxes/messages.php?id=${id}`)).body.data;
const act = ({ received_id: id }: MailboxMessage, action: string, body: object = {}) =>
  send('POST', `/mailboxes/messages.php?action=${action}&id=${id}`, body);
const download = ({ received_id: id }: MailboxMessage) =>
  send('GET', `/mailboxes/messages.php?action=download&id=${id}`);

/** Damages the stored original; returns how to mend it. */
async function damage({ received_id }: MailboxMessage): Promise<() => Promise<unknown>> {
  const [part] = await app.run((ctx) => ctx.db.findBy(MailboxRaw, { received_id }));
  const write = (content: string) => app.run((ctx) => ctx.db.update(MailboxRaw, { received_id }, { content }));
  await write('text v1.damaged');
  await app.run(async (ctx) => forgetMail(ctx, received_id));
  return () => write(part?.content ?? '');
}

test('a mail over the limits of the parser says so, and its original can be downloaded', async (t) => {
  const { email } = await seedEmployee(app, { can_create_tickets: true });
  const mail = await receive({ address: email, rest: nested(60) });
  t.like(mail, { state: 'failed', reason: `Cannot be read: ${TOO_DEEP}`, ticket_id: null });
  t.like(await pageOf(mail), { text: '', unreadable: TOO_DEEP, kept: true, retryable: true });
  const original = await send('GET', `/mailboxes/messages.php?action=original&id=${mail.received_id}`);
  t.like(original.body.data, { kept: true, unreadable: TOO_DEEP, text: '' });
  const framed = await send('GET', `/mailboxes/messages.php?action=original-html&id=${mail.received_id}`);
  t.is(framed.status, 400);
  t.regex(framed.text, /The original cannot be opened: Its parts are nested/);
  const answer = await download(mail);
  t.is(answer.status, 200);
  t.regex(String(answer.headers.get('content-type')), /^message\/rfc822/);
  t.regex(String(answer.headers.get('content-disposition')), /^attachment; filename="mail-\d+\.eml"/);
  t.regex(answer.text, /^From: Erin Example .*Help\r\n$/s);
});

test('a mail that cannot be read is added to a ticket as a note that says so', async (t) => {
  const { company_number } = await seedEmployee(app, {});
  const { ticket_id } = await seedTicket(app, { company_number });
  const mail = await receive({ rest: nested(60) });
  t.like((await act(mail, 'file', { ticket_id })).body.data, { state: 'note', ticket_id });
  const [note] = await app.run((ctx) => readComments(ctx, ticket_id));
  t.is(
    note?.comment,
    `Mail from Erin Example <${mail.from_address}>: Printer\n\nThis mail could not be read. ${TOO_DEEP}. Technicians can download its original.`,
  );
});

test('a mail that cannot be read becomes a ticket that says so, once it is assigned to a contact', async (t) => {
  const { employee_number, company_number } = await seedEmployee(app, { can_create_tickets: true });
  const mail = await receive({ rest: nested(60) });
  const assigned = (await act(mail, 'belongs', { employee_number })).body.data;
  t.like(assigned, { state: 'ticket', company_number });
  const ticket = await app.run((ctx) => findTicket(ctx, assigned.ticket_id));
  t.like(ticket, {
    subject: 'Printer',
    description: `This mail could not be read. ${TOO_DEEP}. Technicians can download its original.`,
    requester_employee_number: employee_number,
  });
});

test('a mail whose stored original is damaged fails, and is processed again once it is mended', async (t) => {
  const { email } = await seedEmployee(app, { can_create_tickets: false });
  const mail = await receive({ address: email, rest: '\r\nHelp\r\n' });
  t.is(mail.state, 'review');
  await app.run((ctx) => ctx.db.update(MailboxMessage, { received_id: mail.received_id }, { state: 'failed' }));
  const mend = await damage(mail);
  const why = 'Its stored original is damaged';
  t.like(await pageOf(mail), { text: '', unreadable: why, kept: true, retryable: true });
  const refused = await download(mail);
  t.is(refused.status, 400);
  t.is(refused.body.error, `The original cannot be opened: ${why}`);
  t.like((await act(mail, 'retry')).body.data, { state: 'failed', reason: `Cannot be read: ${why}` });
  await mend();
  t.like((await act(mail, 'retry')).body.data, {
    state: 'review',
    reason: `${email} does not have permission to create tickets`,
  });
  t.is((await pageOf(mail)).text, 'Help');
  const again = await act(mail, 'retry');
  t.is(again.body.error, 'The mail has not failed');
  await app.app.outbox.drain();
  t.is((await reload(mail)).state, 'review');
});

test('files that cannot be read are missed by the mail, and attached once they can', async (t) => {
  const { email } = await seedEmployee(app, { can_create_tickets: true });
  const file = (name: string) => `--b\r\nContent-Disposition: attachment; filename=${name}\r\n\r\n${name}\r\n`;
  const rest = `Content-Type: multipart/mixed; boundary=b\r\n\r\n${file('a.txt')}${file('b.txt')}--b--\r\n`;
  const mail = await receive({ address: email, rest });
  const { received_id, ticket_id } = mail;
  // As if it had been interrupted before the second file.
  const files = () => app.run((ctx) => ctx.db.findBy(Attachment, { record_type: 'ticket', record_id: ticket_id ?? 0 }));
  t.is((await files()).length, 2);
  await app.run((ctx) => ctx.db.update(MailboxMessage, { received_id }, { attached: 1 }));
  const mend = await damage(mail);
  await t.throwsAsync(attachFiles(app.app.system(), received_id), { message: 'Its stored original is damaged' });
  const due = { state: 'ticket', reason: 'New request', files_problem: 'Its stored original is damaged' } as const;
  t.like(await reload(mail), due);
  t.like((await act(mail, 'retry')).body.data, due);
  await mend();
  t.like((await act(mail, 'retry')).body.data, { ...due, files_problem: '' });
  t.is((await files()).length, 3);
  t.false((await pageOf(mail)).retryable);
});

test('a mail that was left on the server, or whose original was deleted, says so', async (t) => {
  const { company_number } = await seedEmployee(app, {});
  const { ticket_id } = await seedTicket(app, { company_number });
  // As earlier versions stored it.
  const stored = await receive({ rest: '\r\nHelp' });
  const { received_id } = stored;
  const left = { state: 'failed', reason: 'Larger than 25 MiB: left unread on the mail server' } as const;
  await app.run(async (ctx) => {
    await ctx.db.update(MailboxMessage, { received_id }, { ...left, size: 26 * 1024 * 1024 });
    await ctx.db.delete(MailboxRaw, { received_id });
    forgetMail(ctx, received_id);
  });
  const large = await reload(stored);
  const why = 'It is larger than 25 MiB and was left on the mail server';
  t.like(await pageOf(large), { unreadable: why, kept: false, retryable: false });
  const original = await send('GET', `/mailboxes/messages.php?action=original&id=${large.received_id}`);
  t.like(original.body.data, { kept: false, unreadable: why });
  t.is((await download(large)).status, 404);
  t.is((await act(large, 'retry')).body.error, 'The mail has not failed');
  t.like((await act(large, 'file', { ticket_id })).body.data, { state: 'note' });
  const [note] = await app.run((ctx) => readComments(ctx, ticket_id));
  t.regex(note?.comment ?? '', new RegExp(`\\n\\nThis mail could not be read. ${why}\\.$`));

  const old = await receive({ rest: nested(60) });
  const at = app.clock.now();
  app.clock.set(plus(at, { days: 91 }));
  await pruneMails(app.app.system());
  app.clock.set(at);
  await app.run(async (ctx) => forgetMail(ctx, old.received_id));
  t.like(await pageOf(old), { unreadable: 'Its original is no longer kept', kept: false, retryable: false });
});

test('a text or a list of files that was cut says so', async (t) => {
  const { email } = await seedEmployee(app, { can_create_tickets: true });
  const long = await receive({ address: email, rest: `\r\n${'word '.repeat(13_000)}` });
  const ticket = await app.run((ctx) => findTicket(ctx, long.ticket_id ?? 0));
  t.regex(ticket.description, /word \n\n\[The text is longer\. The rest is in the original mail\.\]$/);
  const files = Array.from(
    { length: 102 },
    (_, n) => `--b\r\nContent-Disposition: attachment; filename=${n}.txt\r\n\r\n${n}\r\n`,
  );
  const many = await receive({
    address: email,
    rest: `Content-Type: multipart/mixed; boundary=b\r\n\r\n${files.join('')}--b--\r\n`,
  });
  t.regex(many.reason, /\. Only the first 100 files were attached$/);
});
