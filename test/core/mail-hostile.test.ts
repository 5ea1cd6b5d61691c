// Mails come from strangers: none may block the process.
import { startApp } from '@keelson/testing';
import test from 'ava';
import { openWithHtml } from '../../modules/mailbox/messages/open-mail.ts';
import { createReaders, openApart, parseApart } from '../../modules/mailbox/parse/apart.ts';
import { textOfHtml } from '../../modules/mailbox/parse/html-text.ts';
import { parseMail, type ParsedMail } from '../../modules/mailbox/parse/parse.ts';
import { watchLoop } from './_watch-loop.ts';

const receiving = { address: 'support@example.com', authserv_id: null } as never;
/** Measures the CPU time of this thread, because others may occupy the processor; the tests run one by one for it. */
async function cpuSeconds(work: () => unknown): Promise<number> {
  const before = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000_000;
}

test.serial('a long mail is parsed in another process, which may fail alone', async (t) => {
  // Its memory ends soon, and the other mails have all the time of the product.
  const ask = createReaders({ heapMb: 128, cpuMs: 30_000 });
  const lines = Buffer.from(`From: a@example.com\r\nSubject: x\r\n\r\n${'a\n'.repeat(12_000_000)}`);
  const others = Array.from({ length: 3 }, (_, n) =>
    Buffer.from(`From: a@example.com\r\nSubject: ${n}\r\n\r\n${'a\n'.repeat(50_000)}`),
  );
  const subjects = async () =>
    Promise.all(others.map(async (each) => (await ask<ParsedMail>(each, { receiving })).subject));
  t.deepEqual(await subjects(), ['0', '1', '2'], 'by processes that stay');
  const watch = watchLoop();
  const parsing = t.throwsAsync(ask(lines, { receiving })).finally(watch.stop);
  t.deepEqual(await subjects(), ['0', '1', '2'], 'beside it');
  t.is((await parsing)?.message, 'The mail takes too much memory or time to read');
  t.deepEqual(await subjects(), ['0', '1', '2'], 'after it');
  t.true(watch.longest() < 200, `${watch.longest()} ms`);
});

test.serial('a page of nested tags is shown, or not, without holding anybody up', async (t) => {
  const ask = createReaders({ heapMb: 256, cpuMs: 4000 });
  const page = Buffer.from(`From: a@example.com\r\nContent-Type: text/html\r\n\r\n${'<div>'.repeat(400_000)}`);
  const watch = watchLoop();
  const error = await t.throwsAsync(ask(page, { shown: { pictures: false } })).finally(watch.stop);
  t.is(error?.message, 'The mail takes too much memory or time to read');
  t.true(watch.longest() < 200, `${watch.longest()} ms`);
});

test.serial('a long mail is read as a short one is', async (t) => {
  const { app } = await startApp(t);
  const mail = (file: string) =>
    Buffer.from(
      [
        'From: Ada <a@example.com>',
        'Subject: Photo',
        'Content-Type: multipart/mixed; boundary=x',
        '',
        '--x',
        '',
        'See the file.',
        '--x',
        'Content-Type: image/png',
        'Content-Disposition: attachment; filename=photo.png',
        'Content-Transfer-Encoding: base64',
        '',
        ...(Buffer.alloc(1_000_000, file)
          .toString('base64')
          .match(/.{1,76}/g) ?? []),
        '--x--',
      ].join('\r\n'),
    );
  const long = await parseApart(app, mail('long'), receiving);
  const direct = await parseMail(mail('long'), receiving);
  t.deepEqual({ ...long, files: [] }, { ...direct, files: [] });
  t.deepEqual(
    long.files.map(({ name, bytes }) => [name, Buffer.from(bytes)]),
    direct.files.map(({ name, bytes }) => [name, Buffer.from(bytes)]),
  );
  const shown = { pictures: false };
  t.deepEqual(await openApart(app, mail('long'), shown), await openWithHtml(mail('long'), shown));
  await t.throwsAsync(parseApart(app, Buffer.from(`X: ${'a'.repeat(600_000)}`), receiving), { message: /header size/ });
});

// These come last: collecting what they leave would hold the event loop of the others.
test.serial('a delivery report with an endless field is parsed in time', async (t) => {
  const report = Buffer.from(`Original-Recipient:${'\r'.repeat(500_000)}`).toString('base64');
  const mail = [
    'From: a@example.com',
    'Content-Type: multipart/mixed; boundary=x',
    '',
    '--x',
    'Content-Type: message/delivery-status',
    'Content-Transfer-Encoding: base64',
    '',
    ...(report.match(/.{1,76}/g) ?? []),
    '--x--',
  ].join('\r\n');
  t.true((await cpuSeconds(() => parseMail(Buffer.from(mail), receiving))) < 5);
});

test.serial('an HTML mail of endless tags is parsed in time', async (t) => {
  t.true((await cpuSeconds(() => textOfHtml('<br'.repeat(300_000)))) < 5);
});

test.serial('a text with very many short lines is parsed in time', async (t) => {
  const mail = `From: a@example.com\r\nSubject: x\r\n\r\n${'a\r\n'.repeat(200_000)}`;
  t.true((await cpuSeconds(() => parseMail(Buffer.from(mail), receiving))) < 10);
});
