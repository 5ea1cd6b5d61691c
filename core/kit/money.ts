// Money is a whole number of minor units in the database and in all arithmetic; people and programs write it as a number with
// decimals (V-08). A minor unit is a thousandth: the smallest amount of every currency, cents, whole yen or a dinar's fils, is
// a whole number of them.

/** Minor units of an amount of 1. */
export const MINOR_PARTS = 1000;

/** The largest amount either way: below 1,000,000,000,000. */
const LARGEST = 10 ** 12;

/**
 * An amount in minor units: `19.99` becomes 19990. Undefined when it has more than `decimals` decimals (at most 3), or its
 * absolute value is 10¹² or more and it could not be exact (V-08).
 */
export function toMinor(amount: number, decimals = 2): number | undefined {
  if (!(Math.abs(amount) < LARGEST) || !/^-?\d+(?:\.\d{1,3})?$/.test(String(amount))) return undefined;
  const minor = Math.round(amount * MINOR_PARTS);
  return minor % 10 ** (3 - decimals) === 0 ? minor : undefined;
}

/** Minor units as the amount that answers and events show: 19990 becomes `19.99`. */
export function fromMinor(minor: number): number {
  return minor / MINOR_PARTS;
}
