// Invoice totals while typing, rounded as on the server: each line, and the tax once per rate. Uses integer arithmetic,
// because binary fractions are inexact.

/** A line being edited. */
export interface DraftLine {
  /** The React key of the row. */
  readonly key: string;
  readonly line_item_id?: number;
  readonly description: string;
  readonly quantity: string;
  readonly unit_price: string;
  /** Empty uses the invoice's rate. */
  readonly tax_rate: string;
  /** Was stored with its own rate. */
  readonly own?: boolean;
  readonly taxable?: boolean;
  /** The product it was created from. */
  readonly product_id?: number;
  /** A description of the source; absent for manual lines. */
  readonly note?: string;
}

/** Returns a decimal text as an integer scaled to `places` decimals, or undefined if invalid. */
function scaled(text: string, places: number): bigint | undefined {
  const [, sign, whole = '', fraction = ''] = /^\s*(-?)(\d*)(?:[.,](\d*))?\s*$/.exec(text) ?? [];
  if (whole + fraction === '' || fraction.length > places) return undefined;
  const value = BigInt(whole + fraction.padEnd(places, '0'));
  return sign ? -value : value;
}

/** Divides, rounding half away from zero. */
function divided(value: bigint, by: bigint): bigint {
  const half = by / 2n;
  return value < 0n ? -((-value + half) / by) : (value + half) / by;
}

const QUANTITY_PLACES = 4;
const PRICE_PLACES = 6;
const RATE_PLACES = 4;

/** Returns the decimals of a currency: 2 for dollars, 0 for yen. */
export const decimalsOf = (currency: string): number =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;

/** Returns the amount of a line in its currency's smallest unit, or undefined while it is incomplete. */
function unitsOf({ quantity, unit_price }: DraftLine, decimals: number): bigint | undefined {
  const [n, price] = [scaled(quantity || '1', QUANTITY_PLACES), scaled(unit_price, PRICE_PLACES)];
  if (n === undefined || price === undefined) return undefined;
  return divided(n * price, 10n ** BigInt(QUANTITY_PLACES + PRICE_PLACES - decimals));
}

const shown = (units: bigint, decimals: number): number => Number(units) / 10 ** decimals;

/** Returns the amount of a line, or undefined while it has no price. */
export function amountOf(line: DraftLine, currency: string): number | undefined {
  const decimals = decimalsOf(currency);
  const units = unitsOf(line, decimals);
  return units === undefined ? undefined : shown(units, decimals);
}

export interface Sums {
  readonly subtotal: number;
  /** One entry per rate above 0, lowest first. */
  readonly taxes: readonly { readonly rate: number; readonly tax: number }[];
  readonly total: number;
}

/** Returns the totals of all lines. `rate` is the invoice's own, in per cent. */
export function sumsOf(lines: readonly DraftLine[], rate: string, currency: string): Sums {
  const decimals = decimalsOf(currency);
  const byRate = new Map<bigint, bigint>();
  let subtotal = 0n;
  for (const line of lines) {
    const units = unitsOf(line, decimals) ?? 0n;
    const due = line.taxable === false ? 0n : (scaled(line.tax_rate || rate || '0', RATE_PLACES) ?? 0n);
    subtotal += units;
    byRate.set(due, (byRate.get(due) ?? 0n) + units);
  }
  const taxes = [...byRate]
    .filter(([due]) => due > 0n)
    .toSorted(([a], [b]) => Number(a - b))
    .map(([due, units]) => ({ due, tax: divided(units * due, 10n ** BigInt(RATE_PLACES + 2)) }));
  const total = taxes.reduce((sum, { tax }) => sum + tax, subtotal);
  return {
    subtotal: shown(subtotal, decimals),
    taxes: taxes.map(({ due, tax }) => ({ rate: Number(due) / 10 ** RATE_PLACES, tax: shown(tax, decimals) })),
    total: shown(total, decimals),
  };
}
