// Worked time as a draft: a line for each ticket, which remembers its entries. Each entry is billed once: who bills first has
// its key, and the time of a void draft can be billed again. What a contract includes is taken off.
import { dayOf, invalid, plus, z, type Context, type Day } from '@keelson/core';
import { holdCompany } from '@keelson/modules/directory';
import { readBillableTime, TicketTimeEntry, type BillableTime } from '@keelson/modules/tickets';
import { toParts } from '../money.ts';
import { coverTime } from './coverage.ts';
import { createDraftInvoice, type NewInvoice } from './create.ts';
import { InvoiceLineEntry, type Invoice } from './entities.ts';
import { MOST_LINES, readLines, type Covered, type NewLine } from './lines.ts';
import { updateInvoice } from './update.ts';

/** Entries that one invoice is made of. */
const MOST_ENTRIES = 5000;

interface WorkedTime {
  readonly from: Day;
  readonly to: Day;
  /** The exact decimal text of the price of an hour. */
  readonly hourly_rate: string;
  /** Only these of the entries; all of those days when absent. */
  readonly time_entry_ids?: readonly number[] | undefined;
}

export interface TimeToBill extends Omit<NewInvoice, 'lines'>, WorkedTime {}

/** Bills the company's billable time of these days that no other invoice bills. @throws invalid() when there is none */
export async function createInvoiceFromTime(ctx: Context, wanted: TimeToBill): Promise<Invoice> {
  const { from, to, hourly_rate, time_entry_ids, ...given } = wanted;
  const { company_number } = given;
  const lines = await linesOfTime(ctx, company_number, { from, to, hourly_rate, time_entry_ids });
  return createDraftInvoice(ctx, { ...given, lines });
}

/** The same as further lines of a draft that was locked in the same transaction. @throws invalid(), also for another one */
export async function addTimeToInvoice(ctx: Context, invoice: Invoice, wanted: WorkedTime): Promise<Invoice> {
  const { status, company_number, invoice_id } = invoice;
  if (status !== 'draft') throw invalid('Time may be added to drafts only');
  const added = await linesOfTime(ctx, company_number, wanted);
  const lines = [...(await readLines(ctx, invoice_id)), ...added];
  if (lines.length > MOST_LINES) throw invalid(`line_items must contain at most ${MOST_LINES} lines`);
  return updateInvoice(ctx, invoice, { lines });
}

/** A line for each ticket. Who bills the same company waits until the transaction has ended. */
async function linesOfTime(ctx: Context, company_number: number, wanted: WorkedTime): Promise<NewLine[]> {
  const { from, to, hourly_rate, time_entry_ids } = wanted;
  if (to < from) throw invalid('to must not be before from');
  await holdCompany(ctx, company_number);
  const entries = await readBillableTime(ctx, { company_number, from, to }, MOST_ENTRIES + 1);
  const open = only(await withoutBilled(ctx, entries), time_entry_ids);
  if (open.length === 0) throw invalid('There is no billable time in this period that was not billed already');
  const tickets = [...Map.groupBy(open, ({ ticket_id }) => ticket_id).values()];
  if (entries.length > MOST_ENTRIES || tickets.length > MOST_LINES)
    throw invalid(
      `The period must be shorter: an invoice has at most ${MOST_LINES} tickets and ${MOST_ENTRIES} entries`,
    );
  const coverage = await coverTime(ctx, { company_number, from, to }, open);
  const lines = tickets.map((each) => lineFor(each, coverage, hourly_rate));
  if (lines.reduce((sum, each) => sum + each.quantity_parts, 0) < 0)
    throw invalid('Corrections take back more than was worked in this period: make the period longer');
  return lines;
}

function only(open: readonly BillableTime[], ids: readonly number[] | undefined): readonly BillableTime[] {
  if (!ids) return open;
  const wanted = new Set(ids);
  const chosen = open.filter(({ time_entry_id }) => wanted.has(time_entry_id));
  if (chosen.length < wanted.size)
    throw invalid('time_entry_ids must be entries of this period that are not billed yet');
  return chosen;
}

/** An entry that nobody has billed, as the person who bills it wants to see it. */
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

/** Billable time of these days that no invoice bills, the oldest first, and what contracts include of it. */
export async function readOpenTime(
  ctx: Context,
  { company_number, from, to }: { readonly company_number: number; readonly from: Day; readonly to: Day },
): Promise<(z.infer<typeof OpenEntry> & { readonly coverage: readonly Covered[] })[]> {
  if (to < from) throw invalid('to must not be before from');
  const entries = await readBillableTime(ctx, { company_number, from, to }, MOST_ENTRIES);
  const open = await withoutBilled(ctx, entries, { lock: false });
  if (open.length === 0) return [];
  const coverage = await coverTime(ctx, { company_number, from, to }, open, { lock: false });
  const time_entry_id = open.map((each) => each.time_entry_id);
  const rows = await ctx.db.find(TicketTimeEntry, { time_entry_id });
  const wordsOf = new Map(rows.map((each) => [each.time_entry_id, each]));
  return open.map((each) => {
    const { user_name = '', description = '' } = wordsOf.get(each.time_entry_id) ?? {};
    const parts = coverage.get(each.time_entry_id) ?? [];
    const covered_minutes = parts.reduce((sum, { minutes }) => sum + minutes, 0);
    return { ...each, user_name, description, covered_minutes, coverage: parts };
  });
}

/** The first and the last day of a month: `2026-11`. */
export function daysOf(month: string): { from: Day; to: Day } {
  const from = `${month}-01`;
  const inNext = dayOf(plus(`${from}T00:00:00.000Z`, { days: 31 }));
  return { from, to: dayOf(plus(`${inNext.slice(0, 7)}-01T00:00:00.000Z`, { days: -1 })) };
}

async function withoutBilled(
  ctx: Context,
  entries: readonly BillableTime[],
  { lock = true } = {},
): Promise<readonly BillableTime[]> {
  if (entries.length === 0) return [];
  const billing_id = entries.map(({ time_entry_id }) => time_entry_id);
  // Who bills locks them, because only so they are what others have committed meanwhile.
  const rows = await ctx.db.find(InvoiceLineEntry, { billing_id }, { lock });
  const billed = new Set(rows.map((each) => each.billing_id));
  return entries.filter(({ time_entry_id }) => !billed.has(time_entry_id));
}

/** The hours that no contract includes, to four decimals, so that quantity times price is the amount that is shown. */
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
