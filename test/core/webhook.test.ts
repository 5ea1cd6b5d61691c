// What a receiver gets, verified as receivers do it, and the effect of each kind of response.
import { execFileSync, spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { definePlugin, event, plus, remove, z } from '@keelson/core';
import { createWebhook, updateWebhook, Webhook } from '@keelson/modules/webhooks';
import { readMails, startApp, type TestApp } from '@keelson/testing';
import test from 'ava';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { Webhooks } from '../../modules/webhooks/webhooks.ts';
import { Delivery, StoredEvent } from '../../packages/events/delivery/delivery.ts';
import {
  signedBody,
  signingKey,
  webhookHeaders,
  webhookRetrySchedule,
} from '../../packages/events/delivery/webhook.ts';
import { Mail } from '../../packages/mail/mail.ts';
import { answering, dripping, flooding, hanging, resetting, startReceiver, well, type Received } from '../_receiver.ts';
import { seedTechnician } from '../accounts-seed.ts';

const Rung = event('bell.rung', z.object({ bell_id: z.int(), by: z.string(), at: z.iso.datetime() }), {
  webhook: 'admin',
});
const bell = definePlugin({ id: 'bell', title: 'Bell', events: [Rung] });
const plugins = [bell];

const start = (t: { teardown(work: () => unknown): void }) => startApp(t, { plugins });
const register = (app: TestApp, url: string, secret?: string) =>
  app.run((ctx) => createWebhook(ctx, 'admin', { url, events: ['bell.rung'], secret }));
const ring = (app: TestApp, bells = [1]) =>
  app.run(async (ctx) => {
    for (const bell_id of bells) ctx.emit(Rung, { bell_id, by: 'Zoë / 你好', at: ctx.now });
  });
const wait = (app: TestApp, seconds: number) => app.clock.set(plus(app.clock.now(), { seconds }));
const deliveries = (app: TestApp) => app.app.database.find(Delivery, { order: { delivery_id: 'ASC' } });

const hex = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest('hex');
const cut = (body: string) => `${Buffer.from(body).subarray(0, -87).toString()}}`;

test('the body signature covers the body without its last 87 bytes (EV-02, ME-24)', async (t) => {
  const app = await start(t);
  const receiver = await startReceiver(t);
  const secret = 'überlanges Geheimnis';
  await register(app, receiver.url, secret);
  await ring(app);
  await app.app.outbox.drain();
  const { body, json, headers } = receiver.received[0] as Received;
  t.regex(
    body,
    /^\{"event":"bell\.rung","timestamp":"2026-03-02T09:00:00Z","data":\{"bell_id":1,"by":"Zoë \/ 你好","at":"2026-03-02T09:00:00Z"\},"signature":"sha256=[0-9a-f]{64}"\}$/,
  );
  t.is(json.signature, `sha256=${hex(secret, cut(body))}`);
  t.is(headers['x-webhook-signature'], `sha256=${hex(secret, body)}`);
  t.is(headers['content-type'], 'application/json');
  t.is(headers['x-webhook-event'], 'bell.rung');
  t.is(headers['x-webhook-delivery'], '1');
  t.is(headers['webhook-id'], (await app.app.database.findOneBy(StoredEvent, { name: 'bell.rung' }))?.event_id);
  t.is(headers['webhook-timestamp'], String(Date.parse('2026-03-02T09:00:00Z') / 1000));
});

test('the verification code in docs/webhooks.md accepts the body and nothing else', (t) => {
  if (spawnSync('python3', ['--version']).status !== 0) return t.pass('there is no Python here');
  const guide = readFileSync(join(import.meta.dirname, '../../docs/webhooks.md'), 'utf8');
  const [, check = ''] = /```python\n([^`]*?is_ours[^`]*)```/.exec(guide) ?? [];
  t.true(check.trim().split('\n').length <= 8, 'it is a few lines');
  const run = (body: string, secret: string) =>
    execFileSync(
      'python3',
      ['-c', `${check}\nimport sys\nprint(is_ours(sys.stdin.buffer.read(), sys.argv[1]))`, secret],
      {
        input: body,
        encoding: 'utf8',
      },
    ).trim();
  const data = { name: 'Zoë / 你好 "x" \u2028', empty: {}, list: [1, 2.5, null] };
  const body = signedBody({ event: 'bell.rung', timestamp: '2026-03-02T09:00:00.000Z', data }, signingKey('gehéim'));
  t.is(run(body, 'gehéim'), 'True');
  t.is(run(body, 'geheim'), 'False');
  t.is(run(body.replace('2.5', '2.6'), 'gehéim'), 'False');
});

test('the Standard Webhooks library verifies the headers, with both forms of secrets', (t) => {
  const now = new Date().toISOString();
  const message = { event: 'bell.rung', timestamp: now, data: { text: 'Zoë' } };
  const post = { url: '', message, event_id: 'abc', delivery_id: '7', now };
  const ours = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  const plain = 'a plain secret';
  for (const [secret, library] of [
    [ours, new StandardWebhook(ours)],
    [plain, new StandardWebhook(plain, { format: 'raw' })],
  ] as const) {
    const body = signedBody(message, signingKey(secret));
    const headers = webhookHeaders({ ...post, keys: [signingKey(secret)] }, body);
    t.notThrows(() => library.verify(body, headers));
    t.throws(() => library.verify(body.replace('Zoë', 'Zoe'), headers));
    t.throws(() => library.verify(body, { ...headers, 'webhook-id': 'abd' }));
  }
});

test('for a day after a change both secrets sign, then only the new one', async (t) => {
  const app = await startApp(t, { plugins });
  const receiver = await startReceiver(t);
  const made = await register(app, receiver.url);
  const fresh = `whsec_${Buffer.alloc(24, 3).toString('base64')}`;
  await app.run((ctx) => updateWebhook(ctx, made.webhook, { secret: fresh }));
  const signatures = async (): Promise<string[]> => {
    await ring(app);
    await app.app.outbox.drain();
    const { body, headers, json } = receiver.received.at(-1) as Received;
    const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`;
    t.is(json.signature, `sha256=${hex(fresh, cut(body))}`);
    return String(headers['webhook-signature'])
      .split(' ')
      .map((each) => {
        const by = [made.secret ?? '', fresh].find((secret) => {
          const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
          return each === `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
        });
        return by === fresh ? 'new' : by === made.secret ? 'old' : 'neither';
      });
  };
  t.deepEqual(await signatures(), ['new', 'old']);
  wait(app, 24 * 3600 - 1);
  t.deepEqual(await signatures(), ['new', 'old']);
  wait(app, 1);
  t.deepEqual(await signatures(), ['new']);
});

test('a receiver gets only the public members of events it subscribed to', async (t) => {
  const app = await start(t);
  const receiver = await startReceiver(t);
  await register(app, receiver.url);
  const more = { bell_id: 1, by: 'me', at: app.clock.now(), internal: 'secret' };
  await app.run(async (ctx) => ctx.emit(Rung, more));
  const [stored] = await app.app.database.findBy(StoredEvent, { name: 'bell.rung' });
  // Simulates data stored by an older version.
  await app.run((ctx) => ctx.db.update(StoredEvent, { event_id: stored?.event_id ?? '' }, { data: more }));
  await app.app.outbox.drain();
  t.deepEqual(receiver.received[0]?.json.data, { bell_id: 1, by: 'me', at: '2026-03-02T09:00:00Z' });
});

test('10 attempts on the schedule of EV-05, then the delivery has failed', async (t) => {
  t.deepEqual(webhookRetrySchedule, [0, 5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]);
  const app = await start(t);
  const receiver = await startReceiver(t);
  receiver.behave(answering(500));
  await register(app, receiver.url);
  await ring(app);
  await app.app.outbox.drain();
  for (const step of webhookRetrySchedule.slice(1)) {
    const before = receiver.received.length;
    wait(app, step * 0.79);
    await app.app.outbox.drain();
    t.is(receiver.received.length, before, `not before ${step} s − 20 %`);
    wait(app, step * 0.42);
    await app.app.outbox.drain();
    t.is(receiver.received.length, before + 1);
  }
  t.like((await deliveries(app))[0], { state: 'parked', attempts: 10, status: 500 });
  const same = (header: string) => new Set(receiver.received.map((each) => each.headers[header])).size;
  t.is(same('webhook-id'), 1);
  t.is(same('x-webhook-delivery'), 1);
  t.is(same('webhook-timestamp'), 10, 'that of the attempt');
  t.is(new Set(receiver.received.map((each) => each.json.timestamp)).size, 1, 'that of the event');
});

test('410 ends a delivery at once, Retry-After is honoured up to a day, a redirect is a failure', async (t) => {
  const app = await start(t);
  const receiver = await startReceiver(t);
  const bait = await startReceiver(t);
  await register(app, receiver.url);
  const next = async (manner: ReturnType<typeof answering>) => {
    receiver.behave(manner);
    await ring(app);
    await app.app.outbox.drain();
    const last = (await deliveries(app)).at(-1);
    return last?.state === 'open' ? (Date.parse(last.available_at) - Date.parse(app.clock.now())) / 1000 : last?.state;
  };
  t.is(await next(answering(410)), 'parked');
  t.is(await next(answering(503, { 'retry-after': '3600' })), 3600);
  t.is(await next(answering(429, { 'retry-after': 'Mon, 02 Mar 2026 10:00:00 GMT' })), 3600);
  t.is(await next(answering(503, { 'retry-after': '999999999' })), 86_400);
  const soon = async (manner: ReturnType<typeof answering>) => {
    const seconds = Number(await next(manner));
    t.true(seconds >= 4 && seconds <= 6, String(seconds));
  };
  await soon(answering(503, { 'retry-after': 'Sun, 01 Mar 2026 10:00:00 GMT' }));
  await soon(answering(503, { 'retry-after': 'soon' }));
  await soon(answering(302, { location: bait.url }));
  await soon(answering(304));
  t.is(bait.connections(), 0);
  t.is(await next(answering(201, {}, 'thanks')), 'done');
});

test('receivers that hang, stall, flood or disconnect affect no one and get everything once they recover', async (t) => {
  const app = await start(t);
  const bad = await Promise.all([hanging, dripping, flooding, resetting].map(() => startReceiver(t)));
  for (const [i, manner] of [hanging, dripping, flooding, resetting].entries()) {
    bad[i]?.behave(manner);
    await register(app, bad[i]?.url ?? '');
  }
  const good = await startReceiver(t);
  await register(app, good.url);
  const before = process.memoryUsage().arrayBuffers;
  await ring(
    app,
    Array.from({ length: 25 }, (_, i) => i),
  );
  const draining = app.app.outbox.drain();
  // The other receivers' first attempts take 10 s.
  await good.until(25);
  await Promise.all(bad.map((each) => each.until(1)));
  t.true(process.memoryUsage().arrayBuffers - before < 32 * 1024 * 1024);
  for (const each of bad) each.behave(well);
  await draining;
  const arrived = (receiver: (typeof bad)[0]) => new Set(receiver.received.map((each) => each.json.data.bell_id)).size;
  for (let i = 0; i < 4 && (await app.app.outbox.waiting()).pending > 0; i++) {
    wait(app, 400);
    await app.app.outbox.drain();
  }
  t.deepEqual(await app.app.outbox.waiting(), { pending: 0, parked: 0 });
  t.deepEqual(bad.map(arrived), [25, 25, 25, 25]);
  t.is(good.received.length, 25);
  t.true(good.connections() <= 10, `connections are kept: ${good.connections()}`);
  const flooded = (await deliveries(app)).find((each) => each.subscriber === 'webhook:3');
  t.is(flooded?.state, 'done', 'its 200 was an answer');
  t.is(flooded?.answer?.length, 1024);
});

test('a webhook failing for a day is reported, and after three days and 20 events disabled (EV-07)', async (t) => {
  const app = await start(t);
  const receiver = await startReceiver(t);
  receiver.behave(answering(500));
  await register(app, receiver.url);
  await seedTechnician(app, 'administrator', 'ada@example.com');
  await seedTechnician(app, 'technician', 'ted@example.com');
  const mails = () => app.app.database.findBy(Mail, { template: 'webhook_disabled' });
  const state = () => app.app.database.findOneBy(Webhook, { webhook_id: 1 });
  const ringAndSend = async (bells: number[]) => {
    await ring(app, bells);
    await app.app.outbox.drain();
  };
  await ringAndSend([1]);
  wait(app, 23 * 3600);
  await ringAndSend([2]);
  t.is((await mails()).length, 0);
  wait(app, 3600);
  await ringAndSend([3]);
  await ringAndSend([4]);
  t.deepEqual(
    (await mails()).map((each) => each.recipient_address),
    ['ada@example.com'],
  );
  wait(app, 48 * 3600);
  await ringAndSend([5]);
  t.true((await state())?.active, 'too few events');
  await ringAndSend(Array.from({ length: 14 }, (_, i) => 10 + i));
  t.true((await state())?.active);
  await ringAndSend([99]);
  const off = await state();
  t.false(off?.active);
  t.is((await mails()).length, 2);
  t.is(await app.app.database.countBy(StoredEvent, { name: 'webhook.disabled' }), 1);
  const before = receiver.received.length;
  await ringAndSend([100]);
  wait(app, 3600);
  await app.app.outbox.drain();
  t.is(receiver.received.length, before, 'an inactive webhook receives nothing (EV-11)');
  receiver.behave(well);
  const row = await state();
  if (!row) return t.fail();
  const on = await app.run((ctx) => updateWebhook(ctx, row, { active: true }));
  t.like(on, { active: true, failure_count: 0, failing_since: null, failed_events: 0, warned_at: null });
  await ringAndSend([101]);
  t.is(receiver.received.at(-1)?.json.data.bell_id, 101);
});

test('a success resets the failure period', async (t) => {
  const app = await start(t);
  const receiver = await startReceiver(t);
  await register(app, receiver.url);
  const state = () => app.app.database.findOneBy(Webhook, { webhook_id: 1 });
  receiver.behave(answering(500));
  await ring(app, [1, 2, 3]);
  await app.app.outbox.drain();
  t.like(await state(), { failure_count: 3, failed_events: 3, last_status: 500 });
  receiver.behave(well);
  await ring(app);
  await app.app.outbox.drain();
  t.like(await state(), { failure_count: 0, failing_since: null, failed_events: 0, last_status: 204 });
});

test('failed deliveries are deleted after 30 days, like successful ones', async (t) => {
  const app = await start(t);
  const receiver = await startReceiver(t);
  await register(app, receiver.url);
  receiver.behave(answering(410));
  await ring(app);
  await app.app.outbox.drain();
  wait(app, 29 * 86_400);
  await app.app.scheduler.runNow('webhooks.prune-failed');
  t.is((await deliveries(app)).length, 1);
  wait(app, 2 * 86_400);
  await app.app.scheduler.runNow('webhooks.prune-failed');
  t.is((await deliveries(app)).length, 0);
});

test('the day and time in the mail about a failing webhook are in the time zone of the provider', async (t) => {
  const app = await startApp(t, { plugins, config: { timeZone: 'Pacific/Auckland' } });
  const receiver = await startReceiver(t);
  receiver.behave(answering(500));
  await register(app, receiver.url);
  await seedTechnician(app, 'administrator', 'ada@example.com');
  app.clock.set('2026-03-02T15:30:00.000Z');
  await ring(app);
  await app.app.outbox.drain();
  wait(app, 24 * 3600);
  await ring(app);
  await app.app.outbox.drain();
  const [mail] = await readMails(app);
  t.regex(mail?.subject ?? '', /will be disabled on .*\b6\b/);
  t.regex(mail?.text ?? '', /have been failing since .*\b3\b.*4:30/);
});

test('a delivery that is stored after its webhook was removed is not reported as failed', async (t) => {
  const app = await start(t);
  const receiver = await startReceiver(t);
  const { webhook } = await register(app, receiver.url);
  await ring(app);
  await app.run((ctx) => remove(ctx, Webhooks, webhook));
  await app.app.scheduler.runNow('webhooks.sweep');
  t.deepEqual(await deliveries(app), []);
  // As by a process that has yet to notice the removal.
  await app.run(async (ctx) => {
    const stored = await ctx.db.findOneBy(StoredEvent, { name: 'bell.rung' });
    await ctx.db.insert(Delivery, { event_id: stored?.event_id ?? '', subscriber: 'webhook:1', available_at: ctx.now });
  });
  await app.app.outbox.drain();
  t.deepEqual(await app.app.outbox.waiting(), { pending: 0, parked: 0 });
  t.is(receiver.received.length, 0);
});
