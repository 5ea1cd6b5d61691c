import { job, lock, sql, toDatabase, type Context } from '@keelson/core';
import { moveByClock, Outages } from './outages.ts';

const AT_ONCE = 100;

export default [job('outages.windows', '* * * * *', moveWindows)];

/** Starts and ends planned windows (M-18). A window reactivated after its end stays active. */
async function moveWindows(outside: Context<undefined>): Promise<void> {
  const now = toDatabase(outside.now);
  const due = await outside.db.query<{ outage_id: number }>(sql`
    SELECT outage_id FROM outage WHERE status = 'scheduled' AND scheduled_start <= ${now}
    UNION ALL SELECT outage_id FROM outage WHERE status = 'active' AND scheduled_end <= ${now} AND scheduled_end > started_at
    LIMIT ${AT_ONCE}`);
  for (const { outage_id } of due) await outside.transaction((ctx) => moveWindow(ctx, outage_id));
}

async function moveWindow(ctx: Context, outage_id: number): Promise<void> {
  const outage = await lock(ctx, Outages, outage_id);
  const { status, scheduled_start, scheduled_end } = outage;
  if (status === 'scheduled' && (scheduled_start ?? '') <= ctx.now) await moveByClock(ctx, outage, 'active');
  else if (status === 'active' && scheduled_end !== null && scheduled_end <= ctx.now)
    await moveByClock(ctx, outage, 'operating_normally');
}
