// CSV files for spreadsheets: UTF-8 with a byte order mark, a header, CRLF, all cells quoted, formulas
// neutralised.
import { Readable } from 'node:stream';
import { stringify } from 'csv-stringify/sync';
import { guarded } from '../formulas.ts';
import { cellText, type ExportColumn, type ExportRow } from './rows.ts';

/** Without it Excel assumes Windows-1252, and shows é as Ã©. */
const BYTE_ORDER_MARK = '\ufeff';

// csv-stringify also guards full-width forms, TAB and CR, but would guard negative numbers too.
const PLAIN_NUMBER = /^-\d+(?:\.\d+)?$/;

/**
 * Streams a CSV file, reading the next batch only after the last one was consumed. An error in `rows` becomes an error
 * of the stream. Cells are `cellText`. A leading apostrophe keeps formulas from being executed.
 */
export function csvStream(columns: readonly ExportColumn[], rows: AsyncIterable<readonly ExportRow[]>): Readable {
  return Readable.from(parts(columns, rows), { objectMode: false, highWaterMark: 64 * 1024 });
}

async function* parts(
  columns: readonly ExportColumn[],
  rows: AsyncIterable<readonly ExportRow[]>,
): AsyncGenerator<Buffer> {
  yield Buffer.from(BYTE_ORDER_MARK);
  yield written([columns.map(({ label }) => label)]);
  for await (const batch of rows) {
    if (batch.length > 0) yield written(batch.map((row) => columns.map(({ key }) => cellText(row[key]))));
  }
}

function written(lines: readonly (readonly string[])[]): Buffer {
  const text = stringify([...lines], {
    quoted: true,
    quoted_empty: true,
    escape_formulas: true,
    record_delimiter: 'windows',
    cast: { string: (value) => (PLAIN_NUMBER.test(value) ? { value, escape_formulas: false } : guarded(value)) },
  });
  return Buffer.from(text);
}
