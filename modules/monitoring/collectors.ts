// Collectors with their monitoring data (F-55).
import { secondsBetween, show, sql, z, type Context } from '@keelson/core';
import { CollectorItem, listCollectors, pendingCommands } from '@keelson/modules/discovery';

export const WatchedCollector = CollectorItem.shape.extend({
  online: z.boolean(),
  minutes_since_seen: z.int().nullable(),
  open_alerts: z.int(),
  pending_commands: z.int(),
});

export async function readCollectors(ctx: Context) {
  const rows = await listCollectors(ctx);
  const items = await show(ctx, CollectorItem, rows);
  const alerts = await openAlerts(ctx);
  const pending = await pendingCommands(ctx);
  return items.map((item) => ({
    ...item,
    online: item.status === 'active',
    minutes_since_seen: item.last_seen_at === null ? null : minutesSince(ctx, item.last_seen_at),
    open_alerts: alerts.get(item.collector_id) ?? 0,
    pending_commands: pending.get(item.collector_id) ?? 0,
  }));
}

const minutesSince = ({ now }: Context, at: string): number => Math.max(0, Math.floor(secondsBetween(at, now) / 60));

async function openAlerts({ db }: Context): Promise<ReadonlyMap<string, number>> {
  const rows = await db.query<{ collector_id: string; n: number }>(sql`SELECT collector_id, COUNT(*) AS n FROM alert
    WHERE status IN ('open', 'acknowledged') AND collector_id IS NOT NULL GROUP BY collector_id`);
  return new Map(rows.map(({ collector_id, n }) => [collector_id, Number(n)]));
}
