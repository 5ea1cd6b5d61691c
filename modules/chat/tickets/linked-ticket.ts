// The ticket of a chat: at most one (W-09), and none once it is deleted (T-23).
import { IsNull } from '@keelson/core';
import type { Context } from '@keelson/core';
import { Ticket } from '@keelson/modules/tickets';
import type { Chat } from '../entities.ts';

/** Locks the chat's ticket, after the chat. Returns null without one. */
export async function lockLinkedTicket(ctx: Context, { ticket_id }: Chat): Promise<Ticket | null> {
  if (ticket_id === null) return null;
  return ctx.db.findOne(Ticket, { where: { ticket_id, deleted_at: IsNull() }, lock: { mode: 'pessimistic_write' } });
}
