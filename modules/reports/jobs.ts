import { job, sql, toDatabase, type Context } from '@keelson/core';
import { cronFault, nextTime } from '@keelson/core/events';
import { Report } from './entities.ts';
import { ReportDue } from './events.ts';

const AT_ONCE = 200;

export default [job('reports.schedule', '* * * * *', startDue)];

/**
 * Starts due reports, once for any number of missed times. One process claims the due time; any process may create the
 * file.
 */
async function startDue(outside: Context<undefined>): Promise<void> {
  const due = await outside.db.query<{ report_id: number }>(sql`SELECT report_id FROM report
    WHERE next_run_at <= ${toDatabase(outside.now)} ORDER BY next_run_at LIMIT ${AT_ONCE}`);
  for (const { report_id } of due) await outside.transaction((ctx) => startIfDue(ctx, Number(report_id)));
}

async function startIfDue(ctx: Context, report_id: number): Promise<void> {
  const row = await ctx.db.findOne(Report, { where: { report_id }, lock: { mode: 'pessimistic_write' } });
  if (!row?.schedule || row.next_run_at === null || row.next_run_at > ctx.now) return;
  const { cron } = row.schedule;
  const fault = cronFault(cron);
  if (fault !== undefined) {
    // Other reports must not wait for it. It runs again once its schedule is corrected.
    ctx.app.log.warn({ report_id, cron }, `reports: a schedule cannot be read, it ${fault}`);
    await ctx.db.update(Report, { report_id }, { next_run_at: null });
    return;
  }
  const next_run_at = nextTime(cron, ctx.app.zone, ctx.now) ?? null;
  await ctx.db.update(Report, { report_id }, { next_run_at });
  ctx.emit(ReportDue, { report_id, due_at: row.next_run_at });
}
