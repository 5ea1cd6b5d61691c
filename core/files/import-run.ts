// Imports a file's rows in batches, each in its own transaction, and reports the invalid ones.
import { abreast } from '@keelson/kit/abreast.ts';
import { unavailable } from '@keelson/kit/problem.ts';
import { safeParse } from '@keelson/kit/validate.ts';
import { yieldToOthers } from '@keelson/kit/yield.ts';
import { z } from 'zod';
import type { Context } from '../plugin/context.ts';
import type { ImportFile } from './import-file.ts';

/** Rows per transaction. SQLite blocks all other writers, so it must take only milliseconds. */
const BATCH = { sqlite: 250, mysql: 1000 };
/** Concurrent transactions: the database processes one while the rows of the next are prepared. */
const AT_ONCE = { sqlite: 1, mysql: 2 };
const ROWS_BETWEEN_PAUSES = 50;
const MOST_ERRORS = 1000;

/** An error in one row of the file. */
export const RowError = z.object({ row: z.int(), field: z.string(), error: z.string() });
export type RowError = z.infer<typeof RowError>;

/** The result of an import: how many rows were stored, and the errors in the others. */
export const ImportResult = z.object({
  total: z.int(),
  created: z.int(),
  updated: z.int(),
  failed: z.int(),
  errors: z.array(RowError).max(MOST_ERRORS).describe('The first errors, in row order; row 1 is the first data row'),
  errors_total: z.int().describe('Total number of errors, including those not in `errors`'),
  ignored_columns: z.array(z.string()),
});
export type ImportResult = z.infer<typeof ImportResult>;

/** A valid row and its number. */
export interface ImportedRow<V> {
  readonly row: number;
  readonly values: V;
}

/** The result of storing a batch. Each row has at most one error. */
export interface StoredBatch {
  readonly created: number;
  readonly updated: number;
  readonly errors: readonly RowError[];
}

/** Called with the current counts, at most twice a second. Throws to end the import. */
export type ImportWatch = (
  counts: Readonly<Record<'processed' | 'created' | 'updated' | 'failed', number>>,
) => Promise<void>;

const MS_BETWEEN_COUNTS = 500;

export interface ImportOptions<V> {
  readonly watch?: ImportWatch | undefined;
  /** Maximum rows per batch, for rows that take several statements each. */
  readonly most?: number;
  /**
   * Identifies rows of the same record. Batches without a common key are stored concurrently. Default: one after
   * another.
   */
  readonly keyOf?: ((values: V) => string | undefined) | undefined;
}

/**
 * Validates the rows with `schema` and passes the valid ones to `store` in batches (250 rows on SQLite, 1000 on MySQL),
 * while reading the next batch. `store` opens its own transaction. An error it throws, or a client disconnect, ends the
 * import. Batches already stored stay.
 */
export async function importRows<S extends z.ZodType>(
  ctx: Context,
  file: ImportFile<unknown>,
  schema: S,
  store: (rows: readonly ImportedRow<z.output<S>>[]) => Promise<StoredBatch>,
  { keyOf, watch, most: mostRows = Infinity }: ImportOptions<z.output<S>> = {},
): Promise<ImportResult> {
  const result = { created: 0, updated: 0, failed: 0 };
  const faults = firstErrors();
  const atOnce = {
    most: keyOf ? AT_ONCE[ctx.db.dialect] : 1,
    keysOf: (rows: readonly ImportedRow<z.output<S>>[]) => rows.flatMap(({ values }) => keyOf?.(values) ?? []),
  };
  const storing = abreast(atOnce, async (rows) => {
    const { created, updated, errors } = await store(rows);
    result.created += created;
    result.updated += updated;
    result.failed += errors.length;
    for (const each of errors) faults.add(each);
  });
  const asked = narrowed(schema, file.given);
  let batch: ImportedRow<z.output<S>>[] = [];
  let row = 0;
  const most = Math.min(BATCH[ctx.db.dialect], mostRows);
  let told = performance.now();
  try {
    for await (const given of file.rows()) {
      for (const each of given) {
        row++;
        const parsed = typeof each === 'string' ? whole(each) : safeParse(asked, each, 'Row', ctx.app.zone);
        if ('value' in parsed) batch.push({ row, values: parsed.value });
        else {
          result.failed++;
          for (const [field, error] of parsed.errors) faults.add({ row, field, error });
        }
        if (row % ROWS_BETWEEN_PAUSES === 0) {
          await yieldToOthers();
          if (ctx.request.gone?.()) throw unavailable('The caller disconnected');
          if (watch && performance.now() - told > MS_BETWEEN_COUNTS) {
            told = performance.now();
            await watch({ processed: row, ...result });
          }
        }
        if (batch.length < most) continue;
        await storing.next(batch);
        batch = [];
      }
    }
    if (batch.length > 0) await storing.next(batch);
  } finally {
    await storing.done();
  }
  const { errors, errors_total } = faults.told();
  return { total: row, ...result, errors, errors_total, ignored_columns: [...file.ignored] };
}

/** Collects errors, keeping those of the first rows. They arrive unordered, because storing and parsing overlap. */
function firstErrors() {
  let kept: RowError[] = [];
  let errors_total = 0;
  const first = () => kept.toSorted((a, b) => a.row - b.row).slice(0, MOST_ERRORS);
  return {
    add(error: RowError): void {
      errors_total++;
      kept.push(error);
      if (kept.length > 4 * MOST_ERRORS) kept = first();
    },
    told: () => ({ errors: first(), errors_total }),
  };
}

/** Returns the schema without optional fields no row has: checking every row for them would double the cost. */
function narrowed<S extends z.ZodType>(schema: S, given: ReadonlySet<string>): S {
  if (!(schema instanceof z.ZodObject) || schema.def.catchall || (schema.def.checks ?? []).length > 0) return schema;
  const fields = Object.entries<z.ZodType>(schema.shape).filter(([name, each]) => given.has(name) || !mayMiss(each));
  const rest: z.ZodType = z.object(Object.fromEntries(fields));
  // A cast: the omitted fields would be undefined in every row anyway.
  return rest as S;
}

function mayMiss(field: z.ZodType): boolean {
  const { success, data } = field.safeParse(undefined);
  return success && data === undefined;
}

const whole = (sentence: string) => ({ errors: new Map([['', sentence]]) });
