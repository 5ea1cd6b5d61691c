// From a judged file to stored rows: batch after batch, each in a transaction of its own, the wrong rows told.
import { z } from 'zod';
import type { Context } from '../plugin/context.ts';
import type { ImportFile } from './import-file.ts';
import { yieldToOthers } from './import-pause.ts';
import { judge } from '../kit/validate.ts';

/** Rows of one transaction. SQLite has no other meanwhile, so it must be one of milliseconds. */
const BATCH = { sqlite: 250, mysql: 2000 };
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

/** What became of a batch; a row has at most one error here. */
export interface StoredBatch {
  readonly created: number;
  readonly updated: number;
  readonly errors: readonly RowError[];
}

/**
 * Judges the rows by `schema` and gives those that are right to `store`, some hundreds at a time, one batch after the
 * other; the next is read meanwhile. `store` opens its own transaction; what it throws ends the import, and the batches before
 * it stay.
 */
export async function importRows<S extends z.ZodType>(
  ctx: Context,
  file: ImportFile<unknown>,
  schema: S,
  store: (rows: readonly ImportedRow<z.output<S>>[]) => Promise<StoredBatch>,
): Promise<ImportResult> {
  const result = { created: 0, updated: 0, failed: 0 };
  const faults = firstErrors();
  const storing = oneAtATime(async (rows: readonly ImportedRow<z.output<S>>[]) => {
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
        const judged = typeof each === 'string' ? whole(each) : judge(asked, each, 'Row', ctx.app.zone);
        if ('value' in judged) batch.push({ row, values: judged.value });
        else {
          result.failed++;
          for (const [field, error] of judged.wrong) faults.add({ row, field, error });
        }
        if (row % ROWS_BETWEEN_PAUSES === 0) await yieldToOthers();
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

/** Keeps those of the first rows. A batch is stored while later rows are judged, so they do not come in their order. */
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

/** The schema without the fields that no row has and that may be missing: asking each row for them costs as much again. */
function narrowed<S extends z.ZodType>(schema: S, given: ReadonlySet<string>): S {
  if (!(schema instanceof z.ZodObject) || schema.def.catchall || (schema.def.checks ?? []).length > 0) return schema;
  const fields = Object.entries<z.ZodType>(schema.shape).filter(([name, each]) => given.has(name) || !mayMiss(each));
  const rest: z.ZodType = z.object(Object.fromEntries(fields));
  // What it leaves out would not have come into a row's value either.
  return rest as S;
}

function mayMiss(field: z.ZodType): boolean {
  const { success, data } = field.safeParse(undefined);
  return success && data === undefined;
}

const whole = (sentence: string) => ({ wrong: new Map([['', sentence]]) });

/** `next` waits until the one before has ended, and then does not wait for its own. */
function oneAtATime<T>(work: (given: T) => Promise<void>) {
  let running: Promise<void> | undefined;
  const done = async (): Promise<void> => {
    const before = running;
    running = undefined;
    await before;
  };
  return {
    done,
    async next(given: T): Promise<void> {
      await done();
      running = work(given);
      // Told by the next one, or at the end.
      running.catch(() => undefined);
    },
  };
}
