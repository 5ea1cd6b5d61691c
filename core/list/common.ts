// Conditions that many rows meet. A list with one is read in its order, row by row, until the page is full, and its total
// is counted up to a bound: collecting all that match would cost the more the larger the table is.
import type { Sql } from '../database/sql.ts';

/** A condition that many rows meet. */
export interface Common extends Sql {
  readonly common: true;
}

/** Says of a condition that many rows meet it. */
export function common({ text, params }: Sql): Common {
  return Object.freeze({ text, params, common: true });
}

/** Totals up to this are exact. */
export const EXACT = 1000;

/** How far the rows of a page are counted: at least one further than it reaches, so that its successor shows. */
export function countedTo(page: number, size: number): number {
  return Math.max(EXACT, page * size + 1);
}
