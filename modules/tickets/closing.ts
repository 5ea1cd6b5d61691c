// Which tickets may be closed (hooks.ts).
import { conflict, type Context } from '@keelson/core';
import { runHook } from '@keelson/core/plugin';
import type { Status, Ticket } from './entities.ts';
import { TicketsClosing } from './hooks.ts';

type Closable = Pick<Ticket, 'ticket_id' | 'status'>;

/** Returns why tickets may not get a status, by id. Empty unless it closes them. */
export async function refusedClosings(
  ctx: Context,
  all: readonly Closable[],
  status: Status | undefined,
): Promise<Map<number, string>> {
  const refused = new Map<number, string>();
  const tickets = status === 'closed' ? all.filter((each) => each.status !== 'closed') : [];
  if (tickets.length > 0)
    await runHook(ctx, TicketsClosing, { tickets, refuse: (ticket_id, why) => void refused.set(ticket_id, why) });
  return refused;
}

/** @throws conflict() if the status closes a ticket that must stay open */
export async function checkClosing(ctx: Context, ticket: Closable, status: Status | undefined): Promise<void> {
  const why = (await refusedClosings(ctx, [ticket], status)).get(ticket.ticket_id);
  if (why !== undefined) throw conflict(why);
}
