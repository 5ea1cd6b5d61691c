// An invoice with its lines and payments (F-31).
import { fromMinor, show, showOne, z, type Context } from '@keelson/core';
import { InvoiceCredit, readCreditsOf } from '../credits/credit-detail.ts';
import { fromParts, fromRate, toParts } from '../money.ts';
import { Payment } from '../payments/entities.ts';
import { PaymentItem } from '../payments/payment-list.ts';
import { lineSources, type Invoice } from './entities.ts';
import { InvoiceItem } from './invoice-list.ts';
import { rateOf, readLines, taxesOf, type StoredLine } from './lines.ts';

/** Maximum payments shown, newest first. */
const MOST_PAYMENTS = 1000;

const line = {
  line_item_id: z.int(),
  description: z.string(),
  quantity: z.number(),
  unit_price: z.number(),
  amount: z.number(),
  taxable: z.boolean(),
  tax_rate: z.number(),
  source: z.enum(lineSources),
  period_start: z.iso.date().nullable(),
  period_end: z.iso.date().nullable(),
  hours_worked: z.number().nullable(),
  hours_covered: z.number().nullable(),
};
const Coverage = z.object({ contract_id: z.int(), hours: z.number() });
const Line = z.object({
  ...line,
  source_id: z.int().nullable(),
  time_entry_ids: z.array(z.int()),
  coverage: z.array(Coverage),
});
const Tax = z.object({ tax_rate: z.number(), subtotal: z.number(), tax: z.number() });
const more = { taxes: z.array(Tax), payments: z.array(PaymentItem.shape), credits: z.array(InvoiceCredit) };

export const InvoiceDetail = InvoiceItem.shape.extend({ line_items: z.array(Line), ...more });
/** Includes the source of a line for customers, but no ids of the provider's records. */
export const PortalInvoiceDetail = InvoiceItem.shape.extend({ line_items: z.array(z.object(line)), ...more });

export async function readInvoice(ctx: Context, invoice: Invoice) {
  const { invoice_id } = invoice;
  const order = { payment_id: 'DESC' } as const;
  const paid = await ctx.db.find(Payment, { where: { invoice_id }, order, take: MOST_PAYMENTS });
  const lines = await readLines(ctx, invoice_id);
  return {
    ...(await showOne(ctx, InvoiceItem, invoice)),
    line_items: lines.map((each) => shownLine(each, invoice)),
    taxes: taxesOf(lines, invoice).map(({ tax_ppm, subtotal_minor, tax_minor }) => ({
      tax_rate: fromRate(tax_ppm),
      subtotal: fromMinor(subtotal_minor),
      tax: fromMinor(tax_minor),
    })),
    payments: await show(ctx, PaymentItem, paid),
    credits: await readCreditsOf(ctx, invoice_id),
  };
}

const shownLine = (row: StoredLine, invoice: Invoice): z.infer<typeof Line> => ({
  line_item_id: row.line_item_id,
  description: row.description,
  quantity: fromParts(row.quantity_parts),
  unit_price: Number(row.unit_price),
  amount: fromMinor(row.amount_minor),
  taxable: row.taxable,
  tax_rate: fromRate(rateOf(row, invoice)),
  source: row.source,
  source_id: row.source_id,
  period_start: row.period_start,
  period_end: row.period_end,
  hours_worked: hoursOf(row.worked_minutes),
  hours_covered: hoursOf(row.covered_minutes),
  time_entry_ids: [...row.time_entry_ids],
  coverage: [...Map.groupBy(row.coverage, (each) => each.contract_id)].map(([contract_id, parts]) => ({
    contract_id,
    hours: hoursOf(parts.reduce((sum, { minutes }) => sum + minutes, 0)) ?? 0,
  })),
});

/** Rounded to four decimals, like quantities. */
const hoursOf = (minutes: number | null): number | null => (minutes === null ? null : fromParts(toParts(minutes / 60)));
