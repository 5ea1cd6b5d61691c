// Request bodies of invoices (B-01) and their conversion.
import { input, invalid, z } from '@keelson/core';
import { bodyObject, invoiceWords, lineObject, linesWords } from '../line-words.ts';
import { moneyInput, QUANTITY_RANGE, toParts } from '../money.ts';
import type { NewInvoice } from './create.ts';
import type { InvoiceStatus } from './entities.ts';
import { daysOf, type TimeToBill } from './from-time.ts';
import { MOST_LINES, quantityProblem, type NewLine } from './lines.ts';
import type { InvoiceUpdate } from './update.ts';

const line = lineObject({
  line_item_id: input.optional(input.id()),
  description: input.longText(),
  quantity: input.optional(moneyInput.storedQuantity()),
  unit_price: moneyInput.unitPrice(),
  taxable: input.optional(input.flag()),
  tax_rate: input.optional(moneyInput.rate()),
})
  .refine(({ line_item_id, quantity }) => line_item_id !== undefined || quantity === undefined || quantity > 0, {
    path: ['quantity'],
    error: QUANTITY_RANGE,
  })
  .refine(({ taxable, tax_rate }) => taxable !== false || !tax_rate, {
    path: ['tax_rate'],
    error: 'must be 0 or absent on a line that is not taxable',
  });
type LineInput = z.output<typeof line>;

export const required = {
  company_number: input.id(),
  line_items: z
    .array(line)
    .min(1, 'must contain at least one line')
    .max(MOST_LINES, `must contain at most ${MOST_LINES} lines`),
};
export const optional = {
  issue_date: input.optional(input.day()),
  due_date: input.optional(input.day()),
  tax_rate: input.optional(moneyInput.rate()),
  currency: input.optional(moneyInput.currency()),
  notes: input.optionalLongText(),
};

interface Terms {
  readonly issue_date?: string | undefined;
  readonly due_date?: string | undefined;
  readonly tax_rate?: number | undefined;
  readonly currency?: string | undefined;
  readonly notes?: string | undefined;
}

interface CreateBody extends Terms {
  readonly company_number: number;
  readonly line_items: readonly LineInput[];
  readonly invoice_number?: string | undefined;
}

export function newInvoiceOf({ line_items, tax_rate, ...body }: CreateBody): NewInvoice {
  const { company_number, invoice_number, issue_date, due_date, currency, notes } = body;
  const terms = { issue_date, due_date, currency, notes, tax_ppm: tax_rate };
  // New lines get their ids from the server (V-13).
  const lines = line_items.map((each) => ({ ...lineOf(each), line_item_id: undefined }));
  for (const [at, { quantity_parts }] of lines.entries()) if (quantity_parts < 0) throw invalid(quantityProblem(at));
  return { company_number, invoice_number, ...terms, lines };
}

interface ChangeBody extends Terms {
  readonly company_number?: number | undefined;
  readonly line_items?: readonly LineInput[] | undefined;
  readonly status?: InvoiceStatus | undefined;
}

export function changesOf({ line_items, tax_rate, ...wanted }: ChangeBody): InvoiceUpdate {
  return { ...wanted, tax_ppm: tax_rate, lines: line_items?.map(lineOf) };
}

const lineOf = ({ line_item_id, description, quantity = toParts(1), ...line }: LineInput): NewLine => ({
  line_item_id,
  description,
  quantity_parts: quantity,
  unit_price: line.unit_price,
  taxable: line.taxable,
  tax_ppm: line.tax_rate,
});

const ON_INVOICE = 'is not supported: set it on the invoice';

/** Maximum time entries named in one request. */
const MOST_NAMED = 1000;

const PERIOD = /^\d{4}-(?:0[1-9]|1[0-2])$/;

/** A month, or the days `from` and `to`; all entries of the period, or the named ones. */
const worked = {
  hourly_rate: moneyInput.unitPrice({ min: 0 }),
  period: input.optional(z.string().refine((text) => PERIOD.test(text) && text >= '1000', 'must be a month (YYYY-MM)')),
  from: input.optional(input.day()),
  to: input.optional(input.day()),
  time_entry_ids: input.optional(z.array(input.id()).min(1, 'must contain at least one entry').max(MOST_NAMED)),
};
const byTime = 'is not supported: it is computed from the worked time';
const byHand = {
  line_items: 'is not supported: lines are those of the worked time',
  ...{ subtotal: byTime, tax: byTime, total: byTime },
  ...linesWords,
};
export const timeToAdd = bodyObject(worked, { ...invoiceWords, ...byHand, tax_rate: ON_INVOICE });
export const timeToBill = bodyObject(
  { company_number: input.id(), ...worked, ...optional },
  { ...invoiceWords, ...byHand, rate: 'is not supported: use hourly_rate' },
);

export function timeToBillOf({ tax_rate, ...body }: z.output<typeof timeToBill>): TimeToBill {
  const { company_number, issue_date, due_date, currency, notes } = body;
  return { company_number, issue_date, due_date, currency, notes, tax_ppm: tax_rate, ...workedOf(body) };
}

/** Returns the period, the rate and the entries. @throws invalid() without a period */
export function workedOf({ period, from, to, hourly_rate, time_entry_ids }: z.output<typeof timeToAdd>) {
  if (period !== undefined) return { hourly_rate, time_entry_ids, ...daysOf(period) };
  if (from === undefined || to === undefined) throw invalid('period is required, or from and to');
  return { hourly_rate, time_entry_ids, from, to };
}
