// The rows of an import file by the declared columns, some at a time.
import { bareObject } from '../kit/dictionary.ts';
import { cellValue, columnFinder, type CellForms, type ImportColumn } from './import-columns.ts';
import { csvRecords } from './import-csv.ts';
import { readHeader, type HeaderWishes } from './import-header.ts';
import { rowsAt } from './import-json.ts';
import { yieldToOthers } from '../kit/yield.ts';
import { invalid } from '../kit/problem.ts';

const MOST_IGNORED = 200;
const ROWS_BETWEEN_PAUSES = 50;

/** A row by the names of the declared columns; empty cells of a CSV file are absent. */
export type ImportRow = Readonly<Record<string, unknown>>;

/** Some rows at a time; a sentence stands for a row that is not one. */
export type Slices = AsyncIterable<readonly (ImportRow | string)[]>;

/** The columns that were found while reading. */
export interface FoundColumns {
  readonly ignored: Set<string>;
  /** How many rows have a value in each column. */
  readonly given: Map<ImportColumn, number>;
}

export function noColumns(): FoundColumns {
  return { ignored: new Set(), given: new Map() };
}

type Find = (called: string) => ImportColumn | undefined;

/** How a file is read: which columns mean what, and how cells are written. */
export interface Reading extends HeaderWishes, CellForms {
  readonly columns: readonly ImportColumn[];
  /** Fills in fields of a row from others. */
  readonly derive?: ((row: Record<string, unknown>) => void) | undefined;
}

/** Rows by which a header is understood. */
const SAMPLE = 50;

/** The rows of a CSV file; its first line names the columns. */
export async function* csvRows(bytes: Buffer, reading: Reading, found: FoundColumns): Slices {
  let header: Header | undefined;
  let waiting: (readonly string[])[] = [];
  const begin = () => {
    const [first, ...rows] = waiting;
    waiting = [];
    if (!first) return [];
    header = headerOf(first, rows.slice(0, SAMPLE), reading, found);
    return csvSlice(header, rows, reading, found);
  };
  for await (const records of csvRecords(bytes)) {
    if (header) {
      yield csvSlice(header, records, reading, found);
      continue;
    }
    waiting.push(...records);
    // A guess looks at some rows first.
    if (waiting.length > (reading.guess ? SAMPLE : 0)) yield begin();
  }
  if (!header) yield begin();
}

type Header = readonly (ImportColumn | undefined)[];

function csvSlice(
  header: Header,
  records: readonly (readonly string[])[],
  reading: Reading,
  found: FoundColumns,
): (ImportRow | string)[] {
  return records.map((cells) => {
    const surplus = cells.length > header.length && cells.slice(header.length).some((each) => each.trim() !== '');
    return surplus ? 'Row has more cells than the header' : rowOf(header, cells, reading, found);
  });
}

function headerOf(
  cells: readonly string[],
  sample: readonly (readonly string[])[],
  reading: Reading,
  found: FoundColumns,
): Header {
  const { columns } = reading;
  const header = readHeader(columns, cells, reading, sample);
  for (const [i, cell] of cells.entries()) if (!header[i] && cell.trim() !== '') ignore(found, cell.trim());
  const has = (name: string | undefined) => header.some((each) => each !== undefined && each.name === name);
  const missing = columns.filter((each) => each.required && !has(each.name) && !has(each.or)).map(({ name }) => name);
  if (missing.length > 0) throw invalid(`The file must have a header with the columns: ${missing.join(', ')}`);
  return header;
}

function rowOf(header: Header, cells: readonly string[], reading: Reading, found: FoundColumns): ImportRow {
  const row = bareObject();
  for (let i = 0; i < header.length; i++) {
    const column = header[i];
    if (!column) continue;
    const value = cellValue(column, cells[i] ?? '', reading);
    if (value !== undefined) put(row, column, value, found);
  }
  if (reading.derive) derived(row, reading, found);
  return row;
}

function derived(row: Record<string, unknown>, { columns, derive }: Reading, { given }: FoundColumns): void {
  const before = new Set(Object.keys(row));
  derive?.(row);
  for (const column of columns)
    if (!before.has(column.name) && row[column.name] !== undefined) given.set(column, (given.get(column) ?? 0) + 1);
}

/** The rows of a JSON list that begins at `start`. */
export async function* jsonRows(bytes: Buffer, start: number, reading: Reading, found: FoundColumns): Slices {
  const find = fieldFinder(reading);
  let slice: (ImportRow | string)[] = [];
  for (const value of rowsAt(bytes, start)) {
    slice.push(jsonRow(value, find, reading, found));
    if (slice.length < ROWS_BETWEEN_PAUSES) continue;
    yield slice;
    slice = [];
    await yieldToOthers();
  }
  yield slice;
}

/** Names of members that are looked up; rows of strangers may have any number. */
const MOST_NAMES = 1000;

/** The column of a member's name; with a mapping or guesses each name is looked for once. */
function fieldFinder(reading: Reading): Find {
  if (!reading.mapping && !reading.guess) return columnFinder(reading.columns);
  const known = new Map<string, ImportColumn | undefined>();
  return (name) => {
    if (!known.has(name) && known.size < MOST_NAMES) known.set(name, readHeader(reading.columns, [name], reading)[0]);
    return known.get(name);
  };
}

function jsonRow(value: unknown, find: Find, reading: Reading, found: FoundColumns): ImportRow | string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'Row must be an object';
  const row = bareObject();
  for (const [name, each] of Object.entries(value)) {
    const column = find(name);
    if (column) put(row, column, each, found);
    else ignore(found, name);
  }
  if (reading.derive) derived(row, reading, found);
  return row;
}

function put(row: Record<string, unknown>, column: ImportColumn, value: unknown, { given }: FoundColumns): void {
  row[column.name] = value;
  given.set(column, (given.get(column) ?? 0) + 1);
}

function ignore({ ignored }: FoundColumns, name: string): void {
  if (ignored.size < MOST_IGNORED) ignored.add(name.slice(0, 255));
}
