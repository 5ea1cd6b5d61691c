// Creates draft invoices, including those for subscriptions, purchases and worked time.
import { addDays, create, In, invalid, today, type Context, type Day } from '@keelson/core';
import { readCurrency } from '@keelson/core/plugin';
import { holdCompany } from '@keelson/modules/directory';
import { takeNumber } from '../numbers.ts';
import { Invoice } from './entities.ts';
import { Invoices } from './invoices.ts';
import { insertLines, MOST_LINES, sumsOf, type NewLine } from './lines.ts';

const DAYS_TO_PAY = 30;

export interface NewInvoice {
  readonly company_number: number;
  readonly lines: readonly NewLine[];
  /** Defaults to the next in sequence (B-02). */
  readonly invoice_number?: string | undefined;
  /** Defaults to today. */
  readonly issue_date?: string | undefined;
  /** Defaults to 30 days after `issue_date`. */
  readonly due_date?: string | undefined;
  /** In parts per million. Defaults to no tax. */
  readonly tax_ppm?: number | undefined;
  /** Defaults to the tenant's currency. */
  readonly currency?: string | undefined;
  readonly notes?: string | undefined;
}

/**
 * Creates a draft with its lines in the caller's transaction, which also takes its number, without gaps.
 * @throws invalid() for an unknown company or lines that cannot be billed; duplicate() for a number in use
 */
export async function createDraftInvoice(ctx: Context, { lines, ...given }: NewInvoice): Promise<Invoice> {
  if (lines.length === 0 || lines.length > MOST_LINES) throw invalid(`line_items must be 1 to ${MOST_LINES} lines`);
  const { company_number, issue_date = today(ctx), tax_ppm = 0, notes = '' } = given;
  const home = await readCurrency(ctx);
  const currency = given.currency ?? home;
  const sums = sumsOf(lines, { currency, tax_ppm });
  await holdCompany(ctx, company_number);
  const row = {
    company_number,
    issue_date,
    due_date: given.due_date ?? usualDueDate(issue_date),
    tax_ppm,
    currency,
    notes,
    home: currency === home,
    ...sums,
    invoice_number: given.invoice_number ?? (await nextNumber(ctx)),
  };
  return create(ctx, Invoices, row, {
    store: (invoice) => insertLines(ctx, invoice, lines),
  });
}

/** Returns the default due date: 30 days after the issue date (B-01). */
export const usualDueDate = (issue_date: Day): Day => addDays(issue_date, DAYS_TO_PAY);

const nextNumber = (ctx: Context): Promise<string> =>
  takeNumber(ctx, {
    name: 'invoice',
    prefix: 'INV',
    async taken(there, keys) {
      const found = await there.db.findBy(Invoice, { number_key: In(keys) });
      return found.map(({ number_key }) => number_key);
    },
  });
