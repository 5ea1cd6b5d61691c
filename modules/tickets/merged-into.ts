// What is known of merged tickets (T-31).
import { conflict, sql, type Context } from '@keelson/core';
import type { Change } from '@keelson/core/record';
import { TicketMerge, Ticket } from './entities.ts';

/** The ticket that this one was merged into. */
export async function readMergedInto({ db }: Context, ticket_id: number): Promise<number | null> {
  return (await db.one(TicketMerge, { ticket_id }))?.into_id ?? null;
}

/** @throws conflict() when one of them is merged already, so that nothing points to what is itself elsewhere */
export async function checkUnmerged({ db }: Context, from: Ticket, into: Ticket): Promise<void> {
  const merged = await db.find(TicketMerge, { ticket_id: [from.ticket_id, into.ticket_id] });
  if (merged.some(({ ticket_id }) => ticket_id === from.ticket_id)) throw conflict('The ticket is merged already');
  if (merged.length > 0) throw conflict('into is merged into another ticket');
}

/** Points to the other ticket, and so does what was merged into this one before. */
export async function pointTo({ db, now }: Context, ticket_id: number, into_id: number): Promise<void> {
  await db.update(TicketMerge, { into_id: ticket_id }, { into_id });
  await db.insert(TicketMerge, { ticket_id, into_id, merged_at: now });
}

/** A merged ticket that is opened again is one of its own. */
export async function forgetReopened({ db }: Context, changes: readonly Change<typeof Ticket>[]): Promise<void> {
  const reopened = changes.filter(({ before, after }) => before.status === 'closed' && after.status !== 'closed');
  if (reopened.length > 0) await db.remove(TicketMerge, { ticket_id: reopened.map(({ after }) => after.ticket_id) });
}

/** The ticket that a merged one lives on as, locked; the ticket itself when it was not merged, or that one is gone. */
export async function lockSurvivor(ctx: Context, ticket: Ticket): Promise<Ticket> {
  const ticket_id = ticket.status === 'closed' ? await readMergedInto(ctx, ticket.ticket_id) : null;
  if (ticket_id === null) return ticket;
  return (await ctx.db.one(Ticket, { ticket_id, deleted_at: null }, { lock: true })) ?? ticket;
}

/** The people whose tickets were merged into this one, without its own requester: they take part in it, too. */
export async function readMergedRequesters({ db }: Context, ticket: Ticket): Promise<number[]> {
  const rows = await db.query<{ requester: number }>(sql`SELECT DISTINCT merged.requester_employee_number AS requester
    FROM ticket_merge JOIN ticket AS merged ON merged.ticket_id = ticket_merge.ticket_id
    WHERE ticket_merge.into_id = ${ticket.ticket_id} AND merged.requester_employee_number IS NOT NULL`);
  return rows.map(({ requester }) => Number(requester)).filter((each) => each !== ticket.requester_employee_number);
}
