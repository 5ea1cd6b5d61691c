// XLSX files of lists, created in a worker thread (thread.ts) in bounded memory.
import type { ExportColumn, ExportRow } from './rows.ts';
import { madeInThread, type MadeFile } from './thread.ts';

const HEAP_MB = 64;

export interface XlsxList {
  readonly columns: readonly ExportColumn[];
  /** The rows, read only when the file's turn comes. */
  readonly rows: AsyncIterable<readonly ExportRow[]>;
}

export interface XlsxStyle {
  /** The time zone of timestamps. */
  readonly zone: string;
  /** The decimals of amounts: at least two or three, or as many as each has. */
  readonly decimals: number;
}

export interface XlsxJob extends XlsxStyle {
  readonly columns: readonly ExportColumn[];
}

/**
 * Creates an XLSX file with one sheet. Text is stored as text, never as formulas. Numbers, dates and timestamps
 * are numeric values, timestamps in the time zone.
 */
export function makeXlsx({ columns, rows }: XlsxList, style: XlsxStyle): Promise<MadeFile> {
  const job: XlsxJob = { ...style, columns };
  return madeInThread({ file: new URL('./xlsx-worker.ts', import.meta.url), job, heapMb: HEAP_MB, rows });
}
