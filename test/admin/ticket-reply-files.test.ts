// Files that technicians attach to a reply are sent with its mail.
import { plus } from '@keelson/core';
import { startApp, testClock } from '@keelson/testing';
import test from 'ava';
import { startMailServer } from '../_mail-server.ts';
import { seedTechnician, signInOnPage } from '../accounts-seed.ts';
import { multipart, type File } from '../attachments-seed.ts';
import { seedEmployee, seedTicket, staff } from '../tickets-seed.ts';

const MIB = 1024 * 1024;

test('the mail of a reply includes its files; large ones are only named, and internal ones are left out', async (t) => {
  const server = await startMailServer(t);
  const app = await startApp(t, {
    clock: testClock('2026-03-02T09:00:00.000Z'),
    config: { smtpUrl: server.url, mailFrom: 'desk@acme.example', tenantName: 'Acme IT' },
  });
  const { company_number, employee_number } = await seedEmployee(app);
  const { ticket_id } = await seedTicket(app, { company_number, employee_number });
  const cookie = await signInOnPage(app, await seedTechnician(app));
  const headers = { 'Sec-Fetch-Site': 'same-origin' };
  const later = () => app.clock.set(plus(app.clock.now(), { minutes: 1 }));
  const upload = async (files: readonly File[], fields: Readonly<Record<string, string>> = {}) => {
    later();
    const { body, headers: type } = multipart(files, fields);
    const path = `${staff}/tickets.php?action=attachments&id=${ticket_id}`;
    const answer = await app.request('POST', path, { cookie, body, headers: { ...headers, ...type } });
    t.is(answer.status, 201, answer.text);
  };
  const say = async (comment: string, is_internal = false) => {
    later();
    const path = `${staff}/tickets.php?action=reply&id=${ticket_id}`;
    const answer = await app.request('POST', path, { cookie, headers, body: { comment, is_internal } });
    t.true(answer.status < 300, answer.text);
    await app.app.outbox.drain();
    return answer.body.data.comments as { comment_id: number; is_internal: boolean }[];
  };
  await app.app.outbox.drain();
  const before = server.received.length;

  const comments = await say('Nobody may read this', true);
  const note = comments.find((each) => each.is_internal);
  await upload([{ name: 'secret.txt', bytes: 'internal' }], { comment_id: String(note?.comment_id) });
  await upload([
    { name: 'steps.txt', bytes: 'first, second' },
    { name: 'disk.img', bytes: Buffer.alloc(8 * MIB) },
    { name: 'Übersicht.txt', bytes: 'third' },
  ]);
  await say('Please follow these steps');
  await say('Did it work?');

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
