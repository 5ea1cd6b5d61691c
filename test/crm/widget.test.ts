// The website chat: visitor sessions, responses, and allowed origins.
import { Script } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { definePlugin } from '@keelson/core';
import { answerSource } from '@keelson/core/plugin';
import { tokenHash } from '@keelson/core/system';
import { createApiKey } from '@keelson/modules/accounts';
import { Lead } from '@keelson/modules/crm';
import { createOutage, updateOutage, OutageService } from '@keelson/modules/outages';
import { WidgetMessage, WidgetSession } from '@keelson/modules/widget';
import { startApp, testClock, type TestApp } from '@keelson/testing';
import test from 'ava';
import { memoryLimiter } from '../../packages/security/limit.ts';
import { seedCompany, seedKey } from '../accounts-seed.ts';
import { lines, seedAgent } from '../chat-seed.ts';
import { crmRoot } from '../crm-seed.ts';
import { asKey } from '../tickets-seed.ts';

const root = `${crmRoot}/widget`;
const articles = [
  { title: 'Map a network drive', text: 'Open the file explorer.\n\nChoose “Map network drive” and type the path.' },
  { title: 'Printers', text: 'Restart the printer.\n\nA paper jam is cleared from the rear door of the printer.' },
  { title: 'Printer drivers', text: 'Drivers of a printer come by themselves.' },
];
const library = definePlugin({
  id: 'library',
  title: 'Library',
  answerSources: [answerSource('library.articles', async () => articles)],
});

type Send = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => ReturnType<TestApp['request']>;

async function visitor(app: TestApp, type: 'crm_public_live' | 'crm_public_test' | 'crm_secret' = 'crm_public_live') {
  const { api_key: key, row } = await seedKey(app, type);
  const send: Send = (method, path, body, headers = {}) =>
    app.request(method, root + path, body === undefined ? { key, headers } : { key, headers, body });
  return { key, row, send };
}

async function begin(send: Send): Promise<string> {
  return (await send('POST', '/init', {})).body.session_id;
}

async function ask(send: Send, message: string) {
  const answer = await send('POST', '/message', { session_id: await begin(send), message });
  return answer.body.response ?? answer.body;
}

/** Creates an outage of a service. */
async function outage(app: TestApp, name: string, title: string, window = {}) {
  const now = app.clock.now();
  return app.run(async (ctx) => {
    const service_id = await ctx.db.insertReturningId(OutageService, { name, created_at: now, updated_at: now });
    return createOutage(ctx, { service_id, title, ...window });
  });
}

test('Start a visitor chat: always a new one, with the provider’s name and colour', async (t) => {
  const app = await startApp(t);
  const { send, row } = await visitor(app);
  const visit = { visitor_id: 'v-1', page_url: 'https://www.example.com/offer', referrer: 'https://search.example/' };
  const { status, body, headers } = await send('POST', '/init', visit);
  t.is(status, 200);
  t.deepEqual(body, {
    success: true,
    session_id: body.session_id,
    visitor_id: 'v-1',
    greeting: 'Hi! How can we help?',
    branding: { company_name: 'Keelson', primary_color: '#1e3a5f', logo_url: '' },
  });
  t.regex(body.session_id, /^[\w-]{32}$/);
  t.is(headers.get('cache-control'), 'no-store');
  const again = await send('POST', '/init', visit);
  t.not(again.body.session_id, body.session_id);
  const [stored] = await app.app.database.find(WidgetSession, { order: { widget_session_id: 'ASC' } });
  t.like(stored, { ...visit, key_id: row.key_id, test: false, status: 'active' });
  t.is(stored?.session_hash, tokenHash(body.session_id), 'only the hash is kept');
  t.false(JSON.stringify(stored).includes(body.session_id));
  const none = await send('POST', '/init');
  t.is(none.status, 200, 'all fields are optional');
  t.regex(none.body.visitor_id, /^[\w-]{22}$/);
  for (const wrong of [
    { visitor_id: 7 },
    { visitor_id: 'x'.repeat(101) },
    { page_url: 'x'.repeat(2049) },
    { referrer: [] },
  ]) {
    const refused = await send('POST', '/init', wrong);
    t.deepEqual([refused.status, refused.body.code], [400, 'VALIDATION_ERROR'], JSON.stringify(wrong).slice(0, 40));
    t.true(refused.body.error.includes(Object.keys(wrong)[0] ?? ''));
  }
});

test('visitors share a key, but not responses by idempotency key', async (t) => {
  const { send } = await visitor(await startApp(t));
  const repeated = { 'Idempotency-Key': 'init-1' };
  const [one, other] = [await send('POST', '/init', {}, repeated), await send('POST', '/init', {}, repeated)];
  t.not(one.body.session_id, other.body.session_id);
});

test('Send a visitor’s message: from public texts, best first; without a match the contact form', async (t) => {
  const app = await startApp(t, { plugins: [library] });
  const { send } = await visitor(app);
  const session_id = await begin(send);
  const { status, body } = await send('POST', '/message', {
    session_id,
    message: 'My printers are jammed with paper!',
  });
  t.is(status, 200);
  t.deepEqual(body, {
    success: true,
    response: {
      message: 'From “Printers”:\n\nA paper jam is cleared from the rear door of the printer.',
      suggested_actions: [],
    },
  });
  t.deepEqual(await ask(send, 'printer'), {
    message: 'From “Printer drivers”:\n\nDrivers of a printer come by themselves.',
    suggested_actions: ['Printers'],
  });
  t.is((await ask(send, 'Printers')).message.split('\n')[0], 'From “Printer drivers”:');
  t.regex((await ask(send, 'How do I map a NETWORK drive?')).message, /^From “Map a network drive”:\n\nChoose/);
  const person = 'please use the contact form on this website, and someone will get back to you.';
  t.deepEqual(await ask(send, 'Do you repair bicycles?'), {
    message:
      'I couldn’t find anything about that. To talk to a person, choose “Talk to a person” or use the contact form on this website.',
    suggested_actions: ['Talk to a person', 'Leave contact details'],
  });
  t.deepEqual(await ask(send, 'I am ada@example.com, write to me'), {
    message: `I can’t take contact details here: ${person}`,
    suggested_actions: ['Talk to a person'],
  });
  // A key is limited to 30 requests a minute.
  const { send: more } = await visitor(app);
  for (const details of [
    'Leave contact details',
    'call me: +49 (30) 1234-567',
    '030 1234567',
    'It is (555) 123-4567.',
  ]) {
    t.regex((await ask(more, details)).message, /^I can’t take contact details here/, details);
  }
  for (const none of [
    'invoice 2026-11-21',
    'ping 192.168.100.12 fails',
    'order 4711-0815-2026',
    'version 10.0.19045',
  ]) {
    t.regex((await ask(more, none)).message, /^I couldn’t find anything/, none);
  }
  t.is((await ask(more, 'OK, thanks!')).message, 'You are welcome. Is there anything else?');
  t.is(await app.app.database.count(Lead), 0, 'no lead is made (W-17)');
  t.regex((await ask(send, 'hello')).message, /^How can we help/);
  t.deepEqual(
    (await app.app.database.find(WidgetMessage, { order: { widget_message_id: 'ASC' } }))
      .slice(0, 2)
      .map(({ sender, message }) => [sender, message]),
    [
      ['visitor', 'My printers are jammed with paper!'],
      ['assistant', body.response.message],
    ],
  );
});

test('a visitor is answered in the browser’s language, and suggestions in it are understood', async (t) => {
  const app = await startApp(t, { plugins: [library] });
  const { send } = await visitor(app);
  const inGerman = (path: string, body?: object) =>
    send(body ? 'POST' : 'GET', path, body, { 'Accept-Language': 'de-AT,de;q=0.9,en;q=0.8' });
  const { session_id, greeting } = (await inGerman('/init', {})).body;
  t.is(greeting, 'Hallo! Wie können wir helfen?');
  const say = async (message: string) => (await inGerman('/message', { session_id, message })).body;
  const unknown = (await say('Reparieren Sie Fahrräder?')).response;
  t.is(
    unknown.message,
    'Dazu habe ich nichts gefunden. Um mit jemandem zu sprechen, wählen Sie „Mit einer Person sprechen“ oder nutzen Sie das Kontaktformular dieser Website.',
  );
  t.deepEqual(unknown.suggested_actions, ['Mit einer Person sprechen', 'Kontaktdaten hinterlassen']);
  t.regex((await say('Kontaktdaten hinterlassen')).response.message, /^Kontaktdaten kann ich hier nicht aufnehmen/);
  t.like((await say('Printer')).response, {
    message: 'Aus „Printer drivers“:\n\nDrivers of a printer come by themselves.',
    suggested_actions: ['Printers'],
  });
  await outage(app, 'VPN', 'No connections');
  t.regex((await inGerman('/status')).body.message, /^Störung: VPN – No connections, seit /);
  const handedOver = await say('mit einer person sprechen');
  t.true(handedOver.handed_over);
  t.regex(handedOver.response.message, /^Wir antworten hier so bald wie möglich\./);
  const stored = await app.app.database.find(WidgetMessage, { order: { widget_message_id: 'ASC' } });
  t.regex(stored[1]?.message ?? '', /^I couldn’t find anything/, 'the technician reads it in their own language');
});

test('List new messages for a visitor', async (t) => {
  const clock = testClock();
  const app = await startApp(t, { clock });
  const { send } = await visitor(app);
  const stranger = await visitor(app);
  const agent = await seedAgent(app);
  const began = await send('POST', '/init', { page_url: 'https://www.example.com/offer' });
  const { session_id } = began.body;
  const message = (text: string) => send('POST', '/message', { session_id, message: text });
  const read = (since?: string) => send('POST', '/messages', { session_id, ...(since === undefined ? {} : { since }) });
  await message('Do you repair bicycles?');
  t.deepEqual((await read()).body, { success: true, status: 'active', messages: [] }, 'nobody was asked for yet');
  const handed = await message('talk to a person');
  t.deepEqual(handed.body, {
    success: true,
    response: { message: handed.body.response.message, suggested_actions: [] },
    handed_over: true,
  });
  t.regex(handed.body.response.message, /^Someone will reply here as soon as possible/);
  const [chat] = (await agent.send('GET', '/chat/sessions.php')).body.data;
  t.like(chat, {
    source: 'website',
    status: 'waiting_agent',
    company_number: null,
    company_name: null,
    person_name: 'Visitor',
    page_url: 'https://www.example.com/offer',
    topic: 'Do you repair bicycles?',
    ticket_id: null,
  });
  const act = (action: string, body: object = {}) =>
    agent.send('POST', `/chat/sessions.php?action=${action}&id=${chat.chat_id}`, body);
  t.deepEqual((await message('Hello?')).body, {
    success: true,
    response: { message: '', suggested_actions: [] },
    handed_over: true,
  });
  await act('accept');
  t.is((await act('messages', { message: 'Yes, we do' })).status, 201);
  const { status, body } = await read();
  t.is(status, 200);
  t.deepEqual(lines(body.messages), [
    'user: Do you repair bicycles?',
    'assistant: I couldn’t find anything about that. To talk to a person, choose “Talk to a person” or use the contact form on this website.',
    'system: You asked to talk to a person. Someone will reply here as soon as possible.',
    'user: Hello?',
    'system: Terry Technician has joined the chat.',
    'agent: Yes, we do',
  ]);
  t.is(body.status, 'with_agent');
  const last = body.messages.at(-1).created_at;
  t.deepEqual((await read(last)).body.messages, [], 'strictly later');
  const foreign = await stranger.send('POST', '/messages', { session_id });
  t.deepEqual([foreign.status, foreign.body.code], [404, 'NOT_FOUND']);
  t.is((await read('yesterday')).body.code, 'VALIDATION_ERROR');
  // Reading keeps the session alive; without reads, the session and its chat end.
  for (const minute of [20, 40]) {
    clock.set(`2026-03-02T09:${minute}:00.000Z`);
    t.is((await read(last)).status, 200);
  }
  clock.set('2026-03-02T10:10:00.000Z');
  await app.app.scheduler.runNow('widget.end-idle');
  t.is((await act('messages', { message: 'Are you there?' })).body.error, 'The chat has ended');
  t.is((await message('Yes')).status, 400);
});

test('a message that a visitor sends again is stored and answered once', async (t) => {
  const app = await startApp(t, { plugins: [library] });
  const { send } = await visitor(app);
  const agent = await seedAgent(app);
  const session_id = await begin(send);
  const message = (message_id: string, text: string, session = session_id) =>
    send('POST', '/message', { session_id: session, message_id, message: text });
  const first = await message('1', 'printer');
  t.deepEqual(first.body.response.suggested_actions, ['Printers']);
  t.deepEqual((await message('1', 'printer')).body, first.body);
  const [one, other] = await Promise.all([message('2', 'hello'), message('2', 'hello')]);
  t.deepEqual(one.body, other.body, 'also while the first is being answered');
  t.is(await app.app.database.count(WidgetMessage), 4);

  const handedOver = await message('3', 'Talk to a person');
  t.true(handedOver.body.handed_over);
  t.deepEqual((await message('3', 'Talk to a person')).body, handedOver.body);
  const said = await message('4', 'Hello?');
  t.deepEqual((await message('4', 'Hello?')).body, said.body);
  const { body } = await send('POST', '/messages', { session_id });
  t.is(lines(body.messages).filter((each) => each === 'user: Hello?').length, 1);
  t.is((await agent.send('GET', '/chat/sessions.php')).body.data.length, 1);

  const session = await begin(send);
  t.regex(
    (await message('1', 'hello', session)).body.response.message,
    /^How can we help/,
    'ids are the session’s own',
  );
  const long = await message('x'.repeat(65), 'hello', session);
  t.deepEqual([long.status, long.body.code], [400, 'VALIDATION_ERROR']);
  t.true(long.body.error.includes('message_id must be at most 64 characters'), long.body.error);
});

test('on a ticket made from their chat, a visitor’s messages are the customer’s and do not meet the SLA', async (t) => {
  const clock = testClock();
  const app = await startApp(t, { clock });
  const boss = await asKey(app, ['settings:write', 'tickets:read']);
  const hours = [{ weekday: 'monday', from: '00:00', to: '24:00' }];
  await boss('POST', '/levels/calendars.php', { name: 'Monday', time_zone: 'UTC', is_default: true, hours });
  const targets = [1, 2, 3, 4, 5].map((priority) => ({ priority, response_minutes: 60, resolution_minutes: 600 }));
  t.is((await boss('POST', '/levels/policies.php', { name: 'Gold', targets })).status, 201);
  const { send } = await visitor(app);
  const agent = await seedAgent(app);
  const session_id = await begin(send);
  await send('POST', '/message', { session_id, message: 'Talk to a person' });
  const [chat] = (await agent.send('GET', '/chat/sessions.php')).body.data;
  const act = (action: string, body: object) =>
    agent.send('POST', `/chat/sessions.php?action=${action}&id=${chat.chat_id}`, body);
  const { company_number } = await seedCompany(app);
  const { ticket_id } = (await act('ticket', { company_number })).body.data;
  const levelled = async () => {
    const { data } = (await boss('GET', `/tickets.php?id=${ticket_id}`)).body;
    const response = data.service_levels.find((each: { kind: string }) => each.kind === 'response');
    return { ...data, met_at: response.met_at };
  };
  clock.set('2026-03-02T09:10:00.000Z');
  await send('POST', '/message', { session_id, message: 'Is anyone there?' });
  const asked = await levelled();
  t.like(asked, { met_at: null, last_comment_by: 'customer', waiting_since: '2026-03-02T09:10:00Z' });
  t.like(asked.comments.at(-1), { comment: 'Is anyone there?', author_type: 'employee', author_name: 'Visitor' });
  clock.set('2026-03-02T09:20:00.000Z');
  await act('messages', { message: 'Yes' });
  t.like(await levelled(), { met_at: '2026-03-02T09:20:00Z', last_comment_by: 'technician', waiting_since: null });
  await app.app.outbox.drain();
  const said = (await send('POST', '/messages', { session_id })).body.messages;
  t.deepEqual(lines(said).slice(-2), ['user: Is anyone there?', 'agent: Yes']);
});

test('a visitor ends a chat with a person', async (t) => {
  const app = await startApp(t);
  const { send } = await visitor(app);
  const agent = await seedAgent(app);
  const session_id = await begin(send);
  await send('POST', '/message', { session_id, message: 'Talk to a person' });
  t.is((await agent.send('GET', '/chat/sessions.php?source=website')).body.data.length, 1);
  await send('POST', '/end', { session_id });
  t.is((await agent.send('GET', '/chat/sessions.php')).body.data.length, 0);
});

test('Send a visitor’s message: validation and session ownership', async (t) => {
  const clock = testClock();
  const app = await startApp(t, { clock });
  const { send } = await visitor(app);
  const other = await visitor(app);
  const session_id = await begin(send);
  for (const [wrong, words] of [
    [{ session_id }, 'message is required'],
    [{ session_id, message: ' ' }, 'message is required'],
    [{ session_id, message: 5 }, 'message must be'],
    [{ session_id, message: 'x'.repeat(4001) }, 'message must be at most 4000 characters'],
    [{ message: 'hi' }, 'session_id is required'],
    [{ session_id: 12, message: 'hi' }, 'session_id must be'],
  ] as const) {
    const answer = await send('POST', '/message', wrong);
    t.deepEqual([answer.status, answer.body.code], [400, 'VALIDATION_ERROR'], words);
    t.true(answer.body.error.includes(words), answer.body.error);
  }
  t.is((await send('POST', '/message', { session_id, message: `two\nlines ${'x'.repeat(3990)}` })).status, 200);
  const absent = await send('POST', '/message', { session_id: 'x'.repeat(32), message: 'hi' });
  t.deepEqual([absent.status, absent.body], [404, { success: false, error: 'Session not found', code: 'NOT_FOUND' }]);
  const foreign = await other.send('POST', '/message', { session_id, message: 'hi' });
  t.deepEqual([foreign.status, foreign.text], [404, absent.text], 'a session is bound to its key');
  t.is((await other.send('POST', '/end', { session_id })).status, 404);

  clock.set('2026-03-02T09:29:59.000Z');
  t.is((await send('POST', '/message', { session_id, message: 'still there' })).status, 200, 'which is activity');
  clock.set('2026-03-02T09:59:58.000Z');
  t.is((await send('POST', '/message', { session_id, message: 'still there' })).status, 200);
  clock.set('2026-03-02T10:29:58.000Z');
  const late = await send('POST', '/message', { session_id, message: 'hello?' });
  const over = { success: false, error: 'The session has ended', code: 'VALIDATION_ERROR' };
  t.deepEqual([late.status, late.body], [400, over], '30 minutes idle, before any job (M-20)');
  await app.app.scheduler.runNow('widget.end-idle');
  t.like(await app.app.database.findOneBy(WidgetSession, { session_hash: tokenHash(session_id) }), {
    status: 'ended',
    ended_at: '2026-03-02T10:29:58.000Z',
  });
});

test('End a visitor chat: repeatable, and further messages are rejected', async (t) => {
  const app = await startApp(t);
  const { send } = await visitor(app);
  const session_id = await begin(send);
  for (const time of ['once', 'twice']) {
    const { status, body } = await send('POST', '/end', { session_id });
    t.deepEqual([status, body], [200, { success: true, session_id, status: 'ended' }], time);
  }
  const late = await send('POST', '/message', { session_id, message: 'hi' });
  t.deepEqual([late.status, late.body.error], [400, 'The session has ended']);
  const unknown = await send('POST', '/end', { session_id: 'nothing' });
  t.deepEqual([unknown.status, unknown.body.code], [404, 'NOT_FOUND']);
  t.is((await send('POST', '/end', {})).body.error, 'session_id is required');
});

test('Show service status to visitors: current outages for everyone', async (t) => {
  const app = await startApp(t);
  const { send } = await visitor(app);
  const fine = {
    success: true,
    status: 'operating_normally',
    online: true,
    message: 'All services are operating normally.',
  };
  const { status, body } = await send('GET', '/status');
  t.deepEqual([status, body], [200, fine]);
  const mail = await outage(app, 'Mail', 'Mails are late');
  t.deepEqual((await send('GET', '/status')).body, {
    success: true,
    status: 'outage',
    online: true,
    message: 'Outage: Mail – Mails are late, since 2026-03-02 09:00 UTC.',
  });
  const answers = await Promise.all(
    ['I cannot send mails', 'It is all so slow', 'Show service status'].map((each) => ask(send, each)),
  );
  for (const each of answers) {
    t.deepEqual(each, {
      message: 'Outage: Mail – Mails are late, since 2026-03-02 09:00 UTC.',
      suggested_actions: ['Talk to a person'],
    });
  }
  t.deepEqual((await ask(send, 'Do you repair bicycles?')).suggested_actions, [
    'Talk to a person',
    'Leave contact details',
    'Show service status',
  ]);
  await app.run((ctx) => updateOutage(ctx, mail, { status: 'resolved' }));
  t.deepEqual((await send('GET', '/status')).body, fine);
  t.is((await ask(send, 'Is there an outage?')).message, 'All services are operating normally.');
  t.is((await ask(send, 'It is all so slow')).message.slice(0, 26), 'I couldn’t find anything a');
});

test.serial('keys: public and secret ones only; chats of test keys are marked', async (t) => {
  const app = await startApp(t);
  const { api_key: admin } = await seedKey(app, 'admin', ['contacts:read']);
  for (const [method, path] of [
    ['POST', '/init'],
    ['POST', '/message'],
    ['POST', '/end'],
    ['GET', '/status'],
  ] as const) {
    for (const credential of [{}, { key: 'pk_live_nonsense' }, { key: admin }, { token: admin }]) {
      const answer = await app.request(method, root + path, { ...credential });
      t.deepEqual([answer.status, answer.body.code], [401, 'AUTH_REQUIRED'], `${method} ${path}`);
    }
    t.is((await app.request(method === 'GET' ? 'POST' : 'GET', root + path)).status, 405);
  }
  for (const type of ['crm_public_test', 'crm_secret'] as const) {
    const { send, row } = await visitor(app, type);
    t.is((await send('POST', '/init', {})).status, 200, type);
    t.like(await app.app.database.findOneBy(WidgetSession, { key_id: row.key_id }), {
      test: type === 'crm_public_test',
    });
  }
});

test.serial('CORS: only for the widget and its script, with preflight without a key', async (t) => {
  const app = await startApp(t);
  const { key } = await visitor(app);
  const Origin = 'https://www.example.com';
  const preflight = { Origin, 'Access-Control-Request-Method': 'POST', 'Access-Control-Request-Headers': 'x-api-key' };
  const cors = ({ headers }: { headers: Headers }) =>
    Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control-')));
  for (const path of ['/init', '/message', '/end', '/status']) {
    const answer = await app.request('OPTIONS', root + path, { headers: preflight });
    t.is(answer.status, 204);
    const own = path === '/status' ? 'GET, HEAD, OPTIONS' : 'OPTIONS, POST';
    t.deepEqual(cors(answer), {
      'access-control-allow-origin': '*',
      'access-control-allow-methods': own,
      'access-control-allow-headers': 'X-API-Key, Content-Type',
      'access-control-expose-headers':
        'X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After, X-Request-Id',
      'access-control-max-age': '600',
    });
  }
  const allowed = async (path: string, options: object) =>
    (await app.request('GET', path, options)).headers.get('access-control-allow-origin');
  t.is(await allowed(`${root}/status`, { key, headers: { Origin } }), '*');
  t.is(await allowed(`${root}/status`, { headers: { Origin } }), '*', 'a page can read that its key is wrong');
  t.is(await allowed(`${root}/init`, { key, headers: { Origin } }), '*', 'and any other problem');
  t.is(await allowed('/widget/chat.js', { headers: { Origin } }), '*');
  for (const path of [
    `${crmRoot}/leads`,
    `${crmRoot}/search?q=ab`,
    '/status',
    '/admin/login',
    '/helpdesk/api/v1/bootstrap',
  ]) {
    t.is(await allowed(path, { key, headers: { Origin } }), null, path);
    t.is((await app.request('OPTIONS', path, { headers: preflight })).headers.get('access-control-allow-origin'), null);
  }
  const secret = await visitor(app, 'crm_secret');
  t.is(await allowed(`${root}/status`, { key: secret.key, headers: { Origin } }), null, 'no page may use a secret key');
});

test.serial('a key restricted to websites is rejected on all others', async (t) => {
  const app = await startApp(t);
  const allowed_origins = ['https://www.example.com', 'http://localhost:8080'];
  const { api_key: key } = await app.run((ctx) =>
    createApiKey(ctx, { type: 'crm_public_live', name: 'Website', permissions: [], allowed_origins }),
  );
  const from = (Origin: string | undefined) =>
    app.request('POST', `${root}/init`, { key, body: {}, headers: Origin === undefined ? {} : { Origin } });
  for (const origin of allowed_origins) {
    const answer = await from(origin);
    t.deepEqual([answer.status, answer.headers.get('access-control-allow-origin')], [200, origin]);
    t.is(answer.headers.get('vary'), 'Origin');
  }
  for (const origin of [
    'https://example.com',
    'http://www.example.com',
    'https://www.example.com.evil.example',
    'null',
  ]) {
    const answer = await from(origin);
    t.deepEqual(
      [answer.status, answer.body, answer.headers.get('access-control-allow-origin')],
      [403, { success: false, error: 'This key is not allowed on this website', code: 'FORBIDDEN' }, null],
      origin,
    );
  }
  t.is((await from(undefined)).status, 200, 'no page: whoever has the key could say anything');
  t.is(await app.app.database.count(WidgetSession), 3, 'a refused page begins nothing');
});

test.serial('30 a minute per key and address, 20 times that per key (L-09)', async (t) => {
  const clock = { monotonic: () => 0, unix: () => 1_700_000_000_000 };
  const app = await startApp(t, { limiter: memoryLimiter({ clock }), config: { trustProxy: 1 } });
  const { send } = await visitor(app);
  const from = (address: number) =>
    send('GET', '/status', undefined, { 'X-Forwarded-For': `198.51.${address >> 8}.${address & 255}` });
  const first = await from(1);
  t.deepEqual(
    ['limit', 'remaining'].map((each) => first.headers.get(`x-ratelimit-${each}`)),
    ['30', '29'],
  );
  for (let i = 0; i < 29; i++) t.is((await from(1)).status, 200);
  const over = await from(1);
  t.deepEqual([over.status, over.body.code, over.headers.get('retry-after')], [429, 'RATE_LIMITED', '60']);
  t.is(over.headers.get('access-control-allow-origin'), '*', 'the page learns when to try again');
  t.is((await from(2)).status, 200, 'another visitor is not held up');
  for (let i = 0; i < 569; i++) t.is((await from(100 + i)).status, 200);
  const all = await from(3);
  t.deepEqual([all.status, all.headers.get('x-ratelimit-limit')], [429, '600']);
  const another = await visitor(app);
  t.is((await another.send('GET', '/status', undefined, { 'X-Forwarded-For': '198.51.100.9' })).status, 200);
});

test.serial('visitor messages are deleted after 90 days', async (t) => {
  const clock = testClock('2026-01-01T00:00:00.000Z');
  const app = await startApp(t, { clock });
  const { send } = await visitor(app);
  await ask(send, 'hello');
  clock.set('2026-03-31T00:00:00.000Z');
  const session_id = await begin(send);
  await app.app.scheduler.runNow('widget.prune');
  t.is(await app.app.database.count(WidgetSession), 2);
  clock.set('2026-04-01T00:00:01.000Z');
  await app.app.scheduler.runNow('widget.prune');
  const left = await app.app.database.find(WidgetSession);
  t.deepEqual(
    left.map((each) => each.session_hash),
    [tokenHash(session_id)],
  );
  t.is(await app.app.database.count(WidgetMessage), 0);
});

test.serial('Read the chat widget script: small, cached, on every page', async (t) => {
  const app = await startApp(t);
  const { status, text, headers } = await app.request('GET', '/widget/chat.js');
  t.is(status, 200);
  t.is(headers.get('content-type'), 'text/javascript; charset=utf-8');
  t.is(headers.get('cache-control'), 'public, max-age=300');
  t.is(headers.get('cross-origin-resource-policy'), 'cross-origin');
  const tag = headers.get('etag') ?? '';
  t.regex(tag, /^"[\w-]+"$/);
  t.is(
    (
      await app.request('GET', '/widget/chat.js', {
        headers: { 'If-None-Match': tag, 'Cache-Control': 'max-age=0' },
      })
    ).status,
    304,
  );
  t.notThrows(() => new Script(text), 'it is one script, without types');
  const size = gzipSync(text).length;
  t.log(`${size} bytes gzipped`);
  t.true(size <= 12_288);
  t.notRegex(text, /innerHTML|insertAdjacentHTML|document\.write|\beval\b|\bimport\b|\bexport\b/);
});
