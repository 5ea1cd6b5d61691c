// Mails reported by the server on arrival (IDLE), without waiting for the poll.
import { addMailbox, Mailbox, MailboxMessage } from '@keelson/modules/mailbox';
import { openApp, testClock, type TestApp } from '@keelson/testing';
import anyTest, { type ExecutionContext } from 'ava';
import { watchAll } from '../../modules/mailbox/servers/watch.ts';
import { hasDovecot, startDovecot, type Dovecot } from '../_dovecot.ts';
import { until } from '../_until.ts';
import { seedEmployee } from '../accounts-seed.ts';

const test = hasDovecot ? anyTest : anyTest.skip;

interface Watched {
  readonly app: TestApp;
  readonly dovecot: Dovecot;
  readonly from: string;
  readonly mailbox: Mailbox;
  /** Ends the watcher and waits for it. */
  readonly end: () => Promise<void>;
}

async function watched(t: ExecutionContext): Promise<Watched> {
  const dovecot = await startDovecot();
  t.teardown(() => dovecot.stop());
  const app = await openApp({ clock: testClock() });
  t.teardown(() => app.close());
  const { email: from } = await seedEmployee(app, { can_create_tickets: true });
  const { port, user: username, password } = dovecot;
  const server = { host: '127.0.0.1', port, security: 'none', username, password } as const;
  const address = 'support@provider.example';
  const mailbox = await app.run((ctx) => addMailbox(ctx, { name: 'Support', address, ...server }));
  app.app.outbox.start();
  const off = new AbortController();
  const watching = watchAll(app.app.system(), off.signal);
  const end = async () => {
    off.abort();
    await watching;
  };
  t.teardown(end);
  return { app, dovecot, from, mailbox, end };
}

const mail = (from: string, n: number) =>
  `From: ${from}\nTo: support@provider.example\nSubject: Call ${n}\nMessage-ID: <${n}@customer.example>\n\nHello\n`;

const ticketsOf = async ({ app }: Watched) =>
  (await app.run((ctx) => ctx.db.findBy(MailboxMessage, { state: 'ticket' }))).map(({ subject }) => subject);

/** Waits until this many mails have become tickets. */
const tickets = (it: Watched, count: number) => until(async () => (await ticketsOf(it)).length >= count);

test('mail becomes a ticket on arrival, even after a lost connection', async (t) => {
  const it = await watched(t);
  const { dovecot, from } = it;
  await dovecot.deliver(mail(from, 1));
  await tickets(it, 1);
  // The first mail may have been there before the server was asked to report; these are reported.
  await dovecot.deliver(mail(from, 2));
  await tickets(it, 2);
  await Promise.all([3, 4, 5].map((n) => dovecot.deliver(mail(from, n))));
  await tickets(it, 5);
  await dovecot.hangUp();
  await dovecot.deliver(mail(from, 6));
  await tickets(it, 6);
  t.deepEqual(
    (await ticketsOf(it)).toSorted(),
    [1, 2, 3, 4, 5, 6].map((n) => `Call ${n}`),
  );
  await until(async () => (await dovecot.flags()).every((each) => each.includes('\\Seen')));
  await it.end();
  t.pass('it ends with the process');
});

test('watching stops when no mailbox is left', async (t) => {
  const app = await openApp();
  t.teardown(() => app.close());
  await watchAll(app.app.system(), new AbortController().signal);
  t.pass();
});
