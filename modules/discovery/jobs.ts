import { job, LessThan, plus, sql, type Context } from '@keelson/core';
import { Collector } from './entities.ts';
import { endLeases, releaseScans } from './command-queue.ts';
import { findCollector } from './collector-list.ts';
import { markOffline, SILENT } from './collectors.ts';

const AT_ONCE = 100;

export default [job('discovery.watch', '* * * * *', watch)];

/** Marks silent collectors offline and ends expired leases. */
async function watch(outside: Context<undefined>): Promise<void> {
  const silent = await outside.db.find(Collector, {
    where: { status: 'active', last_seen_at: LessThan(plus(outside.now, SILENT)) },
    take: AT_ONCE,
    order: { last_seen_at: 'ASC' },
  });
  for (const { collector_id } of silent) await outside.transaction((ctx) => leave(ctx, collector_id));
  await outside.transaction((ctx) => endLeases(ctx, { most: AT_ONCE }));
  // Release scans that returned to an offline collector.
  const away = await outside.db.query<{ collector_id: string }>(sql`SELECT DISTINCT collector_command.collector_id
    FROM collector JOIN collector_command ON collector_command.collector_id = collector.collector_id
    WHERE collector.status = 'offline' AND collector_command.status = 'pending'
      AND collector_command.command_type = 'scan' LIMIT ${AT_ONCE}`);
  for (const each of away) await outside.transaction((ctx) => releaseScans(ctx, each));
}

async function leave(ctx: Context, collector_id: string): Promise<void> {
  const collector = await findCollector(ctx, collector_id, { lock: true });
  // It may have returned since.
  const isSilent = (collector.last_seen_at ?? '') < plus(ctx.now, SILENT);
  if (collector.status === 'active' && isSilent) await markOffline(ctx, collector);
}
