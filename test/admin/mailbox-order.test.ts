// The order of conversations when many mails are pending, as after a crash.
import { addMailbox, MailboxMessage, storeMail } from '@keelson/modules/mailbox';
import { startApp } from '@keelson/testing';
import test from 'ava';
import { judgeInTurn } from '../../modules/mailbox/judge/in-turn.ts';
import { seedEmployee } from '../accounts-seed.ts';

test('a reply finds its ticket although many earlier mails are pending', async (t) => {
  const app = await startApp(t);
  const { email } = await seedEmployee(app, { can_create_tickets: true });
  const { mailbox_id } = await app.run((ctx) =>
    addMailbox(ctx, {
      ...{ name: 'Support', address: 'support@provider.example', username: 'support', password: 'x' },
      ...{ host: '127.0.0.1', port: 1143, security: 'none' },
    }),
  );
  const store = async (from: string, n: number, reply = '') => {
    const message_id = `<${n}@customer.example>`;
    const head = `From: ${from}\nTo: support@provider.example\nSubject: Mail ${n}\nMessage-ID: ${message_id}\n${reply}`;
    const source = Buffer.from(`${head}\nText ${n}\n`);
    const sent = { source, size: source.length, from: { name: '', address: from }, subject: `Mail ${n}`, message_id };
    return (await app.run((ctx) => storeMail(ctx, mailbox_id, sent))) ?? 0;
  };
  for (let n = 0; n < 120; n++) await store('nobody@elsewhere.example', n);
  const first = await store(email, 120);
  const reply = await store(email, 121, 'In-Reply-To: <120@customer.example>\n');
  await judgeInTurn(app.app.system(), reply);
  const [ticket, comment] = await app.run((ctx) =>
    Promise.all([first, reply].map((received_id) => ctx.db.findOneBy(MailboxMessage, { received_id }))),
  );
  t.like([ticket, comment], [{ state: 'ticket' }, { state: 'comment', ticket_id: ticket?.ticket_id }]);
});
