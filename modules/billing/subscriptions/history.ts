// The billing history of a subscription, and its next invoice.
import { fromMinor, In, LessThanOrEqual, z, type Context } from '@keelson/core';
import { Invoice, invoiceStatuses } from '../invoices/entities.ts';
import { rateOf, sumsOf, taxesOf } from '../invoices/lines.ts';
import { amountOf, fromParts, fromRate, unitOf } from '../money.ts';
import { SubscriptionInvoices } from '../settings.ts';
import { duePeriods, linesOf, MOST_PERIOD_LINES } from './bill.ts';
import { Subscription, SubscriptionPeriod } from './entities.ts';

/** Maximum periods shown, newest first. */
const MOST_SHOWN = 500;

export const BilledPeriod = z.object({
  period_start: z.iso.date(),
  period_end: z.iso.date(),
  quantity: z.int(),
  unit_price: z.number(),
  amount: z.number(),
  invoice_id: z.int(),
  invoice_number: z.string(),
  invoice_status: z.enum(invoiceStatuses),
});

/** Returns the billed periods of a subscription with their invoices, newest first. */
export async function readBilledPeriods(ctx: Context, { subscription_id }: Subscription) {
  const order = { period_start: 'DESC' } as const;
  const rows = await ctx.db.find(SubscriptionPeriod, { where: { subscription_id }, order, take: MOST_SHOWN });
  const invoice_id = In([...new Set(rows.map((each) => each.invoice_id))]);
  const invoices = await ctx.db.findBy(Invoice, { invoice_id });
  const invoiceOf = new Map(invoices.map((each) => [each.invoice_id, each]));
  return rows.map((each): z.infer<typeof BilledPeriod> => ({
    period_start: each.period_start,
    period_end: each.period_end,
    quantity: each.quantity,
    unit_price: fromMinor(each.unit_price_minor),
    amount: fromMinor(each.amount_minor),
    invoice_id: each.invoice_id,
    invoice_number: invoiceOf.get(each.invoice_id)?.invoice_number ?? '',
    invoice_status: invoiceOf.get(each.invoice_id)?.status ?? 'void',
  }));
}

const NextLine = z.object({
  subscription_id: z.int(),
  description: z.string(),
  quantity: z.number(),
  unit_price: z.number(),
  tax_rate: z.number(),
  amount: z.number(),
});

/** The next invoice; without a date if nothing more is billed. */
export const NextInvoice = z.object({
  date: z.iso.date().nullable(),
  currency: z.string(),
  line_items: z.array(NextLine),
  taxes: z.array(z.object({ tax_rate: z.number(), tax: z.number() })),
  subtotal: z.number(),
  total: z.number(),
});

/**
 * Returns the contents of the next invoice with this subscription, including the company's other subscriptions due that
 * day.
 */
export async function readNextInvoice(ctx: Context, of: Subscription): Promise<z.infer<typeof NextInvoice>> {
  const { company_number, currency, next_billing_date: date } = of;
  const { tax_ppm } = await ctx.app.settings.get(ctx, SubscriptionInvoices);
  const due = date === null ? [] : await readDue(ctx, { company_number, currency, date });
  const billings = due.map((each) => ({
    subscription: each,
    periods: duePeriods(each, date ?? '', MOST_PERIOD_LINES),
  }));
  const lines = (await linesOf(ctx, company_number, billings)).slice(0, MOST_PERIOD_LINES);
  const unit = unitOf(currency);
  const sums = sumsOf(lines, { currency, tax_ppm });
  return {
    date,
    currency,
    line_items: lines.map((line) => ({
      subscription_id: line.source_id,
      description: line.description,
      quantity: fromParts(line.quantity_parts),
      unit_price: Number(line.unit_price),
      tax_rate: fromRate(rateOf(line, { tax_ppm })),
      amount: fromMinor(amountOf(line, unit)),
    })),
    taxes: taxesOf(lines, { currency, tax_ppm }).map((each) => ({
      tax_rate: fromRate(each.tax_ppm),
      tax: fromMinor(each.tax_minor),
    })),
    subtotal: fromMinor(sums.subtotal_minor),
    total: fromMinor(sums.total_minor),
  };
}

interface Due {
  readonly company_number: number;
  readonly currency: string;
  readonly date: string;
}

function readDue(ctx: Context, { date, ...of }: Due): Promise<Subscription[]> {
  const where = { ...of, status: 'active', next_billing_date: LessThanOrEqual(date) } as const;
  return ctx.db.find(Subscription, { where, order: { subscription_id: 'ASC' }, take: MOST_PERIOD_LINES });
}
