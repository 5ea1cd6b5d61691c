import { In, job, LessThan, Not, plus, sql, type Context } from '@keelson/core';
import { batchesApart } from '@keelson/core/kit';
import { BackupRecord } from './entities.ts';
import { watchBackups } from './states/states.ts';

export default [
  job('backup.status', '* * * * *', watchBackups, { title: 'Check backup status' }),
  job('backup.prune', '40 3 * * *', prune, { title: 'Delete old backup reports' }),
];

/** Retention of backup records. */
const KEPT = { days: -400 } as const;
const AT_ONCE = 500;

/**
 * Deletes old backup records and subtracts their size.
 * @throws AggregateError naming the records that failed, once the others are done
 */
async function prune(outside: Context<undefined>): Promise<void> {
  const started_at = LessThan(plus(outside.now, KEPT));
  await batchesApart<number>({
    size: AT_ONCE,
    async read(failed) {
      const where = { started_at, backup_id: Not(In(failed)) };
      const rows = await outside.db.find(BackupRecord, { where, order: { started_at: 'ASC' }, take: AT_ONCE });
      return rows.map((each) => each.backup_id);
    },
    nameOf: (id) => `backup ${id}`,
    work: (ids) => outside.transaction((ctx) => remove(ctx, ids)),
  });
}

async function remove(ctx: Context, ids: readonly number[]): Promise<void> {
  const rows = await ctx.db.find(BackupRecord, {
    where: { backup_id: In(ids) },
    order: { backup_id: 'ASC' },
    lock: { mode: 'pessimistic_write' },
  });
  for (const [machine_id, its] of Map.groupBy(rows, (each) => each.machine_id)) {
    const bytes = its.reduce((sum, { status, size_bytes }) => sum + (status === 'completed' ? size_bytes : 0), 0);
    if (bytes > 0)
      await ctx.db.run(
        sql`UPDATE backup_machine SET stored_bytes = stored_bytes - ${bytes} WHERE machine_id = ${machine_id}`,
      );
  }
  await ctx.db.delete(BackupRecord, { backup_id: In(rows.map((each) => each.backup_id)) });
}
