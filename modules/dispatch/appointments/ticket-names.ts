import { In, type Context } from '@keelson/core';
import { Ticket } from '@keelson/modules/tickets';

/** Returns tickets by id. */
export async function readTicketNames({ db }: Context, ids: readonly number[]): Promise<Map<number, Ticket>> {
  if (ids.length === 0) return new Map();
  const found = await db.findBy(Ticket, { ticket_id: In([...new Set(ids)]) });
  return new Map(found.map((each) => [each.ticket_id, each]));
}
