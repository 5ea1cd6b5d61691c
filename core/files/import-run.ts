// Imports the rows of a file in batches, each in a transaction of its own, and reports the invalid ones.
import { z } from 'zod';
import type { Context } from '../plugin/context.ts';
import { unavailable } from '../kit/problem.ts';
import type { ImportFile } from './import-file.ts';
import { abreast } from '../kit/abreast.ts';
import { yieldToOthers } from '../kit/yield.ts';
import { safeParse } from '../kit/validate.ts';

/** Rows per transaction. On SQLite it blocks all others, so it must take milliseconds only. */
const BATCH = { sqlite: 250, mysql: 1000 };
/** Transactions at the same time: the database works on one while the rows of the other are made ready. */
const AT_ONCE = { sqlite: 1, mysql: 2 };
const ROWS_BETWEEN_PAUSES = 50;
const MOST_ERRORS = 1000;

/** What is wrong with one row of the file. */
export const RowError = z.object({ row: z.int(), field: z.string(), error: z.string() });
export type RowError = z.infer<typeof RowError>;

/** What an import answers: how many rows were stored, and what is wrong with the others. */
export const ImportResult = z.object({
  total: z.int(),
  created: z.int(),
  updated: z.int(),
  failed: z.int(),
  errors: z.array(RowError).max(MOST_ERRORS).describe('The first in the order of the rows; row 1 is the first of data'),
  errors_total: z.int().describe('How many errors there are, in `errors` or not'),
  ignored_columns: z.array(z.string()),
});
export type ImportResult = z.infer<typeof ImportResult>;

/** A row of the file that fits, and its number. */
export interface ImportedRow<V> {
  readonly row: number;
  readonly values: V;
}

/** The result of storing a batch; each row has at most one error. */
export interface StoredBatch {
  readonly created: number;
  readonly updated: number;
  readonly errors: readonly RowError[];
}

export interface ImportOptions<V> {
  /**
   * By what rows of the file are the same record: batches that have no key in common are stored at the same time. Without
   * it they are stored one after the other.
   */
  readonly keyOf?: ((values: V) => string | undefined) | undefined;
}

/**
 * Validates the rows with `schema` and passes the valid ones to `store` in batches (250 rows on SQLite, 1000 on MySQL); the
 * next batch is read meanwhile. `store` opens its own transaction. An error that it throws ends the import; other batches
 * stay stored. So does what was stored when the caller leaves, which ends it as well.
 */
export async function importRows<S extends z.ZodType>(
  ctx: Context,
  file: ImportFile<unknown>,
  schema: S,
  store: (rows: readonly ImportedRow<z.output<S>>[]) => Promise<StoredBatch>,
  { keyOf }: ImportOptions<z.output<S>> = {},
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
  const most = BATCH[ctx.db.dialect];
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
          if (ctx.request.gone?.()) throw unavailable('The caller has left');
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

/** Collects errors and keeps those of the first rows. Batches are stored while later rows are parsed, so they come unordered. */
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

/** The schema without optional fields that no row has, because checking each row for them would double the cost. */
function narrowed<S extends z.ZodType>(schema: S, given: ReadonlySet<string>): S {
  if (!(schema instanceof z.ZodObject) || schema.def.catchall || (schema.def.checks ?? []).length > 0) return schema;
  const fields = Object.entries<z.ZodType>(schema.shape).filter(([name, each]) => given.has(name) || !mayMiss(each));
  const rest: z.ZodType = z.object(Object.fromEntries(fields));
  // A cast: the fields that are left out would be undefined in every row anyway.
  return rest as S;
}

function mayMiss(field: z.ZodType): boolean {
  const { success, data } = field.safeParse(undefined);
  return success && data === undefined;
}

const whole = (sentence: string) => ({ errors: new Map([['', sentence]]) });
