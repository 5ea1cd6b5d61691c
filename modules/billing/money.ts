// What amounts of invoices are calculated with: whole numbers of hundredths (V-08), rounded half up to what the currency
// has. No step of it is a binary fraction.
import { Big } from 'big.js';
import { fromMinor, input, toMinor, z } from '@keelson/core';

/** Quantities are stored in ten-thousandths. */
const QUANTITY_PARTS = 10_000;
/** Tax rates are stored in parts per million: 19 % is 190,000. */
const RATE_PARTS = 10_000;

const MOST_DECIMALS = 4;
const LARGEST_QUANTITY = 1_000_000_000;

/** The smallest amount of a currency, in hundredths: 1, and 100 for yen, which have no cents. */
export function unitOf(currency: string): number {
  const { maximumFractionDigits = 2 } = formatOf(currency).resolvedOptions();
  return 10 ** Math.max(0, 2 - maximumFractionDigits);
}

/** Quantity times price, in whole `unit`s: 1.5 hours at 99.99 are 149.99 (149.985 rounded half up). */
export function amountOf(line: { quantity_parts: number; unit_price_minor: number }, unit: number): number {
  return rounded(new Big(line.quantity_parts).times(line.unit_price_minor).div(QUANTITY_PARTS), unit);
}

/** The tax on an amount, for a rate in parts per million. */
export function taxOn(minor: number, tax_ppm: number, unit: number): number {
  return rounded(new Big(minor).times(tax_ppm).div(1_000_000), unit);
}

/** What lies below zero is rounded away from it. */
function rounded(hundredths: Big, unit: number): number {
  return hundredths.div(unit).round(0, Big.roundHalfUp).times(unit).toNumber();
}

/** A quantity in ten-thousandths, which must be exact. */
export const toParts = (quantity: number | string): number =>
  new Big(quantity).times(QUANTITY_PARTS).round(0, Big.roundHalfUp).toNumber();
export const fromParts = (parts: number): number => parts / QUANTITY_PARTS;
/** A rate in per cent as parts per million. */
export const toRate = (percent: number): number => new Big(percent).times(RATE_PARTS).toNumber();
export const fromRate = (ppm: number): number => ppm / RATE_PARTS;

/** Whether answers can show an amount exactly (V-08). */
export const isShown = (minor: number): boolean => toMinor(fromMinor(minor)) !== undefined;

const currencies: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

const exact = (value: number) => new RegExp(`^-?\\d+(?:\\.\\d{1,${MOST_DECIMALS}})?$`).test(String(value));
const decimals = `must have at most ${MOST_DECIMALS} decimals`;
export const QUANTITY_RANGE = `must be above 0 and at most ${LARGEST_QUANTITY}`;

/** Fields of bodies. */
export const moneyInput = Object.freeze({
  /** A quantity above zero with at most four decimals; in ten-thousandths. */
  quantity: () =>
    z
      .number()
      .refine((value) => value > 0 && value <= LARGEST_QUANTITY, { error: QUANTITY_RANGE, abort: true })
      .refine(exact, decimals)
      .transform(toParts),
  /** The same of a line that may be sent back as it was: a contract may include all of it. */
  quantityOrNone: () =>
    z
      .number()
      .refine((value) => value >= 0 && value <= LARGEST_QUANTITY, { error: QUANTITY_RANGE, abort: true })
      .refine(exact, decimals)
      .transform(toParts),
  /** Per cent, 0 to 100, with at most four decimals; in parts per million. */
  rate: () =>
    z
      .number()
      .refine((value) => value >= 0 && value <= 100, { error: 'must be between 0 and 100', abort: true })
      .refine(exact, decimals)
      .transform(toRate),
  /** An ISO 4217 code in any case. */
  currency: () =>
    input
      .text(3)
      .overwrite((code) => code.toUpperCase())
      .refine((code) => currencies.has(code), 'must be an ISO 4217 currency'),
});

/** Writes amounts of a currency as people read them: `USD 1,234.50`, and no decimals for yen. */
export function formatterOf(currency: string): (minor: number) => string {
  const format = formatOf(currency);
  return (minor) => format.format(fromMinor(minor));
}

const formatOf = (currency: string) =>
  new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay: 'code' });
