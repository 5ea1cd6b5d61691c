// The child process that reads the first sheet of an Excel workbook (workbook.ts).
import { stringify } from 'csv-stringify/sync';
import { unzipSync, zipSync } from 'fflate';
import { readSheet } from 'read-excel-file/node';
import type { Piece } from '../child.ts';
import type { WorkbookAnswer, WorkbookProblem } from './workbook.ts';

/** Maximum uncompressed size of a workbook. */
const MOST_BYTES = 256 * 1024 * 1024;
/** Maximum size of the sheet as CSV: that of a CSV file. A text shared by many cells makes a small workbook large. */
const MOST_TEXT = 32 * 1024 * 1024;
const MOST_PARTS = 2000;
const MOST_ROWS = 1_048_576;
/** Maximum cells between the first and the last one, including empty ones. */
const MOST_CELLS = 5_000_000;

listen();

function listen(): void {
  const pieces: Uint8Array[] = [];
  process.on('message', (told: Piece | object) => {
    if ('piece' in told) pieces.push(told.piece);
    else void begin(Buffer.concat(pieces));
  });
}

async function begin(bytes: Buffer): Promise<void> {
  const answer = await read(bytes).catch(() => ({ problem: 'The file is not an Excel workbook' }));
  process.send?.(answer, () => process.disconnect());
}

async function read(bytes: Buffer): Promise<WorkbookAnswer> {
  const problem = problemOf(bytes);
  if (problem) return problem;
  const workbook = withReferences(bytes);
  if (!workbook) return TOO_LARGE;
  const rows = ((await readSheet(workbook)) as readonly (readonly Cell[])[]).map((cells) => cells.map(textOf));
  let size = 0;
  for (const cells of rows) for (const text of cells) size += text.length;
  if (size > MOST_TEXT) return TOO_LARGE;
  const csv = Buffer.from(stringify(rows));
  return csv.length > MOST_TEXT ? TOO_LARGE : { csv };
}

/** Checks the archive's directory without decompressing anything. */
function problemOf(bytes: Buffer): WorkbookProblem | undefined {
  const names: string[] = [];
  let size = 0;
  unzipSync(bytes, {
    filter({ name, originalSize }) {
      names.push(name);
      size += originalSize;
      return false;
    },
  });
  if (!names.includes('xl/workbook.xml')) return { problem: 'The file is a ZIP archive, not a table' };
  if (names.some((each) => each.endsWith('vbaProject.bin')))
    return { problem: 'The workbook has macros: save it as .xlsx' };
  if (size > MOST_BYTES || names.length > MOST_PARTS) return TOO_LARGE;
  return undefined;
}

const TOO_LARGE: WorkbookProblem = { problem: 'The workbook is too large: save its sheet as CSV' };

/**
 * Checks how far apart the cells of a part are. The library fills the gaps, so two cells in opposite corners of a sheet
 * would take gigabytes.
 */
function isSpread(xml: string): boolean {
  let [rows, columns] = [0, 0];
  const placeOf = places();
  for (const [, kind, attributes = ''] of xml.matchAll(TAG)) {
    const place = placeOf(kind, attributes);
    if (!place) return true;
    columns = Math.max(columns, place.column);
    rows = Math.max(rows, place.row);
    if (rows * columns > MOST_CELLS || rows > MOST_ROWS) return true;
  }
  return false;
}

/**
 * Adds the references that some programs leave out, because the library reads no cell without one. Returns undefined if
 * the cells are too far apart.
 */
function withReferences(bytes: Buffer): Buffer | undefined {
  const bare: [name: string, part: Uint8Array][] = [];
  for (const [name, part] of Object.entries(unzipSync(bytes, { filter: (each) => each.name.endsWith('.xml') }))) {
    const xml = latin(part);
    if (isSpread(xml)) return undefined;
    if (isBare(xml)) bare.push([name, part]);
  }
  if (bare.length === 0) return bytes;
  const parts = unzipSync(bytes);
  for (const [name, part] of bare) {
    const placeOf = places();
    const xml = latin(part).replace(TAG, (tag: string, kind: string, attributes: string) => {
      const place = placeOf(kind, attributes);
      if (kind === 'row' || !place || REFERENCE.test(attributes)) return tag;
      return tag.replace(/(?=\s*\/?>$)/, ` r="${lettersOf(place.column)}${place.row}"`);
    });
    parts[name] = Buffer.from(xml, 'latin1');
  }
  return Buffer.from(zipSync(parts, { level: 0 }));
}

/** Whether a part is a sheet with a cell that has no reference. */
const isBare = (xml: string): boolean =>
  xml.includes('sheetData') && /<(?:[\w.-]+:)?c(?=[\s/>])(?![^>]*\sr\s*=)/.test(xml);

/** Latin-1 is enough for references, keeps all bytes, and takes half the memory. */
const latin = ({ buffer, byteOffset, byteLength }: Uint8Array): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString('latin1');

/** The tags of rows and cells, not what looks like one in a text. */
const TAG = /<(?:[\w.-]+:)?(row|c)((?:\s[^"'<>]*(?:"[^"]*"|'[^']*'))*)\s*\/?>/g;
const REFERENCE = /\sr\s*=\s*("[^"]*"|'[^']*')/;

/**
 * Returns a function that is told each tag of a part, and returns where its row or cell is; undefined if that is too
 * far. Without a reference, it follows the one before.
 */
function places() {
  let [row, column] = [0, 0];
  return (kind: string | undefined, attributes: string): { row: number; column: number } | undefined => {
    const quoted = REFERENCE.exec(attributes)?.[1];
    const [, letters = '', digits = ''] = /^([a-z]*)(\d*)$/i.exec(quoted?.slice(1, -1) ?? '') ?? [];
    if (quoted?.includes('&') || letters.length > 3 || digits.length > 7) return undefined;
    if (kind === 'row') [row, column] = [digits === '' ? row + 1 : Number(digits), 0];
    else if (quoted === undefined) column++;
    else [row, column] = [Number(digits), columnOf(letters)];
    return { row, column };
  };
}

const columnOf = (letters: string): number =>
  Array.from(letters.toUpperCase()).reduce((sum, each) => sum * 26 + each.charCodeAt(0) - 64, 0);

const lettersOf = (column: number): string =>
  column === 0 ? '' : lettersOf(Math.floor((column - 1) / 26)) + String.fromCharCode(65 + ((column - 1) % 26));

/** A cell value as returned by the library. */
type Cell = string | number | boolean | Date | null;

const AFTER_LAST_DATE = Date.UTC(10_000, 0);

/** Formats a value for CSV: calendar dates, and timestamps without a zone. */
function textOf(value: Cell): string {
  if (value === null) return '';
  // Spreadsheets show at most 15 digits: what formulas calculate is 0.3 to their users, not 0.30000000000000004.
  if (typeof value === 'number') return String(Number(value.toPrecision(15)));
  if (!(value instanceof Date)) return String(value);
  // Spreadsheets show this for numbers that are too large for a date.
  if (!(value.getTime() < AFTER_LAST_DATE)) return '####';
  const text = value.toISOString();
  return text.endsWith('T00:00:00.000Z') ? text.slice(0, 10) : text.slice(0, 16).replace('T', ' ');
}
