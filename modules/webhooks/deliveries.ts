import { notFound, type Context } from '@keelson/core';
import { messageOf, newId } from '@keelson/core/kit';
import { postWebhook, DeliveryError, type Report } from '@keelson/core/system';
import { deliverAgain, findDelivery, listDeliveries, type DeliveryQuery, type LoggedDelivery } from './delivery-log.ts';
import { subscriberOf, type WebhookRow } from './entities.ts';
import { signingKeys } from './secrets.ts';

/** Returns the webhook's deliveries of the last 30 days, newest first (EV-05, NW-16). */
export function readDeliveries(ctx: Context, { webhook_id }: WebhookRow, query: DeliveryQuery) {
  return listDeliveries(ctx.db, subscriberOf(webhook_id), query);
}

/** Resends a delivery with the same id. @throws notFound() */
export async function redeliver(
  ctx: Context,
  { webhook_id }: WebhookRow,
  delivery_id: number,
): Promise<LoggedDelivery> {
  const subscriber = subscriberOf(webhook_id);
  if (!(await findDelivery(ctx.db, subscriber, delivery_id))) throw notFound('Delivery');
  await deliverAgain(ctx, subscriber, delivery_id);
  const description = `Delivery ${delivery_id} of webhook ${webhook_id} queued for redelivery`;
  ctx.record({ action: 'update', entity_type: 'webhook', entity_id: webhook_id, description });
  const again = await findDelivery(ctx.db, subscriber, delivery_id);
  if (!again) throw notFound('Delivery');
  return again;
}

export interface TestResult {
  readonly delivered: boolean;
  readonly response_status: number | null;
  readonly response_body: string | null;
  readonly error: string | null;
}

/** Sends `webhook.test` now and returns the receiver's response, without storing it or retrying. */
export async function testWebhook(ctx: Context, row: WebhookRow): Promise<TestResult> {
  const event_id = newId();
  try {
    const report = await postWebhook(ctx.app.egress, {
      url: row.url,
      message: { event: 'webhook.test', timestamp: ctx.now, data: { webhook_id: row.webhook_id } },
      event_id,
      delivery_id: `test-${event_id}`,
      keys: signingKeys(ctx.app, row)(ctx.now),
      now: ctx.now,
    });
    return resultOf(true, report, null);
  } catch (error) {
    // The caller wants the result, so a failure is not an error.
    const report = error instanceof DeliveryError ? error.report : {};
    return resultOf(false, report, messageOf(error));
  }
}

function resultOf(delivered: boolean, { status, answer }: Report, error: string | null): TestResult {
  return { delivered, response_status: status ?? null, response_body: answer ?? null, error };
}
