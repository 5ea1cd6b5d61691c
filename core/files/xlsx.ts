// XLSX files of lists, created in a worker thread (thread.ts) in bounded memory.
import type { Readable } from 'node:stream';
import type { Context } from '../plugin/context.ts';
import type { ExportColumn, ExportRow } from './export-rows.ts';
import { madeInThread } from './thread.ts';

const HEAP_MB = 64;

export interface XlsxList {
  readonly columns: readonly ExportColumn[];
  /** The rows, read only when it is the file's turn. */
  readonly rows: AsyncIterable<readonly ExportRow[]>;
}

export interface XlsxJob {
  /** The time zone of timestamps. */
  readonly zone: string;
  readonly columns: readonly ExportColumn[];
}

/**
 * Creates an XLSX file with one sheet. Text is stored as text, never as formulas. Numbers, dates and timestamps
 * are numeric values, timestamps in the tenant's time zone. Resolves when complete.
 * @throws tooMany() when too many files are queued
 */
export function xlsxStream(ctx: Context, { columns, rows }: XlsxList): Promise<Readable> {
  const job: XlsxJob = { zone: ctx.app.config.timeZone, columns };
  return madeInThread(ctx, { file: new URL('./xlsx-worker.ts', import.meta.url), job, heapMb: HEAP_MB, rows });
}
