// Lookups for merged tickets (T-31).
import { conflict, In, IsNull, listed, sql, type Context, type Row } from '@keelson/core';
import type { Change } from '@keelson/core/record';
import { TicketMerge, Ticket } from '../entities.ts';

/** Returns the id of the ticket this one was merged into. */
export async function readMergedInto({ db }: Context, ticket_id: number): Promise<number | null> {
  return (await db.findOneBy(TicketMerge, { ticket_id }))?.into_id ?? null;
}

/** Returns the tickets that were merged into these. */
export function readMergesInto({ db }: Context, ids: readonly number[]): Promise<Row<typeof TicketMerge>[]> {
  return db.findBy(TicketMerge, { into_id: In(ids) });
}

/**
 * Checks that neither ticket is merged.
 * @throws conflict() if either ticket is already merged, so that merges never chain
 */
export async function checkUnmerged({ db }: Context, from: Ticket, into: Ticket): Promise<void> {
  const merged = await db.findBy(TicketMerge, { ticket_id: In([from.ticket_id, into.ticket_id]) });
  if (merged.some(({ ticket_id }) => ticket_id === from.ticket_id)) throw conflict('The ticket is already merged');
  if (merged.length > 0) throw conflict('into has itself been merged into another ticket');
}

/** Records the merge and redirects earlier merges into this ticket. Returns the tickets that are redirected. */
export async function pointTo({ db, now }: Context, ticket_id: number, into_id: number): Promise<Ticket[]> {
  const earlier = await db.findBy(TicketMerge, { into_id: ticket_id });
  await db.update(TicketMerge, { into_id: ticket_id }, { into_id });
  await db.insert(TicketMerge, { ticket_id, into_id, merged_at: now });
  if (earlier.length === 0) return [];
  return db.findBy(Ticket, { ticket_id: In(earlier.map((each) => each.ticket_id)), deleted_at: IsNull() });
}

/** Removes the merge of a reopened ticket, which then stands alone again. */
export async function forgetReopened({ db }: Context, changes: readonly Change<typeof Ticket>[]): Promise<void> {
  const reopened = changes.filter(({ before, after }) => before.status === 'closed' && after.status !== 'closed');
  if (reopened.length > 0)
    await db.delete(TicketMerge, { ticket_id: In(reopened.map(({ after }) => after.ticket_id)) });
}

/** Locks and returns the surviving ticket; the ticket itself if it was not merged or the target is deleted. */
export async function lockSurvivor(ctx: Context, ticket: Ticket): Promise<Ticket> {
  const ticket_id = ticket.status === 'closed' ? await readMergedInto(ctx, ticket.ticket_id) : null;
  if (ticket_id === null) return ticket;
  return (
    (await ctx.db.findOne(Ticket, {
      where: { ticket_id, deleted_at: IsNull() },
      lock: { mode: 'pessimistic_write' },
    })) ?? ticket
  );
}

export interface MergedRequester {
  /** The surviving ticket. */
  readonly ticket_id: number;
  readonly requester: number;
}

/** Returns the requesters of tickets merged into these, except their own requesters. They receive their mails too. */
export async function readMergedRequesters({ db }: Context, tickets: readonly Ticket[]): Promise<MergedRequester[]> {
  if (tickets.length === 0) return [];
  const own = new Map(tickets.map((each) => [each.ticket_id, each.requester_employee_number]));
  const rows = await db.query<MergedRequester>(sql`
    SELECT DISTINCT ticket_merge.into_id AS ticket_id, merged.requester_employee_number AS requester
    FROM ticket_merge JOIN ticket AS merged ON merged.ticket_id = ticket_merge.ticket_id
    WHERE ticket_merge.into_id IN ${listed([...own.keys()])} AND merged.requester_employee_number IS NOT NULL`);
  return rows
    .map(({ ticket_id, requester }) => ({ ticket_id: Number(ticket_id), requester: Number(requester) }))
    .filter(({ ticket_id, requester }) => own.get(ticket_id) !== requester);
}
