// The amounts of a credit note. They are differences of running totals over all credits of an invoice, so that
// rounding errors never add up: once everything is credited, amounts and tax are exactly the invoice's.
import { invalid } from '@keelson/core';
import type { Invoice } from '../invoices/entities.ts';
import { rateOf, requireOnce, type StoredLine } from '../invoices/lines.ts';
import { amountOf, formatterOf, fromParts, taxOn, unitOf } from '../money.ts';
import type { CreditNoteLine } from './entities.ts';

/** A line of the invoice to credit. */
export interface WantedLine {
  readonly line_item_id: number;
  /** In ten-thousandths, above 0; defaults to the remaining quantity. */
  readonly quantity_parts?: number | undefined;
}

/** The credited part of a line; its amount is negative. */
export type Credited = Pick<
  CreditNoteLine,
  'invoice_line_id' | 'description' | 'quantity_parts' | 'unit_price' | 'amount_minor' | 'tax_ppm'
>;

/** The subtotal and tax credited at one rate. */
export interface CreditedRate {
  readonly tax_ppm: number;
  readonly subtotal_minor: number;
  readonly tax_minor: number;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0);

/** Returns the quantity of a line that is not credited yet, in ten-thousandths; negative for negative quantities. */
export function leftOf({ line_item_id, quantity_parts }: StoredLine, before: readonly Credited[]): number {
  return (
    quantity_parts +
    sum(before.filter((each) => each.invoice_line_id === line_item_id).map((each) => each.quantity_parts))
  );
}

/**
 * Returns the credited lines; without `wanted`, everything that remains. `before` are the lines of the invoice's
 * earlier credit notes.
 * @throws invalid() for more than was invoiced
 */
export function creditLines(
  invoice: Invoice,
  { lines, before }: { readonly lines: readonly StoredLine[]; readonly before: readonly Credited[] },
  wanted: readonly WantedLine[] | undefined,
): Credited[] {
  const unit = unitOf(invoice.currency);
  const all = lines.filter((each) => leftOf(each, before) !== 0);
  if (all.length === 0) throw invalid('invoice_id must be an invoice with something left to credit');
  const chosen = wanted ?? all.map(({ line_item_id }): WantedLine => ({ line_item_id }));
  requireOnce(chosen);
  return chosen.map((each) => {
    const line = lines.find(({ line_item_id }) => line_item_id === each.line_item_id);
    if (!line) throw invalid(`line_items must be lines of ${invoice.invoice_number}`);
    const left = leftOf(line, before);
    const sign = Math.sign(line.quantity_parts);
    const parts = each.quantity_parts ?? Math.abs(left);
    if (parts === 0 || parts > Math.abs(left))
      throw invalid(
        `quantity of “${line.description.slice(0, 60)}” must be at most ${fromParts(Math.abs(left))}, which is left to credit`,
      );
    const known = before.filter(({ invoice_line_id }) => invoice_line_id === line.line_item_id);
    const { unit_price } = line;
    const reached = amountOf({ quantity_parts: line.quantity_parts - left + sign * parts, unit_price }, unit);
    return {
      invoice_line_id: line.line_item_id,
      description: line.description,
      quantity_parts: -sign * parts,
      unit_price,
      amount_minor: -(reached + sum(known.map(({ amount_minor }) => amount_minor))),
      tax_ppm: rateOf(line, invoice),
    };
  });
}

/** Returns the credited tax for each rate, lowest first. */
export function creditedTaxes(
  currency: string,
  before: readonly Credited[],
  lines: readonly Credited[],
): CreditedRate[] {
  const unit = unitOf(currency);
  const rates = [...Map.groupBy(lines, ({ tax_ppm }) => tax_ppm)].toSorted(([a], [b]) => a - b);
  return rates.map(([tax_ppm, group]) => {
    const known = sum(before.filter((each) => each.tax_ppm === tax_ppm).map((each) => each.amount_minor));
    const subtotal_minor = sum(group.map((each) => each.amount_minor));
    const tax_minor = taxOn(known + subtotal_minor, tax_ppm, unit) - taxOn(known, tax_ppm, unit);
    return { tax_ppm, subtotal_minor, tax_minor };
  });
}

/**
 * Returns the negative totals of a credit note. `credited` is the total of the invoice's earlier ones.
 * @throws invalid() if nothing is credited, or more than the invoice's total
 */
export function creditSums(invoice: Invoice, credited: number, rates: readonly CreditedRate[]) {
  const subtotal_minor = sum(rates.map((each) => each.subtotal_minor));
  const tax_minor = sum(rates.map((each) => each.tax_minor));
  const total_minor = subtotal_minor + tax_minor;
  const left = invoice.total_minor + credited;
  if (total_minor >= 0) throw invalid('line_items must add up to more than 0');
  if (-total_minor > left)
    throw invalid(`line_items must add up to at most ${formatterOf(invoice.currency)(left)}, which is left to credit`);
  return { subtotal_minor, tax_minor, total_minor };
}
