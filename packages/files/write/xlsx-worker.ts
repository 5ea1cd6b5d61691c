// The worker thread that writes an XLSX file (xlsx.ts). The library creates the workbook with a header and a sample row
// that carries the styles. Rows are then streamed in its place, because the library would hold them all in memory.
import { parentPort, workerData } from 'node:worker_threads';
import { strFromU8, strToU8, unzipSync, Zip, ZipDeflate, ZipPassThrough } from 'fflate';
import writeExcel, { type Cell } from 'write-excel-file/node';
import { cellText, type ExportColumn } from './rows.ts';
import type { MadeFile, ThreadMessage } from './thread.ts';
import type { XlsxJob } from './xlsx.ts';

const SHEET = 'xl/worksheets/sheet1.xml';
/** Maximum characters of a cell. */
const LONGEST = 32_767;
const MONTH = /^\d{4}-\d\d$/;
const DAY_MS = 86_400_000;
/** Excel's serial number for 1 January 1970. */
const EPOCH = 25_569;

await begin(workerData);

async function begin({ columns, zone, decimals }: XlsxJob): Promise<void> {
  const clock = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' });
  const parts = unzipSync(await template(columns, decimals));
  const sheet = strFromU8(parts[SHEET] ?? new Uint8Array());
  const sample = /<row r="2".*?<\/row>/s.exec(sheet)?.[0] ?? '';
  const places = [...sample.matchAll(/<c r="([A-Z]+)2"( s="\d+")?/g)];
  const [head = '', tail = ''] =
    sample === ''
      ? sheet.split('</sheetData>').map((each, i) => (i ? `</sheetData>${each}` : each))
      : sheet.split(sample);

  const pieces: Uint8Array[] = [];
  const zip = new Zip((error, piece, final) => {
    if (error) throw error;
    pieces.push(piece);
    if (!final) return;
    const bytes = new Uint8Array(Buffer.concat(pieces));
    const answer: MadeFile = { bytes, undrawn: '' };
    parentPort?.postMessage(answer, [bytes.buffer]);
  });
  for (const [name, content] of Object.entries(parts)) {
    if (name === SHEET) continue;
    const entry = new ZipPassThrough(name);
    zip.add(entry);
    entry.push(content, true);
  }
  const entry = new ZipDeflate(SHEET, { level: 6 });
  zip.add(entry);
  entry.push(strToU8(head));

  let row = 1;
  parentPort?.on('message', (message: ThreadMessage) => {
    if (message === 'end') {
      entry.push(strToU8(tail), true);
      zip.end();
      return;
    }
    const rows: unknown[][] = JSON.parse(message.rows);
    entry.push(strToU8(rows.map((values) => rowXml(++row, values)).join('')));
  });

  function rowXml(number: number, values: readonly unknown[]): string {
    const cells = columns.map(({ kind }, i) => {
      const [, letters = '', style = ''] = places[i] ?? [];
      // Some programs do not read cells without a reference.
      return cellXml(values[i], kind, ` r="${letters}${number}"${style}`);
    });
    return `<row r="${number}">${cells.join('')}</row>`;
  }

  /** Returns the zone's wall-clock time as if it were UTC, because cells have no time zone. */
  function clockAt(ms: number): number {
    const second = Math.floor(ms / 1000) * 1000;
    return Date.parse(`${clock.format(second).replace(' ', 'T')}Z`) + ms - second;
  }

  function cellXml(value: unknown, kind: ExportColumn['kind'], attributes: string): string {
    if (value === null || value === undefined || value === '') return `<c${attributes}/>`;
    if (typeof value === 'number') return `<c${attributes}><v>${value}</v></c>`;
    if (typeof value === 'boolean') return `<c${attributes} t="b"><v>${Number(value)}</v></c>`;
    const isDate = kind === 'moment' || (kind === 'day' && !MONTH.test(cellText(value)));
    const ms = isDate ? Date.parse(cellText(value)) : Number.NaN;
    if (!Number.isNaN(ms)) {
      const local = kind === 'moment' ? clockAt(ms) : ms;
      return `<c${attributes}><v>${local / DAY_MS + EPOCH}</v></c>`;
    }
    return `<c${attributes} t="inlineStr"><is><t xml:space="preserve">${escaped(cellText(value))}</t></is></c>`;
  }
}

function template(columns: readonly ExportColumn[], decimals: number): Promise<Buffer> {
  const header = columns.map(({ label }): Cell => ({ value: label, type: String, fontWeight: 'bold' }));
  const formats = { moment: 'yyyy-mm-dd hh:mm', day: 'yyyy-mm-dd' } as const;
  // Amounts in other currencies may have more decimals; without any, every amount is shown as it is.
  const amount = decimals > 0 ? { format: `#,##0.${'0'.repeat(decimals)}##` } : {};
  const sample = columns.map(({ kind }): Cell => {
    if (kind === 'money') return { value: 0, type: Number, ...amount };
    if (kind !== 'moment' && kind !== 'day') return { value: 'x', type: String };
    return { value: new Date(0), type: Date, format: formats[kind] };
  });
  const widths = columns.map(() => ({ width: 20 }));
  return writeExcel([header, sample], { sheet: 'Report', columns: widths, stickyRowsCount: 1 }).toBuffer();
}

// Characters that XML cannot contain.
// oxlint-disable-next-line no-control-regex
const UNFIT = /[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g;

function escaped(text: string): string {
  return text
    .slice(0, LONGEST)
    .replace(UNFIT, '')
    .toWellFormed()
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}
