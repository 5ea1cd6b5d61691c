// The rows of an import file by the declared columns, some at a time.
import { bareObject } from '../kit/dictionary.ts';
import { cellValue, type ImportColumn } from './import-columns.ts';
import { csvRecords } from './import-csv.ts';
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

/** The rows of a CSV file; its first line names the columns. */
export async function* csvRows(
  bytes: Buffer,
  columns: readonly ImportColumn[],
  find: Find,
  found: FoundColumns,
): Slices {
  let header: readonly (ImportColumn | undefined)[] | undefined;
  for await (const records of csvRecords(bytes)) {
    const [first] = records;
    if (!first) continue;
    if (header) {
      yield csvSlice(header, records, found);
      continue;
    }
    header = headerOf(first, columns, find, found);
    yield csvSlice(header, records.slice(1), found);
  }
}

type Header = readonly (ImportColumn | undefined)[];

function csvSlice(
  header: Header,
  records: readonly (readonly string[])[],
  found: FoundColumns,
): (ImportRow | string)[] {
  return records.map((cells) => {
    const surplus = cells.length > header.length && cells.slice(header.length).some((each) => each.trim() !== '');
    return surplus ? 'Row has more cells than the header' : rowOf(header, cells, found);
  });
}

function headerOf(cells: readonly string[], columns: readonly ImportColumn[], find: Find, found: FoundColumns): Header {
  const header = cells.map(find);
  for (const [i, cell] of cells.entries()) if (!header[i] && cell.trim() !== '') ignore(found, cell.trim());
  checkHeader(header, columns);
  return header;
}

function checkHeader(header: Header, columns: readonly ImportColumn[]): void {
  const missing = columns.filter((each) => each.required && !header.includes(each)).map(({ name }) => name);
  if (missing.length > 0) throw invalid(`The file must have a header with the columns: ${missing.join(', ')}`);
  const twice = header.find((each, i) => each && header.indexOf(each) !== i);
  if (twice) throw invalid(`The column ${twice.name} occurs twice`);
}

function rowOf(header: Header, cells: readonly string[], found: FoundColumns): ImportRow {
  const row = bareObject();
  for (let i = 0; i < header.length; i++) {
    const column = header[i];
    if (!column) continue;
    const value = cellValue(column, cells[i] ?? '');
    if (value !== undefined) put(row, column, value, found);
  }
  return row;
}

/** The rows of a JSON list that begins at `start`. */
export async function* jsonRows(bytes: Buffer, start: number, find: Find, found: FoundColumns): Slices {
  let slice: (ImportRow | string)[] = [];
  for (const value of rowsAt(bytes, start)) {
    slice.push(jsonRow(value, find, found));
    if (slice.length < ROWS_BETWEEN_PAUSES) continue;
    yield slice;
    slice = [];
    await yieldToOthers();
  }
  yield slice;
}

function jsonRow(value: unknown, find: Find, found: FoundColumns): ImportRow | string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'Row must be an object';
  const row = bareObject();
  for (const [name, each] of Object.entries(value)) {
    const column = find(name);
    if (column) put(row, column, each, found);
    else ignore(found, name);
  }
  return row;
}

function put(row: Record<string, unknown>, column: ImportColumn, value: unknown, { given }: FoundColumns): void {
  row[column.name] = value;
  given.set(column, (given.get(column) ?? 0) + 1);
}

function ignore({ ignored }: FoundColumns, name: string): void {
  if (ignored.size < MOST_IGNORED) ignored.add(name.slice(0, 255));
}
