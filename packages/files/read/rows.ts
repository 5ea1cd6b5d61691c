// Yields the rows of an import file by declared column, in slices.
import { invalid } from '../fault.ts';
import { cellValue, columnFinder, type CellForms, type ImportColumn } from './columns.ts';
import { csvRecords } from './csv.ts';
import { datesIn, countTitles, readHeader, type HeaderWishes } from './header.ts';
import { rowsAt } from './json.ts';

const MOST_IGNORED = 200;

/** A row by declared column name. Empty cells of a CSV file are absent. */
export type ImportRow = Readonly<Record<string, unknown>>;

/** Slices of rows. An invalid row is replaced by a sentence describing the fault. */
export type Slices = AsyncIterable<readonly (ImportRow | string)[]>;

/** The columns found while reading. */
export interface FoundColumns {
  readonly ignored: Set<string>;
  /** Number of rows with a value, per column. */
  readonly given: Map<ImportColumn, number>;
}

export function noColumns(): FoundColumns {
  return { ignored: new Set(), given: new Map() };
}

/** An empty row, which inherits nothing. V8 stores objects made by `Object.create(null)` as hash tables: several times as slow. */
const BareRow = function BareRow() {} as unknown as new () => Record<string, unknown>;
BareRow.prototype = Object.freeze(Object.create(null));

type Find = (called: string) => ImportColumn | undefined;

/** How to read a file: column mapping and cell formats. */
export interface Reading extends HeaderWishes, CellForms {
  readonly columns: readonly ImportColumn[];
  /** Derives fields of a row from others. */
  readonly derive?: ((row: Record<string, unknown>) => void) | undefined;
}

/** Rows sampled to interpret a header. */
const SAMPLE = 50;

/** Yields the rows of a CSV file. Its first line names the columns. */
export async function* csvRows(bytes: Buffer, reading: Reading, found: FoundColumns): Slices {
  let header: Header | undefined;
  let forms = reading;
  let waiting: (readonly string[])[] = [];
  const begin = () => {
    const [first, ...rows] = waiting.slice(countTitles(reading.columns, waiting, reading));
    waiting = [];
    if (!first) return [];
    const sample = rows.slice(0, SAMPLE);
    header = headerOf(first, sample, reading, found);
    // `1/30/2027` says how to read `1/2/2027` of the same file.
    if (reading.guess && !reading.dates) forms = { ...reading, dates: datesIn(header, sample).dates };
    return csvSlice(header, rows, forms, found);
  };
  for await (const records of csvRecords(bytes)) {
    if (header) {
      yield csvSlice(header, records, forms, found);
      continue;
    }
    waiting.push(...records);
    // Guessing needs a sample of rows first, and there may be titles above a mapped header.
    if (waiting.length > (reading.guess || reading.mapping ? SAMPLE : 0)) yield begin();
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
  const row = new BareRow();
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

/** Yields the rows of a JSON array that starts at `start`. */
export async function* jsonRows(bytes: Buffer, start: number, reading: Reading, found: FoundColumns): Slices {
  const find = fieldFinder(reading);
  for await (const values of rowsAt(bytes, start)) yield values.map((each) => jsonRow(each, find, reading, found));
}

/** Maximum member names cached. Untrusted rows may have any number. */
const MOST_NAMES = 1000;

/** Returns a lookup from member name to column. With a mapping or guesses, each name is resolved once. */
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
  const row = new BareRow();
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
