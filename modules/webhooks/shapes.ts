import { z } from '@keelson/core';
import { deliveryStates } from '@keelson/core/system';
import { Webhook, type WebhookRow } from './entities.ts';

/** F-70; administrators also see whether it is switched on. */
export const WebhookShape = Webhook.shape
  .pick({
    webhook_id: true,
    url: true,
    events: true,
    active: true,
    last_delivery_at: true,
    last_status: true,
    failure_count: true,
    created_at: true,
  })
  .extend({ has_secret: z.boolean() });
export const CrmWebhookShape = WebhookShape.omit({ active: true });

/** With the secret, when it was made here (EV-09): readable only in this answer. */
export const NewWebhookShape = WebhookShape.extend({ secret: z.string().optional() });
export const NewCrmWebhookShape = CrmWebhookShape.extend({ secret: z.string().optional() });

export function shown(row: WebhookRow) {
  const { secret, ...rest } = row;
  return { ...rest, has_secret: secret !== null };
}

export function shownNew({ webhook, secret }: { readonly webhook: WebhookRow; readonly secret?: string }) {
  return { ...shown(webhook), ...(secret !== undefined && { secret }) };
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
