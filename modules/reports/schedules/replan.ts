// Reschedules reports after the tenant's time zone has changed.
import { MoreThan, type Context } from '@keelson/core';
import { cronFault, nextTime } from '@keelson/core/events';
import { zoneOf } from '@keelson/core/kit';
import { Report } from '../entities.ts';

const AT_ONCE = 100;

/** Recomputes the next run of every schedule in a time zone. Reports now due still run. */
export async function replan(outside: Context, time_zone: string): Promise<void> {
  const zone = zoneOf(time_zone);
  for (let after = 0; ;) {
    const planned = await outside.transaction(async (ctx) => {
      const where = { report_id: MoreThan(after), next_run_at: MoreThan(ctx.now) };
      const order = { report_id: 'ASC' } as const;
      const rows = await ctx.db.find(Report, { where, order, take: AT_ONCE, lock: { mode: 'pessimistic_write' } });
      for (const { report_id, schedule } of rows) {
        if (!schedule || cronFault(schedule.cron) !== undefined) continue;
        await ctx.db.update(Report, { report_id }, { next_run_at: nextTime(schedule.cron, zone, ctx.now) ?? null });
      }
      return rows;
    });
    after = planned.at(-1)?.report_id ?? after;
    if (planned.length < AT_ONCE) return;
  }
}
