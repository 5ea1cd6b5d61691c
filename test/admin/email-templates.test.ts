import { definePlugin, mailTemplate, sendMail } from '@keelson/core';
import { Mail } from '@keelson/core/system';
import { startApp, type TestApp } from '@keelson/testing';
import test from 'ava';
import type { ExecutionContext } from 'ava';
import { startMailServer, words } from '../_mail-server.ts';
import { seedKey, seedTechnician, signInOnPage } from '../accounts-seed.ts';

const path = '/admin/api/v1/settings/email-templates.php';
const mails = '/admin/api/v1/settings/mails.php';
const shipped = [
  'approval_requested',
  'invoice_sent',
  'outage_update',
  'proposal_sent',
  'ticket_closed',
  'ticket_comment',
  'ticket_created',
  'webhook_disabled',
];

const OutageUpdate = mailTemplate('notice_outage', {
  name: 'Outage: a notice',
  subject: '{{ title }}: {{ status }}',
  body: 'Hello {{ recipient_name }},\n\n{{ title }} at {{ company_name }}: {{ services }}\n\n{{ message }}',
  variables: ['title', 'status', 'services', 'message', 'company_name'],
});
const notice = definePlugin({ id: 'notice', title: 'Notices', mailTemplates: [OutageUpdate] });

async function start(t: ExecutionContext, smtpUrl?: string) {
  const app = await startApp(t, {
    plugins: [notice],
    config: { smtpUrl, mailFrom: 'desk@acme.example', tenantName: 'Acme IT' },
  });
  const { api_key: token } = await seedKey(app, 'admin', ['settings:read', 'settings:write']);
  const { body } = await app.request('GET', path, { token });
  const outage = body.data.find((each: { key: string }) => each.key === 'notice_outage');
  return { app, token, outage, url: `${path}?id=${outage.template_id}` };
}

const outageMail = (app: TestApp) =>
  app.run(async (ctx) => {
    const data = {
      title: 'Mail',
      status: 'resolved',
      services: 'Email',
      message: '<b>done</b>',
      company_name: 'North',
    };
    return sendMail(ctx, OutageUpdate, { to: { name: 'Ida', address: 'ida@north.example' }, data });
  });

test('List email templates: the defaults, with their placeholders', async (t) => {
  const { app, token, outage } = await start(t);
  const { status, body } = await app.request('GET', path, { token });
  t.is(status, 200);
  t.deepEqual(
    body.data
      .map((each: { key: string }) => each.key)
      .filter((each: string) => shipped.includes(each))
      .toSorted(),
    shipped,
  );
  t.deepEqual(body, { success: true, data: body.data });
  t.deepEqual(outage, {
    template_id: outage.template_id,
    key: 'notice_outage',
    name: 'Outage: a notice',
    subject: '{{ title }}: {{ status }}',
    body: OutageUpdate.body,
    variables: [...OutageUpdate.variables, 'recipient_name', 'provider_name', 'base_url'],
    active: true,
    updated_at: '2026-03-02T09:00:00Z',
  });
  t.is(new Set(body.data.map((each: { template_id: number }) => each.template_id)).size, body.data.length);
});

test('List email templates: access', async (t) => {
  const { app } = await start(t);
  t.deepEqual((await app.request('GET', path)).body, { success: false, error: 'Authentication required' });
  const { api_key: other } = await seedKey(app, 'admin', ['tickets:read']);
  t.is((await app.request('GET', path, { token: other })).status, 403);
  const cookie = await signInOnPage(app, await seedTechnician(app, 'technician'));
  t.is((await app.request('GET', path, { cookie })).status, 200);
});

test('Read an email template', async (t) => {
  const { app, token, outage, url } = await start(t);
  t.deepEqual((await app.request('GET', url, { token })).body, { success: true, data: outage });
  t.is((await app.request('GET', `${path}?id=9999`, { token })).status, 404);
});

test('Update an email template: the next mail uses the new text', async (t) => {
  const server = await startMailServer(t);
  const { app, token, outage, url } = await start(t, server.url);
  app.clock.set('2026-03-02T10:00:00.000Z');
  const changes = {
    subject: 'News: {{ title }} {{ nobody_knows }}!',
    body: 'Dear {{recipient_name}},\n\n{{ message }}',
  };
  const changed = await app.request('PUT', url, { token, body: changes });
  t.is(changed.status, 200);
  t.deepEqual(changed.body, { success: true, data: { ...outage, ...changes, updated_at: '2026-03-02T10:00:00Z' } });
  t.deepEqual((await app.request('GET', url, { token })).body, changed.body);
  await outageMail(app);
  await app.app.outbox.drain();
  const [mail] = server.received;
  t.is(words(mail?.header('subject')), 'News: Mail !', 'unknown placeholders are empty');
  t.is(mail?.parts['text/plain']?.trim(), 'Dear Ida,\n\n<b>done</b>');
  t.regex(mail?.parts['text/html'] ?? '', /&lt;b&gt;done/);
});

test('Update an email template: disabled templates send no mail', async (t) => {
  const server = await startMailServer(t);
  const { app, token, url } = await start(t, server.url);
  t.false((await app.request('PUT', url, { token, body: { active: false } })).body.data.active);
  const mail_id = await outageMail(app);
  await app.app.outbox.drain();
  t.is(server.received.length, 0);
  t.is((await app.app.database.findOneBy(Mail, { mail_id }))?.state, 'skipped');
});

test('Update an email template: rejects invalid input', async (t) => {
  const { app, token, url } = await start(t);
  const put = (body: unknown, at = url) => app.request('PUT', at, { token, body });
  for (const [body, error] of [
    [{}, 'No fields to update'],
    [{ subject: '' }, 'subject is required'],
    [{ subject: 'x'.repeat(256) }, 'subject must be at most 255 characters'],
    [{ body: null }, /^body /],
    [{ active: 'yes' }, /^active /],
    [{ subject: 'Broken {{ title' }, /^subject is not a valid template: output "\{\{ title" not closed/],
    [{ body: '{% for a in (1..100000000) %}x{% endfor %}' }, /^body is not a valid template: /],
    [{ body: '{% include "/etc/passwd" %}' }, /^body is not a valid template: /],
    [{ body: '{{ title | no_such_filter }}' }, /^body is not a valid template: undefined filter/],
  ] as const) {
    const answer = await put(body);
    t.is(answer.status, 400, JSON.stringify(body));
    if (typeof error === 'string') t.is(answer.body.error, error);
    else t.regex(answer.body.error, error);
  }
  t.is((await put({ active: true }, `${path}?id=9999`)).status, 404);
  t.is((await app.request('PUT', url, { body: { active: true } })).status, 401);
  const cookie = await signInOnPage(app, await seedTechnician(app, 'technician'));
  const headers = { 'Sec-Fetch-Site': 'same-origin' };
  t.is((await app.request('PUT', url, { cookie, headers, body: { active: false } })).status, 403);
  const { api_key: reader } = await seedKey(app, 'admin', ['settings:read']);
  t.is((await app.request('PUT', url, { token: reader, body: { active: false } })).status, 403);
});

test('Reset an email template', async (t) => {
  const { app, token, outage, url } = await start(t);
  await app.request('PUT', url, { token, body: { subject: 'Mine' } });
  const { status, body } = await app.request('POST', `${url}&action=reset`, { token });
  t.is(status, 200);
  t.deepEqual(body, { success: true, data: outage });
});

test('Preview a mail: unsaved text with sample data, in the provider’s colours', async (t) => {
  const { app, token, outage, url } = await start(t);
  await app.request('PUT', '/admin/api/v1/settings/colors.php', { token, body: { primary_color: '#123456' } });
  const preview = (body: unknown) => app.request('POST', `${url}&action=preview`, { token, body });
  const { status, body } = await preview({ subject: '{{ title }}?', body: 'To {{ recipient_name }}: {{ message }}' });
  t.is(status, 200);
  t.is(body.data.subject, '[title]?');
  t.is(body.data.text, 'To Alex Example: [message]');
  t.regex(body.data.html, /border-top:4px solid #123456/);
  t.regex(body.data.html, /Acme IT/);
  t.is((await preview({})).body.data.subject, '[title]: [status]');
  t.is((await preview({ body: '{{' })).status, 400);
  t.deepEqual((await app.request('GET', url, { token })).body.data, outage, 'nothing is stored');
});

test('Send yourself a test mail: to the signed-in administrator only', async (t) => {
  const server = await startMailServer(t);
  const { app, token, url } = await start(t, server.url);
  const administrator = await seedTechnician(app);
  const cookie = await signInOnPage(app, administrator);
  const headers = { 'Sec-Fetch-Site': 'same-origin' };
  const { status, body } = await app.request('POST', `${url}&action=test`, { cookie, headers });
  t.is(status, 201);
  t.like(body.data, { template: 'notice_outage', recipient_address: administrator.email, state: 'waiting' });
  await app.app.outbox.drain();
  t.deepEqual(server.received[0]?.to, [administrator.email]);
  t.is((await app.request('POST', `${url}&action=test`, { token })).status, 403);
  await app.request('PUT', url, { token, body: { active: false } });
  t.is((await app.request('POST', `${url}&action=test`, { cookie, headers })).status, 400);
});

test('List the mails of the last 90 days: newest first, by state, without their contents', async (t) => {
  const { app, token } = await start(t);
  const first = await outageMail(app);
  app.clock.set('2026-03-02T10:00:00.000Z');
  const second = await outageMail(app);
  await app.app.outbox.drain();
  const { status, body } = await app.request('GET', mails, { token });
  t.is(status, 200);
  t.deepEqual(body.data[1], {
    mail_id: first,
    template: 'notice_outage',
    recipient_name: 'Ida',
    recipient_address: 'ida@north.example',
    state: 'held',
    error: 'No mail server is configured',
    created_at: '2026-03-02T09:00:00Z',
    sent_at: null,
    template_name: 'Outage: a notice',
  });
  t.is(body.data[0].mail_id, second);
  t.deepEqual(body.pagination, { page: 1, per_page: 25, total: 2, total_pages: 1 });
  t.is((await app.request('GET', `${mails}?state=sent`, { token })).body.pagination.total, 0);
  t.is((await app.request('GET', `${mails}?per_page=1&page=2`, { token })).body.data[0].mail_id, first);
  t.true((await app.fewestStatements(() => app.request('GET', mails, { token }))) <= 6);
  const cookie = await signInOnPage(app, await seedTechnician(app, 'technician'));
  t.is((await app.request('GET', mails, { cookie })).status, 403);
});

test('Resend a mail', async (t) => {
  const server = await startMailServer(t);
  const { app, token } = await start(t, server.url);
  app.expectError(/550 No.*could not be delivered and was parked/);
  server.refuse(550);
  const mail_id = await outageMail(app);
  await app.app.outbox.drain();
  server.refuse(undefined);
  const again = () => app.request('POST', `${mails}?action=resend&id=${mail_id}`, { token });
  const { status, body } = await again();
  t.is(status, 200);
  t.like(body.data, { mail_id, state: 'waiting', error: null });
  await app.app.outbox.drain();
  t.is(server.received.length, 1);
  t.is((await again()).status, 400, 'it is sent');
  t.is((await app.request('POST', `${mails}?action=resend&id=nothing`, { token })).status, 404);
});

test('mails are deleted after 90 days', async (t) => {
  const { app } = await start(t);
  await outageMail(app);
  app.clock.set('2026-06-01T00:00:00.000Z');
  await outageMail(app);
  await app.app.scheduler.runNow('core.prune-mail');
  t.is(await app.app.database.count(Mail), 1);
});
