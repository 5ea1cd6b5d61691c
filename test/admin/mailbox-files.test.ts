// Files of a mail are attached despite passing faults.
import { openApp, testClock } from '@keelson/core/testing';
import { addMailbox, storeMail } from '@keelson/modules/mailbox';
import test from 'ava';
import { Attachment } from '../../core/attachments/attachment.ts';
import { unavailable } from '../../core/kit/problem.ts';
import { seedEmployee } from '../accounts-seed.ts';

test('a file is attached once the database is back', async (t) => {
  const app = await openApp({ clock: testClock() });
  t.teardown(() => app.close());
  const { email } = await seedEmployee(app, { can_create_tickets: true });
  const server = { host: '127.0.0.1', port: 1, security: 'none', username: 'u', password: 'p' } as const;
  const address = 'support@provider.example';
  const { mailbox_id } = await app.run((ctx) => addMailbox(ctx, { name: 'Support', address, ...server }));
  const part = (name: string) =>
    `--b\r\nContent-Type: text/plain\r\nContent-Disposition: attachment; filename="${name}"\r\n\r\n${name}\r\n`;
  const source = Buffer.from(
    `From: ${email}\r\nSubject: Files\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n${part('a.txt')}${part('b.txt')}--b--\r\n`,
  );
  const mail = { source, size: source.length, from: { name: '', address: email }, subject: 'Files' };
  await app.run((ctx) => storeMail(ctx, mailbox_id, { ...mail, message_id: '<files@customer.example>' }));
  // The database is away just when the row of the first file would be stored.
  const { database, storage } = app.app;
  const { transaction } = database;
  const keep = storage.keep.bind(storage);
  let faults = 0;
  Object.assign(storage, {
    keep: ((file) => {
      if (faults++ === 0)
        Object.assign(database, {
          transaction: () => {
            Object.assign(database, { transaction });
            return Promise.reject(unavailable());
          },
        });
      return keep(file);
    }) as typeof keep,
  });
  await app.app.outbox.drain();
  app.clock.set('2026-03-02T09:01:00.000Z');
  await app.app.outbox.drain();
  const files = await app.run((ctx) => ctx.db.find(Attachment, { order: { attachment_id: 'ASC' } }));
  t.deepEqual(
    files.map(({ filename }) => filename),
    ['a.txt', 'b.txt'],
  );
});
