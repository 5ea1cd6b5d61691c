// From a judged file to stored rows: batch after batch, each in a transaction of its own, the wrong rows told.
import { z } from 'zod';
import type { Context } from '../context.ts';
import type { ImportFile } from './import-file.ts';
import { pause } from './import-pause.ts';
import { judge } from '../http/validate.ts';

/** Rows stored at once: few enough for a transaction of milliseconds. */
const BATCH = 500;
const ROWS_BETWEEN_PAUSES = 50;

export const RowError = z.object({ row: z.int(), field: z.string(), error: z.string() });
export type RowError = z.infer<typeof RowError>;

export const ImportResult = z.object({
  total: z.int(),
  created: z.int(),
  updated: z.int(),
  failed: z.int(),
  /** In the order of the rows; row 1 is the first after the header. */
  errors: z.array(RowError),
  ignored_columns: z.array(z.string()),
});
export type ImportResult = z.infer<typeof ImportResult>;

export interface ImportedRow<V> {
  readonly row: number;
  readonly values: V;
}

/** What became of a batch; a row has at most one error here. */
export interface StoredBatch {
  readonly created: number;
  readonly updated: number;
  readonly errors: readonly RowError[];
}

/**
 * Judges the rows by `schema` and gives those that are right to `store`, up to 500 at a time. `store` opens its own
 * transaction; what it throws ends the import, and the batches before it stay.
 */
export async function importRows<S extends z.ZodType>(
  ctx: Context,
  file: ImportFile<unknown>,
  schema: S,
  store: (rows: readonly ImportedRow<z.output<S>>[]) => Promise<StoredBatch>,
): Promise<ImportResult> {
  const result = { created: 0, updated: 0, failed: 0, errors: [] as RowError[] };
  let batch: ImportedRow<z.output<S>>[] = [];
  const flush = async () => {
    if (batch.length === 0) return;
    const rows = batch;
    batch = [];
    const { created, updated, errors } = await store(rows);
    result.created += created;
    result.updated += updated;
    result.failed += errors.length;
    result.errors.push(...errors);
  };
  let row = 0;
  for await (const given of file.rows()) {
    row++;
    const judged =
      typeof given === 'string' ? { wrong: new Map([['', given]]) } : judge(schema, given, 'Row', ctx.app.zone);
    if ('value' in judged) batch.push({ row, values: judged.value });
    else {
      result.failed++;
      for (const [field, error] of judged.wrong) result.errors.push({ row, field, error });
    }
    if (row % ROWS_BETWEEN_PAUSES === 0) await pause();
    if (batch.length === BATCH) await flush();
  }
  await flush();
  result.errors.sort((a, b) => a.row - b.row);
  return { total: row, ...result, ignored_columns: [...file.ignored] };
}
