// The assistant: its responses, its prompts, and that model output does no harm.
import { MoreThan } from '@keelson/core';
import { AssistantUsage, TokensPerDay } from '@keelson/modules/assistant';
import { ChatMessage } from '@keelson/modules/chat';
import { changeModules, Employee, findCompany } from '@keelson/modules/directory';
import { createArticle } from '@keelson/modules/kb';
import { createOutage, OutageService } from '@keelson/modules/outages';
import { startApp, testClock, type TestApp } from '@keelson/testing';
import test from 'ava';
import { In } from 'typeorm';
import { wantsPerson } from '../../modules/assistant/small-talk.ts';
import { startModel } from '../_model-server.ts';
import { answering, dripping, resetting } from '../_receiver.ts';
import { seedChatter, type Said } from '../chat-seed.ts';
import { asEmployee, seedCompany, seedTicket } from '../tickets-seed.ts';

const OFFER = 'If that doesn’t help, ask to talk to a person.';
const NOTHING =
  'I couldn’t find anything about that. You can ask to talk to a person, or turn this chat into a ticket.';

const answer = async ({ read }: { read: () => Promise<Said[]> }): Promise<string> => {
  const last = (await read()).at(-1);
  return last?.sender_type === 'assistant' ? last.message : '';
};

function article(app: TestApp, title: string, content: string, more: object = {}) {
  return app.run((ctx) => createArticle(ctx, { title, content, visibility: 'public', ...more }));
}

test('quotes the best article with its title, admits when it finds nothing, and offers a person', async (t) => {
  const app = await startApp(t);
  const chatter = await seedChatter(app);
  const ask = async (message: string) => {
    t.is((await chatter.say(message)).status, 200);
    return answer(chatter);
  };
  await article(app, 'Connect to the VPN', 'Ask for an account.\n\nOpen **Settings** and choose VPN.');
  await article(app, 'VPN certificates', 'Run certutil on the VPN server.', { visibility: 'internal' });
  const { company_number: other } = (await seedChatter(app)).person;
  await article(app, 'VPN of another company', 'VPN VPN VPN', { company_number: other });
  t.is(
    await ask('How do I open the VPN settings?'),
    `From “Connect to the VPN”:\n\nOpen Settings and choose VPN.\n\n${OFFER}`,
  );
  t.is(
    await ask('How do I open the VPN settings?'),
    `From “Connect to the VPN”:\n\nOpen Settings and choose VPN.\n\n${OFFER}`,
  );
  t.is(await ask('certutil'), NOTHING, 'what technicians alone read');
  t.is(await ask('Do you repair bicycles?'), NOTHING);
  t.is(await ask('thanks'), 'You are welcome. Is there anything else?');
  t.is(await ask('We cannot call outside'), NOTHING);
  t.is(await ask('can I talk to a human'), 'Ask to talk to a person, and someone will reply here.');
  const company = await app.run((ctx) => findCompany(ctx, chatter.company_number));
  await app.run((ctx) => changeModules(ctx, company, { kb: false }));
  t.is(await ask('How do I open the VPN settings?'), NOTHING, 'not from a module that is off');
});

test('a wish for a person is not trouble with calls, contacts or agents', (t) => {
  for (const wish of [
    'Can I talk to a human?',
    'I want to speak with one of your technicians or a real person',
    'a person please',
    'Agent!',
    'Please call me',
    'Could someone call us about this?',
    'I would like a callback',
    'Put me through to somebody',
    'Ich möchte mit einem Mitarbeiter sprechen',
    'Kann ich bitte mit jemandem reden?',
    'Bitte um Rückruf',
  ])
    t.true(wantsPerson(wish), wish);
  for (const trouble of [
    'We cannot call outside',
    'Customers can’t call us',
    'I can’t talk to anyone on the phone',
    'My phone is dead',
    'The contact list is empty',
    'The monitoring agent is missing',
    'Someone deleted my files',
    'Add a staff member to the group',
    'How do I transfer a call?',
    'Wir können niemanden anrufen',
    'Ein Mitarbeiter hat sein Kennwort vergessen',
  ])
    t.false(wantsPerson(trouble), trouble);
});

test('knows the status of your open tickets and of services', async (t) => {
  const app = await startApp(t);
  const chatter = await seedChatter(app);
  const { company_number, person } = chatter;
  const colleague = await seedChatter(app, { company_number });
  const own = { company_number, employee_number: person.employee_number };
  const { ticket_number } = await seedTicket(app, { ...own, subject: 'Scanner is jammed', description: 'Paper' });
  await chatter.say('What about my scanner?');
  t.is(await answer(chatter), `Ticket ${ticket_number}, “Scanner is jammed”, is open.\n\n${OFFER}`);
  await colleague.say('What about my scanner?');
  t.is(await answer(colleague), NOTHING, 'a colleague’s ticket is none of theirs');
  await chatter.say('Is there an outage?');
  t.is(await answer(chatter), `All services are operating normally.\n\n${OFFER}`);
  const at = app.clock.now();
  await app.run(async (ctx) => {
    const service_id = await ctx.db.insertReturningId(OutageService, {
      name: 'Telephony',
      created_at: at,
      updated_at: at,
    });
    await createOutage(ctx, { service_id, title: 'No calls', company_number });
  });
  await chatter.say('I cannot call anybody, it is down');
  t.regex(await answer(chatter), /^Outage: Telephony – No calls, since 2026-03-02 09:00 UTC\./);
  const elsewhere = await seedChatter(app);
  await elsewhere.say('Is there an outage?');
  t.regex(await answer(elsewhere), /^All services are operating normally/);
});

test('answers the question regardless of unrelated outages', async (t) => {
  const app = await startApp(t);
  const chatter = await seedChatter(app);
  const ask = async (message: string) => {
    await chatter.say(message);
    return answer(chatter);
  };
  await article(app, 'Connect to the VPN from home', 'Choose it in the settings and sign in.');
  const at = app.clock.now();
  await app.run(async (ctx) => {
    const service_id = await ctx.db.insertReturningId(OutageService, { name: 'Phone', created_at: at, updated_at: at });
    const { company_number } = chatter;
    await createOutage(ctx, { service_id, title: 'No outgoing calls from the head office', company_number });
  });
  for (const question of ['How do I connect to VPN from home?', 'set up the VPN profile', 'vpn', 'VPN login error'])
    t.regex(await ask(question), /^From “Connect to the VPN from home”/, question);
  for (const question of ['My phone is dead', 'outgoing calls fail', 'Is anything down?', 'Nothing is working'])
    t.regex(await ask(question), /^Outage: Phone/, question);
  t.is(await ask('How do I install Office?'), NOTHING);
});

test('an answer includes the steps after the introduction, and one common word is not enough', async (t) => {
  const app = await startApp(t);
  const chatter = await seedChatter(app);
  const steps = 'Open Settings and choose VPN.\nSign in with your password.';
  const far = 'A long remark. '.repeat(30);
  await article(app, 'Connect to the VPN from home', `The VPN opens drives from home.\n\n${steps}\n\n${far}`);
  for (const question of ['How do I connect to VPN from home?', 'set up the VPN profile']) {
    await chatter.say(question);
    const expected = `From “Connect to the VPN from home”:\n\nThe VPN opens drives from home.\n\n${steps}\n\n${OFFER}`;
    t.is(await answer(chatter), expected, question);
  }
  await chatter.say('How do I reset my password?');
  t.is(await answer(chatter), NOTHING);
});

test('stays silent while someone waits for or talks to a person (W-07)', async (t) => {
  const app = await startApp(t);
  const chatter = await seedChatter(app);
  await chatter.send('POST', `/chat/${chatter.chat_id}/request-agent`);
  await chatter.say('How do I open the VPN settings?');
  t.is((await chatter.read()).at(-1)?.sender_type, 'user');
});

test('a language model answers from the texts found, and names its sources', async (t) => {
  const model = await startModel(t);
  const app = await startApp(t, { config: { aiBaseUrl: model.base, aiModel: 'small', aiApiKey: 'sk-test' } });
  const chatter = await seedChatter(app);
  await article(app, 'Connect to the VPN', 'Open Settings and choose VPN.');
  model.speak(() => ({ content: 'Choose **VPN** in the settings.', calls: [{ name: 'propose_ticket' }] }));
  await chatter.say('How do I open the VPN settings?');
  t.is(
    await answer(chatter),
    `Choose **VPN** in the settings.\n\nSources: “Connect to the VPN”\n\nYou can turn this chat into a ticket.\n\n${OFFER}`,
  );
  const [prompt] = model.prompts();
  t.like(prompt, { model: 'small', max_tokens: 500 });
  t.deepEqual(
    prompt?.messages.map((each) => each.role),
    ['system', 'assistant', 'user'],
  );
  t.deepEqual(
    prompt?.tools.map((each) => each.function.name),
    ['propose_ticket'],
  );
  t.is(model.received[0]?.headers.authorization, 'Bearer sk-test');
  t.is(model.received[0]?.path, '/v1/chat/completions');
  await chatter.say('Do you repair bicycles?');
  t.is(await answer(chatter), NOTHING, 'what it would have to make up it is not asked');
  t.is(model.prompts().length, 1);
  await chatter.say('and VPN settings on a phone?');
  t.deepEqual(
    model
      .prompts()[1]
      ?.messages.slice(1)
      .map((each) => each.role),
    ['assistant', 'user', 'assistant', 'user', 'assistant', 'user'],
    'it is told what was said before',
  );
  t.deepEqual(
    (await app.app.database.find(AssistantUsage)).map(({ company_number, tokens }) => [company_number, tokens]),
    [[chatter.company_number, 200]],
  );
});

test('whatever a language model does wrong, the built-in assistant answers', async (t) => {
  const model = await startModel(t);
  const app = await startApp(t, { config: { aiBaseUrl: model.base, aiModel: 'small' } });
  await article(app, 'Connect to the VPN', 'Open Settings and choose VPN.');
  const built = `From “Connect to the VPN”:\n\nOpen Settings and choose VPN.\n\n${OFFER}`;
  const failures = [
    answering(500, {}, 'broken'),
    answering(429),
    answering(302, { location: 'http://127.0.0.1:1/' }),
    answering(200, {}, 'no JSON'),
    answering(200, {}, '{"choices": []}'),
    answering(200, {}, '{"choices": [{"message": {"content": {"text": "x"}}}]}'),
    answering(200, {}, '{"choices": [{"message": {"content": "\\u200b \\u202e"}}]}'),
    answering(200, {}, `{"choices": [{"message": {"content": "${'x'.repeat(70_000)}"}}]}`),
    resetting,
  ];
  for (const manner of failures) {
    const chatter = await seedChatter(app);
    model.fail(manner);
    await chatter.say('How do I open the VPN settings?');
    t.is(await answer(chatter), built);
  }
  t.is(model.prompts().length >= failures.length, true);
});

test('a slow language model blocks no one and is abandoned after 8 seconds', async (t) => {
  const model = await startModel(t);
  const app = await startApp(t, { config: { aiBaseUrl: model.base, aiModel: 'small' } });
  await article(app, 'Connect to the VPN', 'Open Settings and choose VPN.');
  const { company_number } = await seedCompany(app);
  const waiting = await Promise.all(Array.from({ length: 4 }, () => seedChatter(app, { company_number })));
  const late = await seedChatter(app, { company_number });
  const { send } = late;
  model.fail(dripping);
  const began = performance.now();
  const asking = waiting.map((each) => each.say('How do I open the VPN settings?'));
  await model.until(4);
  let answered = 0;
  for (const each of asking) void each.then(() => answered++);
  await late.say('How do I open the VPN settings?');
  t.is((await send('GET', '/tickets')).status, 200);
  t.is(answered, 0, 'the fifth of a company is answered before them, and so is everything else');
  t.regex(await answer(late), /^From “Connect to the VPN”/);
  t.deepEqual(
    (await Promise.all(asking)).map((each) => each.status),
    [200, 200, 200, 200],
  );
  const seconds = (performance.now() - began) / 1000;
  t.true(seconds > 7.5, `${seconds} s`);
  for (const each of waiting) t.regex(await answer(each), /^From “Connect to the VPN”/);
});

test('a missing answer is given by a job, and the late one is dropped (W-35)', async (t) => {
  const model = await startModel(t);
  const clock = testClock();
  const app = await startApp(t, { clock, config: { aiBaseUrl: model.base, aiModel: 'small' } });
  await article(app, 'Connect to the VPN', 'Open Settings and choose VPN.');
  const chatter = await seedChatter(app);
  const late: (() => void)[] = [];
  model.fail((_request, response) => void late.push(() => response.destroy()));
  const asking = chatter.say('How do I open the VPN settings?');
  await model.until(1);
  const answersOf = async () => (await chatter.read()).filter((each) => each.sender_type === 'assistant').length;
  await app.app.scheduler.runNow('chat.answer');
  t.is(await answersOf(), 1, 'the greeting: somebody is still at it');
  clock.set('2026-03-02T09:00:31.000Z');
  model.speak(() => ({ content: 'Choose VPN.' }));
  await app.app.scheduler.runNow('chat.answer');
  t.regex(await answer(chatter), /^Choose VPN\./);
  for (const release of late) release();
  t.is((await asking).status, 200);
  t.is(await answersOf(), 2);
  await app.app.scheduler.runNow('chat.answer');
  t.is(model.prompts().length, 2);

  // A person who has left gets no response, nor does a chat that a technician took over.
  const [gone, taken] = [await seedChatter(app), await seedChatter(app)];
  model.fail((_request, response) => void late.push(() => response.destroy()));
  const both = [gone, taken].map((each) => each.say('How do I open the VPN settings?'));
  await model.until(4);
  const { employee_number } = gone.person;
  await app.app.database.update(Employee, { employee_number }, { status: 'Inactive' });
  await taken.send('POST', `/chat/${taken.chat_id}/request-agent`);
  const where = { chat_id: In([gone.chat_id, taken.chat_id]), answer_due_at: MoreThan('2026-01-01T00:00:00.000Z') };
  t.is(await app.app.database.countBy(ChatMessage, where), 2);
  clock.set('2026-03-02T09:01:10.000Z');
  model.speak(() => ({ content: 'Choose VPN.' }));
  await app.app.scheduler.runNow('chat.answer');
  t.is(await app.app.database.countBy(ChatMessage, where), 0);
  for (const release of late) release();
  await Promise.all(both);
  t.is(await app.app.database.countBy(ChatMessage, { chat_id: gone.chat_id, sender_type: 'assistant' }), 1);
  t.is(await app.app.database.countBy(ChatMessage, { chat_id: taken.chat_id, sender_type: 'assistant' }), 1);
});

test('tokens are counted per company and day, up to the budget', async (t) => {
  const model = await startModel(t);
  const clock = testClock();
  const app = await startApp(t, { clock, config: { aiBaseUrl: model.base, aiModel: 'small' } });
  await article(app, 'Connect to the VPN', 'Open Settings and choose VPN.');
  const [one, other] = [await seedChatter(app), await seedChatter(app)];
  await app.run((ctx) => app.app.settings.set(ctx, TokensPerDay, 1200));
  const question = 'How do I open the VPN settings?';
  // A call may use about 1,100 tokens, so a second one does not fit while one runs.
  const held: (() => void)[] = [];
  model.fail((_request, response) => void held.push(() => response.destroy()));
  const first = one.say(question);
  await model.until(1);
  await Promise.all([one.say(question), one.say(question)]);
  t.is(model.prompts().length, 1);
  for (const release of held) release();
  await first;
  const used = async () =>
    (await app.app.database.findOneBy(AssistantUsage, { company_number: one.company_number }))?.tokens ?? 0;
  t.true((await used()) > 300 && (await used()) < 1000, 'what was sent to one that failed is counted');
  await app.app.database.update(AssistantUsage, { company_number: one.company_number }, { tokens: 0 });
  model.speak(() => ({ content: 'Choose VPN.' }));
  await other.say(question);
  t.is(model.prompts().length, 2, 'another company has its own');
  await one.say(question);
  await one.say(question);
  t.is(model.prompts().length, 4, 'what was not used is there again');
  await one.say(question);
  t.is(model.prompts().length, 4);
  t.regex(await answer(one), /^From “Connect to the VPN”/);
  clock.set('2026-03-03T08:00:00.000Z');
  const tomorrow = await asEmployee(app, one.person);
  const { chat_id } = (await tomorrow('POST', '/chat/start')).body;
  await tomorrow('POST', `/chat/${chat_id}/messages`, { message: question });
  t.is(model.prompts().length, 5, 'and a new day');
  clock.set('2026-06-15T08:00:00.000Z');
  await app.app.scheduler.runNow('assistant.prune');
  t.is(await app.app.database.count(AssistantUsage), 0);
});
