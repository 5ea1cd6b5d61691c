// Conditions that many rows meet. A list with one is read in its order, row by row, until the page is full, and its total
// is counted up to a bound: collecting all that match would cost the more the larger the table is.
import type { Sql } from '../database/sql.ts';

/** A condition that many rows meet. */
export interface Common extends Sql {
  readonly common: true;
  /** Tells the same of rows by their keys, at less cost than the database. */
  readonly keep?: Keep;
}

/** Which of the rows with these keys meet the condition. */
export type Keep = (ids: readonly number[]) => Promise<ReadonlySet<number>>;

/** Says of a condition that many rows meet it. */
export function common({ text, params }: Sql, keep?: Keep): Common {
  return Object.freeze({ text, params, common: true, ...(keep && { keep }) });
}

/** Totals up to this are exact. */
export const EXACT = 1000;

/** How far the rows of a page are counted: at least one further than it reaches, so that its successor shows. */
export function countedTo(page: number, size: number): number {
  return Math.max(EXACT, page * size + 1);
}
