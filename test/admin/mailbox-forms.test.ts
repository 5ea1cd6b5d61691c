// Each kind of mail in the table has the expected outcome: a ticket, a reply, a note, filed as automatic, or held for
// review.
import { addMailbox, MailboxMessage, storeMail } from '@keelson/modules/mailbox';
import { findTicket, readComments, type Ticket } from '@keelson/modules/tickets';
import { openApp, testClock, type TestApp } from '@keelson/testing';
import test from 'ava';
import { IsNull } from 'typeorm';
import { Attachment } from '../../core/attachments/attachment.ts';
import { Mail } from '../../packages/mail/mail.ts';
import { seedEmployee } from '../accounts-seed.ts';
import { forms, type Given } from './_mail-forms.ts';

const TO = 'support@provider.example';
let app: TestApp;
let mailbox_id: number;

test.before(async () => {
  app = await openApp({ clock: testClock() });
  const server = { host: '127.0.0.1', port: 1, security: 'none', username: 'u', password: 'p' } as const;
  ({ mailbox_id } = await app.run((ctx) => addMailbox(ctx, { name: 'Support', address: TO, ...server })));
});
test.after.always(() => app?.close());

/** Stores a mail as if it had been received, and returns its outcome. */
async function receive(source: Buffer, message_id: string): Promise<MailboxMessage> {
  const from = { name: '', address: '' };
  await app.run((ctx) => storeMail(ctx, mailbox_id, { source, size: source.length, from, subject: '', message_id }));
  await app.app.outbox.drain();
  const [newest] = await app.run((ctx) => ctx.db.find(MailboxMessage, { order: { received_id: 'DESC' }, take: 1 }));
  return newest ?? Promise.reject(new Error('Nothing was received'));
}

/** A contact with a ticket about which they were notified. */
async function seedGiven(): Promise<Given & { readonly ticket: Ticket }> {
  const { email: me } = await seedEmployee(app, { can_create_tickets: true });
  const first = `<first-${me}>`;
  const opened = await receive(
    Buffer.from(`From: ${me}\r\nMessage-ID: ${first}\r\nSubject: Printer\r\n\r\nIt burns\r\n`),
    first,
  );
  const ticket = await app.run((ctx) => findTicket(ctx, opened.ticket_id ?? 0));
  const [sent] = await app.run((ctx) => ctx.db.findBy(Mail, { recipient_address: me }));
  const ours = `<${sent?.mail_id}@provider.example>`;
  return { me, to: TO, first, ours, number: ticket.ticket_number, id: `<second-${me}>`, ticket };
}

async function outcomeOf({ ticket_id, comment_id }: MailboxMessage) {
  if (ticket_id === null) return { text: undefined, subject: undefined, files: undefined };
  const ticket = await app.run((ctx) => findTicket(ctx, ticket_id));
  const comments = await app.run((ctx) => readComments(ctx, ticket_id));
  const files = await app.run((ctx) =>
    ctx.db.findBy(Attachment, { record_type: 'ticket', record_id: ticket_id, part_id: comment_id ?? IsNull() }),
  );
  const comment = comments.find((each) => each.comment_id === comment_id);
  return {
    text: comment?.comment ?? ticket.description,
    subject: ticket.subject,
    files: files.map((each) => each.filename).toSorted((a, b) => (a < b ? -1 : 1)),
  };
}

for (const form of forms)
  test.serial(form.title, async (t) => {
    const given = await seedGiven();
    const message = await receive(form.mail(given), given.id);
    const { state, reason, text, subject, files, from_name } = form.wanted;
    t.is(message.state, state, message.reason);
    if (reason) t.regex(message.reason, reason);
    if (from_name) t.is(message.from_name, from_name);
    if (state === 'comment' || state === 'note')
      t.is(message.ticket_id, given.ticket.ticket_id, 'its own conversation');
    else t.not(message.ticket_id, given.ticket.ticket_id, 'no other conversation');
    const outcome = await outcomeOf(message);
    if (typeof text === 'string') t.is(outcome.text, text);
    else if (text) t.regex(outcome.text ?? '', text);
    if (subject !== undefined) t.is(outcome.subject, subject);
    if (files) t.deepEqual(outcome.files, [...files]);
  });
