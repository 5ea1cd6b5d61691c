// Webhooks registered by CRM keys: a separate registry with the CRM's event names.
import { createWebhook } from '@keelson/modules/webhooks';
import { startApp, type TestApp } from '@keelson/testing';
import test from 'ava';
import { Delivery } from '../../packages/events/delivery/delivery.ts';
import { startReceiver } from '../_receiver.ts';
import { seedKey } from '../accounts-seed.ts';
import { seedCompany, seedTicket } from '../tickets-seed.ts';

const path = '/admin/api/v1/crm/webhooks';
const url = 'https://hooks.example.com/crm';

const everyRead = ['leads', 'contacts', 'opportunities', 'prospects', 'activities'].map((each) => `${each}:read`);

async function asCrm(app: TestApp, permissions: readonly string[] = ['webhooks:manage', ...everyRead]) {
  const { api_key: key } = await seedKey(app, 'crm_secret', permissions);
  return (method: string, at: string, body?: unknown) =>
    app.request(method, path + at, body === undefined ? { key } : { key, body });
}

const shape = {
  url,
  events: ['lead.created'],
  has_secret: true,
  last_delivery_at: null,
  last_status: null,
  failure_count: 0,
  created_at: '2026-03-02T09:00:00Z',
};

test.serial('Register a CRM webhook', async (t) => {
  const app = await startApp(t);
  const send = await asCrm(app);
  const answer = await send('POST', '', { url, events: ['lead.created', 'lead.created'], secret: 'mine' });
  t.is(answer.status, 201);
  t.deepEqual(answer.body, { success: true, data: { webhook_id: 1, ...shape } });
  const made = await send('POST', '', { url, events: ['lead.created'] });
  t.regex(made.body.data.secret, /^whsec_/, 'one address may be registered often (EV-12)');
  const refused = await send('POST', '', { url, events: ['ticket.created'] });
  t.is(refused.status, 400);
  t.is(refused.body.code, 'VALIDATION_ERROR');
  t.regex(refused.body.error, /^events must be among: lead\.created, .*activity\.completed$/);
  t.is((await send('POST', '', {})).body.error, 'url is required; events is required');
});

test.serial('List CRM webhooks', async (t) => {
  const app = await startApp(t);
  const send = await asCrm(app);
  await app.run((ctx) => createWebhook(ctx, 'admin', { url, events: ['ticket.created'] }));
  await app.run((ctx) => createWebhook(ctx, 'crm', { url, events: ['lead.created'] }));
  t.deepEqual((await send('GET', '')).body, { success: true, data: [{ webhook_id: 2, ...shape }] });
});

test.serial('Read a CRM webhook', async (t) => {
  const app = await startApp(t);
  const send = await asCrm(app);
  await app.run((ctx) => createWebhook(ctx, 'admin', { url, events: ['ticket.created'] }));
  await app.run((ctx) => createWebhook(ctx, 'crm', { url, events: ['lead.created'] }));
  t.deepEqual((await send('GET', '/2')).body, { success: true, data: { webhook_id: 2, ...shape } });
  const absent = await send('GET', '/9');
  t.deepEqual([absent.status, absent.body.code], [404, 'NOT_FOUND']);
  t.is((await send('GET', '/1')).text, absent.text, 'an administrator’s');
});

test.serial('Remove a CRM webhook', async (t) => {
  const app = await startApp(t);
  const send = await asCrm(app);
  await app.run((ctx) => createWebhook(ctx, 'crm', { url, events: ['lead.created'] }));
  const answer = await send('DELETE', '/1');
  t.is(answer.status, 200);
  t.deepEqual(answer.body, { success: true, data: { webhook_id: 1, deleted: true } });
  t.is((await send('DELETE', '/1')).status, 404);
});

test.serial('List the deliveries of a CRM webhook: without events of the other registry', async (t) => {
  const app = await startApp(t);
  const receiver = await startReceiver(t);
  const send = await asCrm(app);
  await app.run((ctx) => createWebhook(ctx, 'crm', { url: receiver.url, events: ['lead.created'] }));
  const { company_number } = await seedCompany(app);
  await seedTicket(app, { company_number });
  await app.app.outbox.drain();
  t.deepEqual((await send('GET', '/1/deliveries')).body, { success: true, data: [] });
  t.is(receiver.received.length, 0);
  t.is((await send('GET', '/9/deliveries')).status, 404);
});

test.serial('Redeliver a CRM webhook delivery', async (t) => {
  const app = await startApp(t);
  const receiver = await startReceiver(t);
  const send = await asCrm(app);
  await app.run((ctx) => createWebhook(ctx, 'crm', { url: receiver.url, events: ['lead.created'] }));
  const absent = await send('POST', '/1/deliveries/7/redeliver');
  t.deepEqual([absent.status, absent.body.error], [404, 'Delivery not found']);
  t.is(await app.app.database.count(Delivery), 0);
});

test.serial('Send a test delivery to a CRM webhook', async (t) => {
  const app = await startApp(t);
  const receiver = await startReceiver(t);
  const send = await asCrm(app);
  await app.run((ctx) => createWebhook(ctx, 'crm', { url: receiver.url, events: ['lead.created'] }));
  const answer = await send('POST', '/1/test');
  t.is(answer.status, 200);
  t.deepEqual(answer.body.data, { delivered: true, response_status: 204, response_body: '', error: null });
  t.is(receiver.received[0]?.json.event, 'webhook.test');
});

test.serial('CRM webhooks need a secret key with webhooks:manage (Z-55)', async (t) => {
  const app = await startApp(t);
  await app.run((ctx) => createWebhook(ctx, 'crm', { url, events: ['lead.created'] }));
  const without = await asCrm(app, []);
  const { api_key: widget } = await seedKey(app, 'crm_public_live');
  for (const [method, at] of [
    ['GET', ''],
    ['POST', ''],
    ['GET', '/1'],
    ['DELETE', '/1'],
    ['GET', '/1/deliveries'],
    ['POST', '/1/deliveries/1/redeliver'],
    ['POST', '/1/test'],
  ] as const) {
    t.is((await app.request(method, path + at)).status, 401, `${method} ${at}`);
    t.is((await without(method, at)).status, 403, `${method} ${at}`);
    t.is((await app.request(method, path + at, { key: widget })).status, 403, `${method} ${at}`);
  }
});

test('Register a CRM webhook: a key only receives events it may read', async (t) => {
  const send = await asCrm(await startApp(t), ['webhooks:manage', 'leads:read']);
  const hook = { url: 'https://hooks.example.com/x', events: ['lead.created'] };
  t.is((await send('POST', '', hook)).status, 201);
  const refused = await send('POST', '', { ...hook, events: ['lead.created', 'contact.created'] });
  t.deepEqual(
    [refused.status, refused.body.error],
    [403, 'You do not have permission to read the records of the event contact.created'],
  );
});
