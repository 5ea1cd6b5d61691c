// Amounts of records that are shown to people who may not all see them.
import { fromMinor, type Context } from '@keelson/core';
import { seesAmounts } from '@keelson/core/surfaces';

/** What the caller sees of an amount in minor units: null who may not see bills. */
export function amountFor(ctx: Context): (minor: number | null) => number | null {
  const shown = seesAmounts(ctx);
  return (minor) => (shown && minor !== null ? fromMinor(minor) : null);
}
