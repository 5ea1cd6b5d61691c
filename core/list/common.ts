// Conditions that many rows meet. A list with one is read in its order, row by row, until the page is full, and its total
// is counted up to a bound: collecting all that match would cost the more the larger the table is.
import type { Sql } from '../database/sql.ts';
import type { Filter } from './list.ts';

/** A condition that many rows meet. */
export interface Common extends Sql {
  readonly common: true;
  /** Tells the same of rows by their keys, at less cost than the database. */
  readonly keep?: Keep;
}

/** Tells of rows whether they meet a condition. */
export interface Keep {
  /** Which of the rows with these keys do. */
  among(ids: readonly number[]): Promise<ReadonlySet<number>>;
  /**
   * The keys of all rows that do, among those that meet some other conditions, and perhaps of further ones; undefined where
   * these are more than `most`, or could be found only by going through the rows.
   */
  all(where: readonly Filter[], most: number): Promise<readonly number[] | undefined>;
  /** Which part of all rows does, 0 to 1, as far as known: 0 where it is not. */
  readonly share: number;
}

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
