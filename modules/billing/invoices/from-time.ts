// Worked time as a draft: a line for each ticket, which remembers its entries. Each entry is billed once: who bills first has
// its key, and the time of a void draft can be billed again. What a contract includes is taken off.
import { dayOf, invalid, plus, type Context, type Day } from '@keelson/core';
import { holdCompany } from '@keelson/modules/directory';
import { readBillableTime, type BillableTime } from '@keelson/modules/tickets';
import { toParts } from '../money.ts';
import { coverTime } from './coverage.ts';
import { createDraftInvoice, type NewInvoice } from './create.ts';
import { InvoiceLineEntry, type Invoice } from './entities.ts';
import { MOST_LINES, type Covered, type NewLine } from './lines.ts';

/** Entries that one invoice is made of. */
const MOST_ENTRIES = 5000;

export interface TimeToBill extends Omit<NewInvoice, 'lines'> {
  readonly from: Day;
  readonly to: Day;
  /** The exact decimal text of the price of an hour. */
  readonly hourly_rate: string;
}

/** Bills the company's billable time of these days that no other invoice bills. @throws invalid() when there is none */
export async function createInvoiceFromTime(ctx: Context, wanted: TimeToBill): Promise<Invoice> {
  const { from, to, hourly_rate, ...given } = wanted;
  const { company_number } = given;
  if (to < from) throw invalid('to must not be before from');
  // Who bills the same company waits here.
  await holdCompany(ctx, company_number);
  const entries = await readBillableTime(ctx, { company_number, from, to }, MOST_ENTRIES + 1);
  const open = await withoutBilled(ctx, entries);
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
  return createDraftInvoice(ctx, { ...given, lines });
}

/** The first and the last day of a month: `2026-11`. */
export function daysOf(month: string): { from: Day; to: Day } {
  const from = `${month}-01`;
  const inNext = dayOf(plus(`${from}T00:00:00.000Z`, { days: 31 }));
  return { from, to: dayOf(plus(`${inNext.slice(0, 7)}-01T00:00:00.000Z`, { days: -1 })) };
}

async function withoutBilled(ctx: Context, entries: readonly BillableTime[]): Promise<BillableTime[]> {
  if (entries.length === 0) return [];
  const billing_id = entries.map(({ time_entry_id }) => time_entry_id);
  // Locked, because only so it is what others have committed meanwhile.
  const rows = await ctx.db.find(InvoiceLineEntry, { billing_id }, { lock: true });
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
