// The language model set in the console: tested before it is stored, sealed, and used immediately.
import { createArticle } from '@keelson/modules/kb';
import { startApp, type TestOptions } from '@keelson/testing';
import test, { type ExecutionContext } from 'ava';
import { StoredSetting } from '../../core/plugin/setting/settings.ts';
import { ActivityLine } from '../../packages/log/activity.ts';
import { boundless } from '../_boundless.ts';
import { startModel } from '../_model-server.ts';
import { seedTechnician, signInOnPage } from '../accounts-seed.ts';
import { seedChatter } from '../chat-seed.ts';

const path = '/admin/api/v1/assistant/model.php';
const headers = { 'Sec-Fetch-Site': 'same-origin' };

async function start(t: ExecutionContext, options: TestOptions = {}) {
  const app = await startApp(t, { limiter: boundless, ...options });
  const cookie = await signInOnPage(app, await seedTechnician(app, 'administrator'));
  const send = (method: string, to = path, body?: unknown) => app.request(method, to, { cookie, headers, body });
  return { app, send };
}

test('Read the language model; Set the language model; Remove the language model', async (t) => {
  const model = await startModel(t);
  const { app, send } = await start(t);
  t.deepEqual((await send('GET')).body.data, { source: 'none', has_key: false });
  const given = { base_url: model.base, model: 'small', api_key: 'sk-secret' };
  const answer = await send('PUT', path, given);
  t.is(answer.status, 200, answer.text);
  const { api_key, ...shown } = given;
  t.deepEqual(answer.body.data, { source: 'console', ...shown, has_key: true });
  t.is(model.received[0]?.headers.authorization, 'Bearer sk-secret');
  t.like(model.prompts()[0], { model: 'small' });
  for (const kept of [
    await app.app.database.findOneBy(StoredSetting, { name: 'assistant.model' }),
    await app.app.database.findOneBy(ActivityLine, { entity_id: 'assistant.model' }),
  ]) {
    t.truthy(kept);
    t.false(JSON.stringify(kept).includes(api_key));
  }

  const chatter = await seedChatter(app);
  const article = { title: 'Connect to the VPN', content: 'Open Settings and choose VPN.' };
  await app.run((ctx) => createArticle(ctx, { ...article, visibility: 'public' }));
  model.speak(() => ({ content: 'Choose VPN in the settings.' }));
  await chatter.say('How do I open the VPN settings?');
  const said = async () => (await chatter.read()).findLast(({ sender_type }) => sender_type === 'assistant')?.message;
  t.true((await said())?.startsWith('Choose VPN in the settings.'));
  t.is(model.received.at(-1)?.headers.authorization, 'Bearer sk-secret');

  const count = model.received.length;
  t.is((await send('DELETE')).status, 204);
  t.is((await send('GET')).body.data.source, 'none');
  await chatter.say('And the VPN settings on a phone?');
  t.regex((await said()) ?? '', /^From “Connect to the VPN”/);
  t.is(model.received.length, count);
});

test('Set the language model: stored only after it has answered, and keys are never sent elsewhere', async (t) => {
  const model = await startModel(t);
  const { send } = await start(t);
  const given = { base_url: model.base, model: 'small', api_key: 'sk-secret' };
  model.fail((_request, response) => void response.writeHead(401).end());
  const wrong = await send('PUT', path, given);
  t.is(wrong.status, 400);
  t.is(wrong.body.error, 'The language model did not answer: It responded with 401');
  model.fail((_request, response) => void response.writeHead(200).end('<html>'));
  t.is((await send('PUT', path, given)).body.error, 'The language model did not answer: its response is not JSON');
  t.is((await send('GET')).body.data.source, 'none');
  model.speak(() => ({ content: 'Yes.' }));
  await send('PUT', path, given);
  // Without a key, the stored one is kept, but only for the same service.
  const { api_key: _, ...kept } = given;
  t.like((await send('PUT', path, { ...kept, model: 'large' })).body.data, { model: 'large', has_key: true });
  t.is(model.received.at(-1)?.headers.authorization, 'Bearer sk-secret');
  const count = model.received.length;
  const elsewhere = await send('PUT', path, { ...kept, base_url: `http://localhost:${new URL(model.base).port}/v1` });
  t.is(elsewhere.body.error, 'api_key is required when the host changes');
  t.is(model.received.length, count);
  for (const [more, error] of [
    [{ base_url: 'ftp://x.example' }, /^base_url must be/],
    [{ base_url: `${model.base}?a=1` }, /^base_url must be a URL such as/],
    [{ model: '' }, /^model /],
    [{ api_key: 'a b' }, /^api_key must be printable/],
  ] as const)
    t.regex((await send('PUT', path, { ...given, ...more })).body.error, error);
  t.is(model.received.length, count);
});

test('Set the language model: internal networks are refused', async (t) => {
  const { send } = await start(t);
  const answer = await send('PUT', path, { base_url: 'http://169.254.169.254/v1', model: 'small' });
  t.is(answer.status, 400);
  t.regex(answer.body.error, /^The language model did not answer: /);
});

test('Ask the language model a test question', async (t) => {
  const model = await startModel(t);
  const { send } = await start(t);
  const ask = `${path}?action=test`;
  t.is((await send('POST', ask)).body.error, 'No language model is configured');
  model.speak(() => ({ content: 'Yes, see https://evil.example/x.' }));
  await send('PUT', path, { base_url: model.base, model: 'small' });
  t.is(model.received[0]?.headers.authorization, undefined);
  t.deepEqual((await send('POST', ask)).body.data, { answer: 'Yes, see (link removed)' });
});

test('Set the language model: AI_BASE_URL takes precedence and is reported', async (t) => {
  const model = await startModel(t);
  const { send } = await start(t, { config: { aiBaseUrl: model.base, aiModel: 'small', aiApiKey: 'sk-env' } });
  t.deepEqual((await send('GET')).body.data, {
    source: 'environment',
    base_url: model.base,
    model: 'small',
    has_key: true,
  });
  const refused = 'The language model is set by AI_BASE_URL in the environment: change it there';
  t.is((await send('PUT', path, { base_url: model.base, model: 'large' })).body.error, refused);
  t.is((await send('DELETE')).body.error, refused);
  t.is((await send('POST', `${path}?action=test`)).status, 200);
  t.is(model.received.at(-1)?.headers.authorization, 'Bearer sk-env');
});

test('Set the language model: administrators only', async (t) => {
  const { app } = await start(t);
  const cookie = await signInOnPage(app, await seedTechnician(app, 'technician'));
  const body = { base_url: 'https://api.example.com/v1', model: 'small' };
  t.is((await app.request('PUT', path, { cookie, headers, body })).status, 403);
  t.is((await app.request('POST', `${path}?action=test`, { cookie, headers })).status, 403);
});
