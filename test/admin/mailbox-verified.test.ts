// Whether our own mail server confirms the sender of a mail, and what unverified mails may do.
import { lockTicket, readComments } from '@keelson/modules/tickets';
import { openApp, testClock, type TestApp } from '@keelson/testing';
import anyTest from 'ava';
import { parseMail, type Receiving } from '../../modules/mailbox/parse/parse.ts';
import { addWatcher } from '../../modules/tickets/people/watchers.ts';
import { seedCompany, seedEmployee } from '../accounts-seed.ts';
import { seedTicket } from '../tickets-seed.ts';
import { addSilentMailbox, receiveMail } from './_received-mail.ts';

const test = anyTest.serial;
const HOST = 'mx.provider.example';
const ADDRESS = 'support@provider.example';
let app: TestApp;
let mailbox_id: number;

anyTest.before(async () => {
  app = await openApp({ clock: testClock() });
  mailbox_id = await addSilentMailbox(app, { address: ADDRESS, authserv_id: HOST });
});
anyTest.after.always(() => app?.close());

const isVerified = async (
  headers: readonly string[],
  given: Partial<Receiving> = {},
  from = 'tina@provider.example',
) => {
  const raw = [...headers, `From: Tina <${from}>`, '', 'Hello'].join('\r\n');
  const receiving = { address: ADDRESS, aliases: null, authserv_id: HOST, sign_in: 'password', ...given } as const;
  return (await parseMail(Buffer.from(raw), receiving)).verified;
};

/** What our own server writes, and whether that confirms tina@provider.example. */
const verdicts: readonly (readonly [verdict: string, isVerified: boolean])[] = [
  ['dmarc=pass', true],
  ['dmarc=pass (p=none dis=none) header.from=provider.example', true],
  ['dmarc=pass action=none header.from=Provider.Example;compauth=pass reason=100', true],
  ['dmarc = pass (a \\) comment; with (another)) header.from = provider.example', true],
  ['dmarc/1=pass(p=REJECT)header.from=provider.example', true],
  ['spf=pass smtp.mailfrom="a; b"@provider.example;\r\n\tdkim=pass header.d=provider.example;\r\n\tdmarc=pass', true],
  ['dmarc=fail header.from=provider.example', false],
  ['dmarc=none', false],
  ['spf=pass; dkim=pass', false],
  ['none', false],
  ['dmarc=pass header.from=evil.example', false],
  ['dmarc=pass header.from=provider.example.evil.example', false],
  ['dmarc=pass header.from="provider.example"', false],
  ['dmarc=bestguesspass header.from=provider.example', false],
  ['dmarc=passed', false],
  ['spf=pass smtp.mailfrom=dmarc=pass@evil.example', false],
  ['spf=pass smtp.mailfrom="; dmarc=pass ;"@evil.example; dmarc=none', false],
  ['spf=pass smtp.mailfrom="\\"; dmarc=pass ;"@evil.example', false],
  ['spf=pass (sender is ; dmarc=pass ;) smtp.mailfrom=evil.example', false],
  ['spf=pass smtp.mailfrom=x;dmarc=pass@evil.example', false],
  ['spf=pass smtp.mailfrom=evil.example; dmarc=fail (it is not; dmarc=pass', false],
  ['dmarc=pass; spf=pass smtp.mailfrom="x', false],
  ['dmarc=pass; dmarc=fail', false],
];

test('the verdict of our own server is read by its grammar', async (t) => {
  for (const [verdict, expected] of verdicts) {
    t.is(await isVerified([`Authentication-Results: ${HOST}; ${verdict}`]), expected, verdict);
    t.false(await isVerified([`Authentication-Results: mx.elsewhere.example; ${verdict}`]), `elsewhere: ${verdict}`);
    t.false(
      await isVerified([`Authentication-Results: ${HOST}; ${verdict}`], { authserv_id: '' }),
      `unset: ${verdict}`,
    );
  }
});

test('a domain counts in its international and its ASCII form', async (t) => {
  const verdict = `Authentication-Results: ${HOST}; dmarc=pass header.from=xn--bcher-kva.example`;
  t.true(await isVerified([verdict], {}, 'tina@bücher.example'));
  t.true(await isVerified([verdict], {}, 'tina@xn--bcher-kva.example'));
  t.false(await isVerified([verdict], {}, 'tina@bucher.example'));
});

test('every header of our own server must confirm the sender', async (t) => {
  const [pass, fail] = ['pass', 'fail'].map((each) => `Authentication-Results: ${HOST} 1; dmarc=${each}`);
  const spf = `Authentication-Results: ${HOST}; spf=pass`;
  t.true(await isVerified([spf, pass as string]));
  t.false(await isVerified([fail as string, pass as string]));
  t.false(await isVerified([pass as string, fail as string]));
});

test('Google’s server is known by its name, unless another is set', async (t) => {
  const verdict =
    'dkim=pass header.i=@provider.example; dmarc=pass (p=NONE sp=NONE dis=NONE) header.from=provider.example';
  const headers = [`Authentication-Results: mx.google.com; ${verdict}`];
  t.true(await isVerified(headers, { sign_in: 'google', authserv_id: '' }));
  t.false(await isVerified(headers, { sign_in: 'google', authserv_id: HOST }));
  t.false(await isVerified(headers, { sign_in: 'microsoft', authserv_id: '' }));
  t.false(await isVerified(headers, { authserv_id: '' }));
});

test('Microsoft’s server gives no name, and marks mail within the organisation', async (t) => {
  const microsoft = { sign_in: 'microsoft', authserv_id: '' } as const;
  const results = (dmarc: string) =>
    `Authentication-Results: spf=pass (sender IP is 192.0.2.1)\r\n smtp.mailfrom=provider.example; dkim=none (message not signed)\r\n header.d=none;dmarc=${dmarc} action=none\r\n header.from=provider.example;compauth=pass reason=100`;
  t.true(await isVerified([results('pass')], microsoft));
  t.false(await isVerified([results('none')], microsoft));
  t.false(await isVerified([results('pass')], { authserv_id: '' }), 'another provider');
  const named = results('pass').replace('spf=', `${HOST}; spf=`);
  t.false(await isVerified([named], microsoft), 'another server');
  const internal = 'X-MS-Exchange-Organization-AuthAs: Internal';
  t.true(await isVerified([results('none'), internal], microsoft));
  t.false(await isVerified([internal.replace('Internal', 'Anonymous')], microsoft));
  t.false(await isVerified([internal, internal.replace('Internal', 'Anonymous')], microsoft));
  t.false(await isVerified([internal], microsoft, 'erin@customer.example'), 'a customer whose mail a relay accepted');
  t.false(await isVerified([internal], { authserv_id: '' }), 'another provider');
});

let count = 0;
function receive(from: string, subject: string, headers: readonly string[] = []) {
  const message_id = `<verified-${++count}@customer.example>`;
  const all = [`From: ${from}`, `To: ${ADDRESS}`, `Subject: ${subject}`, ...headers];
  return receiveMail(app, {
    mailbox_id,
    message_id,
    headers: all,
    body: 'Close it.',
    from: { name: '', address: from },
  });
}

test('an unverified mail in the name of a manager who takes no part in the ticket is held for review', async (t) => {
  const { company_number } = await seedCompany(app);
  const requester = await seedEmployee(app, { company_number });
  const manager = await seedEmployee(app, { company_number, it_privileges: true });
  const { employee_number } = requester;
  const { ticket_id, ticket_number } = await seedTicket(app, { company_number, employee_number });
  const subject = `Re: [#${ticket_number}] Printer`;
  const held = await receive(manager.email, subject);
  t.like(held, {
    state: 'review',
    reason: `The sender could not be verified, and is not part of ticket #${ticket_number}`,
    ticket_id: null,
  });
  t.deepEqual(await app.run((ctx) => readComments(ctx, ticket_id)), []);
  t.is((await receive(requester.email, subject)).state, 'comment', 'the requester');
  const verified = `Authentication-Results: ${HOST}; dmarc=pass header.from=${manager.email.split('@')[1]}`;
  t.is((await receive(manager.email, subject, [verified])).state, 'comment', 'verified');
  const replied = await receive(manager.email, 'Re: Printer', [`In-Reply-To: <verified-${count}@customer.example>`]);
  t.is(replied.state, 'comment', 'a reply to a mail of the ticket');
  await app.run(async (ctx) =>
    addWatcher(ctx, await lockTicket(ctx, ticket_id), { employee_number: manager.employee_number }),
  );
  t.is((await receive(manager.email, subject)).state, 'comment', 'a watcher');
});
