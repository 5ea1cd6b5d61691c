// FT-21: kills the process while a language model writes an answer. The message survives and gets exactly one answer.
import { setTimeout as sleep } from 'node:timers/promises';
import { createArticle } from '@keelson/modules/kb';
import test from 'ava';
import { startModel } from '../_model-server.ts';
import { signInMany } from './_chatters.ts';
import { freePort, startNode } from './_node.ts';
import { engine, makePlace } from './_place.ts';
import { client } from './_send.ts';

const portal = '/helpdesk/api/v1/chat';

test.serial(`if a process dies before it answers, another answers once (FT-21, ${engine})`, async (t) => {
  const model = await startModel(t);
  const bare = await makePlace(t);
  const ai = { AI_BASE_URL: model.base, AI_MODEL: 'small', EGRESS_ALLOW_CIDRS: '127.0.0.1/32' };
  const place = { ...bare, env: { ...bare.env, ...ai } };
  await place.open(async (app) => {
    const draft = {
      title: 'Connect to the VPN',
      content: 'Open Settings and choose VPN.',
      visibility: 'public',
    } as const;
    await app.system().transaction((ctx) => createArticle(ctx, draft));
  });
  const ports = [await freePort(), await freePort()];
  const [tokens = []] = await signInMany(place, ports, 1);
  const node = startNode(t, place, ports[0] ?? 0);
  await node.ready();
  const http = client();
  t.teardown(() => http.close());
  const ask = async (method: 'GET' | 'POST', path: string, body?: object, at = 0) => {
    const sent = await http.send(`http://127.0.0.1:${ports[at]}`, {
      method,
      path: `${portal}/${path}`,
      token: tokens[at] ?? '',
      ...(body && { body }),
    });
    return JSON.parse(sent.text);
  };
  const { chat_id } = await ask('POST', 'start');
  model.fail(model.hanging);
  const asking = ask('POST', `${chat_id}/messages`, { message: 'How do I open the VPN settings?' }).catch(() => 'died');
  await model.until(1);
  await node.end('SIGKILL');
  t.is(await asking, 'died');
  t.is((await place.ask('SELECT message_id FROM chat_message WHERE answer_due_at IS NOT NULL')).length, 1);

  // Simulates that the request's time to answer has expired.
  await place.ask(`UPDATE chat_message SET answer_due_at = '2026-01-01 00:00:00.000' WHERE answer_due_at IS NOT NULL`);
  model.speak(() => ({ content: 'Choose VPN.' }));
  const nodes = ports.map((port) => startNode(t, place, port));
  await Promise.all(nodes.map((each) => each.ready()));
  const since = performance.now();
  let said: string[] = [];
  while (said.length < 3 && performance.now() - since < 60_000) {
    await sleep(250);
    const { messages } = await ask('GET', `${chat_id}/messages?per_page=100`, undefined, 1);
    said = messages.map((each: { sender_type: string; message: string }) => `${each.sender_type}: ${each.message}`);
  }
  t.log(`FT-21 ${engine}: answered ${Math.round(performance.now() - since)} ms after the processes were restarted`);
  t.is(said.length, 3);
  t.is(said[1], 'user: How do I open the VPN settings?');
  t.regex(said[2] ?? '', /^assistant: Choose VPN\./);
  for (const each of nodes) t.is(await each.end('SIGTERM'), 0);
  t.is((await place.ask(`SELECT message_id FROM chat_message WHERE sender_type = 'assistant'`)).length, 2);
  t.is((await place.ask('SELECT message_id FROM chat_message WHERE answer_due_at IS NOT NULL')).length, 0);
  t.is(model.prompts().length, 2, 'and the model was asked once more, not twice');
});
