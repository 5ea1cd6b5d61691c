// XLSX files of lists, made in a thread (thread.ts) in bounded memory.
import type { Readable } from 'node:stream';
import type { Context } from '../plugin/context.ts';
import type { ExportColumn, ExportRow } from './export-rows.ts';
import { madeInThread } from './thread.ts';

const HEAP_MB = 64;

export interface XlsxList {
  readonly columns: readonly ExportColumn[];
  /** The rows; they are read only when it is the file's turn. */
  readonly rows: AsyncIterable<readonly ExportRow[]>;
}

export interface XlsxJob {
  /** The name of the time zone that moments are written in. */
  readonly zone: string;
  readonly columns: readonly ExportColumn[];
}

/**
 * A list as an XLSX file of one sheet. Texts are stored as texts, never as formulas; numbers, days and moments are
 * values to calculate with, moments in the tenant's time zone. Resolves when the file is complete.
 * @throws tooMany() when too many files wait already
 */
export function xlsxStream(ctx: Context, { columns, rows }: XlsxList): Promise<Readable> {
  const job: XlsxJob = { zone: ctx.app.config.timeZone, columns };
  return madeInThread(ctx, { file: new URL('./xlsx-worker.ts', import.meta.url), job, heapMb: HEAP_MB, rows });
}
