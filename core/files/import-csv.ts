// CSV as spreadsheets write it, record by record: separated by , or ; with or without a byte order mark.
import { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { invalid } from '../problem.ts';
import { pause } from './import-pause.ts';

/** Bytes between two pauses: under a millisecond of parsing. */
const SLICE = 16 * 1024;
const MOST_COLUMNS = 200;
/** Longer than the longest text with all its quotes. */
const MOST_CHARACTERS = 256 * 1024;

/**
 * The header's cells, then those of each record; lines without any value are passed over. Other work goes on between the
 * slices. @throws invalid() naming the line when the text is no CSV
 */
export async function* csvRecords(bytes: Buffer): AsyncGenerator<readonly string[]> {
  const records = parse({
    bom: true,
    delimiter: delimiterOf(bytes),
    relax_column_count: true,
    skip_records_with_empty_values: true,
    max_record_size: MOST_CHARACTERS,
  });
  const source = Readable.from(slices(bytes), { objectMode: false });
  // Whoever stops reading early leaves nothing behind.
  source.pipe(records);
  source.on('error', (error) => records.destroy(error));
  try {
    for await (const record of records as AsyncIterable<string[]>) {
      if (record.length > MOST_COLUMNS) throw invalid(`The file must have at most ${MOST_COLUMNS} columns`);
      yield record;
    }
  } catch (error) {
    if (error instanceof CsvError) throw invalid(`The file is no valid CSV: line ${lineOf(error)}`);
    throw error;
  } finally {
    source.destroy();
    records.destroy();
  }
}

async function* slices(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += SLICE) {
    await pause();
    yield bytes.subarray(at, at + SLICE);
  }
}

function lineOf(error: CsvError): string {
  return typeof error['lines'] === 'number' ? String(error['lines']) : 'unknown';
}

/** The one the header has more of. */
function delimiterOf(bytes: Buffer): ',' | ';' {
  const [header = ''] = bytes.toString('utf8', 0, 8 * 1024).split(/[\r\n]/, 1);
  const count = (delimiter: string) => header.split(delimiter).length;
  return count(';') > count(',') ? ';' : ',';
}
