// Time worked on tickets. No record, because the log line names the ticket's number.
import { announceChange, sql, today, type Context, type Day } from '@keelson/core';
import { Ticket, TicketTimeEntry } from './entities.ts';

export interface NewTimeEntry {
  readonly duration_minutes: number;
  readonly description?: string | undefined;
  readonly billable?: boolean | undefined;
  /** Today when absent. */
  readonly work_date?: Day | undefined;
}

/** All time entries of a ticket, newest first. */
export function readTimeEntries(ctx: Context, ticketId: number): Promise<TicketTimeEntry[]> {
  const order = [
    ['created_at', 'DESC'],
    ['time_entry_id', 'DESC'],
  ] as const;
  return ctx.db.find(TicketTimeEntry, { ticket_id: ticketId }, { order });
}

/** Those of tickets that were not deleted: others are shown nowhere, and billed to nobody. */
export const ofLivingTickets = sql`EXISTS (SELECT 1 FROM ticket WHERE ticket.ticket_id = ticket_time_entry.ticket_id AND ticket.deleted_at IS NULL)`;

export interface BillableTime {
  readonly time_entry_id: number;
  readonly ticket_id: number;
  readonly ticket_number: number;
  readonly subject: string;
  readonly duration_minutes: number;
  readonly work_date: Day;
}

/** Billable time on a company's tickets, open or closed, of these days; oldest first, `limit` entries at most. */
export async function readBillableTime(
  { db }: Context,
  { company_number, from, to }: { readonly company_number: number; readonly from: Day; readonly to: Day },
  limit: number,
): Promise<BillableTime[]> {
  const rows = await db.query<{ [K in keyof BillableTime]: unknown }>(sql`SELECT ticket_time_entry.time_entry_id,
      ticket.ticket_id, ticket.ticket_number, ticket.subject, ticket_time_entry.duration_minutes, ticket_time_entry.work_date
    FROM ticket_time_entry JOIN ticket ON ticket.ticket_id = ticket_time_entry.ticket_id
    WHERE ticket_time_entry.company_number = ${company_number} AND ticket_time_entry.work_date >= ${from}
      AND ticket_time_entry.work_date <= ${to} AND ticket_time_entry.billable = 1 AND ticket.deleted_at IS NULL
    ORDER BY ticket_time_entry.work_date, ticket_time_entry.time_entry_id LIMIT ${limit}`);
  return rows.map((row) => ({
    time_entry_id: Number(row.time_entry_id),
    ticket_id: Number(row.ticket_id),
    ticket_number: Number(row.ticket_number),
    subject: String(row.subject),
    duration_minutes: Number(row.duration_minutes),
    work_date: String(row.work_date),
  }));
}

/** Logs time by the current author; an integration has no `user_id`. */
export async function logTime(ctx: Context, ticket: Ticket, input: NewTimeEntry): Promise<TicketTimeEntry> {
  const row = {
    ticket_id: ticket.ticket_id,
    user_id: ctx.author.type === 'technician' ? ctx.author.id : null,
    user_name: ctx.author.name,
    duration_minutes: input.duration_minutes,
    description: input.description ?? '',
    billable: input.billable ?? true,
    work_date: input.work_date ?? today(ctx),
    created_at: ctx.now,
    company_number: ticket.company_number,
  };
  const time_entry_id = await ctx.db.insert(TicketTimeEntry, row);
  ctx.record({
    action: 'create',
    entity_type: 'ticket_time_entry',
    entity_id: time_entry_id,
    description: `${input.duration_minutes} minutes logged on ticket ${ticket.ticket_number}`,
  });
  // Customers do not see time entries.
  announceChange(ctx, { of: Ticket, row: ticket, kind: 'changed', internal: true });
  return { ...row, time_entry_id };
}
