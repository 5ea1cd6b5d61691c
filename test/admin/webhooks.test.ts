// Webhook registration by administrators, and the results of deliveries.
import { definePlugin, event, z } from '@keelson/core';
import { createWebhook, Webhook } from '@keelson/modules/webhooks';
import { startApp, type TestApp } from '@keelson/testing';
import test from 'ava';
import { Delivery } from '../../packages/events/delivery/delivery.ts';
import { ActivityLine } from '../../packages/log/activity.ts';
import { answering, startReceiver, well } from '../_receiver.ts';
import { seedKey, seedTechnician, signInOnPage } from '../accounts-seed.ts';
import { asKey, seedCompany, seedTicket, staff } from '../tickets-seed.ts';

const path = '/webhooks.php';
/** Read permissions for the records in the events. */
const reads = ['tickets', 'assets', 'companies', 'networks', 'billing', 'contracts', 'licenses'].map(
  (each) => `${each}:read`,
);
const both = ['settings:read', 'settings:write', 'tickets:write', ...reads];
const url = 'https://hooks.example.com/keelson?token=abc';

const register = (app: TestApp, at: string, events: readonly string[] = ['ticket.created']) =>
  app.run((ctx) => createWebhook(ctx, 'admin', { url: at, events }));

test.serial('Register a webhook: with a custom secret, which is never shown', async (t) => {
  const app = await startApp(t);
  const send = await asKey(app, both);
  const events = ['ticket.closed', 'ticket.created', 'ticket.created', 'asset.created'];
  const answer = await send('POST', path, { url, events, secret: 'a secret of mine', active: true });
  t.is(answer.status, 201);
  t.deepEqual(answer.body, {
    success: true,
    data: {
      webhook_id: 1,
      url,
      events: ['ticket.created', 'ticket.closed', 'asset.created'],
      active: true,
      has_secret: true,
      last_delivery_at: null,
      last_status: null,
      failure_count: 0,
      created_at: '2026-03-02T09:00:00Z',
    },
  });
  const row = await app.app.database.findOneBy(Webhook, { webhook_id: 1 });
  t.regex(row?.secret ?? '', /^v1\.[0-9a-f]{8}\./);
  const lines = await app.app.database.findBy(ActivityLine, { entity_type: 'webhook' });
  t.deepEqual(
    lines.map((each) => each.description),
    ['Webhook hooks.example.com created'],
  );
  t.false(JSON.stringify(lines).includes('secret of mine'));
});

test.serial('Register a webhook: without a secret, one is generated and shown once', async (t) => {
  const app = await startApp(t);
  const send = await asKey(app, both);
  const { body } = await send('POST', path, { url, events: ['outage.started'] });
  t.regex(body.data.secret, /^whsec_[\w+/]{43}=$/);
  t.true(body.data.active);
  t.false('secret' in (await send('GET', `${path}?id=1`)).body.data);
});

test.serial('Register a webhook: rejects invalid input', async (t) => {
  const app = await startApp(t);
  const send = await asKey(app, both);
  const events = ['ticket.created'];
  const expected: [unknown, RegExp][] = [
    [{}, /^url is required; events is required$/],
    [{ url, events: [] }, /^events must contain at least one event$/],
    [{ url, events: ['ticket.created', 'ticket.burnt'] }, /^events must be among: ticket\.created, ticket\.updated/],
    [{ url, events: ['*'] }, /^events must be among/],
    [{ url, events: ['lead.created'] }, /^events must be among/],
    [{ url, events: ['webhook.disabled'] }, /^events must be among/],
    [{ url, events: 'ticket.created' }, /^events must be/],
    [{ url, events, active: 'yes' }, /^active must be/],
    [{ url, events, secret: 7 }, /^secret must be/],
    [{ url: 'ftp://example.com/', events }, /^url must be an absolute http or https URL$/],
    [{ url: 'http://10.0.0.1/', events }, /^url must point to a public address$/],
    [{ url: 'http://169.254.169.254/latest', events }, /^url must point to a public address$/],
    [{ url: 'https://me:you@example.com/', events }, /^url must not contain a username or password$/],
  ];
  for (const [body, message] of expected) {
    const answer = await send('POST', path, body);
    t.is(answer.status, 400, JSON.stringify(body));
    t.regex(answer.body.error, message);
  }
  t.is(await app.app.database.count(Webhook), 0);
});

test.serial('Register a webhook: never on our own ports, and on public installations never on loopback', async (t) => {
  const app = await startApp(t);
  const send = await asKey(app, both);
  const { port } = app.app.config;
  const own = await send('POST', path, { url: `http://localhost:${port}/`, events: ['ticket.created'] });
  t.is(own.status, 201, 'a name is judged by its addresses, with every delivery');
  const literal = await send('POST', path, { url: `http://127.0.0.1:${port}/`, events: ['ticket.created'] });
  t.is(literal.body.error, 'url must not point to this server itself');
  const open = await startApp(t, { config: { baseUrl: 'https://desk.example.com' } });
  const there = await asKey(open, both);
  const refused = await there('POST', path, { url: 'http://127.0.0.1:9999/', events: ['ticket.created'] });
  t.is(refused.body.error, 'url must point to a public address');
});

test.serial('Register a webhook: for plugin events', async (t) => {
  const bell = definePlugin({
    id: 'bell',
    title: 'Bell',
    events: [
      event('bell.rung', z.object({ bell_id: z.int(), by: z.string() }), { webhook: 'admin' }),
      event('bell.polished', z.object({ bell_id: z.int() })),
    ],
  });
  const app = await startApp(t, { plugins: [bell] });
  const send = await asKey(app, both);
  t.is((await send('POST', path, { url, events: ['bell.rung'] })).status, 201);
  t.is((await send('POST', path, { url, events: ['bell.polished'] })).status, 400, 'it is none for outside');
});

test.serial('Register a webhook: at most 50 per key and 200 in total', async (t) => {
  const app = await startApp(t);
  const [send, other] = [await asKey(app, both), await asKey(app, both)];
  t.is((await send('POST', path, { url, events: ['ticket.created'] })).status, 201);
  const first = await app.run((ctx) => ctx.db.findOneBy(Webhook, { webhook_id: 1 }));
  const { author_type, author_id, created_at } = first ?? t.fail('it is stored');
  const add = (author: object, n: number) =>
    app.run(async ({ db }) => {
      const row = { registry: 'admin' as const, url, events: ['ticket.created'], created_at, ...author };
      for (let i = 0; i < n; i++) await db.insert(Webhook, row);
    });
  await add({ author_type, author_id }, 49);
  const answer = await send('POST', path, { url, events: ['ticket.created'] });
  t.deepEqual([answer.status, answer.body.error], [400, 'Each person or key can have at most 50 webhooks']);
  t.is((await send('PUT', `${path}?id=1`, { active: false })).status, 200, 'what is there can be changed');
  t.is((await other('POST', path, { url, events: ['ticket.created'] })).status, 201, 'others still can');
  await add({}, 149);
  const full = await other('POST', path, { url, events: ['ticket.created'] });
  t.deepEqual([full.status, full.body.error], [400, 'There can be at most 200 webhooks']);
  t.is((await send('DELETE', `${path}?id=1`)).status, 204);
  t.is(
    (await other('POST', path, { url, events: ['ticket.created'] })).status,
    201,
    'one that is deleted does not count',
  );
});

test.serial('List webhooks: newest first, in two statements plus those of the key', async (t) => {
  const app = await startApp(t);
  const send = await asKey(app, both);
  t.deepEqual((await send('GET', path)).body, { success: true, data: [] });
  for (const events of [['ticket.created'], ['asset.created']]) await register(app, url, events);
  await app.run((ctx) => createWebhook(ctx, 'crm', { url, events: ['lead.created'] }));
  const { body } = await send('GET', path);
  t.deepEqual(Object.keys(body), ['success', 'data']);
  t.deepEqual(
    body.data.map((each: { webhook_id: number }) => each.webhook_id),
    [2, 1],
  );
  t.true((await app.fewestStatements(() => send('GET', path))) <= 3);
});

test.serial('Read a webhook', async (t) => {
  const app = await startApp(t);
  const send = await asKey(app, both);
  await register(app, url);
  await app.run((ctx) => createWebhook(ctx, 'crm', { url, events: ['lead.created'] }));
  t.like((await send('GET', `${path}?id=1`)).body.data, { webhook_id: 1, url, has_secret: true });
  const absent = await send('GET', `${path}?id=9`);
  t.is(absent.status, 404);
  t.deepEqual((await send('GET', `${path}?id=2`)).text, absent.text, 'the CRM’s are not here');
});

test.serial('Change a webhook: partial updates; no change without differences', async (t) => {
  const app = await startApp(t);
  const send = await asKey(app, both);
  const { secret } = await register(app, url);
  const answer = await send('PUT', `${path}?id=1`, { active: false, events: ['asset.updated', 'ticket.created'] });
  t.is(answer.status, 200);
  t.like(answer.body.data, { webhook_id: 1, url, active: false, events: ['ticket.created', 'asset.updated'] });
  const before = await app.app.database.countBy(ActivityLine, { entity_type: 'webhook' });
  t.is((await send('PUT', `${path}?id=1`, { active: false, url, secret })).status, 200);
  t.is(await app.app.database.countBy(ActivityLine, { entity_type: 'webhook' }), before);
  t.is((await send('PUT', `${path}?id=1`, { secret: 'another secret' })).status, 200);
  const [line] = await app.app.database.find(ActivityLine, { order: { log_id: 'DESC' }, take: 1 });
  t.deepEqual(line?.changes, { secret: ['changed', 'changed'] });
  t.deepEqual((await send('PUT', `${path}?id=1`, {})).body, { success: false, error: 'No fields to update' });
  t.is((await send('PUT', `${path}?id=1`, { url: 'http://10.1.1.1/' })).status, 400);
  t.is((await send('PUT', `${path}?id=1`, { events: ['lead.created'] })).status, 400);
  t.is((await send('PUT', `${path}?id=9`, { active: true })).status, 404);
});

test.serial('Remove a webhook: secrets are deleted immediately, the log in the next sweep', async (t) => {
  const app = await startApp(t);
  const receiver = await startReceiver(t);
  const send = await asKey(app, both);
  await register(app, receiver.url);
  const { company_number } = await seedCompany(app);
  await seedTicket(app, { company_number });
  await app.app.outbox.drain();
  await seedTicket(app, { company_number });
  const answer = await send('DELETE', `${path}?id=1`);
  t.deepEqual([answer.status, answer.text], [204, '']);
  t.like(await app.app.database.findOneBy(Webhook, { webhook_id: 1 }), { secret: null, previous_secret: null });
  t.is((await send('GET', `${path}?id=1`)).status, 404);
  t.is((await send('DELETE', `${path}?id=1`)).status, 404);
  await app.app.outbox.drain();
  t.is(receiver.received.length, 1, 'what waited for it is never sent');
  t.is(await app.app.database.countBy(Delivery, { subscriber: 'webhook:1' }), 2);
  await app.app.scheduler.runNow('webhooks.sweep');
  t.is(await app.app.database.countBy(Delivery, { subscriber: 'webhook:1' }), 0);
});

test.serial('List the deliveries of a webhook: newest first, paged at constant cost', async (t) => {
  const app = await startApp(t);
  const receiver = await startReceiver(t);
  const send = await asKey(app, both);
  await register(app, receiver.url);
  const { company_number } = await seedCompany(app);
  for (let i = 0; i < 3; i++) await seedTicket(app, { company_number });
  await app.app.outbox.drain();
  receiver.behave(answering(500, {}, 'We are\0 moving'));
  await seedTicket(app, { company_number });
  await app.app.outbox.drain();
  const log = `${path}?action=deliveries&id=1`;
  const { status, body } = await send('GET', log);
  t.is(status, 200);
  t.is(body.data.length, 4);
  const { event_id, next_attempt_at, ...newest } = body.data[0];
  t.deepEqual(newest, {
    delivery_id: 4,
    event: 'ticket.created',
    state: 'waiting',
    attempts: 1,
    response_status: 500,
    response_body: 'We are moving',
    error: 'The receiver responded with 500',
    created_at: '2026-03-02T09:00:00Z',
    delivered_at: null,
  });
  t.regex(event_id, /^[0-9a-f]{32}$/);
  t.true(next_attempt_at > '2026-03-02T09:00:03Z' && next_attempt_at < '2026-03-02T09:00:07Z');
  t.like(body.data[1], { state: 'delivered', response_status: 204, response_body: '', error: null });
  t.is(body.data[1].delivered_at, '2026-03-02T09:00:00Z');
  const ids = async (query: string) =>
    (await send('GET', log + query)).body.data.map((each: { delivery_id: number }) => each.delivery_id);
  t.deepEqual(await ids('&limit=2'), [4, 3]);
  t.deepEqual(await ids('&limit=2&before=3'), [2, 1]);
  t.deepEqual(await ids('&state=delivered&limit=2'), [3, 2]);
  t.deepEqual(await ids('&state=failed'), []);
  t.deepEqual(await ids('&state=all'), [4, 3, 2, 1]);
  t.is((await send('GET', `${log}&limit=201`)).status, 400);
  t.is((await send('GET', `${log}&state=lost`)).status, 400);
  t.is((await send('GET', `${path}?action=deliveries&id=9`)).status, 404);
  t.true((await app.fewestStatements(() => send('GET', log))) <= 4);
  const shown = (await send('GET', `${path}?id=1`)).body.data;
  t.like(shown, { last_delivery_at: '2026-03-02T09:00:00Z', last_status: 500, failure_count: 1 });
});

test.serial('Redeliver a webhook delivery: with the same id, whatever its outcome', async (t) => {
  const app = await startApp(t);
  const receiver = await startReceiver(t);
  const send = await asKey(app, both);
  await register(app, receiver.url);
  await register(app, receiver.url);
  receiver.behave(answering(410));
  const { company_number } = await seedCompany(app);
  await seedTicket(app, { company_number });
  await app.app.outbox.drain();
  const again = (webhook: number, delivery: number) =>
    send('POST', `${path}?action=redeliver&id=${webhook}&delivery_id=${delivery}`);
  t.like((await send('GET', `${path}?action=deliveries&id=1`)).body.data[0], { delivery_id: 1, state: 'failed' });
  receiver.behave(well);
  const answer = await again(1, 1);
  t.is(answer.status, 200);
  t.like(answer.body.data, { delivery_id: 1, state: 'waiting', attempts: 0 });
  await app.app.outbox.drain();
  t.like((await send('GET', `${path}?action=deliveries&id=1`)).body.data[0], { state: 'delivered', attempts: 1 });
  t.is((await again(1, 1)).status, 200, 'once more');
  await app.app.outbox.drain();
  const own = receiver.received.filter((each) => each.headers['x-webhook-delivery'] === '1');
  t.is(own.length, 3);
  t.is(new Set(own.map((each) => each.headers['webhook-id'])).size, 1);
  const absent = await again(1, 99);
  t.deepEqual([absent.status, absent.body.error], [404, 'Delivery not found']);
  t.is((await again(1, 2)).text, absent.text, 'another webhook’s');
  t.is((await again(9, 1)).body.error, 'Webhook not found');
  t.is((await send('POST', `${path}?action=redeliver&id=1`)).body.error, 'delivery_id is required');
});

test.serial('Send a test delivery: immediately, returning the response', async (t) => {
  const app = await startApp(t);
  const receiver = await startReceiver(t);
  const send = await asKey(app, both);
  await register(app, receiver.url);
  await app.run((ctx) => ctx.db.update(Webhook, { webhook_id: 1 }, { active: false }));
  const probe = async () => (await send('POST', `${path}?action=test&id=1`)).body.data;
  t.deepEqual(await probe(), { delivered: true, response_status: 204, response_body: '', error: null });
  const [first] = receiver.received;
  t.like(first?.json, { event: 'webhook.test', timestamp: '2026-03-02T09:00:00Z', data: { webhook_id: 1 } });
  receiver.behave(answering(302, { location: 'http://127.0.0.1:1/' }, 'elsewhere'));
  t.deepEqual(await probe(), {
    delivered: false,
    response_status: 302,
    response_body: 'elsewhere',
    error: 'The receiver responded with 302',
  });
  await app.run((ctx) => ctx.db.update(Webhook, { webhook_id: 1 }, { url: 'http://10.0.0.1/' }));
  t.deepEqual(await probe(), {
    delivered: false,
    response_status: null,
    response_body: null,
    error: 'The URL must point to a public address',
  });
  t.is(await app.app.database.count(Delivery), 0);
  t.is((await send('POST', `${path}?action=test&id=9`)).status, 404);
});

test.serial('webhooks require a credential and the permission, and for sessions the administrator role', async (t) => {
  const app = await startApp(t);
  await register(app, url);
  const reader = (await seedKey(app, 'admin', ['settings:read'])).api_key;
  const other = (await seedKey(app, 'admin', ['tickets:write', 'tickets:read'])).api_key;
  const technician = await signInOnPage(app, await seedTechnician(app, 'technician'));
  const administrator = await signInOnPage(app, await seedTechnician(app));
  const reads = [path, `${path}?id=1`, `${path}?action=deliveries&id=1`].map((each) => ['GET', each] as const);
  const writes = [
    ['POST', path],
    ['PUT', `${path}?id=1`],
    ['POST', `${path}?action=redeliver&id=1&delivery_id=1`],
    ['POST', `${path}?action=test&id=1`],
    ['DELETE', `${path}?id=1`],
  ] as const;
  for (const [method, at] of [...reads, ...writes]) {
    t.is((await app.request(method, staff + at)).status, 401, `${method} ${at}`);
    t.is((await app.request(method, staff + at, { token: other })).status, 403, `${method} ${at}`);
    const headers = { 'Sec-Fetch-Site': 'same-origin' };
    t.is((await app.request(method, staff + at, { cookie: technician, headers })).status, 403, `${method} ${at}`);
  }
  for (const [method, at] of writes) {
    t.is((await app.request(method, staff + at, { token: reader })).status, 403, `${method} ${at}`);
  }
  for (const [method, at] of reads) {
    t.is((await app.request(method, staff + at, { cookie: administrator })).status, 200, `${method} ${at}`);
  }
});

test.serial('List webhook events', async (t) => {
  const bell = definePlugin({
    id: 'bell',
    title: 'Bell',
    events: [event('bell.rung', z.object({}), { webhook: 'admin' }), event('bell.oiled', z.object({}))],
  });
  const app = await startApp(t, { plugins: [bell] });
  const send = await asKey(app, ['settings:read']);
  const { status, body } = await send('GET', `${path}?action=events`);
  t.is(status, 200);
  t.is(body.data.events[0], 'ticket.created');
  t.true(body.data.events.includes('bell.rung'));
  t.false(body.data.events.includes('bell.oiled'));
  const other = await asKey(app, ['tickets:read']);
  t.is((await other('GET', `${path}?action=events`)).status, 403);
});
