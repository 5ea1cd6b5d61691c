// Money is a whole number of minor units in the database and in all arithmetic; people and programs write it as a number
// with at most two decimals (V-08).

/** The largest amount either way: 999,999,999,999.99. */
const LARGEST = 10 ** 12;

/** `19.99` → 1999; undefined when the number has more than two decimals or is too large to be exact. */
export function toMinor(amount: number): number | undefined {
  if (!(Math.abs(amount) < LARGEST) || !/^-?\d+(?:\.\d{1,2})?$/.test(String(amount))) return undefined;
  return Math.round(amount * 100);
}

/** The way back, as answers and events have it. */
export function fromMinor(minor: number): number {
  return minor / 100;
}
