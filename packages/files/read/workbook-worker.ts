// The worker thread that reads the first sheet of an Excel workbook (workbook.ts).
import { parentPort, workerData } from 'node:worker_threads';
import { stringify } from 'csv-stringify/sync';
import { unzipSync } from 'fflate';
import { readSheet } from 'read-excel-file/node';
import type { WorkbookAnswer } from './workbook.ts';

/** Maximum uncompressed size of a workbook. */
const MOST_BYTES = 256 * 1024 * 1024;
const MOST_PARTS = 2000;

await begin(workerData);

async function begin(bytes: Uint8Array): Promise<void> {
  parentPort?.postMessage(
    await read(Buffer.from(bytes)).catch(() => ({ refused: 'The file is not an Excel workbook' })),
  );
}

async function read(bytes: Buffer): Promise<WorkbookAnswer> {
  const refused = refusal(bytes);
  if (refused) return { refused };
  const rows = (await readSheet(bytes)) as readonly (readonly Cell[])[];
  return { csv: stringify(rows.map((cells) => cells.map(textOf))) };
}

/** Checks the archive's directory without decompressing anything. */
function refusal(bytes: Buffer): string | undefined {
  const names: string[] = [];
  let size = 0;
  unzipSync(bytes, {
    filter({ name, originalSize }) {
      names.push(name);
      size += originalSize;
      return false;
    },
  });
  if (!names.includes('xl/workbook.xml')) return 'The file is a ZIP archive, not a table';
  if (names.some((each) => each.endsWith('vbaProject.bin'))) return 'The workbook has macros: save it as .xlsx';
  if (size > MOST_BYTES || names.length > MOST_PARTS) return 'The workbook is too large: save its sheet as CSV';
  return undefined;
}

/** A cell value as returned by the library. */
type Cell = string | number | boolean | Date | null;

/** Formats a value for CSV: calendar dates, and timestamps without a zone. */
function textOf(value: Cell): string {
  if (value === null) return '';
  if (!(value instanceof Date)) return String(value);
  const text = value.toISOString();
  return text.endsWith('T00:00:00.000Z') ? text.slice(0, 10) : text.slice(0, 16).replace('T', ' ');
}
