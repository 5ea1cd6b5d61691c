// Drafts invoices from worked time: one line per ticket, which keeps its entries. An entry is billed once, by the first
// invoice to take its key; the time of a void invoice can be billed again. Subtracts what contracts include.
import { addDays, In, invalid, sql, z, type Context, type Day } from '@keelson/core';
import { holdCompany } from '@keelson/modules/directory';
import { readBillableTime, TicketTimeEntry, type BillableTime } from '@keelson/modules/tickets';
import { toParts } from '../money.ts';
import { coverTime } from './coverage.ts';
import { createDraftInvoice, type NewInvoice } from './create.ts';
import { InvoiceLineEntry, type Invoice } from './entities.ts';
import { MOST_LINES, readLines, type Covered, type NewLine } from './lines.ts';
import { updateInvoice } from './update.ts';

/** Maximum entries per invoice. */
const MOST_ENTRIES = 5000;
const TOO_LONG = `The period must be shorter: an invoice can have at most ${MOST_LINES} tickets and ${MOST_ENTRIES} entries`;

interface WorkedTime {
  readonly from: Day;
  readonly to: Day;
  /** The exact decimal text of the hourly rate. */
  readonly hourly_rate: string;
  /** Restricts to these entries; defaults to all in the period. */
  readonly time_entry_ids?: readonly number[] | undefined;
}

export interface TimeToBill extends Omit<NewInvoice, 'lines'>, WorkedTime {}

/** Bills the company's billable, unbilled time of the period. @throws invalid() when there is none */
export async function createInvoiceFromTime(ctx: Context, wanted: TimeToBill): Promise<Invoice> {
  const { from, to, hourly_rate, time_entry_ids, ...given } = wanted;
  const { company_number } = given;
  const lines = await linesOfTime(ctx, company_number, { from, to, hourly_rate, time_entry_ids });
  return createDraftInvoice(ctx, { ...given, lines });
}

/** Adds worked time to a draft that was locked in the same transaction. @throws invalid(), also if it is not a draft */
export async function addTimeToInvoice(ctx: Context, invoice: Invoice, wanted: WorkedTime): Promise<Invoice> {
  const { status, company_number, invoice_id } = invoice;
  if (status !== 'draft') throw invalid('Time can only be added to drafts');
  const added = await linesOfTime(ctx, company_number, wanted);
  const lines = [...(await readLines(ctx, invoice_id)), ...added];
  if (lines.length > MOST_LINES) throw invalid(`line_items must contain at most ${MOST_LINES} lines`);
  return updateInvoice(ctx, invoice, { lines });
}

/** Returns one line per ticket. Locks the company until the transaction ends, so that billing runs are serialised. */
async function linesOfTime(ctx: Context, company_number: number, wanted: WorkedTime): Promise<NewLine[]> {
  const { from, to, hourly_rate, time_entry_ids } = wanted;
  if (to < from) throw invalid('to must not be before from');
  await holdCompany(ctx, company_number);
  const entries = await readBillableTime(
    ctx,
    { company_number, from, to },
    { limit: MOST_ENTRIES + 1, where: unbilled },
  );
  if (entries.length > MOST_ENTRIES) throw invalid(TOO_LONG);
  const open = only(await withoutBilled(ctx, entries), time_entry_ids);
  if (open.length === 0) throw invalid('There is no unbilled billable time in this period');
  const tickets = [...Map.groupBy(open, ({ ticket_id }) => ticket_id).values()];
  if (tickets.length > MOST_LINES) throw invalid(TOO_LONG);
  const coverage = await coverTime(ctx, { company_number, from, to }, open);
  const lines = tickets.map((each) => lineFor(each, coverage, hourly_rate));
  if (lines.reduce((sum, each) => sum + each.quantity_parts, 0) < 0)
    throw invalid('Corrections exceed the time worked in this period: choose a longer period');
  return lines;
}

function only(open: readonly BillableTime[], ids: readonly number[] | undefined): readonly BillableTime[] {
  if (!ids) return open;
  const wanted = new Set(ids);
  const chosen = open.filter(({ time_entry_id }) => wanted.has(time_entry_id));
  if (chosen.length < wanted.size) throw invalid('time_entry_ids must be unbilled entries of this period');
  return chosen;
}

/** An unbilled entry as shown for selection. */
export const OpenEntry = z.object({
  time_entry_id: z.int(),
  ticket_id: z.int(),
  ticket_number: z.int(),
  subject: z.string(),
  user_name: z.string(),
  description: z.string(),
  work_date: z.iso.date(),
  duration_minutes: z.int(),
  covered_minutes: z.int(),
});

/** Returns the unbilled, billable time of the period, oldest first, with its contract coverage. */
export async function readOpenTime(
  ctx: Context,
  { company_number, from, to }: { readonly company_number: number; readonly from: Day; readonly to: Day },
): Promise<(z.infer<typeof OpenEntry> & { readonly coverage: readonly Covered[] })[]> {
  if (to < from) throw invalid('to must not be before from');
  const open = await readBillableTime(ctx, { company_number, from, to }, { limit: MOST_ENTRIES, where: unbilled });
  if (open.length === 0) return [];
  const coverage = await coverTime(ctx, { company_number, from, to }, open, { lock: false });
  const time_entry_id = open.map((each) => each.time_entry_id);
  const rows = await ctx.db.findBy(TicketTimeEntry, { time_entry_id: In(time_entry_id) });
  const wordsOf = new Map(rows.map((each) => [each.time_entry_id, each]));
  return open.map((each) => {
    const { user_name = '', description = '' } = wordsOf.get(each.time_entry_id) ?? {};
    const parts = coverage.get(each.time_entry_id) ?? [];
    const covered_minutes = parts.reduce((sum, { minutes }) => sum + minutes, 0);
    return { ...each, user_name, description, covered_minutes, coverage: parts };
  });
}

/** Returns the first and last day of a month such as `2026-11`. */
export function daysOf(month: string): { from: Day; to: Day } {
  const from = `${month}-01`;
  const inNext = addDays(from, 31);
  return { from, to: addDays(`${inNext.slice(0, 7)}-01`, -1) };
}

/** Excludes the time entries that an invoice bills. */
export const unbilled = sql`NOT EXISTS (SELECT 1 FROM invoice_line_entry
  WHERE invoice_line_entry.billing_id = ticket_time_entry.time_entry_id)`;

/** Drops entries billed since the transaction began, which only a locking read sees. */
async function withoutBilled(ctx: Context, entries: readonly BillableTime[]): Promise<readonly BillableTime[]> {
  if (entries.length === 0) return [];
  const billing_id = entries.map(({ time_entry_id }) => time_entry_id);
  const rows = await ctx.db.find(InvoiceLineEntry, {
    where: { billing_id: In(billing_id) },
    lock: { mode: 'pessimistic_write' },
  });
  const billed = new Set(rows.map((each) => each.billing_id));
  return entries.filter(({ time_entry_id }) => !billed.has(time_entry_id));
}

/**
 * Bills the hours that no contract includes, to four decimals, so that quantity times price equals the displayed
 * amount.
 */
function lineFor(
  entries: readonly BillableTime[],
  coverageOf: ReadonlyMap<number, readonly Covered[]>,
  hourly_rate: string,
): NewLine {
  const [first] = entries;
  const worked_minutes = entries.reduce((sum, each) => sum + each.duration_minutes, 0);
  const coverage = entries.flatMap(({ time_entry_id }) => coverageOf.get(time_entry_id) ?? []);
  const covered = coverage.reduce((sum, { minutes }) => sum + minutes, 0);
  return {
    description: `Ticket ${first?.ticket_number}: ${first?.subject}`,
    quantity_parts: toParts((worked_minutes - covered) / 60),
    unit_price: hourly_rate,
    source: 'entry',
    time_entry_ids: entries.map(({ time_entry_id }) => time_entry_id),
    worked_minutes,
    coverage,
  };
}
