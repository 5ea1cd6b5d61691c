import { admin, administrators, all, created, input, item, nothing, remove, show, showOne, z } from '@keelson/core';
import { requireReadableEvents } from '@keelson/core/plugin';
import { ReadSettings, WriteSettings } from '@keelson/modules/system';
import { readDeliveries, redeliver, testWebhook } from '../deliveries.ts';
import { offeredEvents } from '../events.ts';
import { fields, logQuery, registration } from '../fields.ts';
import { CreatedWebhookShape, DeliveryShape, showCreated, TestShape } from '../shapes.ts';
import {
  createWebhook,
  findWebhook,
  listWebhooks,
  lockWebhook,
  updateWebhook,
  WebhookItem,
  Webhooks,
} from '../webhooks.ts';

const Read = administrators(ReadSettings);
const Write = administrators(WriteSettings);

export default [
  admin.get('/webhooks.php', {
    title: 'List webhooks',
    access: Read,
    returns: all(WebhookItem),
    handle: async (ctx) => show(ctx, WebhookItem, await listWebhooks(ctx, 'admin')),
  }),
  admin.get('/webhooks.php?action=events', {
    title: 'List webhook events',
    addition: true,
    access: Read,
    returns: item(z.object({ events: z.array(z.string()) })),
    handle: ({ app }) => ({ events: [...offeredEvents(app, 'admin')] }),
  }),
  admin.get('/webhooks.php?id={id}', {
    title: 'Read a webhook',
    addition: true,
    access: Read,
    returns: item(WebhookItem),
    load: (ctx, { id }) => findWebhook(ctx, 'admin', id),
    handle: (ctx, { item: webhook }) => showOne(ctx, WebhookItem, webhook),
  }),
  admin.post('/webhooks.php', {
    title: 'Register a webhook',
    access: Write,
    body: z.object({ ...registration, active: input.optional(input.flag()) }),
    returns: created(CreatedWebhookShape),
    async handle(ctx, { body }) {
      const made = await createWebhook(ctx, 'admin', body);
      requireReadableEvents(ctx, 'admin', made.webhook.events);
      return showCreated(ctx, made);
    },
  }),
  admin.put('/webhooks.php?id={id}', {
    title: 'Change a webhook',
    access: Write,
    body: input.changes({ ...fields, active: input.flag() }),
    returns: item(WebhookItem),
    load: (ctx, { id }) => lockWebhook(ctx, 'admin', id),
    async handle(ctx, { item: webhook, body }) {
      const after = await updateWebhook(ctx, webhook, body);
      requireReadableEvents(ctx, 'admin', [...webhook.events, ...after.events]);
      return showOne(ctx, WebhookItem, after);
    },
  }),
  admin.delete('/webhooks.php?id={id}', {
    title: 'Remove a webhook',
    access: Write,
    returns: nothing(),
    load: (ctx, { id }) => lockWebhook(ctx, 'admin', id),
    handle: (ctx, { item: webhook }) => remove(ctx, Webhooks, webhook),
  }),
  admin.get('/webhooks.php?action=deliveries&id={id}', {
    title: 'List the deliveries of a webhook',
    addition: true,
    access: Read,
    query: logQuery,
    returns: all(DeliveryShape),
    load: (ctx, { id }) => findWebhook(ctx, 'admin', id),
    handle: (ctx, { item: webhook, query }) => readDeliveries(ctx, webhook, query),
  }),
  admin.post('/webhooks.php?action=redeliver&id={id}&delivery_id={delivery_id}', {
    title: 'Redeliver a webhook delivery',
    addition: true,
    access: Write,
    returns: item(DeliveryShape),
    load: (ctx, { id }) => findWebhook(ctx, 'admin', id),
    handle: (ctx, { item: webhook, params }) => redeliver(ctx, webhook, params.delivery_id),
  }),
  admin.post('/webhooks.php?action=test&id={id}', {
    title: 'Send a test delivery',
    addition: true,
    slow: true,
    access: Write,
    returns: item(TestShape),
    load: (ctx, { id }) => findWebhook(ctx, 'admin', id),
    handle: (ctx, { item: webhook }) => testWebhook(ctx, webhook),
  }),
];
