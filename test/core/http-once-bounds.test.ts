// Storage for idempotency keys is bounded: the length of a response, and the keys per caller.
import { randomBytes } from 'node:crypto';
import { admin, definePlugin, flat, helpdesk, input, plus, signedIn, z, type Context } from '@keelson/core';
import { startApp, type TestApp } from '@keelson/testing';
import test from 'ava';
import { IdempotencyKey } from '../../core/http/idempotency.ts';
import { seedEmployee, seedKey, signIn } from '../accounts-seed.ts';
import { admins, portal } from './_probe.ts';

const body = z.object({ kind: input.choice(['short', 'repetitive', 'random', 'endless']) });
const returns = flat(z.object({ n: z.int(), text: z.string() }));

/** Routes with responses of a requested length, each with the number of executions. */
function longAnswers() {
  let done = 0;
  const texts = {
    short: () => 'x',
    repetitive: () => 'email is already in use; '.repeat(8000),
    random: () => randomBytes(150_000).toString('base64'),
    endless: () => 'x'.repeat(2_000_000),
  };
  const Write = admin.permission('long:write', 'Ask for long answers');
  const work = (kind: keyof typeof texts) => ({ n: ++done, text: texts[kind]() });
  const recorded = (ctx: Context, kind: keyof typeof texts) => {
    ctx.record({ action: 'create', entity_type: 'long', entity_id: done, description: 'Answered at length' });
    return work(kind);
  };
  const plugin = definePlugin({
    id: 'long',
    title: 'Long',
    perCompany: { default: true },
    permissions: [Write],
    routes: [
      admin.post('/long/usual.php', {
        title: 'Answer at length',
        access: Write,
        body,
        returns,
        handle: (ctx, given) => recorded(ctx, given.body.kind),
      }),
      admin.post('/long/slow.php', {
        title: 'Answer at length and slowly',
        access: Write,
        body,
        returns,
        slow: true,
        handle: async (_ctx, given) => work(given.body.kind),
      }),
      helpdesk.post('/long/usual', {
        title: 'Answer an employee at length',
        access: signedIn,
        body,
        returns,
        handle: (ctx, given) => recorded(ctx, given.body.kind),
      }),
    ],
  });
  return { plugin, done: () => done };
}

async function start(t: Parameters<typeof startApp>[0]) {
  const { plugin, done } = longAnswers();
  const app = await startApp(t, { plugins: [plugin] });
  const { api_key: token, row } = await seedKey(app, 'admin', ['long:write']);
  const post = (path: string, key: string, kind: string, as = token) =>
    app.request('POST', path, { token: as, headers: { 'Idempotency-Key': key }, body: { kind } });
  return { app, post, done, token, principal: `admin:key:${row.key_id}` };
}

async function keptLengths({ app }: TestApp): Promise<number[]> {
  return (await app.database.find(IdempotencyKey)).map(({ answer }) => answer?.length ?? 0);
}

for (const path of [`${admins}/long/usual.php`, `${admins}/long/slow.php`]) {
  test(`a repetitive response is stored and replayed: ${path}`, async (t) => {
    const { app, post, done } = await start(t);
    const first = await post(path, 'k', 'repetitive');
    t.is(first.body.text.length, 200_000);
    const again = await post(path, 'k', 'repetitive');
    t.is(again.status, first.status);
    t.is(again.text, first.text);
    t.is(again.headers.get('content-type'), first.headers.get('content-type'));
    t.is(done(), 1);
    t.true(Math.max(...(await keptLengths(app))) < 65_536);
  });

  test(`for an overlong response only its existence is stored: ${path}`, async (t) => {
    const { app, post, done } = await start(t);
    for (const kind of ['random', 'endless']) {
      t.is((await post(path, kind, kind)).status, 200);
      const again = await post(path, kind, kind);
      t.is(again.status, 409);
      const error = 'This request was already carried out; its response was not kept';
      t.deepEqual(again.body, { success: false, error });
      t.is((await post(path, kind, 'short')).body.error, 'Idempotency-Key was already used for a different request');
    }
    t.is(done(), 2, 'nothing is done twice');
    t.deepEqual(await keptLengths(app), [0, 0]);
  });
}

test('the helpdesk reports this with its own status', async (t) => {
  const { app, post, done } = await start(t);
  const { token } = await signIn(app, await seedEmployee(app));
  t.is((await post(`${portal}/long/usual`, 'k', 'random', token)).status, 200);
  const again = await post(`${portal}/long/usual`, 'k', 'random', token);
  t.is(again.status, 400);
  t.deepEqual(again.body, { error: 'This request was already carried out; its response was not kept' });
  t.is(done(), 1);
});

test('keys are unlimited per caller; beyond a number of bytes their responses are not stored', async (t) => {
  const { app, post, done, principal } = await start(t);
  const usual = `${admins}/long/usual.php`;
  const at = app.clock.now();
  const rows = (count: number, answer_bytes: number) =>
    Array.from({ length: count }, (_, i) => ({
      principal,
      route: `another ${answer_bytes}`,
      key_hash: String(i),
      body_hash: '',
      state: 'done' as const,
      fence: 1,
      status: 200,
      answer: null,
      answer_bytes,
      leased_until: at,
      created_at: at,
      expires_at: plus(at, { hours: 24 }),
    }));
  await app.app.database.insert(IdempotencyKey, rows(20_000, 100));
  const first = await post(usual, 'first', 'short');
  t.is(first.status, 200, 'no number of keys is too many');
  t.is((await post(usual, 'first', 'short')).text, first.text);

  const full = await seedKey(app, 'admin', ['long:write']);
  const fullPrincipal = `admin:key:${full.row.key_id}`;
  await app.app.database.insert(
    IdempotencyKey,
    rows(3072, 65_536).map((each) => ({ ...each, principal: fullPrincipal })),
  );
  t.is((await post(usual, 'more', 'short', full.api_key)).status, 200, 'no request is refused');
  const again = await post(usual, 'more', 'short', full.api_key);
  const error = 'This request was already carried out; its response was not kept';
  t.deepEqual([again.status, again.body.error], [409, error]);
  t.is(done(), 2, 'and none is carried out twice');
  app.clock.set(plus(at, { hours: 25 }));
  t.is((await post(usual, 'more', 'short', full.api_key)).status, 200);
});

test('a slow request whose response cannot be stored does not run again while its claim lasts', async (t) => {
  const { app, post, done } = await start(t);
  app.expectError(/The disk is full.*request failed/);
  const { database } = app.app;
  const { update } = database;
  Object.assign(database, { update: () => Promise.reject(new Error('The disk is full')) });
  t.is((await post(`${admins}/long/slow.php`, 'k', 'short')).status, 500);
  Object.assign(database, { update });
  t.is((await post(`${admins}/long/slow.php`, 'k', 'short')).status, 409);
  t.is(done(), 1);
});
