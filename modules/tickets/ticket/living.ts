// Tickets that other records refer to (T-23).
import { In, IsNull, type Context } from '@keelson/core';
import { Ticket } from '../entities.ts';

/** Returns those of these tickets that are not deleted, as `id => id`. */
export async function livingTickets(ctx: Context, ids: readonly number[]): Promise<ReadonlyMap<number, number>> {
  const living = await ctx.db.findBy(Ticket, { ticket_id: In(ids), deleted_at: IsNull() });
  return new Map(living.map(({ ticket_id }) => [ticket_id, ticket_id]));
}
