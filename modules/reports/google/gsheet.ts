// Report export to a Google spreadsheet. Values are sent raw, so that none becomes a formula.
import type { Context, EmployeeActor } from '@keelson/core';
import { inReportTurn, wholeReport } from '../engine/run.ts';
import type { Report } from '../entities.ts';
import { requestOf } from '../run.ts';
import { googleFor } from './google.ts';
import { openSheet } from './sheet.ts';
import { spreadsheetFor } from './spreadsheets.ts';

export interface SheetTarget {
  readonly spreadsheet_id?: string | undefined;
  readonly sheet_name?: string | undefined;
}

/** Rows per request. */
const AT_ONCE = 2000;
/** Maximum characters per cell. */
const LONGEST = 50_000;

/**
 * Exports a report to a spreadsheet.
 * @throws invalid() without an account, without such a sheet, or if Google rejects the spreadsheet; unavailable() if it
 * does not respond
 */
export async function syncSheet(ctx: Context<EmployeeActor>, report: Report, target: SheetTarget) {
  const google = await googleFor(ctx);
  const spreadsheet_id = await spreadsheetFor(ctx, target.spreadsheet_id);
  const request = await requestOf(ctx, report);
  const rows_synced = await inReportTurn(ctx, request.company, async () => {
    const { columns, rows } = await wholeReport(ctx, request);
    const sheet = await openSheet(ctx, google, { spreadsheet_id, sheet_name: target.sheet_name });
    let values: unknown[][] = [columns.map(({ label }) => label)];
    let written = 0;
    const write = async () => {
      await sheet.write(written, values);
      written += values.length;
      values = [];
    };
    for await (const batch of rows) {
      values.push(...batch.map((row) => columns.map(({ key }) => cellOf(row[key]))));
      if (values.length >= AT_ONCE) await write();
    }
    if (values.length > 0) await write();
    // Clear the old content last: an interrupted export loses no data but leaves old rows below the new ones.
    await sheet.clearOutside(written, columns.length);
    return written - 1;
  });
  const spreadsheet_url = `https://docs.google.com/spreadsheets/d/${encodeURIComponent(spreadsheet_id)}`;
  return { spreadsheet_id, spreadsheet_url, rows_synced, synced_at: ctx.now };
}

function cellOf(value: unknown): string | number | boolean {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  return (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, LONGEST);
}
