// The lines of an invoice and their totals.
import { invalid, type Context } from '@keelson/core';
import { amountOf, isShown, QUANTITY_RANGE, taxOn, unitOf } from '../money.ts';
import { InvoiceLine, InvoiceLineCoverage, InvoiceLineEntry, type lineSources } from './entities.ts';

export const MOST_LINES = 500;

/** A line to store. Quantities are in ten-thousandths (`toParts`), prices exact decimal texts (`priceOf`). */
export interface NewLine {
  readonly description: string;
  readonly quantity_parts: number;
  readonly unit_price: string;
  readonly taxable?: boolean | undefined;
  /** The line's own tax rate in parts per million; absent or null for the invoice's. */
  readonly tax_ppm?: number | null | undefined;
  /** The source of the line; defaults to manual. */
  readonly source?: (typeof lineSources)[number] | undefined;
  /** The subscription or product. */
  readonly source_id?: number | null | undefined;
  readonly period_start?: string | null | undefined;
  readonly period_end?: string | null | undefined;
  /** The time entries that the line bills. */
  readonly time_entry_ids?: readonly number[] | undefined;
  /** The minutes worked in them. */
  readonly worked_minutes?: number | null | undefined;
  /** The contract coverage of those minutes. */
  readonly coverage?: readonly Covered[] | undefined;
  /** The id of an existing line. */
  readonly line_item_id?: number | undefined;
}

/** Returns the error message for the quantity of a line. */
export const quantityProblem = (at: number): string => `line_items[${at}].quantity ${QUANTITY_RANGE}`;

/** @throws invalid() if lines have the same id */
export function requireOnce(lines: readonly Pick<NewLine, 'line_item_id'>[]): void {
  const ids = lines.flatMap(({ line_item_id }) => line_item_id ?? []);
  if (new Set(ids).size < ids.length) throw invalid('line_items must name each line once');
}

/** The part of a time entry that a contract includes. */
export type Covered = Pick<InvoiceLineCoverage, 'time_entry_id' | 'contract_id' | 'period_start' | 'minutes'>;

/** A line with its time entries. */
export type StoredLine = InvoiceLine & {
  readonly time_entry_ids: readonly number[];
  readonly coverage: readonly Covered[];
};

interface Terms {
  readonly currency: string;
  readonly tax_ppm: number;
}

/** Returns the totals of the lines. @throws invalid() for a negative total, or amounts that cannot be exact */
export function sumsOf(lines: readonly NewLine[], { currency, tax_ppm }: Terms) {
  const unit = unitOf(currency);
  let subtotal_minor = 0;
  for (const line of lines) {
    const amount = amountOf(line, unit);
    subtotal_minor += amount;
    if (![amount, subtotal_minor].every(isShown)) throw invalid('line_items must have smaller amounts');
  }
  const tax_minor = taxesOf(lines, { currency, tax_ppm }).reduce((sum, each) => sum + each.tax_minor, 0);
  const total_minor = subtotal_minor + tax_minor;
  if (subtotal_minor < 0 || total_minor < 0) throw invalid('line_items must not add up to less than 0');
  if (!isShown(total_minor)) throw invalid('line_items must have smaller amounts');
  return { subtotal_minor, tax_minor, total_minor };
}

/** Returns the tax rate of a line, in parts per million. */
export const rateOf = ({ taxable = true, tax_ppm }: Rated, terms: Pick<Terms, 'tax_ppm'>): number =>
  taxable ? (tax_ppm ?? terms.tax_ppm) : 0;
type Rated = Pick<NewLine, 'taxable' | 'tax_ppm'>;

/** The subtotal and tax at one rate. Tax is rounded once per rate, not per line. */
export interface RateSum {
  readonly tax_ppm: number;
  readonly subtotal_minor: number;
  readonly tax_minor: number;
}

/** Returns the totals for each rate, lowest first. */
export function taxesOf(lines: readonly NewLine[], terms: Terms): RateSum[] {
  const unit = unitOf(terms.currency);
  const rates = [...Map.groupBy(lines, (line) => rateOf(line, terms))].toSorted(([a], [b]) => a - b);
  return rates.map(([tax_ppm, group]) => {
    const subtotal_minor = group.reduce((sum, line) => sum + amountOf(line, unit), 0);
    return { tax_ppm, subtotal_minor, tax_minor: taxOn(subtotal_minor, tax_ppm, unit) };
  });
}

interface Place {
  readonly invoice_id: number;
  readonly currency: string;
}

/**
 * Inserts the lines in this order, and the entries they bill.
 * @throws DuplicateKey when another invoice bills one of the entries
 */
export async function insertLines(ctx: Context, invoice: Place, lines: readonly NewLine[]): Promise<void> {
  const { invoice_id } = invoice;
  const unit = unitOf(invoice.currency);
  const rows = lines.map((line, position) => ({
    ...(line.line_item_id !== undefined && { line_item_id: line.line_item_id }),
    invoice_id,
    position,
    description: line.description,
    quantity_parts: line.quantity_parts,
    unit_price: line.unit_price,
    amount_minor: amountOf(line, unit),
    taxable: line.taxable ?? true,
    tax_ppm: line.tax_ppm ?? null,
    source: line.source ?? 'hand',
    source_id: line.source_id ?? null,
    period_start: line.period_start ?? null,
    period_end: line.period_end ?? null,
    worked_minutes: line.worked_minutes ?? null,
    covered_minutes: line.worked_minutes === undefined || line.worked_minutes === null ? null : coveredBy(line),
  }));
  const [again, fresh] = [true, false].map((known) => rows.filter((each) => 'line_item_id' in each === known));
  await ctx.db.insert(InvoiceLine, again ?? []);
  await ctx.db.insert(InvoiceLine, fresh ?? []);
  if (!lines.some(({ time_entry_ids = [] }) => time_entry_ids.length > 0)) return;
  const stored = await ctx.db.findBy(InvoiceLine, { invoice_id });
  const places = stored.map(({ line_item_id, position }) => ({ line_item_id, invoice_id, line: lines[position] }));
  await ctx.db.insert(
    InvoiceLineEntry,
    places.flatMap(({ line, ...place }) =>
      (line?.time_entry_ids ?? []).map((time_entry_id) => ({ ...place, time_entry_id, billing_id: time_entry_id })),
    ),
  );
  await ctx.db.insert(
    InvoiceLineCoverage,
    places.flatMap(({ line, ...place }) => (line?.coverage ?? []).map((each) => ({ ...each, ...place }))),
  );
}

const coveredBy = ({ coverage = [] }: NewLine): number => coverage.reduce((sum, { minutes }) => sum + minutes, 0);

/** Replaces the lines of a draft. The entries of removed lines can be billed again. */
export async function replaceLines(ctx: Context, invoice: Place, lines: readonly NewLine[]): Promise<void> {
  const { invoice_id } = invoice;
  await ctx.db.delete(InvoiceLineEntry, { invoice_id });
  await ctx.db.delete(InvoiceLineCoverage, { invoice_id });
  await ctx.db.delete(InvoiceLine, { invoice_id });
  await insertLines(ctx, invoice, lines);
}

/** Releases the time entries and contract hours of an invoice for reuse. The lines keep them for reference. */
export async function freeEntries(ctx: Context, invoice_id: number): Promise<void> {
  await ctx.db.update(InvoiceLineEntry, { invoice_id }, { billing_id: null });
  await ctx.db.update(InvoiceLineCoverage, { invoice_id }, { used: false });
}

/** Returns the lines of an invoice, in order. */
export async function readLines(ctx: Context, invoice_id: number): Promise<StoredLine[]> {
  const lines = await ctx.db.find(InvoiceLine, { where: { invoice_id }, order: { position: 'ASC' } });
  const order = { time_entry_id: 'ASC' } as const;
  const worked = lines.some(({ source }) => source === 'entry');
  const entries = worked ? await ctx.db.find(InvoiceLineEntry, { where: { invoice_id }, order }) : [];
  const covered = lines.some(({ covered_minutes }) => (covered_minutes ?? 0) !== 0);
  const coverage = covered ? await ctx.db.find(InvoiceLineCoverage, { where: { invoice_id }, order }) : [];
  const entriesOf = Map.groupBy(entries, ({ line_item_id }) => line_item_id);
  const coverageOf = Map.groupBy(coverage, ({ line_item_id }) => line_item_id);
  return lines.map((line) => ({
    ...line,
    time_entry_ids: (entriesOf.get(line.line_item_id) ?? []).map(({ time_entry_id }) => time_entry_id),
    coverage: (coverageOf.get(line.line_item_id) ?? []).map(
      ({ time_entry_id, contract_id, period_start, minutes }) => ({
        time_entry_id,
        contract_id,
        period_start,
        minutes,
      }),
    ),
  }));
}
