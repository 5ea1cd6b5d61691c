// What amounts of invoices are calculated with: whole numbers of thousandths (V-08), rounded half up to what the currency
// has. No step of it is a binary fraction.
import { Big } from 'big.js';
import { fromMinor, input, invalid, toMinor, z } from '@keelson/core';
import { MINOR_PARTS } from '@keelson/core/kit';

/** Quantities are stored in ten-thousandths. */
const QUANTITY_PARTS = 10_000;
/** Tax rates are stored in parts per million: 19 % is 190,000. */
const RATE_PARTS = 10_000;

const MOST_DECIMALS = 4;
const MOST_CURRENCY_DECIMALS = 3;
const MOST_PRICE_DECIMALS = 6;
/** What a JSON number keeps exactly. */
const MOST_DIGITS = 15;
const LARGEST_PRICE = 10 ** 12;
const LARGEST_QUANTITY = 1_000_000_000;

/** The smallest amount of a currency, in minor units: 10 for dollars, 1000 for yen, 1 for Kuwaiti dinars. */
export const unitOf = (currency: string): number => MINOR_PARTS / 10 ** decimalsOf(currency);

/** How many decimals a currency has: 0, 2 or 3. */
function decimalsOf(currency: string): number {
  return Math.min(MOST_CURRENCY_DECIMALS, formatOf(currency).resolvedOptions().maximumFractionDigits ?? 2);
}

/** @throws invalid() for an amount that there is not in its currency: 1.5 yen, 1.234 dollars */
export function checkAmount(name: string, minor: number, currency: string): void {
  if (minor % unitOf(currency) === 0) return;
  const decimals = decimalsOf(currency);
  const form = decimals === 0 ? 'a whole amount' : `an amount with at most ${decimals} decimals`;
  throw invalid(`${name} must be ${form} in ${currency}`);
}

/** Quantity times price, in whole `unit`s: 1.5 hours at 99.99 are 149.99 (149.985 rounded half up). */
export function amountOf(line: { quantity_parts: number; unit_price: string }, unit: number): number {
  return rounded(new Big(line.quantity_parts).times(line.unit_price).times(MINOR_PARTS).div(QUANTITY_PARTS), unit);
}

/** A unit price from an amount in minor units: 1999 becomes `19.99`. */
export const priceOf = (minor: number): string => new Big(minor).div(MINOR_PARTS).toFixed();

/** The tax on an amount, for a rate in parts per million. */
export function taxOn(minor: number, tax_ppm: number, unit: number): number {
  return rounded(new Big(minor).times(tax_ppm).div(1_000_000), unit);
}

/** What lies below zero is rounded away from it. */
function rounded(minor: Big, unit: number): number {
  return minor.div(unit).round(0, Big.roundHalfUp).times(unit).toNumber();
}

/** A quantity in ten-thousandths, which must be exact. */
export const toParts = (quantity: number | string): number =>
  new Big(quantity).times(QUANTITY_PARTS).round(0, Big.roundHalfUp).toNumber();
export const fromParts = (parts: number): number => parts / QUANTITY_PARTS;
/** A rate in per cent as parts per million. */
export const toRate = (percent: number): number => new Big(percent).times(RATE_PARTS).toNumber();
export const fromRate = (ppm: number): number => ppm / RATE_PARTS;

/** Whether answers can show an amount exactly (V-08). */
export const isShown = (minor: number): boolean => toMinor(fromMinor(minor), MOST_CURRENCY_DECIMALS) !== undefined;

const currencies: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

const PRICE = new RegExp(`^-?\\d+(?:\\.\\d{1,${MOST_PRICE_DECIMALS}})?$`);
const isPrice = (value: number): boolean =>
  Math.abs(value) < LARGEST_PRICE &&
  PRICE.test(String(value)) &&
  String(value).replaceAll(/[-.]/g, '').replace(/^0+/, '').length <= MOST_DIGITS;
const price = `must be an amount with at most ${MOST_PRICE_DECIMALS} decimals and ${MOST_DIGITS} digits`;

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
  /** An amount in whatever currency; `checkAmount` knows how many decimals that has. In minor units. */
  amount: ({ min }: { min?: number } = {}) =>
    input.money({ decimals: MOST_CURRENCY_DECIMALS, ...(min !== undefined && { min }) }),
  /** What one of something costs, with at most six decimals; its decimal text, `0.02925`, which is exact. */
  unitPrice: ({ min = -Infinity }: { min?: number } = {}) =>
    z
      .number()
      .refine((value) => value >= min, `must be at least ${min}`)
      .refine(isPrice, price)
      .transform((value) => new Big(value).toFixed()),
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

/** Writes unit prices of a currency: as its amounts, with as many more decimals as the price has. */
export function priceFormatterOf(currency: string): (price: string) => string {
  const most = { ...formatOf(currency).resolvedOptions(), maximumFractionDigits: MOST_PRICE_DECIMALS };
  const format = new Intl.NumberFormat('en', { ...most, style: 'currency', currency, currencyDisplay: 'code' });
  return (price) => format.format(Number(price));
}
