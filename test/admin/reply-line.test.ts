// The line in our mails above which customers reply.
import { Mail } from '@keelson/core/system';
import { readComments } from '@keelson/modules/tickets';
import { readMails, startApp } from '@keelson/testing';
import test from 'ava';
import { plainBrand } from '../../packages/mail/compose.ts';
import { mailPage } from '../../packages/mail/mail-page.ts';
import { seedEmployee } from '../accounts-seed.ts';
import { asEmployee, asKey } from '../tickets-seed.ts';
import { addSilentMailbox, receiveMail } from './_received-mail.ts';

const MAILBOX = 'support@provider.example';
const LINE = '##- Please reply above this line -##';

test('mails about tickets begin with the line if replies are received, and replies are cut at it', async (t) => {
  const app = await startApp(t);
  const person = await seedEmployee(app, { can_create_tickets: true });
  const customer = await asEmployee(app, person);
  const mailsTo = async (template: string) => {
    await app.app.outbox.drain();
    return (await readMails(app)).filter((each) => each.to === person.email && each.template === template);
  };
  const { ticket_id } = (await customer('POST', '/tickets', { subject: 'Screen', description: 'Dark' })).body;
  const send = await asKey(app, ['tickets:read', 'tickets:write', 'settings:read', 'settings:write']);
  const answer = async (comment: string) => {
    await send('POST', `/tickets.php?action=comments&id=${ticket_id}`, { comment });
    return (await mailsTo('ticket_comment')).at(-1)?.text ?? '';
  };
  const unanswerable = await answer('Hello?');
  t.regex(unanswerable, /^Hello .*Hello\?/s, 'nothing receives replies');

  const mailbox_id = await addSilentMailbox(app, { address: MAILBOX });
  const asked = await answer('Is it on?');
  t.true(asked.startsWith(`${LINE}\n\nHello `), asked);
  const page = mailPage('x', asked, plainBrand('Provider'), { baseUrl: 'https://desk.example', language: 'en' });
  t.regex(page, /<body[^>]*>\s*<div[^>]*>\s*<p[^>]*>##- Please reply above this line -##<\/p>\s*<p[^>]*>Provider</);
  const sent = await app.run((ctx) =>
    ctx.db.findOne(Mail, { where: { template: 'ticket_comment' }, order: { mail_id: 'DESC' } }),
  );
  const reply = await receiveMail(app, {
    mailbox_id,
    message_id: '<reply-line@customer.example>',
    headers: [`From: ${person.email}`, 'Subject: Screen', `In-Reply-To: <${sent?.mail_id}@provider.example>`],
    body: `It is.\n\nWhat an unknown program writes:\n\n${asked}`,
  });
  t.like(reply, { state: 'comment', ticket_id });
  t.is((await app.run((ctx) => readComments(ctx, ticket_id))).at(-1)?.comment, 'It is.');

  const templates = (await send('GET', '/settings/email-templates.php')).body.data;
  const { template_id, body } = templates.find((each: { key: string }) => each.key === 'ticket_comment');
  const changed = await send('PUT', `/settings/email-templates.php?id=${template_id}`, {
    body: body.replace('{{ reply_line }}\n\n', ''),
  });
  t.is(changed.status, 200, JSON.stringify(changed.body));
  t.false(changed.body.data.body.includes('reply_line'), 'an administrator can remove it');
});
