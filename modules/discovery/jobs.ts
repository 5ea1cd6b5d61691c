import { job, LessThan, plus, sql, type Context } from '@keelson/core';
import { eachApart } from '@keelson/core/kit';
import { findCollector } from './collectors/collector-list.ts';
import { markOffline, SILENT } from './collectors/collectors.ts';
import { endLease, readExpired, releaseScans } from './collectors/command-queue.ts';
import { Collector } from './entities.ts';

const AT_ONCE = 100;

export default [job('discovery.watch', '* * * * *', watch, { title: 'Mark silent collectors offline' })];

/**
 * Marks silent collectors offline, ends expired leases, and releases scans that returned to an offline collector.
 * @throws AggregateError naming the collectors and commands that failed, once the others are done
 */
async function watch(outside: Context<undefined>): Promise<void> {
  await eachApart(
    readTasks(outside),
    ({ name }) => name,
    ({ run }) => outside.transaction(run),
  );
}

interface Task {
  readonly name: string;
  run(ctx: Context): Promise<void>;
}

async function* readTasks({ db, now }: Context): AsyncGenerator<Task> {
  const silent = await db.find(Collector, {
    where: { status: 'active', last_seen_at: LessThan(plus(now, SILENT)) },
    take: AT_ONCE,
    order: { last_seen_at: 'ASC' },
  });
  for (const { collector_id } of silent)
    yield { name: `collector ${collector_id}`, run: (ctx) => leave(ctx, collector_id) };
  for (const command_id of await readExpired({ db, now }, AT_ONCE))
    yield { name: `command ${command_id}`, run: (ctx) => endLease(ctx, command_id) };
  // Scans that returned to an offline collector, also those of the expired leases.
  const away = await db.query<{ collector_id: string }>(sql`SELECT DISTINCT collector_command.collector_id
    FROM collector JOIN collector_command ON collector_command.collector_id = collector.collector_id
    WHERE collector.status = 'offline' AND collector_command.status = 'pending'
      AND collector_command.command_type = 'scan' LIMIT ${AT_ONCE}`);
  for (const each of away)
    yield { name: `scans of collector ${each.collector_id}`, run: (ctx) => releaseScans(ctx, each) };
}

async function leave(ctx: Context, collector_id: string): Promise<void> {
  const collector = await findCollector(ctx, collector_id, { lock: true });
  // It may have returned since.
  const isSilent = (collector.last_seen_at ?? '') < plus(ctx.now, SILENT);
  if (collector.status === 'active' && isSilent) await markOffline(ctx, collector);
}
