import { job, sql, toDatabase, type Context } from '@keelson/core';
import { findOutage, moveByClock } from './outages.ts';

const AT_ONCE = 100;

export default [job('outages.windows', '* * * * *', moveWindows)];

/** Planned windows begin and end by themselves (M-18). One that was declared active again after its end goes on. */
async function moveWindows(outside: Context<undefined>): Promise<void> {
  const now = toDatabase(outside.now);
  const due = await outside.db.query<{ outage_id: number }>(sql`
    SELECT outage_id FROM outage WHERE status = 'scheduled' AND scheduled_start <= ${now}
    UNION ALL SELECT outage_id FROM outage WHERE status = 'active' AND scheduled_end <= ${now} AND scheduled_end > started_at
    LIMIT ${AT_ONCE}`);
  for (const { outage_id } of due) {
    await outside.transaction(async (ctx) => {
      const outage = await findOutage(ctx, outage_id);
      const starts = outage.status === 'scheduled' && (outage.scheduled_start ?? '') <= ctx.now;
      if (starts) return void (await moveByClock(ctx, outage, 'active'));
      const ends = outage.status === 'active' && outage.scheduled_end !== null && outage.scheduled_end <= ctx.now;
      if (ends) await moveByClock(ctx, outage, 'operating_normally');
    });
  }
}
