// Import files: checked as a whole first, then read row by row. The rows of small files are kept in between,
// large files are parsed again. Other requests are served between the slices.
import { isUtf8 } from 'node:buffer';
import { z } from 'zod';
import { cellValue, columnFinder, type ImportColumn } from './import-columns.ts';
import { csvRecords } from './import-csv.ts';
import { outlineOf, rowsAt } from './import-json.ts';
import { yieldToOthers } from './import-pause.ts';
import { invalid } from '../kit/problem.ts';
import type { Upload } from '../plugin/route.ts';
import { parse } from '../kit/validate.ts';

const MOST_ROWS = 50_000;
const MOST_IGNORED = 200;
const ROWS_BETWEEN_PAUSES = 50;
/** Files up to this size, in bytes, are parsed only once. */
const SMALL = 8 * 1024 * 1024;

export interface ImportSpec<O extends z.ZodType = z.ZodType> {
  readonly columns: readonly ImportColumn[];
  /** Members of a JSON body that may contain the rows, besides `rows`. */
  readonly lists: readonly string[];
  /** The most rows; 50,000 when absent. */
  readonly most?: number;
  /** A file without rows is one. */
  readonly mayBeEmpty?: boolean;
  /** Options besides the rows, from the query, multipart fields and members of a JSON body; declared with `param`. */
  readonly options: O;
}

/** What a route with `upload: 'import'` is given. */
export interface ImportInput {
  readonly uploads: readonly Upload[];
  /** The other fields of a multipart body. */
  readonly fields: unknown;
  readonly query: object;
}

/** A row by the names of the declared columns; empty cells of a CSV file are absent. */
export type ImportRow = Readonly<Record<string, unknown>>;

/** Some rows at a time; a sentence stands for a row that is not one. */
export type Slices = AsyncIterable<readonly (ImportRow | string)[]>;

export interface ImportFile<Options> {
  readonly total: number;
  /** Columns of the file that are not declared. */
  readonly ignored: readonly string[];
  /** The declared columns that occur in some row. */
  readonly given: ReadonlySet<string>;
  readonly options: Options;
  /** The rows in order. */
  rows(): Slices;
}

/**
 * Reads an import file once to check it as a whole; store nothing before.
 * @throws invalid() when it cannot be read, has no rows or more than 50,000, or lacks a required column
 */
export async function readImport<O extends z.ZodType>(
  spec: ImportSpec<O>,
  { uploads, fields, query }: ImportInput,
): Promise<ImportFile<z.output<O>>> {
  const upload = uploads[0];
  if (!upload || uploads.length > 1) throw invalid('Exactly one file is required');
  if (!isUtf8(upload.bytes)) throw noText();
  const { source, members } = await open(upload, spec);
  const options = parse(spec.options, { ...members, ...Object(fields), ...query }, 'Request');
  const { slices, ...found } = await inspect(spec, source, upload.bytes.length <= SMALL);
  return { ...found, options, rows: () => (slices ? given(slices) : source(noColumns())) };
}

async function* given(slices: readonly (readonly (ImportRow | string)[])[]): Slices {
  yield* slices;
}

/** The columns that were found while reading. */
interface FoundColumns {
  readonly ignored: Set<string>;
  /** How many rows have a value in each column. */
  readonly given: Map<ImportColumn, number>;
}

/** Reads the file from the start with each call. */
type Source = (found: FoundColumns) => Slices;

async function open(upload: Upload, spec: ImportSpec): Promise<{ source: Source; members: object }> {
  const find = columnFinder(spec.columns);
  const { bytes } = upload;
  if (!isJson(upload)) return { source: (found) => csvRows(bytes, spec.columns, find, found), members: {} };
  const names = [...spec.lists, 'rows'];
  const { rowsAt: start, csv, members } = await outlineOf(bytes, names);
  const beside = Object.fromEntries(members);
  if (csv !== undefined) {
    // An unpaired surrogate, written as an escape, would be stored as another character.
    if (!csv.isWellFormed()) throw noText();
    const text = Buffer.from(csv);
    return { source: (found) => csvRows(text, spec.columns, find, found), members: beside };
  }
  if (start === undefined) throw invalid(`One of ${[...names, 'csv'].join(', ')} is required`);
  return { source: (found) => jsonRows(bytes, start, find, found), members: beside };
}

/** By the declared type, the file's name, or its first character. */
function isJson({ type, filename, bytes }: Upload): boolean {
  if (type === 'application/json' || filename.toLowerCase().endsWith('.json')) return true;
  return type !== 'text/csv' && /^\s*[[{]/.test(bytes.toString('utf8', 0, 256));
}

type Find = (called: string) => ImportColumn | undefined;

async function* csvRows(bytes: Buffer, columns: readonly ImportColumn[], find: Find, found: FoundColumns): Slices {
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
  const row: Record<string, unknown> = Object.create(null);
  for (let i = 0; i < header.length; i++) {
    const column = header[i];
    if (!column) continue;
    const value = cellValue(column, cells[i] ?? '');
    if (value !== undefined) put(row, column, value, found);
  }
  return row;
}

async function* jsonRows(bytes: Buffer, start: number, find: Find, found: FoundColumns): Slices {
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
  const row: Record<string, unknown> = Object.create(null);
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

async function inspect({ most = MOST_ROWS, mayBeEmpty }: ImportSpec, source: Source, keep: boolean) {
  const found = noColumns();
  const slices: (readonly (ImportRow | string)[])[] = [];
  let total = 0;
  for await (const rows of source(found)) {
    total += rows.length;
    if (total > most) throw invalid(`The file must have at most ${most} rows`);
    if (keep) slices.push(rows);
  }
  if (total === 0 && !mayBeEmpty) throw invalid('The file has no rows');
  for (const [{ name, most: limit = Infinity }, n] of found.given) {
    if (n > limit) throw invalid(`${name} may be given in at most ${limit} rows of a file`);
  }
  const given = new Set([...found.given.keys()].map(({ name }) => name));
  return { total, ignored: [...found.ignored], given, slices: keep ? slices : undefined };
}

function noText() {
  return invalid('The file must be UTF-8 text');
}

function noColumns(): FoundColumns {
  return { ignored: new Set(), given: new Map() };
}
