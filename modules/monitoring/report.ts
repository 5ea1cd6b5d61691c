// Alerts reported by other tools.
import { invalid, IsNull, notFound, type Context } from '@keelson/core';
import { Asset } from '@keelson/modules/assets';
import { raiseAlert, resolveAlert } from './alerts.ts';
import type { Alert } from './entities.ts';

export interface Report {
  readonly alert_type: string;
  readonly message: string;
  readonly severity?: Alert['severity'] | undefined;
  readonly company_number?: number | undefined;
  readonly asset_id?: number | undefined;
  readonly key?: string | undefined;
  readonly source?: string | undefined;
  readonly status?: 'open' | 'resolved' | undefined;
}

/** Message prefix length used as the key. */
const TELLING = 100;

/**
 * Raises, repeats or resolves an alert from another tool; `added` is true for a new one.
 * @throws notFound() if there is nothing to resolve, invalid() for an unknown asset or one of another company
 */
export async function reportAlert(ctx: Context, report: Report): Promise<{ row: Alert; added: boolean }> {
  const { alert_type, message, asset_id, severity = 'warning', source = ctx.author.name, status } = report;
  const company_number = asset_id === undefined ? report.company_number : await companyOf(ctx, asset_id, report);
  const what = report.key ?? `${alert_type}:${message.slice(0, TELLING)}`;
  const machine = asset_id === undefined ? '' : `asset ${asset_id}:`;
  const open_key = `report:${company_number ?? ''}:${machine}${what}`;
  if (status !== 'resolved')
    return raiseAlert(ctx, open_key, { alert_type, message, company_number, asset_id, severity, source });
  const row = await resolveAlert(ctx, open_key);
  if (!row) throw notFound('Alert');
  return { row, added: false };
}

/** Returns the company of a reported asset. */
async function companyOf(ctx: Context, asset_id: number, { company_number }: Report): Promise<number> {
  const asset = await ctx.db.findOneBy(Asset, { asset_id, deleted_at: IsNull() });
  if (!asset) throw invalid('asset_id must be an existing asset');
  if (company_number !== undefined && company_number !== asset.company_number)
    throw invalid('asset_id must be an asset of the company');
  return asset.company_number;
}
