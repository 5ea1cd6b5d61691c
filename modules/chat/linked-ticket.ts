// The ticket of a chat: at most one (W-09), and none once it is deleted (T-23).
import type { Context } from '@keelson/core';
import { Ticket } from '@keelson/modules/tickets';
import type { Chat } from './entities.ts';

/** Returns those of these tickets that are not deleted, as `id => id`. */
export async function livingTickets(ctx: Context, ids: readonly number[]): Promise<ReadonlyMap<number, number>> {
  const living = await ctx.db.find(Ticket, { ticket_id: ids, deleted_at: null });
  return new Map(living.map(({ ticket_id }) => [ticket_id, ticket_id]));
}

/** Locks the chat's ticket, after the chat. Returns undefined without one. */
export async function lockLinkedTicket(ctx: Context, { ticket_id }: Chat): Promise<Ticket | undefined> {
  if (ticket_id === null) return undefined;
  return ctx.db.one(Ticket, { ticket_id, deleted_at: null }, { lock: true });
}
