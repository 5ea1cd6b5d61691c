import { admin, administrators, all, created, input, item, nothing, z } from '@keelson/core';
import { ReadSettings, WriteSettings } from '@keelson/modules/system';
import { readDeliveries, redeliver, testWebhook } from '../deliveries.ts';
import { fields, logQuery, registration } from '../fields.ts';
import { DeliveryShape, NewWebhookShape, shown, shownNew, TestShape, WebhookShape } from '../shapes.ts';
import { createWebhook, deleteWebhook, findWebhook, listWebhooks, lockWebhook, updateWebhook } from '../webhooks.ts';

const Read = administrators(ReadSettings);
const Write = administrators(WriteSettings);

export default [
  admin.get('/webhooks.php', {
    title: 'List webhooks',
    access: Read,
    returns: all(WebhookShape),
    handle: async (ctx) => (await listWebhooks(ctx, 'admin')).map(shown),
  }),
  admin.get('/webhooks.php?id={id}', {
    title: 'Read a webhook',
    addition: true,
    access: Read,
    returns: item(WebhookShape),
    load: (ctx, { id }) => findWebhook(ctx, 'admin', id),
    handle: (_, { item: webhook }) => shown(webhook),
  }),
  admin.post('/webhooks.php', {
    title: 'Register a webhook',
    access: Write,
    body: z.object({ ...registration, active: input.optional(input.flag()) }),
    returns: created(NewWebhookShape),
    handle: async (ctx, { body }) => shownNew(await createWebhook(ctx, 'admin', body)),
  }),
  admin.put('/webhooks.php?id={id}', {
    title: 'Change a webhook',
    access: Write,
    body: input.changes({ ...fields, active: input.flag() }),
    returns: item(WebhookShape),
    load: (ctx, { id }) => lockWebhook(ctx, 'admin', id),
    handle: async (ctx, { item: webhook, body }) => shown(await updateWebhook(ctx, webhook, body)),
  }),
  admin.delete('/webhooks.php?id={id}', {
    title: 'Remove a webhook',
    access: Write,
    returns: nothing(),
    load: (ctx, { id }) => lockWebhook(ctx, 'admin', id),
    handle: (ctx, { item: webhook }) => deleteWebhook(ctx, webhook),
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
    title: 'Send a delivery again',
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
