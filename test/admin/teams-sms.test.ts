// Text messages about escalations, through the HTTP API of an SMS provider.
import { startApp, testClock } from '@keelson/testing';
import test, { type ExecutionContext } from 'ava';
import { runDue } from '../../modules/teams/escalation/run-due.ts';
import { answering, startReceiver } from '../_receiver.ts';
import { seedTechnician, signInOnPage } from '../accounts-seed.ts';
import { seedCompany, seedTicket, staff } from '../tickets-seed.ts';

const path = '/teams/sms-gateway.php';
const json = { content_type: 'json', body: '{"to": "{{ number }}", "text": "{{ text }}"}' };

async function withGateway(t: ExecutionContext) {
  const app = await startApp(t, { clock: testClock('2026-03-02T09:00:00.000Z') });
  // Only an administrator can set the gateway, in the console (Z-78).
  const cookie = await signInOnPage(app, await seedTechnician(app, 'administrator'));
  const headers = { 'Sec-Fetch-Site': 'same-origin' };
  const send = (method: string, to: string, body?: unknown) =>
    app.request(method, `${staff}${to}`, { cookie, headers, body });
  const receiver = await startReceiver(t);
  return { app, send, receiver, url: receiver.url };
}

test('Set the SMS gateway; Read the SMS gateway; Send a test text message; Remove the SMS gateway', async (t) => {
  const { send, receiver, url } = await withGateway(t);
  t.is((await send('GET', path)).body.data.url, null);
  t.is((await send('POST', `${path}?action=test`, { number: '+4930123456' })).body.error, 'No SMS gateway is set');
  const saved = await send('PUT', path, { url, ...json, authorization: 'Bearer secret' });
  t.is(saved.status, 200, saved.body.error);
  t.deepEqual(saved.body.data, { url, ...json, has_authorization: true });
  t.false(JSON.stringify((await send('GET', path)).body).includes('secret'));

  t.is((await send('POST', `${path}?action=test`, { number: '0049 (30) 123-456' })).status, 204);
  t.is(receiver.received[0]?.headers.authorization, 'Bearer secret');
  t.like(receiver.received[0]?.json, { to: '+4930123456' });
  receiver.behave(answering(402));
  const refused = await send('POST', `${path}?action=test`, { number: '+4930123456' });
  t.is(refused.status, 400);
  t.is(refused.body.error, 'The message was not sent: The SMS gateway responded with 402');

  const elsewhere = await startReceiver(t);
  const moved = await send('PUT', path, { url: elsewhere.url, ...json });
  t.is(moved.body.error, 'authorization is required when the host changes');
  const form = { url: elsewhere.url, content_type: 'form', body: 'to={{number}}&text={{ text }}', authorization: null };
  t.is((await send('PUT', path, form)).status, 200);
  await send('POST', `${path}?action=test`, { number: '+4930123456' });
  t.is(
    elsewhere.received[0]?.body,
    'to=%2B4930123456&text=This%20is%20a%20test%20message%20from%20your%20service%20desk.',
  );
  t.is((await send('DELETE', path)).status, 204);
  t.is((await send('GET', path)).body.data.url, null);
});

test('the settings of the SMS gateway are validated', async (t) => {
  const { send, url } = await withGateway(t);
  const refused = async (more: object) => (await send('PUT', path, { url, ...json, ...more })).body.error;
  t.is(await refused({ body: '{"to": "{{ number }}"}' }), 'body must contain {{ text }}');
  t.is(
    await refused({ body: '{"to": {{ number }}, "text": "{{ text }}"' }),
    'body must be JSON in which {{ number }} and {{ text }} stand between quotation marks',
  );
  t.regex(await refused({ url: 'http://169.254.169.254/latest' }), /^url: /);
  const number = await send('POST', `${path}?action=test`, { number: '030 123456' });
  t.is(number.body.error, 'number must be a number such as +49 30 123456');
});

test('an escalation step sends a text message to those with a mobile number, with the acknowledgement link', async (t) => {
  const { app, send, receiver, url } = await withGateway(t);
  await send('PUT', path, { url, ...json });
  const team_id = (await send('POST', '/teams.php', { name: 'Network', escalate_priority: 1 })).body.data.team_id;
  const [first, second] = [await seedTechnician(app), await seedTechnician(app)];
  const member = { team_id, skills: [] };
  const added = await send('POST', '/teams/members.php', {
    ...member,
    user_id: first.user_id,
    mobile: '+1 555 0100 200',
  });
  t.is(added.body.data.mobile, '+15550100200');
  await send('POST', '/teams/members.php', { ...member, user_id: second.user_id });
  await send('POST', '/teams/steps.php', { team_id, after_minutes: 0, notify: 'team', by_mail: false, by_sms: true });
  const { company_number } = await seedCompany(app);
  const { ticket_number } = await seedTicket(app, {
    company_number,
    team_id,
    priority: 1,
    subject: 'The "mail" is down',
  });
  await app.app.outbox.drain();
  await runDue(app.app.system());
  await app.app.outbox.drain();
  t.is(receiver.received.length, 1);
  const { to, text } = receiver.received[0]?.json ?? {};
  t.is(to, '+15550100200');
  t.true(text.startsWith(`Network: ticket ${ticket_number} is escalated: The "mail" is down\n`), text);
  const link = new URL(text.split('\n')[1]);
  const page = await app.request('GET', link.pathname + link.search);
  t.is(page.status, 200);

  // Three per minute are enough to wake someone; the fourth ticket's history says so.
  const later = [0, 1, 2].map(() => seedTicket(app, { company_number, team_id, priority: 1 }));
  const tickets = await Promise.all(later);
  await app.app.outbox.drain();
  await runDue(app.app.system());
  await app.app.outbox.drain();
  t.is(receiver.received.length, 3);
  const said = await Promise.all(
    tickets.map(async ({ ticket_id }) => (await send('GET', `/tickets.php?action=history&id=${ticket_id}`)).body.data),
  );
  const refused = said.flat().filter(({ description }) => description.startsWith('No text message to'));
  t.deepEqual(
    refused.map(({ description }) => description),
    [`No text message to ${first.name}, who got 3 within a minute`],
  );
});
