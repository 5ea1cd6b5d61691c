// Money is an integer number of minor units in the database and in all arithmetic; people and programs write it as a
// decimal number (V-08). A minor unit is a thousandth, so the smallest unit of any currency (cents, whole yen, a
// dinar's fils) is an integer number of them.
import { shareResults } from './memoize.ts';

/** Minor units per major unit. */
export const MINOR_PARTS = 1000;

/** Upper bound, exclusive, for the absolute value of an amount: 1,000,000,000,000. */
export const LARGEST_AMOUNT = 10 ** 12;

/**
 * Converts an amount to minor units: `19.99` becomes 19990. Undefined if it has more than `decimals` decimals (at most
 * 3), or if its absolute value is 10¹² or more, which could not be exact (V-08).
 */
export function toMinor(amount: number, decimals = 2): number | undefined {
  if (!(Math.abs(amount) < LARGEST_AMOUNT) || !/^-?\d+(?:\.\d{1,3})?$/.test(String(amount))) return undefined;
  const minor = Math.round(amount * MINOR_PARTS);
  return minor % 10 ** (3 - decimals) === 0 ? minor : undefined;
}

/** Converts minor units to the amount in responses and events: 19990 becomes `19.99`. */
export function fromMinor(minor: number): number {
  return minor / MINOR_PARTS;
}

/** Returns the form of a currency's amounts in a language. Forms are shared, because each takes long to make. */
export const moneyForm = shareResults(
  (language: string, currency: string) =>
    new Intl.NumberFormat(language, { style: 'currency', currency, currencyDisplay: 'code' }),
);

/** Returns the decimals of a currency: 0, 2 or 3. */
export const decimalsOf = (currency: string): number =>
  Math.min(3, moneyForm('en', currency).resolvedOptions().maximumFractionDigits ?? 2);

/** Formats an amount for documents and mail: `USD 1,234.50`, `1.234,50 EUR` in German. */
export const moneyInWords = (minor: number, currency: string, language = 'en'): string =>
  moneyForm(language, currency).format(fromMinor(minor));
