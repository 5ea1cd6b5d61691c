// The lines of an invoice and what they add up to.
import { invalid, type Context } from '@keelson/core';
import { amountOf, isShown, taxOn, unitOf } from '../money.ts';
import { InvoiceLine, InvoiceLineEntry, type lineSources } from './entities.ts';

export const MOST_LINES = 500;

/** A line that is to be stored. Quantities are in ten-thousandths (`toParts`), prices in minor units. */
export interface NewLine {
  readonly description: string;
  readonly quantity_parts: number;
  readonly unit_price_minor: number;
  readonly taxable?: boolean | undefined;
  /** What it was made of; by hand when absent. */
  readonly source?: (typeof lineSources)[number] | undefined;
  /** The subscription or product. */
  readonly source_id?: number | null | undefined;
  readonly period_start?: string | null | undefined;
  readonly period_end?: string | null | undefined;
  /** The time entries that it bills. */
  readonly time_entry_ids?: readonly number[] | undefined;
}

export interface Sums {
  readonly subtotal_minor: number;
  readonly tax_minor: number;
  readonly total_minor: number;
}

interface Terms {
  readonly currency: string;
  readonly tax_ppm: number;
}

/** What lines add up to. @throws invalid() below zero, and for more than can be shown exactly */
export function sumsOf(lines: readonly NewLine[], { currency, tax_ppm }: Terms): Sums {
  const unit = unitOf(currency);
  let subtotal_minor = 0;
  let taxed = 0;
  for (const line of lines) {
    const amount = amountOf(line, unit);
    if (!isShown(amount)) throw invalid('line_items must have smaller amounts');
    subtotal_minor += amount;
    if (line.taxable ?? true) taxed += amount;
  }
  const tax_minor = taxOn(taxed, tax_ppm, unit);
  const total_minor = subtotal_minor + tax_minor;
  if (subtotal_minor < 0 || total_minor < 0) throw invalid('line_items must not add up to less than 0');
  if (!isShown(total_minor)) throw invalid('line_items must have smaller amounts');
  return { subtotal_minor, tax_minor, total_minor };
}

/** Stores new lines in this order, and which entries they bill. */
export async function insertLines(
  ctx: Context,
  { invoice_id, currency }: { invoice_id: number; currency: string },
  lines: readonly NewLine[],
): Promise<InvoiceLine[]> {
  const unit = unitOf(currency);
  await ctx.db.insertMany(
    InvoiceLine,
    lines.map((line, position) => ({
      invoice_id,
      position,
      description: line.description,
      quantity_parts: line.quantity_parts,
      unit_price_minor: line.unit_price_minor,
      amount_minor: amountOf(line, unit),
      taxable: line.taxable ?? true,
      source: line.source ?? 'hand',
      source_id: line.source_id ?? null,
      period_start: line.period_start ?? null,
      period_end: line.period_end ?? null,
    })),
  );
  const stored = await readLines(ctx, invoice_id);
  await ctx.db.insertMany(
    InvoiceLineEntry,
    stored.flatMap(({ line_item_id, position }) =>
      (lines[position]?.time_entry_ids ?? []).map((time_entry_id) => ({ time_entry_id, line_item_id, invoice_id })),
    ),
  );
  return stored;
}

/** The lines of an invoice, in their order. */
export const readLines = (ctx: Context, invoice_id: number): Promise<InvoiceLine[]> =>
  ctx.db.find(InvoiceLine, { invoice_id }, { order: [['position', 'ASC']] });
