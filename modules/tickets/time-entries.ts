// Time entries of tickets. Not a `record`, because the log line names the ticket number.
import {
  addDays,
  announceChange,
  conflict,
  forbidden,
  In,
  invalid,
  notFound,
  sql,
  today,
  z,
  type Admin,
  type Context,
  type Day,
  type Sql,
} from '@keelson/core';
import { dayInWords } from '@keelson/core/kit';
import { changesBetween } from '@keelson/core/log';
import { readSlot, slot } from '@keelson/core/plugin';
import { holdCompany } from '@keelson/modules/directory';
import { Ticket, TicketTimeEntry } from './entities.ts';
import { lockSurvivor } from './related/merged-into.ts';

/** Invoice that bills a time entry, by entry id; null if unbilled. */
export const BilledTime = slot('ticket.billed_time', z.object({ invoice_number: z.string() }).nullable(), null);

export interface NewTimeEntry {
  readonly duration_minutes: number;
  readonly description?: string | undefined;
  readonly billable?: boolean | undefined;
  /** Defaults to today. */
  readonly work_date?: Day | undefined;
}

/** Returns all time entries of a ticket, newest first. */
export function readTimeEntries(ctx: Context, ticketId: number): Promise<TicketTimeEntry[]> {
  const order = { created_at: 'DESC', time_entry_id: 'DESC' } as const;
  return ctx.db.find(TicketTimeEntry, { where: { ticket_id: ticketId }, order });
}

/** Excludes time entries of deleted tickets, which are hidden and never billed. */
export const ofLivingTickets = sql`EXISTS (SELECT 1 FROM ticket WHERE ticket.ticket_id = ticket_time_entry.ticket_id AND ticket.deleted_at IS NULL)`;

export interface BillableTime {
  readonly time_entry_id: number;
  readonly ticket_id: number;
  readonly ticket_number: number;
  readonly subject: string;
  /** Negative for a correction that takes time back. */
  readonly duration_minutes: number;
  readonly work_date: Day;
  /** The billed entry this one corrects, and its work date. */
  readonly corrects_id: number | null;
  readonly corrected_day: Day | null;
}

/** Raw row: numbers may arrive as strings. */
type Stored = { readonly [K in keyof BillableTime]: unknown } & { readonly corrected_day: string | null };

/**
 * Returns billable time on a company's tickets, open or closed, in the date range, oldest first, up to `limit` entries of
 * those that satisfy `where`.
 */
export async function readBillableTime(
  { db }: Context,
  { company_number, from, to }: { readonly company_number: number; readonly from: Day; readonly to: Day },
  { limit, where }: { readonly limit: number; readonly where: Sql },
): Promise<BillableTime[]> {
  const rows = await db.query<Stored>(sql`SELECT ticket_time_entry.time_entry_id,
      ticket.ticket_id, ticket.ticket_number, ticket.subject, ticket_time_entry.duration_minutes,
      ticket_time_entry.work_date, ticket_time_entry.corrects_id, corrected.work_date AS corrected_day
    FROM ticket_time_entry JOIN ticket ON ticket.ticket_id = ticket_time_entry.ticket_id
      LEFT JOIN ticket_time_entry AS corrected ON corrected.time_entry_id = ticket_time_entry.corrects_id
    WHERE ticket_time_entry.company_number = ${company_number} AND ticket_time_entry.work_date >= ${from}
      AND ticket_time_entry.work_date <= ${to} AND ticket_time_entry.billable = 1 AND ticket.deleted_at IS NULL
      AND ${where}
    ORDER BY ticket_time_entry.work_date, ticket_time_entry.time_entry_id LIMIT ${limit}`);
  return rows.map((row) => ({
    time_entry_id: Number(row.time_entry_id),
    ticket_id: Number(row.ticket_id),
    ticket_number: Number(row.ticket_number),
    subject: String(row.subject),
    duration_minutes: Number(row.duration_minutes),
    work_date: String(row.work_date),
    corrects_id: row.corrects_id === null ? null : Number(row.corrects_id),
    corrected_day: row.corrected_day,
  }));
}

/** Returns these entries and their corrections. */
export async function readWithCorrections({ db }: Context, ids: readonly number[]): Promise<TicketTimeEntry[]> {
  const entries = await db.findBy(TicketTimeEntry, { time_entry_id: In(ids) });
  return [...entries, ...(await db.findBy(TicketTimeEntry, { corrects_id: In(ids) }))];
}

/** How far back time can be logged: some ten years, more than any company keeps open work. */
const MOST_DAYS_BACK = 3653;

/**
 * Checks the day of work. Tomorrow is accepted, because it is already the technician's today in zones ahead of the
 * tenant's.
 * @throws invalid() for days further ahead, or more than ten years back
 */
function checkWorkDate(ctx: Context, work_date: Day): void {
  const [first, last] = [addDays(today(ctx), -MOST_DAYS_BACK), addDays(today(ctx), 1)];
  if (work_date < first || work_date > last)
    throw invalid(`work_date must be between ${dayInWords(first)} and ${dayInWords(last)}`);
}

/** Logs time for the current author; an integration has no `user_id`. Time on a merged ticket goes to the surviving one. */
export async function logTime(ctx: Context, addressed: Ticket, input: NewTimeEntry): Promise<TicketTimeEntry> {
  if (input.work_date !== undefined) checkWorkDate(ctx, input.work_date);
  const ticket = await lockSurvivor(ctx, addressed);
  return addEntry(ctx, ticket, {
    fields: {
      duration_minutes: input.duration_minutes,
      description: input.description ?? '',
      billable: input.billable ?? true,
      work_date: input.work_date ?? today(ctx),
      corrects_id: null,
    },
    told: `${input.duration_minutes} minutes logged on ticket ${ticket.ticket_number}`,
  });
}

interface NewEntry {
  readonly fields: Pick<TicketTimeEntry, 'duration_minutes' | 'description' | 'billable' | 'work_date' | 'corrects_id'>;
  /** Log description. */
  readonly told: string;
}

async function addEntry(ctx: Context, ticket: Ticket, { fields, told }: NewEntry): Promise<TicketTimeEntry> {
  const row = {
    ...fields,
    ticket_id: ticket.ticket_id,
    user_id: ctx.author.type === 'technician' ? ctx.author.id : null,
    user_name: ctx.author.name,
    created_at: ctx.now,
    company_number: ticket.company_number,
  };
  const time_entry_id = await ctx.db.insertReturningId(TicketTimeEntry, row);
  ctx.record({
    action: 'create',
    entity_type: 'ticket_time_entry',
    entity_id: time_entry_id,
    description: told,
    shownOn: { of: Ticket, row: ticket },
  });
  // Customers do not see time entries.
  announceChange(ctx, { of: Ticket, row: ticket, kind: 'changed', internal: true });
  return { ...row, time_entry_id };
}

/** Locks and returns a time entry of a ticket. @throws notFound(), as for an unknown ticket */
export async function lockTimeEntry(
  ctx: Context,
  { ticket_id, company_number }: Ticket,
  time_entry_id: number,
): Promise<TicketTimeEntry> {
  // Serialise with invoicing of the company's time.
  await holdCompany(ctx, company_number);
  const found = await ctx.db.findOne(TicketTimeEntry, {
    where: { time_entry_id, ticket_id },
    lock: { mode: 'pessimistic_write' },
  });
  if (!found) throw notFound('Ticket');
  return found;
}

const changeable = ['duration_minutes', 'description', 'billable', 'work_date'] as const;

/**
 * Changes a time entry locked with its ticket (T-35).
 * @throws forbidden() for another person's entry, except for administrators and API keys; conflict() once billed, and
 * for a correction, which must be deleted and recreated
 */
export async function changeTimeEntry(
  ctx: Context<Admin>,
  ticket: Ticket,
  entry: TicketTimeEntry,
  wanted: Partial<NewTimeEntry>,
): Promise<TicketTimeEntry> {
  await checkChangeable(ctx, entry);
  if (entry.corrects_id !== null)
    throw conflict('This is a correction of billed time: delete it and correct the original entry again');
  await checkUncorrected(ctx, entry);
  if (wanted.work_date !== undefined && wanted.work_date !== entry.work_date) checkWorkDate(ctx, wanted.work_date);
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
    shownOn: { of: Ticket, row: ticket },
  });
  announceChange(ctx, { of: Ticket, row: ticket, kind: 'changed', internal: true });
  return after;
}

/** Deletes a time entry. @throws as changeTimeEntry does */
export async function removeTimeEntry(ctx: Context<Admin>, ticket: Ticket, entry: TicketTimeEntry): Promise<void> {
  await checkChangeable(ctx, entry);
  await checkUncorrected(ctx, entry);
  const { time_entry_id, duration_minutes } = entry;
  await ctx.db.delete(TicketTimeEntry, { time_entry_id });
  ctx.record({
    action: 'delete',
    entity_type: 'ticket_time_entry',
    entity_id: time_entry_id,
    description: `${duration_minutes} minutes on ticket ${ticket.ticket_number} deleted`,
    shownOn: { of: Ticket, row: ticket },
  });
  announceChange(ctx, { of: Ticket, row: ticket, kind: 'changed', internal: true });
}

export interface TimeCorrection {
  /** Actual minutes worked; 0 takes all of it back. */
  readonly duration_minutes: number;
  /** Reason. */
  readonly description?: string | undefined;
}

/**
 * Corrects a billed time entry, locked with its ticket, with a separate entry for the difference (T-36). The next
 * invoice bills or credits the difference and returns contract hours; the sent invoice stays unchanged.
 * @throws forbidden() as for changes; conflict() for unbilled or non-billable time, or for a correction
 */
export async function correctTimeEntry(
  ctx: Context<Admin>,
  ticket: Ticket,
  entry: TicketTimeEntry,
  { duration_minutes, description }: TimeCorrection,
): Promise<TicketTimeEntry> {
  const { time_entry_id, corrects_id } = entry;
  checkOwn(ctx, entry);
  if (corrects_id !== null)
    throw conflict(`This is a correction of time entry ${corrects_id}: correct that entry again instead`);
  const billed = await readInvoice(ctx, time_entry_id);
  if (billed === null) throw conflict('This time is not billed yet: change the entry itself');
  const corrections = await ctx.db.find(TicketTimeEntry, {
    where: { corrects_id: time_entry_id },
    lock: { mode: 'pessimistic_write' },
  });
  const so_far = [entry, ...corrections].reduce((sum, each) => sum + each.duration_minutes, 0);
  if (duration_minutes === so_far) throw invalid(`duration_minutes is already ${so_far}`);
  return addEntry(ctx, ticket, {
    fields: {
      duration_minutes: duration_minutes - so_far,
      description: description ?? `Correction of ${entry.work_date}`,
      billable: true,
      work_date: today(ctx),
      corrects_id: time_entry_id,
    },
    told: `Time on ticket ${ticket.ticket_number} corrected from ${so_far} to ${duration_minutes} minutes, after invoice ${billed}`,
  });
}

/**
 * Checks the ownership of a time entry.
 * @throws forbidden() for another person's entry, except for administrators and API keys
 */
function checkOwn({ actor }: Context<Admin>, { user_id }: TicketTimeEntry): void {
  if (actor.kind === 'technician' && actor.role !== 'administrator' && actor.user_id !== user_id)
    throw forbidden('Only administrators can change other people’s time entries');
}

/** Returns which of these entries are billed. */
export async function readBilled(ctx: Context, ids: readonly number[]): Promise<Map<number, boolean>> {
  const billedOf = await readSlot(ctx, BilledTime, ids);
  return new Map(ids.map((id) => [id, billedOf(id) !== null]));
}

/** Returns the number of the invoice that bills an entry; null if unbilled. */
async function readInvoice(ctx: Context, time_entry_id: number): Promise<string | null> {
  return (await readSlot(ctx, BilledTime, [time_entry_id]))(time_entry_id)?.invoice_number ?? null;
}

/** Voiding the invoice makes an entry editable again, but not while it has corrections. */
async function checkUncorrected(ctx: Context, { time_entry_id }: TicketTimeEntry): Promise<void> {
  const correction = await ctx.db.findOneBy(TicketTimeEntry, { corrects_id: time_entry_id });
  if (correction) throw conflict(`Time entry ${correction.time_entry_id} corrects this one: delete it first`);
}

async function checkChangeable(ctx: Context<Admin>, entry: TicketTimeEntry): Promise<void> {
  checkOwn(ctx, entry);
  const billed = await readInvoice(ctx, entry.time_entry_id);
  if (billed !== null)
    throw conflict(
      `The time is on invoice ${billed}: add a correction, or remove its line from the draft or void the invoice first`,
    );
}
