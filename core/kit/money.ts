// Money is a whole number of minor units in the database and in all arithmetic; people and programs write it as a number
// with at most two decimals (V-08).

/** The largest amount either way: 999,999,999,999.99. */
const LARGEST = 10 ** 12;

/**
 * An amount in minor units: `19.99` becomes 1999. Undefined when it has more than two decimals, or its absolute value is
 * 10¹² or more and it could not be exact (V-08).
 */
export function toMinor(amount: number): number | undefined {
  if (!(Math.abs(amount) < LARGEST) || !/^-?\d+(?:\.\d{1,2})?$/.test(String(amount))) return undefined;
  return Math.round(amount * 100);
}

/** Minor units as the amount that answers and events show: 1999 becomes `19.99`. */
export function fromMinor(minor: number): number {
  return minor / 100;
}
