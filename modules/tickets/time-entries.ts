// Time worked on tickets.
import { by, today, defineList, is, readPage, type Context, type Day } from '@keelson/core';
import { TicketTimeEntry, type Ticket } from './entities.ts';

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

/** A page of a ticket's time entries, newest first. */
export function listTimeEntries(
  ctx: Context,
  ticket: Ticket,
  { page, size }: { readonly page: number; readonly size: number },
) {
  const where = [is('ticket_id', ticket.ticket_id)];
  return readPage(ctx.db, TimeEntryList, { where, sort: 'created_at', direction: 'desc', page, size });
}

/** Writes down time in the name of whoever acts; an integration has no `user_id`. */
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
  return { ...row, time_entry_id };
}

const TimeEntryList = defineList({
  table: TicketTimeEntry,
  columns: [
    'time_entry_id',
    'ticket_id',
    'user_id',
    'user_name',
    'duration_minutes',
    'description',
    'billable',
    'work_date',
    'created_at',
  ],
  sorts: { created_at: by('created_at') },
});
