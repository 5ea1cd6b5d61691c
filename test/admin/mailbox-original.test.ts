// The original of a received mail: its headers, and its HTML, which runs and loads nothing unasked.
import { addMailbox, MailboxMessage, storeMail } from '@keelson/modules/mailbox';
import { openApp, testClock, type TestApp } from '@keelson/testing';
import test from 'ava';
import { parseFragment, type DefaultTreeAdapterTypes as Tree } from 'parse5';
import { seedEmployee } from '../accounts-seed.ts';
import { asKey } from '../tickets-seed.ts';

let app: TestApp;
let send: Awaited<ReturnType<typeof asKey>>;
let mailbox_id: number;
const HOST = 'mx.provider.example';

test.before(async () => {
  app = await openApp({ clock: testClock() });
  send = await asKey(app, ['tickets:read']);
  const server = {
    host: '127.0.0.1',
    port: 1,
    security: 'none',
    username: 'u',
    password: 'p',
    authserv_id: HOST,
  } as const;
  const address = 'support@provider.example';
  ({ mailbox_id } = await app.run((ctx) => addMailbox(ctx, { name: 'Support', address, ...server })));
});
test.after.always(() => app?.close());

let count = 0;
async function receive(headers: readonly string[], body: string): Promise<MailboxMessage> {
  const { email } = await seedEmployee(app, { can_create_tickets: true });
  const message_id = `<original-${++count}@customer.example>`;
  const all = [`From: Erin Example <${email}>`, `Message-ID: ${message_id}`, 'Subject: Printer', ...headers];
  const source = Buffer.from(`${all.join('\r\n')}\r\n\r\n${body}\r\n`);
  const from = { name: '', address: '' };
  await app.run((ctx) => storeMail(ctx, mailbox_id, { source, size: source.length, from, subject: '', message_id }));
  await app.app.outbox.drain();
  const message = await app.run((ctx) => ctx.db.findOneBy(MailboxMessage, { message_id }));
  return message ?? Promise.reject(new Error('Nothing was received'));
}

const originalOf = async ({ received_id }: MailboxMessage) =>
  (await send('GET', `/mailboxes/messages.php?action=original&id=${received_id}`)).body.data;

const pageOf = ({ received_id }: MailboxMessage, pictures = false) =>
  send('GET', `/mailboxes/messages.php?action=original-html&id=${received_id}&pictures=${pictures}`);

const HTML = 'Content-Type: text/html; charset=utf-8';

test('Read the original of a received mail: headers, results of our own server only, and the quoted text', async (t) => {
  const mail = await receive(
    [
      'To: Support <support@provider.example>',
      'Cc: =?utf-8?Q?B=C3=B6ss?= <boss@customer.example>',
      'Date: Wed, 25 Nov 2026 09:00:00 +0000',
      'X-Mailer: Outlook',
      'Authentication-Results: mx.elsewhere.example; dmarc=pass',
      `Authentication-Results: ${HOST}; spf=pass; dmarc=fail`,
      'Content-Type: text/plain; charset=utf-8',
    ],
    'It is out.\r\n\r\nOn Wed, 25 Nov 2026 at 10:00, Support <support@provider.example> wrote:\r\n> Burning?',
  );
  const original = await originalOf(mail);
  t.deepEqual(
    original.headers.map((each: { name: string }) => each.name),
    ['From', 'To', 'Cc', 'Date', 'Subject', 'Message-ID'],
  );
  t.deepEqual(original.headers[2], { name: 'Cc', value: 'Böss <boss@customer.example>' });
  t.is(original.authentication, `${HOST}; spf=pass; dmarc=fail`);
  t.regex(original.text, /^It is out\.[^]*> Burning\?/);
  t.like(original, { kept: true, has_html: false, pictures: 0 });
  t.is((await pageOf(mail)).text, '');
});

test('the original shows no personal links of its recipients', async (t) => {
  const { baseUrl } = app.app.config;
  const link = `${baseUrl}/helpdesk/reset-password?token=very-secret`;
  const plain = await receive(
    ['Content-Type: text/plain'],
    `Which one?\r\n> Reset it: ${link}\r\n> ${baseUrl}/helpdesk`,
  );
  const { text } = await originalOf(plain);
  t.false(text.includes('very-secret'), text);
  t.regex(text, /Reset it: \[personal link removed\]/);
  t.true(text.includes(`${baseUrl}/helpdesk`));
  const wrapped = `https://safe.example/?url=${encodeURIComponent(link)}&amp;x=1`;
  const html = await receive(
    [HTML],
    `<p>Which one?</p><a href="${link}">Reset</a> <a href='${wrapped}'>it</a> <a href="${baseUrl}/helpdesk">Portal</a> ${link}`,
  );
  const page = (await pageOf(html)).text;
  t.false(page.includes('very-secret'), page);
  t.regex(page, /<a target="_blank"[^>]*>Reset<\/a>/);
  t.true(page.includes(`href="${baseUrl}/helpdesk"`));
});

test('Show the HTML of a received mail in a frame: nothing runs, and external images are blocked', async (t) => {
  const png = 'iVBORw0KGgo=';
  const html = `<html><head><title>T</title><style>p{color:red}</style><base href="https://evil.example/"></head>
    <body onload="alert(1)"><script>alert(1)</script><p style="color:red" onclick="alert(1)">Hello</p>
    <img src="https://track.example/1.png?x" srcset="https://track.example/2.png 2x" onerror="alert(1)">
    <img src="//track.example/3.png"><img src="http://track.example/4.png"><img src="cid:logo@part"><img src="javascript:alert(1)">
    <a href="javascript:alert(1)">a</a><a href="https://shop.example/" onclick="x()">b</a><a href="data:text/html,x">c</a>
    <iframe src="https://evil.example"></iframe><form action="https://evil.example"><input name="password"><button>Go</button></form>
    <svg><script>alert(1)</script></svg><object data="x"></object><link rel="stylesheet" href="https://evil.example/x.css">
    <meta http-equiv="refresh" content="0;url=https://evil.example"></body></html>`;
  const body = [
    '--b\r\nContent-Type: text/html; charset=utf-8\r\n',
    html,
    `--b\r\nContent-Type: image/png\r\nContent-ID: <logo@part>\r\nContent-Disposition: inline\r\nContent-Transfer-Encoding: base64\r\n\r\n${png}`,
    '--b--',
  ].join('\r\n');
  const mail = await receive(['Content-Type: multipart/related; boundary=b'], body);
  t.like(await originalOf(mail), { has_html: true, pictures: 3 });

  const page = await pageOf(mail);
  t.is(page.status, 200);
  const policy = String(page.headers.get('content-security-policy'));
  for (const each of [
    "default-src 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
    'sandbox allow-popups',
    'img-src data:',
  ])
    t.true(policy.includes(each), each);
  t.false(policy.includes('https:'));
  const { elements, attributes } = contentOf(page.text);
  for (const each of ['script', 'iframe', 'form', 'input', 'button', 'object', 'link', 'base', 'svg'])
    t.false(elements.includes(each), each);
  t.deepEqual(
    attributes.filter(
      ([name, value]) => name.startsWith('on') || /javascript:|track\.example|evil\.example/.test(value),
    ),
    [],
  );
  t.true(page.text.includes(`data:image/png;base64,${png}`), 'a picture of its own shows');
  t.true(page.text.includes('href="https://shop.example/"'));

  const asked = await pageOf(mail, true);
  t.true(String(asked.headers.get('content-security-policy')).includes('img-src data: https:'));
  t.true(asked.text.includes('src="https://track.example/1.png?x"'));
  t.true(asked.text.includes('src="https://track.example/3.png"'));
  t.false(asked.text.includes('http://track.example'), 'never over plain HTTP');
});

test('originals require permission to read tickets', async (t) => {
  const mail = await receive([HTML], '<p>Hello</p>');
  const blind = await asKey(app, ['assets:read']);
  for (const action of ['original', 'original-html'])
    t.is((await blind('GET', `/mailboxes/messages.php?action=${action}&id=${mail.received_id}`)).status, 403);
  t.is((await send('GET', '/mailboxes/messages.php?action=original&id=999999')).status, 404);
});

function contentOf(html: string) {
  const elements: string[] = [];
  const attributes: [string, string][] = [];
  const visit = (node: Tree.Node) => {
    if ('tagName' in node) {
      elements.push(node.tagName);
      attributes.push(...node.attrs.map(({ name, value }): [string, string] => [name, value]));
    }
    if ('childNodes' in node) node.childNodes.forEach(visit);
  };
  visit(parseFragment(html));
  return { elements, attributes };
}
