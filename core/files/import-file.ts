// Import files: checked as a whole first, then read row by row. The rows of small files are kept in between,
// large files are parsed again. Other requests are served between the slices.
import { isUtf8 } from 'node:buffer';
import { z } from 'zod';
import { columnFinder, type ImportColumn } from './import-columns.ts';
import { outlineOf } from './import-json.ts';
import { csvRows, jsonRows, noColumns, type FoundColumns, type ImportRow, type Slices } from './import-rows.ts';
import { invalid } from '../kit/problem.ts';
import type { Upload } from '../plugin/route.ts';
import { parse } from '../kit/validate.ts';

const MOST_ROWS = 50_000;
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

type Kept = readonly (readonly (ImportRow | string)[])[];

async function* given(slices: Kept): Slices {
  yield* slices;
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

async function inspect({ most = MOST_ROWS, mayBeEmpty }: ImportSpec, source: Source, keep: boolean) {
  const found = noColumns();
  const slices: Kept[number][] = [];
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
