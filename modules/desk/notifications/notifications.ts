// Notifications for technicians: created from events, delivered live, kept for a while after being read.
import { In, input, invalid, is, IsNull, noun, param, sql, view, z, type Context, type Timestamp } from '@keelson/core';
import { cutTo } from '@keelson/core/kit';
import { Ticket } from '@keelson/modules/tickets';
import type { Desk } from '../access.ts';
import { Notification } from '../entities.ts';
import { announceOwn } from '../own/announce-own.ts';
import { showInBrowsers } from '../push/send.ts';

/** Maximum per person; older ones are deleted. */
const MOST_NOTIFICATIONS = 200;

export const NotificationItem = view(
  noun(Notification, {
    title: 'Notification',
    filters: (its) => ({
      unread: its.by(param.flag(), (_ctx, unread) => (unread ? sql`notification.read_at IS NULL` : undefined)),
    }),
  }),
  {
    except: ['record_id'],
    more: (its) => ({ key: its.column('record_id') }),
    visible: ({ actor }: Desk) => [is('user_id', actor.user_id)],
  },
);

export const readMarks = z.object({
  notification_ids: input.optional(input.ids({ max: MOST_NOTIFICATIONS })),
  /** All notifications about a record. */
  type: input.optional(input.text(64)),
  key: input.optional(input.id()),
  all: input.optional(input.flag()),
});

export function countUnread({ db, actor: { user_id } }: Desk): Promise<number> {
  return db.countBy(Notification, { user_id, read_at: IsNull() });
}

/**
 * Marks some of the caller's notifications as read. Returns the remaining unread count.
 * @throws invalid() without a selection
 */
export async function markRead(
  ctx: Desk,
  { notification_ids, type, key, all }: z.output<typeof readMarks>,
): Promise<number> {
  const which = notification_ids
    ? { notification_id: In(notification_ids) }
    : type !== undefined && key !== undefined
      ? { type, record_id: key }
      : all
        ? {}
        : undefined;
  if (!which) throw invalid('notification_ids, type and key, or all is required');
  await readSome(ctx, which);
  return countUnread(ctx);
}

/** Marks the caller's notifications about a record as read. */
export const readAbout = (ctx: Desk, { type, key }: { readonly type: string; readonly key: number }): Promise<void> =>
  readSome(ctx, { type, record_id: key });

interface Chosen {
  readonly notification_id?: ReturnType<typeof In<number>>;
  readonly type?: string;
  readonly record_id?: number;
}

async function readSome(ctx: Desk, which: Chosen): Promise<void> {
  const { user_id } = ctx.actor;
  const where = { ...which, user_id, read_at: IsNull() };
  const { affected } = await ctx.db.update(Notification, where, { read_at: ctx.now });
  if (affected > 0) announceOwn(ctx, Notification, user_id);
}

/** Notifications for technicians about a ticket. */
export interface Concern {
  readonly kind: Notification['kind'];
  readonly ticket_id: number;
  readonly user_id: number;
  readonly author_name: string;
}

/** Notifies a technician about a ticket. Replaces an unread notification of the same kind about it. */
export async function notify(
  ctx: Context,
  { kind, ticket_id: record_id, user_id, author_name: by_name }: Concern,
  created_at: Timestamp,
): Promise<void> {
  const ticket = await ctx.db.findOneBy(Ticket, { ticket_id: record_id, deleted_at: IsNull() });
  if (!ticket) return;
  const about = { user_id, kind, type: 'ticket', record_id };
  await ctx.db.delete(Notification, { ...about, read_at: IsNull() });
  const title = cutTo(`${ticket.ticket_number} ${ticket.subject}`, 300);
  await addNotification(ctx, { ...about, title, by_name, created_at });
}

type NewNotification = Omit<Notification, 'notification_id' | 'read_at'>;

/** Adds a notification, and shows it on the technician's open pages and in their browsers. */
export async function addNotification(ctx: Context, notification: NewNotification): Promise<void> {
  const { user_id } = notification;
  const notification_id = await ctx.db.insertReturningId(Notification, notification);
  await prune(ctx, user_id);
  await showInBrowsers(ctx, { notification_id, user_id });
  announceOwn(ctx, Notification, user_id);
}

async function prune({ db }: Context, user_id: number): Promise<void> {
  const [oldest] = await db.query<{ id: number }>(sql`SELECT notification_id AS id FROM notification
    WHERE user_id = ${user_id} ORDER BY notification_id DESC LIMIT 1 OFFSET ${MOST_NOTIFICATIONS}`);
  if (oldest)
    await db.run(sql`DELETE FROM notification WHERE user_id = ${user_id} AND notification_id <= ${oldest.id}`);
}
