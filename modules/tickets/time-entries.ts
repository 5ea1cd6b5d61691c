// Time worked on tickets. No record, because the log line names the ticket's number.
import { announceChange, today, type Context, type Day } from '@keelson/core';
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
