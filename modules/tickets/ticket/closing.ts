// Rules about which tickets may be closed (hooks.ts).
import { conflict, listed, sql, type Context } from '@keelson/core';
import { runHook } from '@keelson/core/plugin';
import type { Status, Ticket } from '../entities.ts';
import { TicketsClosing } from '../hooks.ts';

type Closable = Pick<Ticket, 'ticket_id' | 'status'>;

/** Returns the reasons why tickets may not get a status, by id. Empty unless the status closes them. */
export async function refusedClosings(
  ctx: Context,
  all: readonly Closable[],
  status: Status | undefined,
): Promise<Map<number, string>> {
  const refused = new Map<number, string>();
  const tickets = status === 'closed' ? all.filter((each) => each.status !== 'closed') : [];
  if (tickets.length === 0) return refused;
  await runHook(ctx, TicketsClosing, { tickets, refuse: (ticket_id, why) => void refused.set(ticket_id, why) });
  await refuseParents(ctx, tickets, refused);
  return refused;
}

interface OpenChild {
  readonly ticket_id: number;
  readonly ticket_number: number;
  readonly parent_id: number;
}

/** Maximum number of children named in an error. */
const MOST_NAMED = 5;

/** Refuses to close tickets with open children, except for children that are closed with them. */
async function refuseParents(
  { db, author }: Context,
  tickets: readonly Closable[],
  refused: Map<number, string>,
): Promise<void> {
  const ids = tickets.map((each) => each.ticket_id);
  const open = await db.query<OpenChild>(sql`SELECT ticket_id, ticket_number, parent_id FROM ticket
    WHERE parent_id IN ${listed(ids)} AND status <> 'closed' AND deleted_at IS NULL ORDER BY ticket_id`);
  const closing = new Set(ids.filter((id) => !refused.has(id)));
  const left = open.filter(({ ticket_id }) => !closing.has(ticket_id));
  for (const [parent_id, children] of Map.groupBy(left, (each) => each.parent_id)) {
    const named = children.slice(0, MOST_NAMED).map(({ ticket_number }) => ticket_number);
    const more = children.length - named.length;
    refused.set(
      parent_id,
      author.type === 'employee' || author.type === 'assistant'
        ? 'This ticket has open work that must be completed before it can be closed'
        : `Close the open child tickets first: ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`,
    );
  }
}

/**
 * Checks that a ticket may get a status.
 * @throws conflict() if the status closes a ticket that must stay open
 */
export async function checkClosing(ctx: Context, ticket: Closable, status: Status | undefined): Promise<void> {
  const why = (await refusedClosings(ctx, [ticket], status)).get(ticket.ticket_id);
  if (why !== undefined) throw conflict(why);
}
