import { changeModules, findCompany } from '@keelson/modules/directory';
import { deleteTicket, lockTicket } from '@keelson/modules/tickets';
import { startApp, testClock } from '@keelson/testing';
import test from 'ava';
import { Mail } from '../../packages/mail/mail.ts';
import { seedEmployee } from '../accounts-seed.ts';
import { lines, seedAgent, seedChatter } from '../chat-seed.ts';
import { asEmployee, asKey, portal, storedTicket } from '../tickets-seed.ts';

const greeting = 'Hi! How can we help? Ask a question, or ask to talk to a person at any time.';

test('Start or resume a chat', async (t) => {
  const clock = testClock();
  const app = await startApp(t, { clock });
  const { send, chat_id, say, person } = await seedChatter(app);
  const { status, body } = await send('POST', '/chat/start');
  t.is(status, 200);
  const [hello] = body.messages;
  t.deepEqual(body, {
    chat_id,
    status: 'active',
    started_at: '2026-03-02T09:00:00Z',
    ticket_id: null,
    resumed: true,
    messages: [
      {
        message_id: hello.message_id,
        sender_type: 'assistant',
        message: greeting,
        created_at: '2026-03-02T09:00:00.000Z',
      },
    ],
  });
  for (let i = 0; i < 52; i++) await say(`Line ${i}`);
  const { messages } = (await send('POST', '/chat/start')).body;
  t.is(messages.length, 50, 'the last 50 (W-02)');
  t.true(
    messages.every(
      (each: { message_id: number }, i: number) => i === 0 || each.message_id > messages[i - 1].message_id,
    ),
  );
  // A colleague has a separate chat.
  const other = await seedChatter(app, { company_number: person.company_number });
  t.not(other.chat_id, chat_id);
  clock.set('2026-03-03T09:00:00.000Z');
  const next = await (await asEmployee(app, person))('POST', '/chat/start');
  t.like(next.body, { resumed: false, status: 'active' });
  t.not(next.body.chat_id, chat_id, 'not after 24 hours (W-01)');
  t.is((await app.request('POST', `${portal}/chat/start`)).status, 401);
});

test('two tabs starting at once share one chat', async (t) => {
  const app = await startApp(t);
  const send = await asEmployee(app, await seedEmployee(app));
  const both = await Promise.all([send('POST', '/chat/start'), send('POST', '/chat/start')]);
  t.is(new Set(both.map(({ body }) => body.chat_id)).size, 1);
  t.is(both.filter(({ body }) => body.resumed).length, 1);
});

test('List the messages of your chat', async (t) => {
  const app = await startApp(t);
  const { send, chat_id, say, read, company_number } = await seedChatter(app);
  const { body: first } = await say('One');
  await say('Two');
  const { status, body } = await send('GET', `/chat/${chat_id}/messages?per_page=2`);
  t.is(status, 200);
  t.deepEqual(body.pagination, { page: 1, limit: 2, total: 5, total_pages: 3 });
  t.is(body.messages.length, 2);
  t.deepEqual(Object.keys(body.messages[0]), ['message_id', 'sender_type', 'message', 'created_at']);
  const mine = async (query: string) => (await read(query)).filter((each) => each.sender_type === 'user');
  t.deepEqual(
    (await mine(`?since=${first.created_at}`)).map((each) => each.message),
    ['Two'],
    'strictly later (P-14)',
  );
  t.is((await mine('?since=2026-03-02T08:59:59Z')).length, 2);
  t.is((await send('GET', `/chat/${chat_id}/messages?since=yesterday`)).status, 400);
  // Neither a colleague nor anyone else sees it.
  for (const given of [{ company_number, it_privileges: true }, { it_privileges: true }]) {
    const other = await asEmployee(app, await seedEmployee(app, given));
    const foreign = await other('GET', `/chat/${chat_id}/messages`);
    t.is(foreign.status, 404);
    t.is(foreign.text, (await other('GET', '/chat/999999/messages')).text);
  }
});

test('Send a message', async (t) => {
  const app = await startApp(t);
  const { send, chat_id, say, read } = await seedChatter(app);
  const { status, body } = await say('  My screen\nis dark  ');
  t.is(status, 200);
  t.deepEqual(body, {
    message_id: body.message_id,
    sender_type: 'user',
    message: 'My screen\nis dark',
    created_at: body.created_at,
  });
  t.regex(body.created_at, /^2026-03-02T09:00:00\.\d{3}Z$/);
  for (const [wrong, words] of [
    [{}, 'message is required'],
    [{ message: ' ' }, 'message is required'],
    [{ message: 5 }, 'message must be'],
    [{ message: 'x'.repeat(4001) }, 'message must be at most 4000 characters'],
  ] as const) {
    const refused = await send('POST', `/chat/${chat_id}/messages`, wrong);
    t.is(refused.status, 400);
    t.true(refused.body.error.includes(words), refused.body.error);
  }
  const times = (await read()).map((each) => each.created_at);
  t.deepEqual(times, [...new Set(times)].toSorted(), 'every message is later than the one before');
  await send('POST', `/chat/${chat_id}/end`);
  t.like(await say('One more'), { status: 400, body: { error: 'The chat has ended' } });
});

test('Create a ticket from your chat', async (t) => {
  const app = await startApp(t);
  const { send, chat_id, say, person, company_number } = await seedChatter(app);
  await say(`The printer\non the second floor ${'prints '.repeat(20)}`);
  const { status, body } = await send('POST', `/chat/${chat_id}/ticket`);
  t.is(status, 201);
  const ticket = await storedTicket(app, body.ticket_id);
  t.deepEqual(body, {
    success: true,
    ticket_id: ticket.ticket_id,
    ticket_number: ticket.ticket_number,
    status: 'open',
    subject: ticket.subject,
    requires_approval: false,
  });
  t.is(ticket.subject.length, 80, 'the first message (W-09)');
  t.like(ticket, {
    source: 'chat',
    job_type: 'General',
    company_number,
    requester_employee_number: person.employee_number,
  });
  t.regex(ticket.description, /^Assistant: Hi! How can we help.*\n\nErin Example: The printer\non the second floor/);
  const again = await send('POST', `/chat/${chat_id}/ticket`, { subject: 'Another' });
  t.deepEqual([again.status, again.body.ticket_id], [200, ticket.ticket_id], 'one conversation, one ticket');
  t.is((await send('POST', '/chat/start')).body.ticket_id, ticket.ticket_id);

  await app.run(async (ctx) => deleteTicket(ctx, await lockTicket(ctx, ticket.ticket_id)));
  t.is((await send('POST', '/chat/start')).body.ticket_id, null, 'a deleted ticket is none any more (T-23)');
  t.is((await say('Are you there?')).status, 200);
  const wanted = { subject: 'Printer', description: 'It is slow', priority: 2, job_type: 'hardware' };
  const own = await send('POST', `/chat/${chat_id}/ticket`, wanted);
  t.is(own.status, 201);
  t.like(await storedTicket(app, own.body.ticket_id), { ...wanted, job_type: 'Hardware' });

  const reader = await seedChatter(app, { can_create_tickets: false });
  t.is((await reader.send('POST', `/chat/${reader.chat_id}/ticket`)).status, 403);
  t.is((await reader.send('POST', `/chat/${chat_id}/ticket`)).status, 403);
  const stranger = await asEmployee(app, await seedEmployee(app));
  const foreign = await stranger('POST', `/chat/${chat_id}/ticket`);
  t.is(foreign.status, 404);
  t.is(foreign.text, (await stranger('POST', '/chat/999999/ticket')).text);
  t.regex((await send('POST', `/chat/${chat_id}/ticket`, { priority: 9 })).body.error, /priority must be/);
});

test('Request a person in your chat', async (t) => {
  const app = await startApp(t);
  const { send, chat_id, say, read } = await seedChatter(app, { can_create_tickets: false });
  await say('Nothing works');
  const { status, body } = await send('POST', `/chat/${chat_id}/request-agent`);
  t.is(status, 200);
  t.deepEqual(body, { success: true, chat_id, status: 'waiting_agent', ticket_id: body.ticket_id });
  const ticket = await storedTicket(app, body.ticket_id);
  t.like(ticket, { job_type: 'Chat', source: 'chat', subject: 'Nothing works' });
  t.regex(ticket.description, /Erin Example: Nothing works/);
  t.deepEqual(lines(await read()).slice(-2), [
    `system: Ticket ${ticket.ticket_number} was created for this chat.`,
    'system: You asked to talk to a person. Someone will reply here as soon as possible.',
  ]);
  const before = await read();
  t.deepEqual((await send('POST', `/chat/${chat_id}/request-agent`)).body, body, 'asking again changes nothing');
  t.deepEqual(await read(), before);
  const stranger = await asEmployee(app, await seedEmployee(app));
  t.is((await stranger('POST', `/chat/${chat_id}/request-agent`)).status, 404);
  await send('POST', `/chat/${chat_id}/end`);
  t.is((await send('POST', `/chat/${chat_id}/request-agent`)).body.error, 'The chat has ended');
});

test('technicians’ comments appear in the chat once and in order, internal notes never (W-08)', async (t) => {
  const app = await startApp(t);
  const { send, chat_id, say, read } = await seedChatter(app);
  await say('Nothing works');
  const { ticket_id } = (await send('POST', `/chat/${chat_id}/request-agent`)).body;
  const agent = await seedAgent(app);
  const comment = (text: string, is_internal = false) =>
    agent.send('POST', `/tickets.php?action=comments&id=${ticket_id}`, { comment: text, is_internal });
  const seen = (await read()).length;
  for (const text of ['First', 'Second']) await comment(text);
  await comment('He forgot to plug it in', true);
  await comment('Third');
  await app.app.outbox.drain();
  await say('It is plugged in now');
  // A comment that overtakes other deliveries, and a delivery that arrives twice.
  await comment('Fourth');
  await app.app.outbox.drain();
  await app.app.outbox.drain();
  t.deepEqual(lines((await read()).slice(seen)), [
    'agent: First',
    'agent: Second',
    'agent: Third',
    'user: It is plugged in now',
    'agent: Fourth',
  ]);
  t.is((await send('POST', '/chat/start')).body.status, 'with_agent');
  const comments = (await send('GET', `/tickets/${ticket_id}`)).body.comments;
  t.deepEqual(
    comments.map((each: { comment: string }) => each.comment),
    ['First', 'Second', 'Third', 'It is plugged in now', 'Fourth'],
  );
  await send('POST', `/chat/${chat_id}/end`);
  await comment('Too late');
  await app.app.outbox.drain();
  t.is(lines(await read()).at(-1), 'system: This chat has ended.', 'ended is final (M-19)');
});

test('End your chat', async (t) => {
  const clock = testClock();
  const app = await startApp(t, { clock });
  const { send, chat_id, read } = await seedChatter(app);
  const { status, body } = await send('POST', `/chat/${chat_id}/end`);
  t.is(status, 200);
  t.deepEqual(body, { success: true, chat_id, status: 'ended', ended_at: '2026-03-02T09:00:00Z' });
  clock.set('2026-03-02T09:05:00.000Z');
  const again = await send('POST', `/chat/${chat_id}/end`);
  t.deepEqual([again.status, again.body], [200, body], 'ending twice changes nothing');
  t.is(lines(await read()).at(-1), 'system: This chat has ended.');
  const stranger = await asEmployee(app, await seedEmployee(app));
  t.is((await stranger('POST', `/chat/${chat_id}/end`)).status, 404);
  t.is((await send('POST', '/chat/start')).body.resumed, false);
});

test('a company without the module has no chat', async (t) => {
  const app = await startApp(t);
  const { send, chat_id, company_number } = await seedChatter(app);
  const company = await app.run((ctx) => findCompany(ctx, company_number));
  await app.run((ctx) => changeModules(ctx, company, { chat: false }));
  for (const [method, path] of [
    ['POST', '/chat/start'],
    ['GET', `/chat/${chat_id}/messages`],
    ['POST', `/chat/${chat_id}/messages`],
    ['POST', `/chat/${chat_id}/ticket`],
    ['POST', `/chat/${chat_id}/request-agent`],
    ['POST', `/chat/${chat_id}/end`],
  ] as const)
    t.is(
      (await send(method, path, method === 'POST' ? { message: 'Hi' } : undefined)).status,
      403,
      `${method} ${path}`,
    );
});

test('idle chats end, and are deleted after 90 days', async (t) => {
  const clock = testClock();
  const app = await startApp(t, { clock });
  const [silent, waiting] = [await seedChatter(app), await seedChatter(app)];
  await waiting.send('POST', `/chat/${waiting.chat_id}/request-agent`);
  const staff = await asKey(app);
  const at = async (moment: string, name: string) => {
    clock.set(moment);
    await app.app.scheduler.runNow(name);
  };
  const statusOf = async (chat_id: number) => {
    const { body } = await staff('GET', `/chat/sessions.php?action=messages&id=${chat_id}`);
    return body.data?.at(-1)?.message ?? body.error;
  };
  await at('2026-03-03T08:59:59.000Z', 'chat.end-idle');
  t.regex(await statusOf(silent.chat_id), /^Hi!/);
  await at('2026-03-03T09:00:00.000Z', 'chat.end-idle');
  t.is(await statusOf(silent.chat_id), 'This chat has ended.');
  t.regex(await statusOf(waiting.chat_id), /^You asked to talk to a person/, 'who waits for a person waits longer');
  await at('2026-03-10T09:00:00.000Z', 'chat.end-idle');
  t.is(await statusOf(waiting.chat_id), 'This chat has ended.');
  await at('2026-06-01T09:00:01.000Z', 'chat.prune');
  t.is(await statusOf(silent.chat_id), 'Chat not found');
  t.is(await statusOf(waiting.chat_id), 'This chat has ended.');
  t.is(await app.app.database.count(Mail), 0);
});
