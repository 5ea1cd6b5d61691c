import type { Context, Row } from '@keelson/core';
import { handOverVisitor } from '@keelson/modules/chat';
import {
  changeModules,
  deleteTechnician,
  findCompany,
  findTechnician,
  updateTechnician,
  type Technician,
} from '@keelson/modules/directory';
import { readMails, startApp, testClock } from '@keelson/testing';
import test from 'ava';
import { Mail } from '../../packages/mail/mail.ts';
import { lines, seedAgent, seedChatter } from '../chat-seed.ts';
import { asEmployee, asKey, seedEmployee, staff } from '../tickets-seed.ts';

async function start(t: Parameters<typeof startApp>[0]) {
  const clock = testClock();
  const app = await startApp(t, { clock });
  const chatter = await seedChatter(app);
  await chatter.say('Nothing works');
  const { ticket_id } = (await chatter.send('POST', `/chat/${chatter.chat_id}/request-agent`)).body;
  const agent = await seedAgent(app);
  const act = (action: string, body?: unknown, id = chatter.chat_id) =>
    agent.send('POST', `/chat/sessions.php?action=${action}&id=${id}`, body ?? {});
  return { app, clock, ...chatter, ticket_id, agent, act };
}

test('List waiting chats and your own', async (t) => {
  const { app, chat_id, ticket_id, person, company_number, agent, act } = await start(t);
  await seedChatter(app);
  const { status, body } = await agent.send('GET', '/chat/sessions.php');
  t.is(status, 200);
  t.deepEqual(body, {
    success: true,
    data: [
      {
        chat_id,
        source: 'employee',
        company_number,
        employee_number: person.employee_number,
        person_name: 'Erin Example',
        page_url: '',
        status: 'waiting_agent',
        topic: 'Nothing works',
        agent_id: null,
        messages: body.data[0].messages,
        started_at: '2026-03-02T09:00:00Z',
        requested_at: '2026-03-02T09:00:00Z',
        answered_at: null,
        waited_seconds: null,
        last_active_at: '2026-03-02T09:00:00Z',
        ended_at: null,
        ticket_id,
        company_name: body.data[0].company_name,
        agent_name: null,
        awaits_answer: true,
      },
    ],
    pagination: { page: 1, per_page: 25, total: 1, total_pages: 1 },
  });
  const idsOf = async (send: typeof agent.send, query = '') =>
    (await send('GET', `/chat/sessions.php${query}`)).body.data.map((each: { chat_id: number }) => each.chat_id);
  const colleague = await seedAgent(app);
  const key = await asKey(app);
  await act('accept');
  t.deepEqual(await idsOf(agent.send), [chat_id], 'one’s own');
  t.deepEqual(await idsOf(colleague.send), [], 'a colleague’s is not in the queue');
  t.deepEqual(await idsOf(key), []);
  t.deepEqual(await idsOf(agent.send, '?status=waiting_agent'), []);
  t.deepEqual(await idsOf(agent.send, '?source=employee&status=with_agent'), [chat_id]);
  t.is((await agent.send('GET', '/chat/sessions.php?status=asleep')).status, 400);
  const blind = await asKey(app, ['kb:read']);
  t.is((await blind('GET', '/chat/sessions.php')).status, 403);
  t.is((await app.request('GET', `${staff}/chat/sessions.php`)).status, 401);
});

test('List the messages of a chat', async (t) => {
  const { app, chat_id, agent } = await start(t);
  const { status, body } = await agent.send('GET', `/chat/sessions.php?action=messages&id=${chat_id}&per_page=2`);
  t.is(status, 200);
  t.like(body.pagination, { page: 1, per_page: 2 });
  t.deepEqual(
    body.data.map(({ sender_type, sender_name }: Record<string, string>) => [sender_type, sender_name]),
    [
      ['assistant', 'Assistant'],
      ['user', 'Erin Example'],
    ],
  );
  const later = await agent.send(
    'GET',
    `/chat/sessions.php?action=messages&id=${chat_id}&since=${body.data[1].created_at}`,
  );
  t.true(later.body.data.every((each: { created_at: string }) => each.created_at > body.data[1].created_at));
  const absent = await agent.send('GET', '/chat/sessions.php?action=messages&id=999999');
  t.deepEqual([absent.status, absent.body.error], [404, 'Chat not found']);
  const writer = await asKey(app, ['tickets:write']);
  t.is((await writer('GET', `/chat/sessions.php?action=messages&id=${chat_id}`)).status, 403);
});

test('Reply in a chat', async (t) => {
  const { app, clock, chat_id, ticket_id, send, say, read, agent, act } = await start(t);
  const seen = (await read()).length;
  clock.set('2026-03-02T09:01:30.000Z');
  const { status, body } = await act('messages', { message: 'Have you plugged it in?' });
  t.is(status, 201);
  t.deepEqual(body, {
    success: true,
    data: {
      message_id: body.data.message_id,
      sender_type: 'agent',
      sender_name: 'Terry Technician',
      message: 'Have you plugged it in?',
      created_at: '2026-03-02T09:01:30.000Z',
    },
  });
  const [mine] = (await agent.send('GET', '/chat/sessions.php')).body.data;
  t.like(mine, { status: 'with_agent', agent_id: agent.technician.user_id, waited_seconds: 90 });
  await say('Yes');
  await act('messages', { message: 'Good' });
  await app.app.outbox.drain();
  t.deepEqual(
    lines((await read()).slice(seen)),
    ['agent: Have you plugged it in?', 'user: Yes', 'agent: Good'],
    'what is a comment of the ticket, too, comes once',
  );
  const { comments } = (await send('GET', `/tickets/${ticket_id}`)).body;
  t.deepEqual(
    comments.map((each: { comment: string }) => each.comment),
    ['Have you plugged it in?', 'Yes', 'Good'],
  );
  t.is(await app.app.database.count(Mail), 0, 'who chats gets no mail for each line');
  t.regex((await act('messages', {})).body.error, /message is required/);
  t.regex((await act('messages', { message: 'x'.repeat(4001) })).body.error, /at most 4000/);
  const reader = await asKey(app, ['tickets:read']);
  t.is((await reader('POST', `/chat/sessions.php?action=messages&id=${chat_id}`, { message: 'x' })).status, 403);
  await act('end');
  t.is((await act('messages', { message: 'Bye' })).status, 400);
});

test('an integration’s comment on the ticket appears in a waiting chat, which stays in the queue', async (t) => {
  const { app, chat_id, ticket_id, read, agent } = await start(t);
  const key = await asKey(app);
  await key('POST', `/tickets.php?action=comments&id=${ticket_id}`, { comment: 'We have received your request' });
  await app.app.outbox.drain();
  t.is(lines(await read()).at(-1), 'agent: We have received your request');
  const [waiting] = (await agent.send('GET', '/chat/sessions.php')).body.data;
  t.like(waiting, { chat_id, status: 'waiting_agent', answered_at: null });
});

test('a person whose company no longer has chat gets a technician’s message by mail', async (t) => {
  const { app, company_number, person, act } = await start(t);
  await app.run(
    async (ctx) => void (await changeModules(ctx, await findCompany(ctx, company_number), { chat: false })),
  );
  t.is((await act('messages', { message: 'Have you plugged it in?' })).status, 201);
  await app.app.outbox.drain();
  const mail = (await readMails(app)).at(-1);
  t.is(mail?.to, person.email);
  t.regex(mail?.text ?? '', /Have you plugged it in\?/);
});

test('Accept a chat', async (t) => {
  const { app, chat_id, read, agent, act } = await start(t);
  const { status, body } = await act('accept');
  t.is(status, 200);
  t.like(body.data, {
    chat_id,
    status: 'with_agent',
    agent_id: agent.technician.user_id,
    agent_name: 'Terry Technician',
    waited_seconds: 0,
  });
  t.is(lines(await read()).at(-1), 'system: Terry Technician has joined the chat.');
  const { length } = await read();
  t.is((await act('accept')).status, 200);
  t.is((await read()).length, length, 'accepting again changes nothing');
  const colleague = await seedAgent(app);
  const late = await colleague.send('POST', `/chat/sessions.php?action=accept&id=${chat_id}`, {});
  t.deepEqual([late.status, late.body.error], [400, 'Another technician has accepted the chat']);
  t.is((await colleague.send('POST', '/chat/sessions.php?action=accept&id=999999', {})).status, 404);
  const reader = await asKey(app, ['tickets:read']);
  t.is((await reader('POST', `/chat/sessions.php?action=accept&id=${chat_id}`, {})).status, 403);
});

test('Read a chat', async (t) => {
  const { app, chat_id, agent } = await start(t);
  const { status, body } = await agent.send('GET', `/chat/sessions.php?id=${chat_id}`);
  t.is(status, 200);
  const [listed] = (await agent.send('GET', '/chat/sessions.php')).body.data;
  t.deepEqual(body, { success: true, data: listed });
  t.is((await agent.send('GET', '/chat/sessions.php?id=999999')).status, 404);
  const blind = await asKey(app, ['kb:read']);
  t.is((await blind('GET', `/chat/sessions.php?id=${chat_id}`)).status, 403);
});

for (const [what, leave] of [
  ['deactivated', (ctx: Context, who: Row<typeof Technician>) => updateTechnician(ctx, who, { active: false })],
  ['deleted', deleteTechnician],
] as const)
  test(`the chats of a technician who is ${what} return to the queue`, async (t) => {
    const { app, chat_id, say, agent, act } = await start(t);
    const colleague = await seedAgent(app);
    await act('accept');
    await app.run(async (ctx) => void (await leave(ctx, await findTechnician(ctx, agent.technician.user_id))));
    await app.app.outbox.drain();
    await say('Hello?');
    const [waiting] = (await colleague.send('GET', '/chat/sessions.php')).body.data;
    t.like(waiting, { chat_id, status: 'waiting_agent', agent_id: null, waited_seconds: 0 });
    const taken = await colleague.send('POST', `/chat/sessions.php?action=accept&id=${chat_id}`, {});
    t.like(taken.body.data, { status: 'with_agent', agent_id: colleague.technician.user_id });
  });

test('Create a ticket from a chat', async (t) => {
  const { app, chat_id, ticket_id, company_number, act } = await start(t);
  const known = await act('ticket');
  t.deepEqual([known.status, known.body.data.ticket_id], [200, ticket_id], 'whoever asked for a person has one');
  const said = [{ by: 'user', message: 'Do you repair printers?' }] as const;
  const visit = await app.run((ctx) => handOverVisitor(ctx, { page_url: '', said }));
  const make = (body: object) => act('ticket', body, visit);
  t.is((await make({})).body.error, 'company_number is required for website visitors');
  const made = await make({ company_number, subject: 'Printer', priority: 2 });
  t.is(made.status, 201);
  t.like(made.body.data, { company_number, subject: 'Printer', priority: 2, status: 'open' });
  t.regex(made.body.data.description, /Do you repair printers\?/);
  const again = await make({ company_number, subject: 'Another' });
  t.deepEqual([again.status, again.body.data], [200, made.body.data]);
  const other = await seedChatter(app);
  t.is((await act('ticket', { company_number }, other.chat_id)).body.error, 'company_number must match the chat');
  t.is((await act('ticket', {}, 999_999)).status, 404);
  const reader = await asKey(app, ['tickets:read']);
  t.is((await reader('POST', `/chat/sessions.php?action=ticket&id=${chat_id}`, {})).status, 403);
});

test('End a chat', async (t) => {
  const { app, chat_id, person, act } = await start(t);
  const { status, body } = await act('end');
  t.is(status, 200);
  t.like(body.data, { chat_id, status: 'ended', ended_at: '2026-03-02T09:00:00Z' });
  t.deepEqual((await act('end')).body, body, 'ending twice changes nothing');
  t.is((await act('accept')).body.error, 'The chat has ended');
  const reader = await asKey(app, ['tickets:read']);
  t.is((await reader('POST', `/chat/sessions.php?action=end&id=${chat_id}`, {})).status, 403);
  const send = await asEmployee(app, person);
  t.is((await send('POST', `/chat/${chat_id}/messages`, { message: 'Hello?' })).body.error, 'The chat has ended');
});

test('reports show chat counts and waiting times', async (t) => {
  const { app, clock, company_number, act } = await start(t);
  clock.set('2026-03-02T09:02:00.000Z');
  await act('accept');
  await seedEmployee(app, { company_number });
  const reports = await asKey(app, ['reports:read', 'reports:write', 'tickets:read']);
  const { body } = await reports('POST', '/reports.php', {
    name: 'Waiting',
    source: 'chats',
    fields: ['company_number', 'waited_seconds'],
  });
  const run = await reports('POST', `/reports.php?action=run&id=${body.data.report_id}`, {});
  t.like(run.body.data.rows[0], { company_number, waited_seconds: 120 });
});
