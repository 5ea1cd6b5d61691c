// Conditions that match many rows. A list with such a condition is scanned in its order until the page is full, and its
// total is counted up to a limit. Collecting every match would cost more as the table grows.
import type { Sql } from '@keelson/database/statement/sql.ts';
import type { Filter } from './list.ts';

/** A condition that matches many rows. */
export interface Common extends Sql {
  readonly common: true;
  /** Evaluates the same condition by row key, at lower cost than the database. */
  readonly keep?: Keep;
}

/** Evaluates a condition for rows by key. */
export interface Keep {
  /** Returns the keys in `ids` whose rows match. */
  among(ids: readonly number[]): Promise<ReadonlySet<number>>;
  /**
   * Returns the keys of all matching rows that also meet `where`, possibly along with others that do not. Undefined if
   * there are more than `most` keys, or if finding them would require scanning the rows.
   */
  all(where: readonly Filter[], most: number): Promise<readonly number[] | undefined>;
  /** Estimated fraction of all rows that match, from 0 to 1; 0 if unknown. */
  readonly share: number;
}

/** Marks a condition as matching many rows. */
export function common({ text, params }: Sql, keep?: Keep): Common {
  return Object.freeze({ text, params, common: true, ...(keep && { keep }) });
}

/** Totals up to this number are exact. */
export const EXACT = 1000;

/** Returns the counting limit for a page: at least one row past its end, so that a next page is detected. */
export function countedTo(page: number, size: number): number {
  return Math.max(EXACT, page * size + 1);
}
