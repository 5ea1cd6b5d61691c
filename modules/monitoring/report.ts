// Alerts that other tools report.
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

/** As much of a message as tells it from others. */
const TELLING = 100;

/**
 * Raises, repeats or ends an alert that another tool has found; `added` is whether it is a new one.
 * @throws notFound() when there is nothing to end
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
