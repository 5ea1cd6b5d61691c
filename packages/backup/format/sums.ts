// Counts and checksums of rows, to compare two databases row by row. They are independent of order, because databases
// sort texts differently.
import { createHash } from 'node:crypto';

export interface TableSum {
  readonly rows: number;
  /** The sum of the rows' SHA-256, in hex. */
  readonly sum: string;
}

/** Adds up rows in their JSON form. */
export function summing() {
  let rows = 0;
  let sum = 0n;
  return {
    add(row: string): void {
      rows++;
      sum = BigInt.asUintN(256, sum + BigInt(`0x${createHash('sha256').update(row).digest('hex')}`));
    },
    result: (): TableSum => ({ rows, sum: sum.toString(16) }),
  };
}
