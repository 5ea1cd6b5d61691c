// Each mail of the corpus is received: what is read from it, what becomes of it, and that no program is answered.
import { plus } from '@keelson/core';
import { addMailbox, MailboxMessage, storeMail } from '@keelson/modules/mailbox';
import { findTicket, readComments, type Ticket } from '@keelson/modules/tickets';
import { openApp, testClock, type TestApp } from '@keelson/testing';
import test from 'ava';
import { readContent } from '../../modules/mailbox/messages/messages.ts';
import { Mail } from '../../packages/mail/mail.ts';
import { seedEmployee } from '../accounts-seed.ts';
import { corpus, NAME, SUBJECT } from './_mail-corpus.ts';

const TO = 'support@provider.example';
const clock = testClock();
let app: TestApp;
let mailbox_id: number;
let me: string;
let ticket: Ticket;
/** The Message-ID of the mail that confirmed the ticket. */
let ours: string;

test.before(async () => {
  app = await openApp({ clock });
  const server = { host: '127.0.0.1', port: 1, security: 'none', username: 'u', password: 'p' } as const;
  ({ mailbox_id } = await app.run((ctx) => addMailbox(ctx, { name: 'Support', address: TO, ...server })));
  ({ email: me } = await seedEmployee(app, { can_create_tickets: true }));
  const opened = await receive(Buffer.from(`From: ${me}\r\nMessage-ID: <first@b.example>\r\n\r\nIt burns\r\n`));
  ticket = await app.run((ctx) => findTicket(ctx, opened.ticket_id ?? 0));
  const [sent] = await app.run((ctx) => ctx.db.findBy(Mail, { recipient_address: me }));
  ours = `<${sent?.mail_id}@provider.example>`;
});
test.after.always(() => app?.close());

const countSent = () => app.run((ctx) => ctx.db.countBy(Mail, {}));

async function receive(source: Buffer): Promise<MailboxMessage> {
  // A sender may write only so much in an hour.
  clock.set(plus(clock.now(), { minutes: 5 }));
  const message_id = /^Message-ID: (<.*>)\r$/m.exec(source.toString('latin1'))?.[1];
  const from = { name: '', address: '' };
  const received_id = await app.run((ctx) =>
    storeMail(ctx, mailbox_id, { source, size: source.length, from, subject: '', message_id }),
  );
  await app.app.outbox.drain();
  const message = await app.run((ctx) => ctx.db.findOneBy(MailboxMessage, { received_id: received_id ?? 0 }));
  return message ?? Promise.reject(new Error('Nothing was received'));
}

/** The text that a mail has become on its ticket. */
async function storedText({ ticket_id, comment_id }: MailboxMessage): Promise<string | undefined> {
  if (ticket_id === null) return undefined;
  if (comment_id === null) return (await app.run((ctx) => findTicket(ctx, ticket_id))).description;
  const comments = await app.run((ctx) => readComments(ctx, ticket_id));
  return comments.find((each) => each.comment_id === comment_id)?.comment;
}

for (const [at, { title, mail, wanted }] of corpus.entries())
  test.serial(title, async (t) => {
    const given = { me, to: TO, ours, first: '<first@b.example>', number: ticket.ticket_number };
    const before = await countSent();
    const message = await receive(mail({ ...given, id: `<corpus-${at}@customer.example>` }));
    const { state, subject = SUBJECT, from_name = NAME, from_address = me, text, files = [] } = wanted;
    const content = await app.run((ctx) => readContent(ctx, message));
    const { reason } = message;
    t.deepEqual(
      { state: message.state, subject: message.subject, from_name: message.from_name, text: content.text },
      { state, subject, from_name, text },
      reason,
    );
    t.is(message.from_address, from_address);
    t.deepEqual(
      content.files.map(({ name }) => name),
      [...files],
    );
    const joins = state === 'comment' || state === 'note';
    t.is(message.ticket_id === ticket.ticket_id, joins, 'its own conversation, and no other');
    if (message.ticket_id !== null) t.true((await storedText(message))?.includes(text));
    // The confirmation of a request is the only answer.
    if (state !== 'ticket') t.is(await countSent(), before);
  });
