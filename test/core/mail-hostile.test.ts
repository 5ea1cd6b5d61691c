// Mails come from strangers: none may hold the process up.
import test from 'ava';
import { parseMail } from '../../modules/mailbox/parse.ts';
import { textOfHtml } from '../../modules/mailbox/html-text.ts';

const receiving = { address: 'support@example.com', authserv_id: null } as never;

/** CPU time counts, as another process may have the processor. */
async function cpuSeconds(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000_000;
}

test('a delivery report with an endless field is read in time', async (t) => {
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

test('a page of endless tags is read in time', async (t) => {
  t.true((await cpuSeconds(() => textOfHtml('<br'.repeat(300_000)))) < 5);
});

test('a text with very many short lines is read in time', async (t) => {
  const mail = `From: a@example.com\r\nSubject: x\r\n\r\n${'a\r\n'.repeat(200_000)}`;
  t.true((await cpuSeconds(() => parseMail(Buffer.from(mail), receiving))) < 10);
});
