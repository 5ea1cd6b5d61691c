// Import files: validated as a whole first, then read row by row. Rows of small files are kept in
// between; large files are parsed again. Other requests are served between slices.
import { isUtf8 } from 'node:buffer';
import {
  csvRows,
  dateForms,
  FileFault,
  importProfiles,
  isArchive,
  jsonRows,
  noColumns,
  outlineOf,
  previewTable,
  tableOf,
  type FoundColumns,
  type ImportColumn,
  type ImportMapping,
  type ImportPreview,
  type ImportRow,
  type Reading,
  type Slices,
} from '@keelson/files';
import { param } from '@keelson/kit/param.ts';
import { invalid } from '@keelson/kit/problem.ts';
import { parse } from '@keelson/kit/validate.ts';
import { z } from 'zod';
import type { Upload } from '../plugin/route/route.ts';

const MOST_ROWS = 50_000;
/** Files up to this size, in bytes, are parsed only once. */
const SMALL = 8 * 1024 * 1024;

export interface ImportSpec<O extends z.ZodType = z.ZodType> {
  readonly columns: readonly ImportColumn[];
  /** Members of a JSON body that may contain the rows, besides `rows`. */
  readonly lists: readonly string[];
  /** Maximum rows. Default: 50,000. */
  readonly most?: number;
  /** Accepts a file without rows. */
  readonly mayBeEmpty?: boolean;
  /** Derives fields of a row from others, such as both names from a full name. */
  readonly derive?: (row: Record<string, unknown>) => void;
  /** Options besides the rows, from the query, multipart fields and members of a JSON body. Declared with `param`. */
  readonly options: O;
}

const LONGEST_MAPPING = 64 * 1024;

/** Parsing options that every import accepts, in its query, form or body. */
export const importReading = Object.freeze({
  profile: param.choice(importProfiles),
  /** JSON: `{"Serial Number": "serial_number", "Notes": ""}`. */
  mapping: param.text(LONGEST_MAPPING),
  dates: param.choice(dateForms),
});

/** The input of a route with `upload: 'import'`. */
export interface ImportInput {
  readonly uploads: readonly Upload[];
  /** The other fields of a multipart body. */
  readonly fields: unknown;
  readonly query: object;
}

export interface ImportFile<Options> {
  readonly total: number;
  /** Undeclared columns of the file. */
  readonly ignored: readonly string[];
  /** The declared columns that have a value in some row. */
  readonly given: ReadonlySet<string>;
  readonly options: Options;
  /** Returns the rows in order. */
  rows(): Slices;
}

/**
 * Reads an import file once to validate it as a whole. Store nothing before this.
 * @throws invalid() when it cannot be read, has no rows or more than 50,000, or lacks a required column
 */
export async function readImport<O extends z.ZodType>(
  spec: ImportSpec<O>,
  { uploads, fields, query }: ImportInput,
): Promise<ImportFile<z.output<O>>> {
  const upload = onlyFile(uploads);
  const opened = await open(upload, spec).catch(refuse);
  const given = { ...opened.members, ...Object(fields), ...query };
  const options = parse(spec.options, given, 'Request');
  const source = opened.source(readingOf(spec, given));
  const { slices, ...found } = await inspect(spec, source, upload.bytes.length <= SMALL).catch(refuse);
  return { ...found, options, rows: () => (slices ? kept(slices) : source(noColumns())) };
}

/** Previews a file without validating or storing it. @throws invalid() when it is not a table */
export async function previewImport(
  columns: readonly ImportColumn[],
  uploads: ImportInput['uploads'],
): Promise<z.infer<typeof ImportPreview>> {
  const upload = onlyFile(uploads);
  if (isJson(upload)) throw invalid('JSON has no columns to match: send CSV or .xlsx');
  return previewTable(columns, upload.bytes).catch(refuse);
}

/** An error in the file is the caller's fault. */
function refuse(error: unknown): never {
  throw error instanceof FileFault ? invalid(error.message) : error;
}

const Reading = z.object(importReading);
const Mapping = z.record(z.string(), z.string().nullable());

/** @throws invalid() for a malformed mapping */
function readingOf({ columns, derive }: ImportSpec, given: object): Reading {
  const { mapping: sent } = given as { readonly mapping?: unknown };
  // A JSON body has it as an object, other bodies as text.
  const asText = typeof sent === 'object' && sent !== null ? JSON.stringify(sent) : sent;
  const { profile, mapping, dates } = parse(Reading, { ...given, mapping: asText }, 'Request');
  return { columns, derive, guess: profile !== undefined, dates, mapping: mapping ? mappingIn(mapping) : undefined };
}

function mappingIn(text: string): ImportMapping {
  try {
    return Mapping.parse(JSON.parse(text));
  } catch {
    throw invalid('mapping must be a JSON object from columns to fields');
  }
}

type Kept = readonly (readonly (ImportRow | string)[])[];

async function* kept(slices: Kept): Slices {
  yield* slices;
}

/** Reads the file from the start on each call. */
type Source = (found: FoundColumns) => Slices;

interface Opened {
  readonly source: (reading: Reading) => Source;
  readonly members: object;
}

async function open(upload: Upload, spec: ImportSpec): Promise<Opened> {
  const { bytes } = upload;
  if (isArchive(bytes) || !isJson(upload)) return { source: csvSource((await tableOf(bytes)).bytes), members: {} };
  if (!isUtf8(bytes)) throw noText();
  const names = [...spec.lists, 'rows'];
  const { rowsAt: start, csv, members } = await outlineOf(bytes, names);
  const beside = Object.fromEntries(members);
  if (csv !== undefined) return { source: csvSource(csv), members: beside };
  if (start === undefined) throw invalid(`One of ${[...names, 'csv'].join(', ')} is required`);
  return { source: (reading) => (found) => jsonRows(bytes, start, reading, found), members: beside };
}

const csvSource =
  (bytes: Buffer) =>
  (reading: Reading): Source =>
  (found) =>
    csvRows(bytes, reading, found);

/** @throws invalid() for none or several */
export function onlyFile(uploads: readonly Upload[]): Upload {
  const [upload, ...more] = uploads;
  if (!upload || more.length > 0) throw invalid('Exactly one file is required');
  return upload;
}

/** Detects JSON by the declared type, the file name, or the first character. */
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
    if (n > limit) throw invalid(`${name} may be set in at most ${limit} rows per file`);
  }
  const given = new Set([...found.given.keys()].map(({ name }) => name));
  return { total, ignored: [...found.ignored], given, slices: keep ? slices : undefined };
}

function noText() {
  return invalid('The file must be UTF-8 text');
}
