import { In, job, LessThan, plus, sql, type Context } from '@keelson/core';
import { BackupRecord } from './entities.ts';
import { watchBackups } from './states.ts';

export default [job('backup.status', '* * * * *', watchBackups), job('backup.prune', '40 3 * * *', prune)];

/** Retention of backup records. */
const KEPT = { days: -400 } as const;
const AT_ONCE = 500;

/** Deletes old backup records and subtracts their size. */
async function prune(outside: Context<undefined>): Promise<void> {
  while ((await outside.transaction(pruneSome)) === AT_ONCE);
}

async function pruneSome(ctx: Context): Promise<number> {
  const rows = await ctx.db.find(BackupRecord, {
    where: { started_at: LessThan(plus(ctx.now, KEPT)) },
    order: { started_at: 'ASC' },
    take: AT_ONCE,
    lock: { mode: 'pessimistic_write' },
  });
  if (rows.length === 0) return 0;
  for (const [machine_id, its] of Map.groupBy(rows, (each) => each.machine_id)) {
    const bytes = its.reduce((sum, { status, size_bytes }) => sum + (status === 'completed' ? size_bytes : 0), 0);
    if (bytes > 0)
      await ctx.db.run(
        sql`UPDATE backup_machine SET stored_bytes = stored_bytes - ${bytes} WHERE machine_id = ${machine_id}`,
      );
  }
  await ctx.db.delete(BackupRecord, { backup_id: In(rows.map((each) => each.backup_id)) });
  return rows.length;
}
