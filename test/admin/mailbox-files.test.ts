// Files of a mail are attached despite passing faults.
import { addMailbox, storeMail } from '@keelson/modules/mailbox';
import { Ticket, TicketComment } from '@keelson/modules/tickets';
import { openApp, testClock, type TestApp } from '@keelson/testing';
import test, { type ExecutionContext } from 'ava';
import { Attachment } from '../../core/attachments/attachment.ts';
import { MailboxMessage } from '../../modules/mailbox/entities.ts';
import { unavailable } from '../../packages/kit/problem.ts';
import { seedEmployee } from '../accounts-seed.ts';

/** Starts with a mailbox, and returns a function that stores a mail with files from a requester. */
async function start(t: ExecutionContext) {
  const app = await openApp({ clock: testClock() });
  t.teardown(() => app.close());
  const { email } = await seedEmployee(app, { can_create_tickets: true });
  const server = { host: '127.0.0.1', port: 1, security: 'none', username: 'u', password: 'p' } as const;
  const address = 'support@provider.example';
  const { mailbox_id } = await app.run((ctx) => addMailbox(ctx, { name: 'Support', address, ...server }));
  const part = (name: string) =>
    `--b\r\nContent-Type: text/plain\r\nContent-Disposition: attachment; filename="${name}"\r\n\r\n${name}\r\n`;
  const receive = async (subject: string, files: readonly string[]) => {
    const parts = files.map(part).join('');
    const source = Buffer.from(
      `From: ${email}\r\nSubject: ${subject}\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n${parts}--b--\r\n`,
    );
    const mail = { source, size: source.length, from: { name: '', address: email }, subject };
    await app.run((ctx) => storeMail(ctx, mailbox_id, { ...mail, message_id: `<${files.length}@customer.example>` }));
  };
  return { app, receive };
}

/** Takes the database away just when the row of the next file would be stored. */
function failOnce({ app: { database, storage } }: TestApp) {
  const { transaction } = database;
  const keep = storage.keep.bind(storage);
  let faults = 0;
  Object.assign(storage, {
    keep: (async (file) => {
      const kept = await keep(file);
      // Other deliveries have transactions, too: the next one is that of the file's row.
      if (faults++ === 0)
        Object.assign(database, {
          transaction: () => {
            Object.assign(database, { transaction });
            return Promise.reject(unavailable());
          },
        });
      return kept;
    }) as typeof keep,
  });
}

test('a file is attached once the database is back', async (t) => {
  const { app, receive } = await start(t);
  await receive('Files', ['a.txt', 'b.txt']);
  failOnce(app);
  await app.app.outbox.drain();
  app.clock.set('2026-03-02T09:01:00.000Z');
  await app.app.outbox.drain();
  const files = await app.run((ctx) => ctx.db.find(Attachment, { order: { attachment_id: 'ASC' } }));
  t.deepEqual(
    files.map(({ filename }) => filename),
    ['a.txt', 'b.txt'],
  );
});

test('files of a note that was deleted before they were attached do not appear on the ticket', async (t) => {
  const { app, receive } = await start(t);
  const { database } = app.app;
  await receive('Printer', []);
  await app.app.outbox.drain();
  const [ticket] = await database.find(Ticket);
  failOnce(app);
  await receive(`Re: [#${ticket?.ticket_number}] Printer`, ['a.txt']);
  await app.app.outbox.drain();
  const [mail] = await database.find(MailboxMessage, { order: { received_id: 'DESC' } });
  t.like(mail, { ticket_id: ticket?.ticket_id, attached: 0 });
  const deleted = await database.delete(TicketComment, { comment_id: mail?.comment_id ?? 0 });
  t.is(deleted.affected, 1);
  app.clock.set('2026-03-02T09:01:00.000Z');
  await app.app.outbox.drain();
  t.deepEqual(await database.find(Attachment), []);
  t.like(await database.findOneBy(MailboxMessage, { received_id: mail?.received_id ?? 0 }), {
    attached: 1,
    reason: 'Reply to the ticket. a.txt was not attached: Its note has been deleted',
  });
});
