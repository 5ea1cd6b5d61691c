// What every exported file is made of.

/** A column of an exported file. */
export interface ExportColumn {
  /** The row's member. */
  readonly key: string;
  /** The heading. */
  readonly label: string;
  readonly kind?: ExportKind;
}

/**
 * How a document for people writes a value: `in_progress` as "In progress", moments in the tenant's time zone. Files for
 * programs keep it as it is.
 */
export type ExportKind = 'choice' | 'moment' | 'day';

/** A row of an exported file, by the keys of its columns. */
export type ExportRow = Readonly<Record<string, unknown>>;

/** Groups single rows, as `readAll` gives them, into the batches that exports work in. */
export async function* inBatches<R>(rows: AsyncIterable<R>, size = 500): AsyncGenerator<R[]> {
  let batch: R[] = [];
  for await (const row of rows) {
    batch.push(row);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** A cell's text: nothing for null, the words true and false, JSON for what is no single value. */
export function cellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
