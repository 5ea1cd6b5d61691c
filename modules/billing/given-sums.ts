// Totals that clients send with lines. Ignoring values that differ from ours would hide a disagreement about an amount.
import { fromMinor, input, invalid, z } from '@keelson/core';

const sum = input.optional(z.number());

/** Fields in the bodies of invoices. */
export const invoiceSums = { subtotal: sum, tax: sum, total: sum };

/** Fields in the bodies of proposals. */
export const proposalSums = { total: sum };

type Name = keyof typeof invoiceSums;
type Given = { readonly [K in Name]?: number | undefined };
type Stored = { readonly [K in `${Name}_minor`]?: number };

const names: readonly Name[] = ['subtotal', 'tax', 'total'];

/**
 * Checks the totals in a body. A client may also send back the ones it has read.
 * @throws invalid() with the computed total if one differs
 */
export function checkSums(given: Given, after: Stored, before?: Stored): void {
  for (const name of names) {
    const computed = after[`${name}_minor`];
    const value = given[name];
    if (value === undefined || computed === undefined) continue;
    const may = [computed, before?.[`${name}_minor`]].flatMap((each) => (each === undefined ? [] : fromMinor(each)));
    if (!may.includes(value)) throw invalid(`${name} must be ${fromMinor(computed)}, the sum of the lines, or absent`);
  }
}
