// Read marks of technicians (T-28). A mark stores the `updated_at` up to which a technician has seen a ticket. Tickets
// unchanged for 30 days count as seen, so older marks can be deleted.
import { listed, MoreThanOrEqual, plus, sql, toDatabase, type Context, type Timestamp } from '@keelson/core';
import { TicketRead, type Ticket } from '../entities.ts';

type Seen = Pick<Ticket, 'ticket_id' | 'updated_at'>;

/** Returns the time before which everything counts as seen. */
export const seenBefore = (now: Timestamp): Timestamp => plus(now, { days: -30 });

/** Returns which tickets have changed since the calling technician last viewed them. Empty for API keys. */
export async function findUnread(ctx: Context, ids: readonly number[]): Promise<ReadonlyMap<number, boolean>> {
  const user_id = readerOf(ctx);
  if (user_id === undefined || ids.length === 0) return new Map();
  const rows = await ctx.db.query<{ ticket_id: number }>(sql`SELECT ticket.ticket_id FROM ticket
    LEFT JOIN ticket_read ON ticket_read.user_id = ${user_id} AND ticket_read.ticket_id = ticket.ticket_id
    WHERE ticket.ticket_id IN ${listed(ids)} AND ticket.updated_at > ${toDatabase(seenBefore(ctx.now))}
      AND (ticket_read.seen_at IS NULL OR ticket_read.seen_at < ticket.updated_at)`);
  return new Map(rows.map(({ ticket_id }) => [Number(ticket_id), true]));
}

/**
 * Marks a ticket as seen by the calling technician, as of `shown` if given: later changes stay unread. Does nothing for
 * API keys.
 */
export async function markRead(ctx: Context, { ticket_id, updated_at }: Seen, shown?: Timestamp) {
  const user_id = readerOf(ctx);
  // Responses omit milliseconds.
  const seen_at = shown === undefined || secondOf(updated_at) <= secondOf(shown) ? updated_at : shown;
  const read = { ticket_id, unread: seen_at < updated_at };
  if (user_id === undefined) return { ticket_id, unread: false };
  const mark = await ctx.db.findOneBy(TicketRead, { user_id, ticket_id });
  // Two open tabs may report in any order.
  if (mark && mark.seen_at >= seen_at) return { ...read, unread: mark.seen_at < updated_at };
  await ctx.db.upsert(TicketRead, { user_id, ticket_id, seen_at }, ['user_id', 'ticket_id']);
  return read;
}

const secondOf = (at: Timestamp): string => at.slice(0, 19);

/** Marks a new ticket as seen by the technician who creates it. */
export function markCreated({ tx, author, now }: Context, ticket_id: number): void {
  if (author.type !== 'technician' || author.id === null) return;
  tx?.append(TicketRead, { user_id: author.id, ticket_id, seen_at: now });
}

const AT_ONCE = 100;

/**
 * Keeps tickets read for a technician who changes them, if they had seen the previous state. Call within the
 * transaction of the change, with the tickets as they were.
 */
export async function keepSeen(ctx: Context, before: readonly Seen[]): Promise<void> {
  const user_id = readerOf(ctx);
  if (user_id === undefined) return;
  for (let from = 0; from < before.length; from += AT_ONCE) {
    const some = before.slice(from, from + AT_ONCE);
    const seen = some.map(({ ticket_id, updated_at }) => ({
      user_id,
      ticket_id,
      seen_at: MoreThanOrEqual(updated_at),
    }));
    await ctx.db.update(TicketRead, seen, { seen_at: ctx.now });
  }
}

function readerOf({ author }: Context): number | undefined {
  return author.type === 'technician' ? (author.id ?? undefined) : undefined;
}
