// CSV files for spreadsheets: UTF-8 behind a byte order mark, a header, CRLF, all cells quoted, and none that a spreadsheet would execute.
import { Readable } from 'node:stream';
import { stringify } from 'csv-stringify/sync';
import { cellText, type ExportColumn, type ExportRow } from './export-rows.ts';

/** Without it Excel takes the file for Windows-1252, and shows é as Ã©. */
const BYTE_ORDER_MARK = '\ufeff';

// csv-stringify guards the full-width forms and TAB and CR too, but would also guard negative numbers.
const PLAIN_NUMBER = /^-\d+(?:\.\d+)?$/;

/**
 * A CSV file as a stream, which reads the next batch only when the last one was consumed. An error of `rows` is an error of
 * the stream. Cells are `cellText`; a leading apostrophe keeps formulas from being executed.
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

/** What shows nothing hides no formula, and neither does `;`, at which spreadsheets of some countries split cells. */
const guarded = (value: string): string => value.replace(HIDDEN, "'$&").replace(AFTER_SEMICOLON, "$&'");
const HIDDEN = /^[\p{C}\p{Z}]+(?=[=+\-@＝＋－＠])/u;
const AFTER_SEMICOLON = /;[\p{C}\p{Z}]*(?=[=+\-@＝＋－＠])/gu;
