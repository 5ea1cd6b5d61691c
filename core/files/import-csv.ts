// CSV as spreadsheets write it, record by record: separated by , or ; with or without a byte order mark.
import { once } from 'node:events';
import { CsvError, parse, type Parser } from 'csv-parse';
import { invalid } from '../kit/problem.ts';
import { yieldToOthers } from './import-pause.ts';

/** Bytes between two pauses: under a millisecond of parsing. */
const SLICE = 16 * 1024;
const MOST_COLUMNS = 200;
/** Longer than the longest text with all its quotes. */
const MOST_CHARACTERS = 256 * 1024;

/**
 * The records in slices, the header's cells first; lines without any value are passed over. Other work goes on between
 * the slices. @throws invalid() naming the line when the text is no CSV
 */
export async function* csvRecords(bytes: Buffer): AsyncGenerator<readonly (readonly string[])[]> {
  const parser = parse({
    bom: true,
    delimiter: delimiterOf(bytes),
    relax_column_count: true,
    skip_records_with_empty_values: true,
    max_record_size: MOST_CHARACTERS,
  });
  // Looked at between the slices; an error that nobody listens to would end the process.
  parser.on('error', () => undefined);
  try {
    for (let at = 0; at < bytes.length; at += SLICE) {
      await yieldToOthers();
      parser.write(bytes.subarray(at, at + SLICE));
      yield taken(parser);
    }
    await yieldToOthers();
    parser.end();
    yield taken(parser);
    if (!parser.writableFinished && !parser.errored) await once(parser, 'finish');
    yield taken(parser);
  } catch (error) {
    throw readable(error);
  } finally {
    parser.destroy();
  }
}

/** What the parser has made of the bytes it was given. */
function taken(parser: Parser): string[][] {
  if (parser.errored) throw parser.errored;
  const records: string[][] = [];
  for (let record: unknown = parser.read(); Array.isArray(record); record = parser.read()) {
    if (record.length > MOST_COLUMNS) throw invalid(`The file must have at most ${MOST_COLUMNS} columns`);
    records.push(record);
  }
  return records;
}

function readable(error: unknown): unknown {
  return error instanceof CsvError ? invalid(`The file is no valid CSV: line ${lineOf(error)}`) : error;
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
