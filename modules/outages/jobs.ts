import { job, lock, sql, toDatabase, type Context } from '@keelson/core';
import { eachApart } from '@keelson/core/kit';
import { moveByClock, Outages } from './outages/outages.ts';

const AT_ONCE = 100;

export default [job('outages.windows', '* * * * *', moveWindows, { title: 'Start and end maintenance windows' })];

/**
 * Starts and ends planned windows (M-18). A window that passed while no job ran ends without having started; one
 * reactivated after its end stays active.
 * @throws AggregateError naming the outages that failed, once the others are done
 */
async function moveWindows(outside: Context<undefined>): Promise<void> {
  await eachApart(
    readDue(outside),
    (outage_id) => `outage ${outage_id}`,
    (outage_id) => outside.transaction((ctx) => moveWindow(ctx, outage_id)),
  );
}

async function* readDue(outside: Context): AsyncGenerator<number> {
  const now = toDatabase(outside.now);
  for (let after = 0; ;) {
    const due = await outside.db.query<{ outage_id: number }>(sql`
      SELECT outage_id FROM outage WHERE status = 'scheduled' AND scheduled_start <= ${now} AND outage_id > ${after}
      UNION ALL SELECT outage_id FROM outage WHERE status = 'active' AND scheduled_end <= ${now}
        AND scheduled_end > started_at AND outage_id > ${after}
      ORDER BY outage_id LIMIT ${AT_ONCE}`);
    const ids = due.map((each) => Number(each.outage_id));
    yield* ids;
    if (ids.length < AT_ONCE) return;
    after = ids.at(-1) ?? after;
  }
}

async function moveWindow(ctx: Context, outage_id: number): Promise<void> {
  const outage = await lock(ctx, Outages, outage_id);
  const { status, scheduled_start, scheduled_end, started_at } = outage;
  if (status === 'resolved' || (scheduled_start ?? '') > ctx.now) return;
  if (status === 'active' && (started_at ?? '') >= (scheduled_end ?? '')) return;
  const isOver = scheduled_end !== null && scheduled_end <= ctx.now;
  if (isOver) await moveByClock(ctx, outage, 'operating_normally');
  else if (status === 'scheduled') await moveByClock(ctx, outage, 'active');
}
