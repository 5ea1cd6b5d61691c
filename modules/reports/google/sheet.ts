// A sheet of a Google spreadsheet. It has a fixed number of rows and columns: Google rejects ranges outside it.
import { invalid, z, type Context } from '@keelson/core';
import { unavailable } from '@keelson/core/kit';
import type { Google } from './google.ts';
import { serviceToken } from './service-account.ts';

export interface SheetPlace {
  readonly spreadsheet_id: string;
  /** The first visible sheet without a name. */
  readonly sheet_name: string | undefined;
}

export interface Sheet {
  /** Writes rows from a zero-based row on; the sheet grows as needed. */
  write(from: number, values: readonly (readonly unknown[])[]): Promise<void>;
  /** Clears all cells except those of the first rows and columns. */
  clearOutside(rows: number, columns: number): Promise<void>;
}

const TIMEOUT_MS = 20_000;
/** Of an answer: a spreadsheet has up to thousands of sheets. */
const MOST_BYTES = 1024 * 1024;
const LETTERS = 26;

const Spreadsheet = z.object({
  sheets: z.array(
    z.object({
      properties: z.object({
        /** Absent for 0, as all numbers of the answer. */
        sheetId: z.int().default(0),
        title: z.string(),
        hidden: z.boolean().default(false),
        /** Absent for sheets that are a diagram. */
        gridProperties: z.object({ rowCount: z.int().default(0), columnCount: z.int().default(0) }).optional(),
      }),
    }),
  ),
});
const FIELDS = 'sheets.properties(sheetId,title,hidden,gridProperties(rowCount,columnCount))';

/**
 * Opens a sheet to write to it.
 * @throws invalid() without such a sheet, or if Google rejects the spreadsheet; unavailable() if it does not respond
 */
export async function openSheet(ctx: Context, google: Google, place: SheetPlace): Promise<Sheet> {
  const send = await openSpreadsheet(ctx, google, place.spreadsheet_id);
  const { sheetId, title, gridProperties: grid } = findSheet(await send('GET', `?fields=${FIELDS}`), place.sheet_name);
  const rangeOf = (cells: string) => encodeURIComponent(`'${title.replaceAll("'", "''")}'!${cells}`);
  const grow = async (rows: number, columns: number) => {
    const missing = { ROWS: rows - grid.rowCount, COLUMNS: columns - grid.columnCount };
    const requests = Object.entries(missing)
      .filter(([, length]) => length > 0)
      .map(([dimension, length]) => ({ appendDimension: { sheetId, dimension, length } }));
    if (requests.length === 0) return;
    await send('POST', ':batchUpdate', { requests });
    grid.rowCount = Math.max(rows, grid.rowCount);
    grid.columnCount = Math.max(columns, grid.columnCount);
  };
  return {
    async write(from, values) {
      await grow(from + values.length, values[0]?.length ?? 0);
      const range = rangeOf(`A${from + 1}`);
      await send('PUT', `/values/${range}?valueInputOption=RAW`, { majorDimension: 'ROWS', values });
    },
    async clearOutside(rows, columns) {
      const end = `${columnAt(grid.columnCount - 1)}${grid.rowCount}`;
      if (rows < grid.rowCount) await send('POST', `/values/${rangeOf(`A${rows + 1}:${end}`)}:clear`, {});
      if (columns < grid.columnCount)
        await send('POST', `/values/${rangeOf(`${columnAt(columns)}1:${end}`)}:clear`, {});
    },
  };
}

function findSheet(body: string, sheet_name: string | undefined) {
  for (const { properties } of Spreadsheet.parse(JSON.parse(body)).sheets) {
    const { title, hidden, gridProperties } = properties;
    const isAsked = sheet_name === undefined ? !hidden : title === sheet_name;
    if (isAsked && gridProperties) return { ...properties, gridProperties };
  }
  throw invalid('sheet_name must be a sheet of the spreadsheet');
}

/** Returns the letters of a zero-based column: A, Z, AA. */
function columnAt(at: number): string {
  const last = String.fromCodePoint('A'.charCodeAt(0) + (at % LETTERS));
  return at < LETTERS ? last : `${columnAt(Math.floor(at / LETTERS) - 1)}${last}`;
}

/** Returns what sends a request to Google and returns the body of its answer. */
async function openSpreadsheet(ctx: Context, google: Google, spreadsheet_id: string) {
  const { egress } = ctx.app;
  const token = await serviceToken(egress, google, ctx.now).catch((error: unknown) => {
    ctx.log.warn({ err: error }, 'reports: Google did not issue a token');
    throw unavailable('The spreadsheet service is currently rejecting our account');
  });
  return async (method: string, path: string, body?: object): Promise<string> => {
    const url = `${google.apiUrl}/v4/spreadsheets/${encodeURIComponent(spreadsheet_id)}${path}`;
    const headers = { Authorization: `Bearer ${token}`, ...(body && { 'Content-Type': 'application/json' }) };
    const sent = body && { body: JSON.stringify(body) };
    const asked = egress.request(url, { method, headers, ...sent, timeoutMs: TIMEOUT_MS, maxBytes: MOST_BYTES });
    const answer = await asked.catch((error: unknown) => {
      ctx.log.warn({ err: error }, 'reports: Google is not responding');
      throw unavailable('The spreadsheet service is not responding');
    });
    const { status } = answer;
    if (status === 429 || status >= 500) throw unavailable('The spreadsheet service is busy: try again later');
    if (status >= 300)
      throw invalid(`Could not write to the spreadsheet: check that it is shared with ${google.clientEmail}`);
    return answer.body;
  };
}
