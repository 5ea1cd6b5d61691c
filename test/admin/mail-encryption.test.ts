// TLS and STARTTLS of mail servers, on real servers: passwords are only sent to the server that was named.
import anyTest from 'ava';
import { imapSource, type MailboxServer } from '../../modules/mailbox/servers/imap.ts';
import { tryServer, type SmtpServer } from '../../packages/mail/smtp.ts';
import { certificateOf, trust } from '../_certificate.ts';
import { hasDovecot, startDovecot } from '../_dovecot.ts';
import { startMailServer } from '../_mail-server.ts';

// Serial: which certificates are trusted concerns the whole process.
const test = anyTest.serial;
const imapTest = hasDovecot ? test : test.skip;

const HOST = 'mail.provider.example';
const address = '127.0.0.1';
const NOT_TRUSTED = /self-signed certificate/;
const OTHER_NAME = /does not match certificate/;

imapTest('mailboxes are read over TLS or STARTTLS from a server with the certificate of its name', async (t) => {
  const certificate = certificateOf(HOST);
  const server = await startDovecot({ certificate });
  t.teardown(() => server.stop());
  const { user: username, password, port, tlsPort } = server;
  const read = (security: MailboxServer['security'], at: number, host = HOST) =>
    imapSource(() => Promise.resolve({ host, address, port: at, security, username, password })).peek();
  const ways = [
    ['tls', tlsPort],
    ['starttls', port],
  ] as const;
  for (const [security, at] of ways) t.regex((await t.throwsAsync(read(security, at))).message, NOT_TRUSTED);
  trust(t, certificate);
  for (const [security, at] of ways) {
    t.like(await read(security, at), { last_uid: 0 });
    t.regex((await t.throwsAsync(read(security, at, 'other.example'))).message, OTHER_NAME);
    t.regex((await t.throwsAsync(read(security, at, address))).message, OTHER_NAME);
  }
  t.like(await read('none', port), { last_uid: 0 });
});

imapTest('the password of a mailbox is not sent to a server without STARTTLS', async (t) => {
  const server = await startDovecot();
  t.teardown(() => server.stop());
  const { user: username, password, port } = server;
  const read = (security: MailboxServer['security']) =>
    imapSource(() => Promise.resolve({ host: HOST, address, port, security, username, password })).peek();
  t.regex((await t.throwsAsync(read('starttls'))).message, /STARTTLS/);
  t.like(await read('none'), { last_uid: 0 });
});

const login = { user: 'desk', password: 'hush hush' };

async function smtp(t: Parameters<typeof startMailServer>[0], options: Parameters<typeof startMailServer>[1]) {
  const { url } = await startMailServer(t, options);
  const port = Number(new URL(url).port);
  return (more: Partial<SmtpServer> = {}) =>
    tryServer({ host: HOST, address, port, secure: false, name: 'desk.example', ...login, ...more });
}

test('mail is sent over TLS or STARTTLS to a server with the certificate of its name', async (t) => {
  const certificate = certificateOf(HOST);
  const [starttls, tls] = [
    await smtp(t, { ...login, certificate }),
    await smtp(t, { ...login, certificate, secure: true }),
  ];
  const ways = [
    [starttls, {}],
    [tls, { secure: true }],
  ] as const;
  for (const [connect, more] of ways) t.regex((await t.throwsAsync(connect(more))).message, NOT_TRUSTED);
  trust(t, certificate);
  for (const [connect, more] of ways) {
    await t.notThrowsAsync(connect(more));
    t.regex((await t.throwsAsync(connect({ ...more, host: 'other.example' }))).message, OTHER_NAME);
  }
});

test('a password is not sent to a mail server without STARTTLS, except on this machine', async (t) => {
  const connect = await smtp(t, login);
  t.regex((await t.throwsAsync(connect())).message, /STARTTLS/);
  await t.notThrowsAsync(connect({ host: 'localhost' }));
});

test('a relay that needs no password, or is on this machine, may have any certificate', async (t) => {
  const certificate = certificateOf('snakeoil.example');
  const relay = await smtp(t, { certificate });
  await t.notThrowsAsync(relay({ user: '', password: '' }));
  const local = await smtp(t, { ...login, certificate });
  await t.notThrowsAsync(local({ host: 'localhost' }));
  t.regex((await t.throwsAsync(local())).message, NOT_TRUSTED);
});
