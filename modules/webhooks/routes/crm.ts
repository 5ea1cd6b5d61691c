import { all, created, crm, item, nothing, remove, show, showOne, z } from '@keelson/core';
import { requireReadableEvents } from '@keelson/core/plugin';
import { readDeliveries, redeliver, testWebhook } from '../deliveries.ts';
import { logQuery, registration } from '../fields.ts';
import { ManageWebhooks } from '../permissions.ts';
import { CreatedCrmWebhookShape, DeliveryShape, showCreated, TestShape } from '../shapes.ts';
import { createWebhook, CrmWebhookItem, findWebhook, listWebhooks, lockWebhook, Webhooks } from '../webhooks.ts';

export default [
  crm.get('/webhooks', {
    title: 'List CRM webhooks',
    access: ManageWebhooks,
    returns: all(CrmWebhookItem),
    handle: async (ctx) => show(ctx, CrmWebhookItem, await listWebhooks(ctx, 'crm')),
  }),
  crm.post('/webhooks', {
    title: 'Register a CRM webhook',
    access: ManageWebhooks,
    body: z.object(registration),
    returns: created(CreatedCrmWebhookShape),
    async handle(ctx, { body }) {
      const made = await createWebhook(ctx, 'crm', body);
      requireReadableEvents(ctx, 'crm', made.webhook.events);
      return showCreated(ctx, made);
    },
  }),
  crm.get('/webhooks/{id}', {
    title: 'Read a CRM webhook',
    addition: true,
    access: ManageWebhooks,
    returns: item(CrmWebhookItem),
    load: (ctx, { id }) => findWebhook(ctx, 'crm', id),
    handle: (ctx, { item: webhook }) => showOne(ctx, CrmWebhookItem, webhook),
  }),
  crm.delete('/webhooks/{id}', {
    title: 'Remove a CRM webhook',
    access: ManageWebhooks,
    returns: nothing('webhook_id'),
    load: (ctx, { id }) => lockWebhook(ctx, 'crm', id),
    handle: (ctx, { item: webhook }) => remove(ctx, Webhooks, webhook),
  }),
  crm.get('/webhooks/{id}/deliveries', {
    title: 'List the deliveries of a CRM webhook',
    addition: true,
    access: ManageWebhooks,
    query: logQuery,
    returns: all(DeliveryShape),
    load: (ctx, { id }) => findWebhook(ctx, 'crm', id),
    handle: (ctx, { item: webhook, query }) => readDeliveries(ctx, webhook, query),
  }),
  crm.post('/webhooks/{id}/deliveries/{delivery_id}/redeliver', {
    title: 'Redeliver a CRM webhook delivery',
    addition: true,
    access: ManageWebhooks,
    returns: item(DeliveryShape),
    load: (ctx, { id }) => findWebhook(ctx, 'crm', id),
    handle: (ctx, { item: webhook, params }) => redeliver(ctx, webhook, params.delivery_id),
  }),
  crm.post('/webhooks/{id}/test', {
    title: 'Send a test delivery to a CRM webhook',
    addition: true,
    slow: true,
    access: ManageWebhooks,
    returns: item(TestShape),
    load: (ctx, { id }) => findWebhook(ctx, 'crm', id),
    handle: (ctx, { item: webhook }) => testWebhook(ctx, webhook),
  }),
];
