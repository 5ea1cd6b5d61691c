// Reads CSV as spreadsheets write it: delimited by , ; | or tab, with or without a byte order mark, and with or
// without a leading `sep=;` line.
import { once } from 'node:events';
import { setImmediate as yieldToOthers } from 'node:timers/promises';
import type { CsvError, Parser } from 'csv-parse';
import { invalid } from '../fault.ts';

/** Bytes between two yields: less than a millisecond of parsing. */
const SLICE = 16 * 1024;
const MOST_COLUMNS = 200;
/** Maximum lines of a file, including empty ones and the header. An import has at most half as many rows. */
const MOST_LINES = 100_000;
/** Longer than the longest text with its quotes escaped. */
const MOST_CHARACTERS = 256 * 1024;

/**
 * Yields the records in slices, the header first, without empty lines. Yields to other requests between slices.
 * @throws FileFault with the line when the text is not valid CSV
 */
export async function* csvRecords(file: Buffer): AsyncGenerator<readonly (readonly string[])[]> {
  const { delimiter, bytes } = delimited(file);
  const old = endsInReturns(bytes);
  const count = meter(delimiter, old ? RETURN : NEWLINE);
  const { parse, CsvError: Faulty } = await import('csv-parse');
  const parser = parse({
    bom: true,
    delimiter,
    record_delimiter: old ? ['\r'] : ['\r\n', '\n'],
    relax_column_count: true,
    // Skipping them as records takes thirty times as long.
    skip_empty_lines: true,
    skip_records_with_empty_values: true,
    max_record_size: MOST_CHARACTERS,
  });
  // Errors are checked between slices. Without a listener they would end the process.
  parser.on('error', () => undefined);
  try {
    for (let at = 0; at < bytes.length; at += SLICE) {
      await yieldToOthers();
      const slice = bytes.subarray(at, at + SLICE);
      count(slice);
      parser.write(slice);
      yield taken(parser);
    }
    await yieldToOthers();
    parser.end();
    yield taken(parser);
    if (!parser.writableFinished && !parser.errored) await once(parser, 'finish');
    yield taken(parser);
  } catch (error) {
    throw readable(error, Faulty);
  } finally {
    parser.destroy();
  }
}

const [NEWLINE, RETURN, QUOTE] = [0x0a, 0x0d, 0x22] as const;

/** Lines above a header that may be titles. */
export const MOST_TITLES = 10;

/** The longest header in bytes: characters have up to four. */
const LONGEST_HEADER = 4 * MOST_CHARACTERS;

/** Returns whether lines end in a carriage return alone, as on old Macs. The first line decides, as in the parser. */
function endsInReturns(bytes: Buffer): boolean {
  let quoted = false;
  for (let at = 0; at < Math.min(bytes.length, LONGEST_HEADER); at++) {
    const byte = bytes[at];
    if (byte === QUOTE) quoted = !quoted;
    else if (!quoted && byte === NEWLINE) return false;
    else if (!quoted && byte === RETURN) return bytes[at + 1] !== NEWLINE;
  }
  return false;
}

/**
 * Counts cells and lines before parsing. The parser only emits complete records: one with millions of empty cells would
 * take gigabytes first, and as many empty lines would take seconds without a single record.
 * @throws FileFault when there are too many
 */
function meter(delimiter: string, newline: number): (slice: Buffer) => void {
  const [comma, quote] = [delimiter.charCodeAt(0), QUOTE];
  let quoted = false;
  let cells = 1;
  let lines = 1;
  return (slice) => {
    for (const byte of slice) {
      if (byte === quote) quoted = !quoted;
      else if (quoted) continue;
      else if (byte === comma && ++cells > MOST_COLUMNS) throw tooManyColumns();
      else if (byte === newline) {
        cells = 1;
        if (++lines > MOST_LINES) throw invalid(`The file must have at most ${MOST_LINES} lines`);
      }
    }
  };
}

const tooManyColumns = () => invalid(`The file must have at most ${MOST_COLUMNS} columns`);

/** Returns the records the parser has finished so far. */
function taken(parser: Parser): string[][] {
  if (parser.errored) throw parser.errored;
  const records: string[][] = [];
  for (let record: unknown = parser.read(); Array.isArray(record); record = parser.read()) {
    if (record.length > MOST_COLUMNS) throw tooManyColumns();
    records.push(record);
  }
  return records;
}

function readable(error: unknown, Faulty: typeof CsvError): unknown {
  return error instanceof Faulty ? invalid(`The file is not valid CSV: line ${lineOf(error)}`) : error;
}

function lineOf(error: CsvError): string {
  return typeof error['lines'] === 'number' ? String(error['lines']) : 'unknown';
}

const delimiters = [',', ';', '\t', '|'] as const;

/**
 * Returns the first line that is not empty, or after a title without a delimiter the first of two lines with as many
 * cells. What is quoted is left out: names may contain any delimiter.
 */
function headerOf(start: string): string {
  const bare = start.replaceAll(/"(?:[^"]|"")*"/g, '""');
  const [first = '', ...others] = bare.split(/[\r\n]+/).filter((line) => /[^\s,;|]/.test(line));
  if (delimiters.some((each) => first.includes(each))) return first;
  const isTable = (line: string, next = '') =>
    delimiters.some((each) => line.includes(each) && line.split(each).length === next.split(each).length);
  return others.slice(0, MOST_TITLES).find((line, at) => isTable(line, others[at + 1])) ?? first;
}

/** Returns the delimiter named in a `sep=` line or most frequent in the header, and the file without that line. */
export function delimited(bytes: Buffer): { readonly delimiter: string; readonly bytes: Buffer } {
  const start = bytes.toString('utf8', 0, 8 * 1024);
  const [line, , named = ''] = /^\ufeff?("?)sep=([,;|\t])\1[^\r\n]*\r?\n/i.exec(start) ?? [];
  if (line) return { delimiter: named, bytes: bytes.subarray(Buffer.byteLength(line)) };
  const header = headerOf(start);
  const count = (delimiter: string) => header.split(delimiter).length;
  const [most = ','] = delimiters.toSorted((a, b) => count(b) - count(a));
  return { delimiter: most, bytes };
}
