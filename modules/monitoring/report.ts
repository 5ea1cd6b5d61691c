// Alerts reported by other tools.
import { notFound, type Context } from '@keelson/core';
import { raiseAlert, resolveAlert } from './alerts.ts';
import type { Alert } from './entities.ts';

export interface Report {
  readonly alert_type: string;
  readonly message: string;
  readonly severity?: Alert['severity'] | undefined;
  readonly company_number?: number | undefined;
  readonly key?: string | undefined;
  readonly source?: string | undefined;
  readonly status?: 'open' | 'resolved' | undefined;
}

/** Message prefix length used as the key. */
const TELLING = 100;

/**
 * Raises, repeats or resolves an alert from another tool; `added` is true for a new one.
 * @throws notFound() if there is nothing to resolve
 */
export async function reportAlert(ctx: Context, report: Report): Promise<{ row: Alert; added: boolean }> {
  const { alert_type, message, company_number, severity = 'warning', source = ctx.author.name, status } = report;
  const what = report.key ?? `${alert_type}:${message.slice(0, TELLING)}`;
  const open_key = `report:${company_number ?? ''}:${what}`;
  if (status !== 'resolved')
    return raiseAlert(ctx, open_key, { alert_type, message, company_number, severity, source });
  const row = await resolveAlert(ctx, open_key);
  if (!row) throw notFound('Alert');
  return { row, added: false };
}
