import { showOne, z, type Context } from '@keelson/core';
import { deliveryStates } from './delivery-log.ts';
import { CrmWebhookItem, WebhookItem, type CreatedWebhook } from './webhooks.ts';

/** Includes the secret if it was generated (EV-09); no other response contains it. */
export const CreatedWebhookShape = WebhookItem.shape.extend({ secret: z.string().optional() });
export const CreatedCrmWebhookShape = CrmWebhookItem.shape.extend({ secret: z.string().optional() });

export async function showCreated(ctx: Context, { webhook, ...secret }: CreatedWebhook) {
  return { ...(await showOne(ctx, WebhookItem, webhook)), ...secret };
}

export const DeliveryShape = z.object({
  delivery_id: z.int(),
  event_id: z.string(),
  event: z.string(),
  state: z.enum(deliveryStates),
  attempts: z.int(),
  response_status: z.int().nullable(),
  response_body: z.string().nullable(),
  error: z.string().nullable(),
  created_at: z.iso.datetime(),
  next_attempt_at: z.iso.datetime().nullable(),
  delivered_at: z.iso.datetime().nullable(),
});

export const TestShape = z.object({
  delivered: z.boolean(),
  response_status: z.int().nullable(),
  response_body: z.string().nullable(),
  error: z.string().nullable(),
});
