// Time worked on tickets. No record, because the log line names the ticket's number.
import {
  announceChange,
  conflict,
  forbidden,
  notFound,
  sql,
  today,
  z,
  type Admin,
  type Context,
  type Day,
} from '@keelson/core';
import { changesBetween } from '@keelson/core/log';
import { readSlot, slot } from '@keelson/core/plugin';
import { holdCompany } from '@keelson/modules/directory';
import { Ticket, TicketTimeEntry } from './entities.ts';

/** The invoice that bills a time entry, by the entry's id; null while none does. */
export const BilledTime = slot('ticket.billed_time', z.object({ invoice_number: z.string() }).nullable(), null);

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

/** A time entry of a ticket, locked. @throws notFound(), as for a ticket that is none */
export async function lockTimeEntry(
  ctx: Context,
  { ticket_id, company_number }: Ticket,
  time_entry_id: number,
): Promise<TicketTimeEntry> {
  // Who bills the company's time waits here, or is waited for.
  await holdCompany(ctx, company_number);
  const found = await ctx.db.one(TicketTimeEntry, { time_entry_id, ticket_id }, { lock: true });
  if (!found) throw notFound('Ticket');
  return found;
}

const changeable = ['duration_minutes', 'description', 'billable', 'work_date'] as const;

/**
 * Changes a time entry that was locked with its ticket (T-35).
 * @throws forbidden() for somebody else's entry, unless an administrator or a key asks; conflict() once it is billed
 */
export async function changeTimeEntry(
  ctx: Context<Admin>,
  ticket: Ticket,
  entry: TicketTimeEntry,
  wanted: Partial<NewTimeEntry>,
): Promise<TicketTimeEntry> {
  await checkChangeable(ctx, entry);
  const after = { ...entry, ...Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined)) };
  const pick = (of: TicketTimeEntry) => Object.fromEntries(changeable.map((each) => [each, of[each]]));
  const changes = changesBetween(pick(entry), pick(after));
  if (Object.keys(changes).length === 0) return entry;
  const { time_entry_id } = entry;
  await ctx.db.update(TicketTimeEntry, { time_entry_id }, pick(after));
  ctx.record({
    action: 'update',
    entity_type: 'ticket_time_entry',
    entity_id: time_entry_id,
    description: `Time on ticket ${ticket.ticket_number} changed`,
    changes,
  });
  announceChange(ctx, { of: Ticket, row: ticket, kind: 'changed', internal: true });
  return after;
}

/** Takes a time entry back. @throws as changeTimeEntry does */
export async function removeTimeEntry(ctx: Context<Admin>, ticket: Ticket, entry: TicketTimeEntry): Promise<void> {
  await checkChangeable(ctx, entry);
  const { time_entry_id, duration_minutes } = entry;
  await ctx.db.remove(TicketTimeEntry, { time_entry_id });
  ctx.record({
    action: 'delete',
    entity_type: 'ticket_time_entry',
    entity_id: time_entry_id,
    description: `${duration_minutes} minutes on ticket ${ticket.ticket_number} deleted`,
  });
  announceChange(ctx, { of: Ticket, row: ticket, kind: 'changed', internal: true });
}

async function checkChangeable(ctx: Context<Admin>, { time_entry_id, user_id }: TicketTimeEntry): Promise<void> {
  const { actor } = ctx;
  if (actor.kind === 'technician' && actor.role !== 'administrator' && actor.user_id !== user_id)
    throw forbidden('Only administrators change the time of others');
  const billed = (await readSlot(ctx, BilledTime, [time_entry_id]))(time_entry_id);
  if (billed !== null)
    throw conflict(
      `The time is on invoice ${billed.invoice_number}: take its line out of the draft, or void the invoice, first`,
    );
}
