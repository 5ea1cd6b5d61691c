// Invoice arithmetic: integers in thousandths (V-08), rounded half away from zero to the currency's unit. No step uses
// binary fractions.
import { fromMinor, input, invalid, toMinor, z } from '@keelson/core';
import { decimalsOf, MINOR_PARTS, moneyForm } from '@keelson/core/kit';
import { isCurrency } from '@keelson/core/plugin';
import { Big } from 'big.js';

/** Quantities are stored in ten-thousandths. */
const QUANTITY_PARTS = 10_000;
/** Tax rates are stored in parts per million: 19 % is 190,000. */
const RATE_PARTS = 10_000;

const MOST_DECIMALS = 4;
const MOST_CURRENCY_DECIMALS = 3;
const MOST_PRICE_DECIMALS = 6;
/** Digits that a JSON number represents exactly. */
const MOST_DIGITS = 15;
const LARGEST_PRICE = 10 ** 12;
const LARGEST_QUANTITY = 1_000_000_000;

/** Returns the smallest amount of a currency, in minor units: 10 for dollars, 1000 for yen, 1 for Kuwaiti dinars. */
export const unitOf = (currency: string): number => MINOR_PARTS / 10 ** decimalsOf(currency);

/** Checks an amount's decimals. @throws invalid() for amounts its currency does not have: 1.5 yen, 1.234 dollars */
export function checkAmount(name: string, minor: number, currency: string): void {
  if (minor % unitOf(currency) === 0) return;
  const decimals = decimalsOf(currency);
  const form = decimals === 0 ? 'a whole amount' : `an amount with at most ${decimals} decimals`;
  throw invalid(`${name} must be ${form} in ${currency}`);
}

/** Returns quantity times price, in whole `unit`s: 1.5 hours at 99.99 are 149.99 (149.985 rounded half up). */
export function amountOf(line: { quantity_parts: number; unit_price: string }, unit: number): number {
  return rounded(new Big(line.quantity_parts).times(line.unit_price).times(MINOR_PARTS).div(QUANTITY_PARTS), unit);
}

/** Returns a unit price from an amount in minor units: 19990 becomes `19.99`. */
export const priceOf = (minor: number): string => new Big(minor).div(MINOR_PARTS).toFixed();

/** Returns the tax on an amount, for a rate in parts per million. */
export function taxOn(minor: number, tax_ppm: number, unit: number): number {
  return rounded(new Big(minor).times(tax_ppm).div(1_000_000), unit);
}

/** Rounds half away from zero. */
function rounded(minor: Big, unit: number): number {
  return minor.div(unit).round(0, Big.roundHalfUp).times(unit).toNumber();
}

/** Converts a quantity to ten-thousandths; it must be exact. */
export const toParts = (quantity: number | string): number =>
  new Big(quantity).times(QUANTITY_PARTS).round(0, Big.roundHalfUp).toNumber();
export const fromParts = (parts: number): number => parts / QUANTITY_PARTS;
/** Converts a rate in per cent to parts per million. */
export const toRate = (percent: number): number => new Big(percent).times(RATE_PARTS).toNumber();
export const fromRate = (ppm: number): number => ppm / RATE_PARTS;

/** Returns true if responses can represent an amount exactly (V-08). */
export const isShown = (minor: number): boolean => toMinor(fromMinor(minor), MOST_CURRENCY_DECIMALS) !== undefined;

const PRICE = new RegExp(`^-?\\d+(?:\\.\\d{1,${MOST_PRICE_DECIMALS}})?$`);
const isPrice = (value: number): boolean =>
  Math.abs(value) < LARGEST_PRICE &&
  PRICE.test(String(value)) &&
  String(value).replaceAll(/[-.]/g, '').replace(/^0+/, '').length <= MOST_DIGITS;
const price = `must be an amount with at most ${MOST_PRICE_DECIMALS} decimals and ${MOST_DIGITS} digits`;

const exact = (value: number) => new RegExp(`^-?\\d+(?:\\.\\d{1,${MOST_DECIMALS}})?$`).test(String(value));
const decimals = `must have at most ${MOST_DECIMALS} decimals`;
export const QUANTITY_RANGE = `must be above 0 and at most ${LARGEST_QUANTITY}`;

/** Input fields of request bodies. */
export const moneyInput = Object.freeze({
  /** A quantity above zero with at most four decimals; in ten-thousandths. */
  quantity: () =>
    z
      .number()
      .refine((value) => value > 0 && value <= LARGEST_QUANTITY, { error: QUANTITY_RANGE, abort: true })
      .refine(exact, decimals)
      .transform(toParts),
  /** Any quantity, for sending a line back unchanged: a contract may include all of it, and corrections may be negative. */
  storedQuantity: () =>
    z
      .number()
      .refine((value) => Math.abs(value) <= LARGEST_QUANTITY, { error: QUANTITY_RANGE, abort: true })
      .refine(exact, decimals)
      .transform(toParts),
  /** An amount in any currency, in minor units. `checkAmount` checks the currency's decimals. */
  amount: ({ min }: { min?: number } = {}) =>
    input.money({ decimals: MOST_CURRENCY_DECIMALS, ...(min !== undefined && { min }) }),
  /** A unit price with at most six decimals, as its exact decimal text: `0.02925`. */
  unitPrice: ({ min = -Infinity }: { min?: number } = {}) =>
    z
      .number()
      .refine((value) => value >= min, `must be at least ${min}`)
      .refine(isPrice, price)
      .transform((value) => new Big(value).toFixed()),
  /** A percentage from 0 to 100, with at most four decimals; in parts per million. */
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
      .refine(isCurrency, 'must be an ISO 4217 currency'),
});

/** Returns a formatter for amounts of a currency: `USD 1,234.50`, without decimals for yen. */
export function formatterOf(currency: string, language = 'en'): (minor: number) => string {
  const format = moneyForm(language, currency);
  return (minor) => format.format(fromMinor(minor));
}

/** Returns a formatter for unit prices: like amounts, with as many more decimals as the price has. */
export function priceFormatterOf(currency: string, language = 'en'): (price: string) => string {
  const most = { ...moneyForm('en', currency).resolvedOptions(), maximumFractionDigits: MOST_PRICE_DECIMALS };
  const format = new Intl.NumberFormat(language, { ...most, style: 'currency', currency, currencyDisplay: 'code' });
  return (price) => format.format(Number(price));
}
