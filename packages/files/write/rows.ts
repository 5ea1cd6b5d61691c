// The columns and rows of exported files.

/** A column of an exported file. */
export interface ExportColumn {
  /** The row's member. */
  readonly key: string;
  /** The heading. */
  readonly label: string;
  readonly kind?: ExportKind;
  /** What its numbers mean, for documents and workbooks. CSV files keep the numbers. */
  readonly labels?: Readonly<Record<number, string>>;
}

/**
 * How files for people format a value: `in_progress` as "In progress", timestamps in the tenant's time zone, amounts in the
 * row's `currency` or, in workbooks, with decimals. CSV files keep raw values.
 */
export type ExportKind = 'choice' | 'moment' | 'day' | 'money';

/** A row of an exported file, keyed by column. */
export type ExportRow = Readonly<Record<string, unknown>>;

/** Groups single rows, as from `readAll`, into the batches exports take (500 rows). */
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

/** Returns the text of a cell: empty for null, "true" or "false", texts of a list joined by commas, JSON for objects. */
export function cellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map(cellText).join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}
