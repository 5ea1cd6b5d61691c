// Large mails: 25 MiB of files are received, and of larger mails the beginning, on every kind of mail server.
import { MailboxMessage, storeMail } from '@keelson/modules/mailbox';
import { findTicket, readComments } from '@keelson/modules/tickets';
import { openApp, testClock, type TestApp } from '@keelson/testing';
import anyTest, { type ExecutionContext } from 'ava';
import { Attachment, AttachmentLimits } from '../../core/attachments/attachment.ts';
import { hasDovecot, startDovecot } from '../_dovecot.ts';
import { startGmail, startGraph, type MailApi } from '../_mail-apis.ts';
import { client, startOAuthServer, type OAuthServer } from '../_oauth-server.ts';
import { seedEmployee } from '../accounts-seed.ts';
import { watchLoop } from '../core/_watch-loop.ts';
import { asKey } from '../tickets-seed.ts';
import { addSilentMailbox } from './_received-mail.ts';

const test = anyTest.serial;
const MIB = 1024 * 1024;

let app: TestApp;
let oauth: OAuthServer;
let send: Awaited<ReturnType<typeof asKey>>;
const clock = testClock();
const apis: Partial<Record<'microsoft' | 'google', MailApi>> = {};

anyTest.before(async () => {
  oauth = await startOAuthServer();
  apis.microsoft = await startGraph((token) => oauth.holderOf(token));
  apis.google = await startGmail((token) => oauth.holderOf(token));
  const config = {
    mailMicrosoftLoginUrl: oauth.url,
    mailGoogleLoginUrl: oauth.url,
    mailGoogleTokenUrl: oauth.url,
    mailMicrosoftGraphUrl: apis.microsoft.url,
    mailGmailUrl: apis.google.url,
  };
  app = await openApp({ clock, config });
  clock.set(new Date().toISOString());
  send = await asKey(app, ['settings:read', 'settings:write', 'tickets:read', 'tickets:write']);
});
anyTest.after.always(async () => {
  await app?.close();
  for (const each of Object.values(apis)) await each.stop();
  await oauth?.stop();
});

let made = 0;

/** A mail with a file of this size, whose last lines name its size. */
function mailWith(from: string, size: number): { readonly raw: string; readonly message_id: string } {
  const message_id = `<large-${++made}@customer.example>`;
  const content = Buffer.alloc(size, 'video').toString('base64');
  const lines = [
    `From: Erin Example <${from}>`,
    'To: support@acme.example',
    `Message-ID: ${message_id}`,
    'Subject: Video of the fault',
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary=large',
    '',
    '--large',
    'Content-Type: text/plain; charset=utf-8',
    '',
    'See the video.',
    '--large',
    'Content-Type: video/mp4',
    'Content-Transfer-Encoding: base64',
    'Content-Disposition: attachment; filename="fault.mp4"',
    '',
    content.replaceAll(/.{76}/g, '$&\r\n'),
    '--large--',
    '',
  ];
  return { raw: lines.join('\r\n'), message_id };
}

const received = async (message_id: string): Promise<MailboxMessage> =>
  (await app.run((ctx) => ctx.db.findOneBy(MailboxMessage, { message_id }))) ??
  Promise.reject(new Error('Nothing was received'));

test('a mail with a file of 25 MiB becomes a ticket with the file, without holding anybody up', async (t) => {
  const { email } = await seedEmployee(app, { can_create_tickets: true });
  await app.run((ctx) =>
    ctx.app.settings.change(ctx, AttachmentLimits, (limits) => ({ ...limits, file_bytes: 25 * MIB })),
  );
  const mailbox_id = await addSilentMailbox(app, { address: 'large@provider.example' });
  const { raw, message_id } = mailWith(email, 25 * MIB);
  const source = Buffer.from(raw);
  const from = { name: '', address: email };
  const watch = watchLoop();
  await app.run((ctx) => storeMail(ctx, mailbox_id, { source, size: source.length, from, subject: '', message_id }));
  await app.app.outbox.drain();
  watch.stop();
  const message = await received(message_id);
  t.like(message, { state: 'ticket', reason: 'New request', files_problem: '' });
  const [file] = await app.run((ctx) => ctx.db.findBy(Attachment, { record_id: message.ticket_id ?? 0 }));
  t.like(file, { filename: 'fault.mp4', size: 25 * MIB });
  t.log(`${watch.longest()} ms`);
  t.true(watch.longest() < 400, `${watch.longest()} ms`);
});

/** Checks what becomes of a mail that is too large, and that it stays unread. */
async function isBeginning(t: ExecutionContext, message_id: string, large: string, address: string): Promise<void> {
  const message = await received(message_id);
  t.like(message, { state: 'ticket', reason: 'New request' });
  const ticket = await app.run((ctx) => findTicket(ctx, message.ticket_id ?? 0));
  const remark = `[This mail is too large: ${large}. Only its text was received, without its files (“fault.mp4”). The whole mail is in the mailbox ${address}.]`;
  t.is(ticket.description, `See the video.\n\n${remark}`);
  t.deepEqual(await app.run((ctx) => readComments(ctx, ticket.ticket_id)), []);
  t.deepEqual(await app.run((ctx) => ctx.db.findBy(Attachment, { record_id: ticket.ticket_id })), []);
  const id = message.received_id;
  const original = (await send('GET', `/mailboxes/messages.php?action=original&id=${id}`)).body.data;
  t.like(original, { kept: true, unreadable: null });
  t.regex(
    original.text,
    /^See the video\.\s+\[Only the beginning of this mail was received, because it is too large\.\]$/,
  );
  const download = await send('GET', `/mailboxes/messages.php?action=download&id=${id}`);
  t.regex(String(download.headers.get('content-disposition')), /filename="mail-\d+-beginning\.eml"/);
}

(hasDovecot ? test : test.skip)('IMAP: of a mail that is too large, the beginning becomes a ticket', async (t) => {
  const dovecot = await startDovecot();
  t.teardown(() => dovecot.stop());
  const { email } = await seedEmployee(app, { can_create_tickets: true });
  const address = 'imap@acme.example';
  const server = { host: '127.0.0.1', port: dovecot.port, security: 'none', username: dovecot.user };
  const given = { name: 'IMAP', address, ...server, password: dovecot.password };
  const { body } = await send('POST', '/mailboxes.php', given);
  const large = mailWith(email, 32 * MIB);
  const small = mailWith(email, 1000);
  await dovecot.drop(large.raw, small.raw);
  const read = await send('POST', `/mailboxes.php?action=receive&id=${body.data.mailbox_id}`);
  t.like(read.body.data, { state: 'ok', last_error: null });
  await app.app.outbox.drain();
  await isBeginning(t, large.message_id, '44 MiB', address);
  t.is((await received(small.message_id)).state, 'ticket');
  t.deepEqual(await dovecot.flags(), [[], ['\\Seen']]);
});

for (const [sign_in, size] of [
  ['microsoft', 'more than 40 MiB'],
  ['google', '44 MiB'],
] as const)
  test(`${sign_in}: of a mail that is too large, the beginning becomes a ticket`, async (t) => {
    const api = apis[sign_in] ?? t.fail();
    if (!api) return;
    const { email } = await seedEmployee(app, { can_create_tickets: true });
    clock.set(new Date().toISOString());
    const address = `${sign_in}@acme.example`;
    const given = { name: sign_in, address, username: address, sign_in, protocol: 'api', ...client };
    const { body } = await send('POST', '/mailboxes.php', given);
    const { mailbox_id } = body.data;
    const begun = await send('POST', `/mailboxes.php?action=sign-in&id=${mailbox_id}`);
    const back = await oauth.consent(begun.body.data.url, address);
    await send('POST', '/mailboxes.php?action=signed-in', Object.fromEntries(back.searchParams));
    const large = mailWith(email, 32 * MIB);
    const small = mailWith(email, 1000);
    const held = [api.deliver(large.raw), api.deliver(small.raw)];
    const read = await send('POST', `/mailboxes.php?action=receive&id=${mailbox_id}`);
    t.like(read.body.data, { state: 'ok', last_error: null });
    await app.app.outbox.drain();
    await isBeginning(t, large.message_id, size, address);
    t.is((await received(small.message_id)).state, 'ticket');
    t.deepEqual(
      held.map((each) => each.read),
      [false, true],
    );
  });
