// Billing data that records of other modules show or check.
import { In } from '@keelson/core';
import type { Context } from '@keelson/core';
import { fill } from '@keelson/core/plugin';
import { BilledTime } from '@keelson/modules/tickets';
import { Invoice, InvoiceLineEntry } from './invoices/entities.ts';

/** Returns the invoices, including drafts, that bill these time entries; void ones are ignored. */
async function readBilled(ctx: Context, billing_id: readonly number[]) {
  const rows = await ctx.db.findBy(InvoiceLineEntry, { billing_id: In(billing_id) });
  const invoices = await ctx.db.findBy(Invoice, { invoice_id: In(rows.map((each) => each.invoice_id)) });
  const numberOf = new Map(invoices.map((each) => [each.invoice_id, each.invoice_number]));
  return new Map(
    rows.map((each) => [each.time_entry_id, { invoice_number: numberOf.get(each.invoice_id) ?? '' }] as const),
  );
}

export default [fill(BilledTime, readBilled)];
