// Files that technicians attach to a reply are sent with its mail.
import { plus } from '@keelson/core';
import { startApp, testClock } from '@keelson/testing';
import test, { type ExecutionContext } from 'ava';
import { AttachmentLimits } from '../../core/attachments/attachment.ts';
import { startMailServer } from '../_mail-server.ts';
import { seedTechnician, signInOnPage } from '../accounts-seed.ts';
import { multipart, type File } from '../attachments-seed.ts';
import { asKey, seedEmployee, seedTicket, staff } from '../tickets-seed.ts';
import { addSilentMailbox, receiveMail } from './_received-mail.ts';

const MIB = 1024 * 1024;

async function start(t: ExecutionContext) {
  const server = await startMailServer(t);
  const app = await startApp(t, {
    clock: testClock('2026-03-02T09:00:00.000Z'),
    config: { smtpUrl: server.url, mailFrom: 'desk@acme.example', tenantName: 'Acme IT' },
  });
  return { server, app, later: () => app.clock.set(plus(app.clock.now(), { minutes: 1 })) };
}

/** Opens a ticket, and lets a technician attach files to it and reply in the console. */
async function startReplying(t: ExecutionContext) {
  const { server, app, later } = await start(t);
  const { company_number, employee_number } = await seedEmployee(app);
  const { ticket_id } = await seedTicket(app, { company_number, employee_number });
  const cookie = await signInOnPage(app, await seedTechnician(app));
  const headers = { 'Sec-Fetch-Site': 'same-origin' };
  const post = (action: string, given: { readonly body: unknown; readonly headers?: object }) =>
    app.request('POST', `${staff}/tickets.php?action=${action}&id=${ticket_id}`, {
      ...{ cookie, body: given.body, headers: { ...headers, ...given.headers } },
    });
  return {
    server,
    app,
    async upload(files: readonly File[], fields: Readonly<Record<string, string>> = {}) {
      later();
      const answer = await post('attachments', multipart(files, fields));
      t.is(answer.status, 201, answer.text);
    },
    async reply(body: object) {
      later();
      const answer = await post('reply', { body });
      t.is(answer.status, 200, answer.text);
      await app.app.outbox.drain();
      return answer.body.data.comments as { comment_id: number; is_internal: boolean }[];
    },
  };
}

test('the mail of a reply includes its files; large ones are only named, and internal ones are left out', async (t) => {
  const { server, app, upload, reply } = await startReplying(t);
  await app.app.outbox.drain();
  const before = server.received.length;

  const comments = await reply({ comment: 'Nobody may read this', is_internal: true });
  const note = comments.find((each) => each.is_internal);
  await upload([{ name: 'secret.txt', bytes: 'internal' }], { comment_id: String(note?.comment_id) });
  await upload([
    { name: 'steps.txt', bytes: 'first, second' },
    { name: 'disk.img', bytes: Buffer.alloc(8 * MIB) },
    { name: 'Übersicht.txt', bytes: 'third' },
  ]);
  await reply({ comment: 'Please follow these steps' });
  await reply({ comment: 'Did it work?' });

  const [first, second, ...none] = server.received.slice(before);
  t.deepEqual(none, []);
  t.regex(first?.raw ?? '', /filename=steps\.txt/);
  t.true(first?.raw.includes(Buffer.from('first, second').toString('base64')));
  t.true(first?.raw.includes(Buffer.from('third').toString('base64')));
  t.regex(first?.raw ?? '', /Too large for this email/);
  t.regex(first?.raw ?? '', /disk\.img/);
  t.notRegex(first?.raw ?? '', /secret\.txt|filename=disk/);
  t.notRegex(second?.raw ?? '', /steps\.txt|disk\.img|secret\.txt/);
});

test('the mail about the closing includes the files of the reply that closes the ticket', async (t) => {
  const { server, app, upload, reply } = await startReplying(t);
  await upload([{ name: 'steps.txt', bytes: 'first, second' }]);
  await app.app.outbox.drain();
  const before = server.received.length;
  await reply({ comment: 'The steps are attached', status: 'closed' });
  await reply({ comment: 'Did it help?' });
  const [closing, next, ...none] = server.received.slice(before).map(({ raw }) => raw);
  t.deepEqual(none, []);
  t.regex(closing ?? '', /The steps are attached/);
  t.regex(closing ?? '', /filename=steps\.txt/);
  t.notRegex(next ?? '', /steps\.txt/);
});

test('a technician’s reply by mail is mailed once, with its files; a refused one does not hold it up', async (t) => {
  const { server, app, later } = await start(t);
  const authserv_id = 'mx.provider.example';
  const mailbox_id = await addSilentMailbox(app, { address: 'support@provider.example', authserv_id });
  const requester = await seedEmployee(app);
  const { company_number } = requester;
  const [watching, copied] = [await seedEmployee(app, { company_number }), await seedEmployee(app, { company_number })];
  const technician = await seedTechnician(app);
  const { ticket_id, ticket_number } = await seedTicket(app, requester);
  const send = await asKey(app);
  const watcher = { employee_number: watching.employee_number };
  await send('POST', `/tickets.php?action=watchers&id=${ticket_id}`, watcher);
  await app.app.outbox.drain();
  let count = 0;
  const reply = async (text: string, files: readonly string[]) => {
    later();
    const before = server.received.length;
    const part = (name: string) => `--x\nContent-Disposition: attachment; filename=${name}\n\n${name}\n`;
    const { state } = await receiveMail(app, {
      mailbox_id,
      message_id: `<reply-${++count}@provider.example>`,
      headers: [
        `From: ${technician.email}`,
        'To: support@provider.example',
        `Cc: ${copied.email}`,
        `Subject: Re: [#${ticket_number}] Printer is broken`,
        `Authentication-Results: ${authserv_id}; dmarc=pass`,
        'Content-Type: multipart/mixed; boundary=x',
      ],
      body: `--x\nContent-Type: text/plain\n\n${text}\n${files.map(part).join('')}--x--`,
      from: { name: '', address: technician.email },
    });
    t.is(state, 'comment');
    await app.app.outbox.drain();
    return server.received.slice(before).filter(({ raw }) => raw.includes(text));
  };
  const limit = (record_files: number) =>
    app.run(async (ctx) => {
      const limits = await ctx.app.settings.get(ctx, AttachmentLimits);
      await ctx.app.settings.set(ctx, AttachmentLimits, { ...limits, record_files });
    });
  const both = [requester.email, watching.email].toSorted();

  const first = await reply('The quote is attached.', ['quote.txt', 'terms.txt']);
  t.deepEqual(first.flatMap(({ to }) => to).toSorted(), both, 'not those who have the mail itself');
  t.true(first.every(({ raw }) => /filename=quote\.txt/.test(raw) && /filename=terms\.txt/.test(raw)));

  await limit(3);
  const second = await reply('Two more files.', ['third.txt', 'fourth.txt']);
  t.deepEqual(second.flatMap(({ to }) => to).toSorted(), [...both, copied.email].toSorted(), 'those who watch by now');
  t.true(second.every(({ raw }) => /filename=third\.txt/.test(raw) && !/quote\.txt|fourth\.txt/.test(raw)));

  const third = await reply('No files.', []);
  t.is(third.length, 3);
  t.true(third.every(({ raw }) => !/filename=/.test(raw)));
});
