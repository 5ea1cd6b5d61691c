// Sends notifications to browsers, each as its own delivery.
import { IsNull, type Context } from '@keelson/core';
import { explained } from '@keelson/core/kit';
import { Technician } from '@keelson/modules/directory';
import { Ticket } from '@keelson/modules/tickets';
import { happened } from '../console/happened.ts';
import { Notification } from '../entities.ts';
import { NotificationDue } from '../events.ts';
import { PushSubscription } from './entities.ts';
import { keyPair } from './keys.ts';
import { browserOf } from './subscriptions.ts';
import { requestFor } from './web-push.ts';

/** Seconds before each attempt. */
export const retrySchedule: readonly number[] = [0, 15, 60, 300];
/** A browser that was off for longer shows the list instead. */
const KEEP_SECONDS = 4 * 60 * 60;
const TIMEOUT_MS = 10_000;
const URGENT: ReadonlySet<Notification['kind']> = new Set(['escalated', 'sla_breached']);

/** Has a notification shown in each of its technician's browsers. */
export async function showInBrowsers(
  ctx: Context,
  { notification_id, user_id }: Pick<Notification, 'notification_id' | 'user_id'>,
): Promise<void> {
  const found = await ctx.db.find(PushSubscription, { where: { user_id }, order: { subscription_id: 'ASC' } });
  for (const { subscription_id } of found) ctx.emit(NotificationDue, { notification_id, subscription_id });
}

interface Due {
  readonly notification_id: number;
  readonly subscription_id: number;
}

/**
 * Delivers a notification that is still unread. Forgets a browser that its push service no longer knows, or whose
 * technician was signed out everywhere.
 * @throws Error if the push service rejects it or does not answer
 */
export async function deliver(ctx: Context, { notification_id, subscription_id }: Due): Promise<void> {
  const subscription = await ctx.db.findOneBy(PushSubscription, { subscription_id });
  const notification = await ctx.db.findOneBy(Notification, { notification_id, read_at: IsNull() });
  if (!subscription) return;
  const { user_id, access_version } = subscription;
  const technician = await ctx.db.findOneBy(Technician, {
    user_id,
    access_version,
    active: true,
    deleted_at: IsNull(),
  });
  if (!technician) return forget(ctx, subscription_id);
  if (!notification || notification.user_id !== user_id) return;
  const { baseUrl } = ctx.app.config;
  const browser = browserOf(ctx, subscription);
  const { headers, body } = await requestFor(browser, keyPair(ctx.app), {
    text: JSON.stringify(await contentOf(ctx, notification)),
    subject: baseUrl.startsWith('https:') ? baseUrl : `mailto:${technician.email}`,
    urgent: URGENT.has(notification.kind),
    keepSeconds: KEEP_SECONDS,
  });
  const { status } = await ctx.app.egress.fetch(browser.endpoint, {
    method: 'POST',
    headers,
    body: new Uint8Array(body),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (status === 404 || status === 410) return forget(ctx, subscription_id);
  if (status < 200 || status > 299) throw new Error(explained(`The push service responded with ${status}`));
  await ctx.transaction((inside) => inside.db.update(PushSubscription, { subscription_id }, { delivered_at: ctx.now }));
}

/** What the browser shows: in the technician's language, with the ticket's own number and subject. */
async function contentOf(ctx: Context, { kind, by_name, title, user_id, type, record_id }: Notification) {
  const { t } = ctx.app.wording(await ctx.app.languageOf(ctx, { user_id }));
  const ticket = type === 'ticket' ? await ctx.db.findOneBy(Ticket, { ticket_id: record_id }) : null;
  const page = type === 'mailbox_message' ? `received-mail/${record_id}` : 'notifications';
  const path = `/admin/${ticket ? `tickets/${ticket.ticket_number}` : page}`;
  return { title: happened(kind, t, by_name), body: title, tag: `${type} ${record_id}`, path };
}

async function forget(ctx: Context, subscription_id: number): Promise<void> {
  await ctx.transaction((inside) => inside.db.delete(PushSubscription, { subscription_id }));
}
