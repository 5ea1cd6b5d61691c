// Mail that waits for a decision: who is told, and how often.
import { plus } from '@keelson/core';
import { readMails, startApp, type TestApp } from '@keelson/testing';
import test from 'ava';
import { seedEmployee, seedTechnician, signInOnPage } from '../accounts-seed.ts';
import { addSilentMailbox, receiveMail } from './_received-mail.ts';

const MAILBOX = 'support@provider.example';

async function desk(app: TestApp, mails?: string) {
  const technician = await seedTechnician(app, 'technician');
  let cookie = await signInOnPage(app, technician);
  const ask = (method: string, path: string, body?: unknown) =>
    app.request(method, `/admin/api/v1${path}`, { cookie, ...(body !== undefined && { body }) });
  if (mails !== undefined) await ask('PUT', '/preferences.php', { mails });
  const told = async () => (await ask('GET', '/notifications.php')).body.data;
  const count = async () => (await ask('GET', '/mailboxes/messages.php?action=waiting')).body.data.waiting;
  const signIn = async () => void (cookie = await signInOnPage(app, technician));
  return { ...technician, ask, told, count, signIn };
}

async function start(t: Parameters<typeof startApp>[0]) {
  const app = await startApp(t);
  const mailbox_id = await addSilentMailbox(app, { address: MAILBOX });
  let count = 0;
  const receive = (from = `stranger-${count}@elsewhere.example`) =>
    receiveMail(app, {
      mailbox_id,
      message_id: `<waiting-${++count}@elsewhere.example>`,
      headers: [`From: Sam Stranger <${from}>`, `To: ${MAILBOX}`, `Subject: Request ${count}`],
      body: `Help ${count}`,
    });
  return { app, receive };
}

test('technicians are notified of the first mail that waits for review, then once a day', async (t) => {
  const { app, receive } = await start(t);
  const [plain, mailed] = [await desk(app), await desk(app, 'unassigned')];
  t.is(await plain.count(), 0);
  const first = await receive();
  t.is(first.state, 'review');
  t.is(await plain.count(), 1);
  const [one, ...others] = await plain.told();
  t.deepEqual(others, []);
  t.like(one, {
    kind: 'mail_held',
    type: 'mailbox_message',
    key: first.received_id,
    title: 'Request 1',
    by_name: 'Sam Stranger',
    read_at: null,
  });
  const second = await receive();
  t.is((await plain.told()).length, 1, 'they know that mail waits');
  t.is(await plain.count(), 2);
  const at = app.clock.now();
  app.clock.set(plus(at, { hours: 25 }));
  await plain.signIn();
  const third = await receive();
  t.deepEqual(
    (await plain.told()).map(({ key }: { key: number }) => key),
    [third.received_id],
    'it replaces the unread one',
  );
  const mails = (await readMails(app)).filter(({ template }) => template === 'mail_held');
  t.deepEqual(
    mails.map(({ to, subject }) => [to, subject]),
    [
      [mailed.email, 'Mail waiting for review: Request 1'],
      [mailed.email, 'Mail waiting for review: Request 3'],
    ],
  );
  t.regex(mails[0]?.text ?? '', /Mail from Sam Stranger is waiting for review\. No contact has the address .+\./);
  t.true(mails[0]?.text.includes(`/admin/received-mail/${first.received_id}`));

  const read = { type: 'mailbox_message', key: third.received_id };
  t.is((await plain.ask('PUT', '/notifications.php', read)).body.data.unread, 0);
  for (const each of [first, second, third])
    t.is((await plain.ask('POST', `/mailboxes/messages.php?action=ignore&id=${each.received_id}`)).status, 200);
  t.is(await plain.count(), 0);
  const next = await receive();
  t.like((await plain.told())[0], { key: next.received_id, read_at: null }, 'the first one again');
});

test('mail that becomes a ticket notifies no one of a review', async (t) => {
  const { app, receive } = await start(t);
  const technician = await desk(app, 'own');
  const { email } = await seedEmployee(app, { can_create_tickets: true });
  t.is((await receive(email)).state, 'ticket');
  t.deepEqual(await technician.told(), []);
  t.is(await technician.count(), 0);
  await receive();
  t.is((await technician.told()).length, 1);
  t.deepEqual(
    (await readMails(app)).filter(({ template }) => template === 'mail_held'),
    [],
    'nobody asked for mails about it',
  );
});
