// Unresolved alerts grouped by the machine that they are about, the worst first.
import { In, show, sql, z, type Context } from '@keelson/core';
import { AlertItem, isMuted, unresolvedSql } from './alert-list.ts';
import { Alert, severities } from './entities.ts';

/** Maximum alerts listed per machine. */
const NEWEST = 5;

const { company_number, company_name, asset_id, machine_name, collector_id } = AlertItem.shape.shape;

/** A machine, collector or company with its unresolved alerts; all are null for the installation itself. */
export const AlertGroup = z.object({
  company_number,
  company_name,
  asset_id,
  machine_name,
  collector_id,
  /** Number of unresolved alerts that are not muted. */
  total: z.int(),
  /** The worst of them. */
  severity: z.enum(severities),
  last_raised_at: z.iso.datetime(),
  /** The worst and newest of them. */
  alerts: z.array(AlertItem.shape),
});

const rank = sql`CASE severity WHEN 'critical' THEN 2 WHEN 'warning' THEN 1 ELSE 0 END`;
const machine = sql`PARTITION BY company_number, asset_id, collector_id`;

interface Asked {
  readonly company_number?: number | undefined;
  readonly page: number;
  readonly size: number;
}

export async function listAlertGroups(ctx: Context, { company_number: company, page, size }: Asked) {
  const at = company === undefined ? sql`1 = 1` : sql`company_number = ${company}`;
  const alerts = sql`FROM alert WHERE ${unresolvedSql} AND NOT ${isMuted(ctx)} AND ${at}`;
  const [counted] = await ctx.db.query<{ machines: number | string }>(
    sql`SELECT COUNT(*) AS machines FROM (SELECT DISTINCT company_number, asset_id, collector_id ${alerts}) AS listed`,
  );
  const found = await ctx.db.query<{ alert_id: number; total: number | string }>(sql`SELECT alert_id, total FROM (
      SELECT alert_id, total, place,
        DENSE_RANK() OVER (ORDER BY worst DESC, latest DESC, company_number, asset_id, collector_id) AS machine_place
      FROM (SELECT alert_id, company_number, asset_id, collector_id, COUNT(*) OVER (${machine}) AS total,
          MAX(${rank}) OVER (${machine}) AS worst, MAX(last_raised_at) OVER (${machine}) AS latest,
          ROW_NUMBER() OVER (${machine} ORDER BY ${rank} DESC, last_raised_at DESC, alert_id DESC) AS place
        ${alerts}) AS ranked) AS placed
    WHERE place <= ${NEWEST} AND machine_place > ${(page - 1) * size} AND machine_place <= ${page * size}
    ORDER BY machine_place, place`);
  const rows = await ctx.db.findBy(Alert, { alert_id: In(found.map((each) => each.alert_id)) });
  const shown = new Map((await show(ctx, AlertItem, rows)).map((each) => [each.alert_id, each]));
  const groups = new Map<string, z.input<typeof AlertGroup>>();
  for (const { alert_id, total } of found) {
    const alert = shown.get(alert_id);
    if (!alert) continue;
    const { company_number: number, company_name: name, asset_id: asset, collector_id: collector } = alert;
    const key = JSON.stringify([number, asset, collector]);
    const group = groups.get(key);
    if (group) {
      const last = group.last_raised_at > alert.last_raised_at ? group.last_raised_at : alert.last_raised_at;
      groups.set(key, { ...group, last_raised_at: last, alerts: [...group.alerts, alert] });
      continue;
    }
    const { severity, last_raised_at } = alert;
    const subject = { company_number: number, company_name: name, asset_id: asset, collector_id: collector };
    const worst = { machine_name: alert.machine_name, total: Number(total), severity, last_raised_at };
    groups.set(key, { ...subject, ...worst, alerts: [alert] });
  }
  return { rows: [...groups.values()], total: Number(counted?.machines ?? 0) };
}
