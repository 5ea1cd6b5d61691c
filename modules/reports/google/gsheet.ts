// Report export to a Google spreadsheet. Values are sent raw, so that none becomes a formula.
import { invalid, type Context, type EmployeeActor } from '@keelson/core';
import { unavailable } from '@keelson/core/kit';
import { inReportTurn, wholeReport } from '../engine/run.ts';
import type { Report } from '../entities.ts';
import { requestOf } from '../run.ts';
import { googleFor, type Google } from './google.ts';
import { serviceToken } from './service-account.ts';
import { spreadsheetFor } from './spreadsheets.ts';

export interface SheetTarget {
  readonly spreadsheet_id?: string | undefined;
  readonly sheet_name?: string | undefined;
}

/** Rows per request. */
const AT_ONCE = 2000;
const TIMEOUT_MS = 20_000;
/** Maximum characters per cell. */
const LONGEST = 50_000;
const LAST_ROW = 1_000_000;
const LETTERS = 26;

/**
 * Exports a report to a spreadsheet.
 * @throws invalid() without an account, or if Google rejects the spreadsheet; unavailable() if it does not respond
 */
export async function syncSheet(ctx: Context<EmployeeActor>, report: Report, target: SheetTarget) {
  const google = await googleFor(ctx);
  const { sheet_name } = target;
  const spreadsheet_id = await spreadsheetFor(ctx, target.spreadsheet_id);
  const request = await requestOf(ctx, report);
  const rows_synced = await inReportTurn(ctx, request.company, async () => {
    const { columns, rows } = await wholeReport(ctx, request);
    const sheet = await openSheet(ctx, google, spreadsheet_id);
    let values: unknown[][] = [columns.map(({ label }) => label)];
    let written = 0;
    const write = async () => {
      const range = rangeOf(sheet_name, `A${written + 1}`);
      await sheet('PUT', `${range}?valueInputOption=RAW`, { majorDimension: 'ROWS', values });
      written += values.length;
      values = [];
    };
    for await (const batch of rows) {
      values.push(...batch.map((row) => columns.map(({ key }) => cellOf(row[key]))));
      if (values.length >= AT_ONCE) await write();
    }
    if (values.length > 0) await write();
    // Clear the old content last: an interrupted export loses no data but leaves old rows below the new ones.
    for (const cells of [`A${written + 1}:ZZ${LAST_ROW}`, `${columnAt(columns.length)}1:ZZ${LAST_ROW}`])
      await sheet('POST', `${rangeOf(sheet_name, cells)}:clear`, {});
    return written - 1;
  });
  const spreadsheet_url = `https://docs.google.com/spreadsheets/d/${encodeURIComponent(spreadsheet_id)}`;
  return { spreadsheet_id, spreadsheet_url, rows_synced, synced_at: ctx.now };
}

/** Returns the letters of a zero-based column: A, Z, AA. */
function columnAt(at: number): string {
  const last = String.fromCodePoint('A'.charCodeAt(0) + (at % LETTERS));
  return at < LETTERS ? last : `${columnAt(Math.floor(at / LETTERS) - 1)}${last}`;
}

function rangeOf(sheet: string | undefined, cells: string): string {
  return encodeURIComponent(sheet === undefined ? cells : `'${sheet.replaceAll("'", "''")}'!${cells}`);
}

function cellOf(value: unknown): string | number | boolean {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  return (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, LONGEST);
}

type Sheet = (method: string, path: string, body: object) => Promise<void>;

async function openSheet(ctx: Context, google: Google, spreadsheet_id: string): Promise<Sheet> {
  const { egress } = ctx.app;
  const token = await serviceToken(egress, google, ctx.now).catch((error: unknown) => {
    ctx.log.warn({ err: error }, 'reports: Google did not issue a token');
    throw unavailable('The spreadsheet service is currently rejecting our account');
  });
  return async (method, path, body) => {
    const url = `${google.apiUrl}/v4/spreadsheets/${encodeURIComponent(spreadsheet_id)}/values/${path}`;
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    const asked = egress.request(url, { method, headers, body: JSON.stringify(body), timeoutMs: TIMEOUT_MS });
    const { status } = await asked.catch((error: unknown) => {
      ctx.log.warn({ err: error }, 'reports: Google is not responding');
      throw unavailable('The spreadsheet service is not responding');
    });
    if (status === 429 || status >= 500) throw unavailable('The spreadsheet service is busy: try again later');
    if (status >= 300)
      throw invalid(`Could not write to the spreadsheet: check that it is shared with ${google.clientEmail}`);
  };
}
